// Purpose: finds what a viewer can jump to from two frames that follow each other. Contact points are matched by key,
// pairs of shapes by the key without its feature.
// Letters: n normal from A to B, v velocity of B against A at the contact point, as the bodies moved in the frame
// before. Deviations: what begins and ends between two frames is not seen; frames further apart show less. Fails:
// never; without velocities there are no impacts.
#include "io/replay/event_finder.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "io/replay/frame_motion.h"

namespace touchstone {
namespace {

// A slower approach is no impact [m/s]. What gravity gives to a body between the two frames is added: a body that is
// let go next to another one is not thrown at it.
constexpr double kSlowestImpact = 0.02;
// Bodies that touch already and slide along a bend approach each other by a share of their speed.
constexpr double kBendShare = 0.1;

std::size_t field_index(const char* name) {
  const auto fields = report_fields();
  const auto at = std::find_if(fields.begin(), fields.end(),
                               [&](const ReportField& f) { return f.name == std::string_view(name); });
  return static_cast<std::size_t>(at - fields.begin());
}

}  // namespace

EventFinder::EventFinder(const ReplayWorld& world)
    : dimension_(world.scene.dimension), gravity_(world.scene.gravity.norm()), centers_(world.centers) {}

void EventFinder::reset() {
  started_ = false;
  now_.clear();
  struck_.clear();
}

void EventFinder::add(ReplayEventKind kind, const Point& point, std::uint64_t key, double value) {
  events_.push_back(
      {kind, point.a, point.b, static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), 0, value});
}

void EventFinder::gather(const Frame& now) {
  std::swap(now_, before_);
  now_.clear();
  for (std::size_t i = 0; i < now.contacts.size(); ++i) {
    const FrameContact& c = now.contacts[i];
    now_.push_back({c.key, c.body_a, c.body_b, static_cast<std::uint32_t>(i), c.sticking});
  }
  const auto by_key = [](const Point& a, const Point& b) { return a.key < b.key; };
  if (!std::is_sorted(now_.begin(), now_.end(), by_key)) std::sort(now_.begin(), now_.end(), by_key);
}

// How fast the two came together; `motion` is how fast they moved against each other. Points are taken where they are
// now, on bodies that move as they did before: so a ball that rolls does not approach the ground.
double EventFinder::approach(const Frame& now, const FrameContact& contact, double& motion) const {
  const Eigen::Vector3d point(contact.point[0], contact.point[1], contact.point[2]);
  const Eigen::Vector3d n(contact.normal[0], contact.normal[1], contact.normal[2]);
  const auto velocity = [&](std::uint32_t slot) -> Eigen::Vector3d {
    const FramePose pose = pose_in(now, slot, dimension_);
    const FrameVelocity v = velocity_in(last_, slot, dimension_);
    const Eigen::Vector3d center = slot < centers_.size() ? centers_[slot] : Eigen::Vector3d::Zero();
    return v.linear + v.angular.cross(Eigen::Vector3d(point - pose.position - pose.rotation * center));
  };
  const Eigen::Vector3d v = velocity(contact.body_b) - velocity(contact.body_a);
  motion = v.norm();
  return -n.dot(v);
}

// The points from first to before last are one pair.
void EventFinder::find_impact(const Frame& now, std::size_t first, std::size_t last, bool touched_before) {
  if (now.poses.empty() || last_.velocities.empty()) return;
  std::size_t fastest = first;
  double speed = 0, share = 0;
  for (std::size_t i = first; i < last; ++i) {
    double motion = 0;
    const double s = approach(now, now.contacts[now_[i].index], motion);
    if (s > speed) speed = s, fastest = i, share = s / motion;
  }
  if (!(speed > kSlowestImpact + gravity_ * elapsed_)) return;
  if (touched_before && share < kBendShare) return;
  const std::uint64_t pair = now_[first].pair();
  struck_.push_back(pair);
  // A soft contact takes several frames to turn a body around: that is one impact.
  if (std::binary_search(was_struck_.begin(), was_struck_.end(), pair)) return;
  add(ReplayEventKind::kImpact, now_[fastest], now_[fastest].key, speed);
  for (std::size_t i = first; i < last; ++i) impact_[now_[i].index] = 1;
}

void EventFinder::compare_pairs(const Frame& now) {
  std::size_t i = 0, k = 0;
  const auto skip = [](const std::vector<Point>& points, std::size_t& at) {
    const std::uint64_t pair = points[at].pair();
    while (at < points.size() && points[at].pair() == pair) ++at;
  };
  while (i < now_.size() || k < before_.size()) {
    const bool has_now = i < now_.size(), has_before = k < before_.size();
    if (has_before && (!has_now || before_[k].pair() < now_[i].pair())) {
      add(ReplayEventKind::kLost, before_[k], before_[k].key, 0);
      skip(before_, k);
      continue;
    }
    const bool touched = has_before && before_[k].pair() == now_[i].pair();
    const std::size_t first = i;
    if (!touched) add(ReplayEventKind::kMade, now_[i], now_[i].key, 0);
    if (touched) skip(before_, k);
    skip(now_, i);
    find_impact(now, first, i, touched);
  }
}

void EventFinder::compare_points() {
  std::size_t k = 0;
  for (const Point& p : now_) {
    while (k < before_.size() && before_[k].key < p.key) ++k;
    if (k == before_.size()) return;
    if (before_[k].key != p.key || !before_[k].sticking == !p.sticking) continue;
    add(p.sticking ? ReplayEventKind::kStick : ReplayEventKind::kSlip, p, p.key, 0);
  }
}

std::span<const ReplayEvent> EventFinder::find(const Frame& now) {
  static const std::size_t kStatus = field_index("status"), kIterations = field_index("iterations");
  events_.clear();
  impact_.assign(now.contacts.size(), 0);
  gather(now);
  elapsed_ = now.time - time_;
  std::swap(struck_, was_struck_);
  struck_.clear();
  if (started_) {
    compare_pairs(now);
    compare_points();
  }
  if (started_ && now.report.size() > std::max(kStatus, kIterations) && now.report[kStatus] > 0) {
    ReplayEvent warning;
    warning.kind = ReplayEventKind::kWarning;
    warning.value = now.report[kIterations];
    events_.push_back(warning);
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const ReplayEvent& a, const ReplayEvent& b) { return a.kind < b.kind; });
  started_ = true;
  time_ = now.time;
  last_.slots = now.slots;
  last_.alive = now.alive;
  last_.velocities = now.velocities;
  return events_;
}

}  // namespace touchstone
