#include "study/compare/parting.h"

#include <algorithm>
#include <cmath>

#include "study/compare/findings.h"
#include "study/compare/halving.h"
#include "study/compare/impact_log.h"

namespace touchstone::compare {
namespace {

// A model's finest run and the one with twice its step: their difference is the step error.
struct Track {
  Recording fine, coarse;
  explicit Track(const Halving& halving)
      : fine(Recording::open(halving.recordings.back())),
        coarse(Recording::open(halving.recordings[halving.recordings.size() - 2])) {}
  std::size_t frames() const { return std::min(fine.frame_count(), coarse.frame_count()); }
};

struct Apart {
  double distance = 0, explained = 0;
};

class Follower {
 public:
  Follower(const SceneFacts& facts, const Halving& run, const Halving& reference)
      : facts_(facts), run_(run), reference_(reference), frames_(std::min(run_.frames(), reference_.frames())) {}

  std::optional<Parting> find() {
    if (frames_ == 0) return std::nullopt;
    read(frames_ - 1);
    if (!same_time()) return std::nullopt;
    std::vector<const BodyFacts*> elsewhere;
    for (const BodyFacts& body : facts_.bodies)
      if (apart(body).distance > kElsewhere * body.size) elsewhere.push_back(&body);
    for (std::size_t i = 0; i < frames_; ++i) {
      read(i);
      if (!same_time()) return std::nullopt;
      if (std::optional<Parting> found = parting_at(elsewhere)) return at_ = i, found;
    }
    return std::nullopt;
  }
  // The time before which nothing can have happened that shows in the frame found.
  double begin() const { return run_.fine.frames()[at_ < kEventFrames ? 0 : at_ - kEventFrames].time; }

 private:
  void read(std::size_t i) {
    a_ = run_.fine.read_frame(i), a2_ = run_.coarse.read_frame(i);
    b_ = reference_.fine.read_frame(i), b2_ = reference_.coarse.read_frame(i);
  }
  bool same_time() const {
    const auto same = [&](const Frame& f) { return std::abs(f.time - a_.time) < 1e-9 * (1 + a_.time); };
    return same(a2_) && same(b_) && same(b2_);
  }
  Apart apart(const BodyFacts& body) const {
    const auto at = [&](const Frame& f) { return pose_of(f, facts_.dimension, body); };
    return {point_distance(body, at(a_), at(b_)),
            kStepErrors * (point_distance(body, at(a_), at(a2_)) + point_distance(body, at(b_), at(b2_)))};
  }
  std::optional<Parting> parting_at(const std::vector<const BodyFacts*>& bodies) const {
    std::vector<std::pair<Apart, const BodyFacts*>> parted;
    for (const BodyFacts* body : bodies)
      if (const Apart a = apart(*body); a.distance > std::max(a.explained, kParted * body->size))
        parted.push_back({a, body});
    if (parted.empty()) return std::nullopt;
    std::stable_sort(parted.begin(), parted.end(),
                     [](const auto& x, const auto& y) { return x.first.distance > y.first.distance; });
    Parting out;
    out.time = a_.time;
    out.distance = parted[0].first.distance, out.explained = parted[0].first.explained;
    for (const auto& [a, body] : parted) out.bodies.push_back(body->name);
    return out;
  }

  const SceneFacts& facts_;
  Track run_, reference_;
  std::size_t frames_ = 0, at_ = 0;
  Frame a_, a2_, b_, b2_;
};

// The first event in that time that strikes one of the bodies.
std::optional<ImpactEvent> event_between(const std::string& recording, double from, double to,
                                         const std::vector<std::string>& bodies) {
  for (const ImpactEvent& e : read_events(events_path(recording))) {
    if (e.time <= from || e.time > to) continue;
    const auto struck = [&](const std::string& name) {
      return std::binary_search(e.bodies.begin(), e.bodies.end(), name);
    };
    if (std::any_of(bodies.begin(), bodies.end(), struck)) return e;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Parting> find_parting(const SceneFacts& facts, const Halving& run, const Halving& reference) {
  if (run.recordings.size() < 2 || reference.recordings.size() < 2) return std::nullopt;
  Follower follower(facts, run, reference);
  std::optional<Parting> out = follower.find();
  if (!out) return out;
  for (const std::string& recording : {run.recordings.back(), reference.recordings.back()})
    if (!out->event) out->event = event_between(recording, follower.begin(), out->time, out->bodies);
  return out;
}

}  // namespace touchstone::compare
