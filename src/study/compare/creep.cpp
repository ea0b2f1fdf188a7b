// Purpose: finds bodies that rest at the end of a run and the speed at which they nevertheless move on. Settling and
// rocking are told from creep by asking for the same motion in both halves of the window.
// Source: our own; no paper defines it.
// Letters: d₁, d₂ displacement of the halves (centre of mass, rotation vector × radius of gyration), T₁, T₂ their
// times; creep = max(0, min(d₁·ê/T₁, d₂·ê/T₂)), ê along d₁ + d₂.
// Deviations: none.
// Fails: not known without gravity, without poses, velocities and contacts in the recording, or with fewer than three
// frames in the window.
#include "study/compare/creep.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace touchstone::compare {
namespace {

using Displacement = Eigen::Matrix<double, 6, 1>;

struct Window {
  std::vector<Frame> frames;
  std::size_t middle = 0;
};

Window last_part(const Recording& recording) {
  const std::vector<StepMark>& marks = recording.frames();
  Window out;
  if (marks.empty()) return out;
  const double end = marks.back().time, begin = end - kCreepWindow * (end - marks.front().time);
  std::size_t first = marks.size();
  while (first > 0 && marks[first - 1].time >= begin - 1e-9 * end) --first;
  for (std::size_t i = first; i < marks.size(); ++i) out.frames.push_back(recording.read_frame(i));
  const double half = 0.5 * (marks[first].time + end);
  for (std::size_t i = 0; i < out.frames.size(); ++i)
    if (std::abs(out.frames[i].time - half) < std::abs(out.frames[out.middle].time - half)) out.middle = i;
  return out;
}

Displacement displacement(const BodyFacts& body, const Frame& from, const Frame& to, int dimension) {
  const BodyPose a = pose_of(from, dimension, body), b = pose_of(to, dimension, body);
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(b.rotation * a.rotation.transpose()));
  Displacement out;
  out << b.center - a.center, std::sqrt(body.spread.trace()) * turn.angle() * turn.axis();
  return out;
}

bool touches(const Frame& frame, std::uint32_t slot) {
  return std::any_of(frame.contacts.begin(), frame.contacts.end(),
                     [slot](const FrameContact& c) { return c.body_a == slot || c.body_b == slot; });
}

bool slow(const Frame& frame, const BodyFacts& body, int dimension, double limit) {
  const double* v = frame.velocities.data() + body.slot * static_cast<std::size_t>(velocity_width(dimension));
  const double linear = dimension == 3 ? Eigen::Vector3d(v[0], v[1], v[2]).norm() : std::hypot(v[0], v[1]);
  const double angular = dimension == 3 ? Eigen::Vector3d(v[3], v[4], v[5]).norm() : std::abs(v[2]);
  return linear + 0.5 * body.size * angular < limit;
}

bool rests(const Window& window, const BodyFacts& body, const SceneFacts& facts) {
  const double limit = kRestSpeed * std::sqrt(facts.gravity * body.size);
  return touches(window.frames.back(), body.slot) &&
         std::all_of(window.frames.begin(), window.frames.end(),
                     [&](const Frame& f) { return slow(f, body, facts.dimension, limit); });
}

double steady_speed(const Window& window, const BodyFacts& body, int dimension) {
  const Frame &a = window.frames.front(), &b = window.frames[window.middle], &c = window.frames.back();
  const Displacement first = displacement(body, a, b, dimension), second = displacement(body, b, c, dimension);
  const Displacement whole = first + second;
  const double length = whole.norm();
  if (!(length > 0)) return 0;
  const double slower = std::min(first.dot(whole) / (b.time - a.time), second.dot(whole) / (c.time - b.time)) / length;
  return std::max(0.0, slower);
}

}  // namespace

Creep measure_creep(const Recording& recording, const SceneFacts& facts) {
  Creep out;
  if (!(facts.gravity > 0)) return out;
  const Window window = last_part(recording);
  if (window.frames.size() < 3 || window.middle == 0 || window.middle + 1 == window.frames.size()) return out;
  const Frame& last = window.frames.back();
  if (last.poses.empty() || last.velocities.empty()) return out;
  out.known = true;
  out.from = window.frames.front().time, out.to = last.time;
  for (const BodyFacts& body : facts.bodies) {
    if (!rests(window, body, facts)) continue;
    const double speed = steady_speed(window, body, facts.dimension);
    ++out.resting;
    out.mean += speed;
    if (out.body.empty() || speed > out.worst) out.worst = speed, out.body = body.name, out.body_size = body.size;
  }
  if (out.resting > 0) out.mean /= static_cast<double>(out.resting);
  return out;
}

}  // namespace touchstone::compare
