#include "study/audit_ledger.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

namespace touchstone::audit {
namespace {

constexpr double kNear = 1e-3;  // of the smaller body: may touch

double step_of(const Instant& before, const Instant& after) { return after.time - before.time; }
double middle(double a, double b) { return 0.5 * (a + b); }

bool moves(const Subject& s) { return s.description.motion || !s.description.surface_velocity.isZero(0); }

// Sums over a group of bodies: what it received from outside, about a point.
Rest on_group(const Scene& scene, const Instant& before, const Instant& after, const std::set<std::size_t>& group,
              const Vector3d& about) {
  Rest out;
  for (const std::size_t i : group) {
    const Rest r = rest_impulse(scene, before, after, i);
    const Vector3d arm = 0.5 * (before.bodies[i].centre + after.bodies[i].centre) - about;
    out.linear += r.linear;
    out.angular += r.angular + arm.cross(r.linear);
  }
  return out;
}

struct Work {
  double value = 0, slack = 0;
};

// Of the one body that moves as the scene says: what the others received, along its velocity.
Work driven_in(const Scene& scene, const Instant& before, const Instant& after, bool events) {
  Work out;
  const std::vector<Subject>& subjects = scene.subjects();
  for (std::size_t m = 0; m < subjects.size(); ++m) {
    if (!moves(subjects[m])) continue;
    const BodyAt &x = before.bodies[m], &y = after.bodies[m];
    const Vector3d about = 0.5 * (x.centre + y.centre), w = 0.5 * (x.w + y.w);
    const Vector3d v = 0.5 * (x.v + y.v) + y.R * subjects[m].description.surface_velocity;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (!subjects[i].dynamic) continue;
      const Rest r = on_group(scene, before, after, {i}, about);
      out.value += r.linear.dot(v) + r.angular.dot(w);
      const double way = 0.5 * step_of(before, after) * (before.bodies[i].v.norm() + after.bodies[i].v.norm());
      out.slack += 0.5 * r.linear.norm() * w.norm() * way;
      if (events) out.slack += 0.5 * r.linear.norm() * (y.v - x.v).norm();
    }
  }
  return out;
}

// The group on the far side of a joint, with all that touches it; empty: it reaches the world or a static body.
std::set<std::size_t> far_side(const Scene& scene, const JointSides& joint, std::size_t k, const Touching& touching) {
  std::set<std::size_t> group{static_cast<std::size_t>(joint.b)};
  std::vector<std::size_t> open{static_cast<std::size_t>(joint.b)};
  const auto add = [&](int i) {
    if (i < 0 || !scene.subjects()[static_cast<std::size_t>(i)].dynamic) return false;
    if (group.insert(static_cast<std::size_t>(i)).second) open.push_back(static_cast<std::size_t>(i));
    return true;
  };
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    for (const std::size_t p : touching.partners(k, i))
      if (!add(static_cast<int>(p))) return {};
    for (const JointSides& j : scene.joints()) {
      if (&j == &joint) continue;
      if (j.a == static_cast<int>(i) && !add(j.b)) return {};
      if (j.b == static_cast<int>(i) && !add(j.a)) return {};
    }
  }
  if (joint.a >= 0 && group.contains(static_cast<std::size_t>(joint.a))) return {};
  return group;
}

// Of a motor, along its joint's coordinate. Where the far side is not alone, or the joint is at a limit, only its
// greatest force is known: all of it is slack.
Work motor_in(const Scene& scene, const JointSides& joint, const Instant& before, const Instant& after, std::size_t k,
              const Touching& touching) {
  const JointDescription& d = *joint.description;
  Work out;
  if (!d.motor_max_force) return out;
  const bool hinge = d.kind == JointKind::kHinge;
  const double h = step_of(before, after), q0 = scene.coordinate(joint, before), q1 = scene.coordinate(joint, after);
  const double way = 0.5 * h * (scene.rate(joint, before) + scene.rate(joint, after));
  const double most = *d.motor_max_force * std::abs(way);
  const double near = 2 * std::abs(way) + 1e-6;
  const bool limited =
      (d.upper && std::max(q0, q1) > *d.upper - near) || (d.lower && std::min(q0, q1) < *d.lower + near);
  const std::set<std::size_t> group = limited ? std::set<std::size_t>{} : far_side(scene, joint, k, touching);
  if (group.empty()) {
    out.slack = most;
    return out;
  }
  const BodyAt &b0 = before.bodies[static_cast<std::size_t>(joint.b)],
               &b1 = after.bodies[static_cast<std::size_t>(joint.b)];
  const Vector3d about = 0.5 * (b0.origin + b0.R * joint.point_b + b1.origin + b1.R * joint.point_b);
  const Vector3d axis = (b0.R * joint.axes_b.col(0) + b1.R * joint.axes_b.col(0)).normalized();
  const Rest r = on_group(scene, before, after, group, about);
  const double impulse = axis.dot(hinge ? r.angular : r.linear);
  out.value = impulse / h * way;
  // It may act before, with or after the forces that change the rate in this step.
  out.slack = 0.5 * std::abs(impulse) * std::abs(scene.rate(joint, after) - scene.rate(joint, before));
  return out;
}

// The table slows a disc by μ·m·g, and its spin as that of a ring of the same inertia.
Work table_on(const Scene& scene, const Instant& before, const Instant& after, std::size_t i) {
  const Subject& s = scene.subjects()[i];
  if (!scene.description().table) return {};
  const double h = step_of(before, after), ring = std::sqrt(s.inertia(2, 2) / s.mass);
  const double force = s.description.table_friction * s.mass * scene.description().table->gravity;
  const BodyAt &x = before.bodies[i], &y = after.bodies[i];
  // A collision within the step may have been at any time of it.
  return {-force * h * (middle(x.v.norm(), y.v.norm()) + ring * middle(x.w.norm(), y.w.norm())),
          0.5 * force * h * ((y.v - x.v).norm() + ring * (y.w - x.w).norm())};
}

}  // namespace

Rest rest_impulse(const Scene& scene, const Instant& before, const Instant& after, std::size_t i) {
  const Subject& s = scene.subjects()[i];
  const BodyAt &x = before.bodies[i], &y = after.bodies[i];
  Rest out;
  out.linear =
      s.mass * (y.v - x.v - step_of(before, after) * s.description.gravity_scale * scene.description().gravity);
  out.angular = scene.spin(i, y) - scene.spin(i, x);
  return out;
}

Touching::Touching(const Scene& scene, const std::vector<Instant>& run)
    : scene_(scene), run_(run), partners_(run.size()), joined_(scene.subjects().size(), false) {
  const std::vector<Subject>& subjects = scene.subjects();
  for (const JointSides& j : scene.joints())
    for (const int side : {j.a, j.b})
      if (side >= 0) joined_[static_cast<std::size_t>(side)] = true;
  const auto speed = [&](std::size_t i, const BodyAt& x) {
    return x.v.norm() + (std::isfinite(subjects[i].reach) ? subjects[i].reach : 0) * x.w.norm();
  };
  for (std::size_t k = 0; k < run.size(); ++k) {
    depths_.push_back(scene.depths(run[k]));
    partners_[k].resize(subjects.size());
    const Instant &before = run[k > 0 ? k - 1 : 0], &after = run[k];
    const auto add = [&](const PairDepth& p) {
      const double way = step_of(before, after) * (speed(p.a, before.bodies[p.a]) + speed(p.b, before.bodies[p.b]));
      std::vector<std::size_t>&of_a = partners_[k][p.a], &of_b = partners_[k][p.b];
      if (p.depth < -kNear * scene.smaller(static_cast<int>(p.a), static_cast<int>(p.b)) - 2 * way) return;
      if (std::find(of_a.begin(), of_a.end(), p.b) == of_a.end()) of_a.push_back(p.b), of_b.push_back(p.a);
    };
    for (const PairDepth& p : depths_[k]) add(p);
    if (k > 0)
      for (const PairDepth& p : depths_[k - 1]) add(p);
  }
}

Worst Touching::deepest(bool ratio) const {
  Worst out;
  for (std::size_t k = 1; k < run_.size(); ++k)
    for (const PairDepth& p : depths_[k]) {
      const double d = p.depth / (ratio ? scene_.smaller(static_cast<int>(p.a), static_cast<int>(p.b)) : 1.0);
      if (d > out.value)
        out = {d, run_[k].step, run_[k].time, scene_.subjects()[p.a].name, scene_.subjects()[p.b].name};
    }
  return out;
}

namespace {

// What one step adds.
class LedgerStep {
 public:
  LedgerStep(const Scene& scene, const Touching& touching, bool events)
      : scene_(scene), touching_(touching), events_(events) {}

  void add(const Instant& before, const Instant& after, std::size_t k) {
    const Work driven = driven_in(scene_, before, after, events_);
    put_in += driven.value, put_in_slack += driven.slack;
    for (const JointSides& j : scene_.joints()) {
      const Work w = motor_in(scene_, j, before, after, k, touching_);
      put_in += w.value, put_in_slack += w.slack;
    }
    for (std::size_t i = 0; i < scene_.subjects().size(); ++i)
      if (scene_.subjects()[i].dynamic) add_body(before, after, k, i);
    unexplained += scene_.springs(after) - scene_.springs(before);
  }

  double put_in = 0, put_in_slack = 0, unexplained = 0, slack = 0, pushed = 0;

 private:
  void add_body(const Instant& before, const Instant& after, std::size_t k, std::size_t i) {
    const Subject& s = scene_.subjects()[i];
    const BodyAt &x = before.bodies[i], &y = after.bodies[i];
    const double h = step_of(before, after);
    const Vector3d weight = s.mass * s.description.gravity_scale * scene_.description().gravity,
                   way = y.centre - x.centre;
    const Work table = table_on(scene_, before, after, i);
    put_in += table.value, put_in_slack += table.slack;
    if (touching_.free(k, i)) {
      unexplained += scene_.kinetic(i, y) - scene_.kinetic(i, x) - weight.dot(way) - table.value;
      return;
    }
    // What it received worked along the mean velocity, and so did gravity.
    unexplained -= weight.dot(way - 0.5 * h * (x.v + y.v));
    const Vector3d change = y.v - x.v;
    slack += 0.5 * h * std::abs(weight.dot(change)) + table.slack;
    if (events_) slack += 0.5 * h * weight.norm() * rest_impulse(scene_, before, after, i).linear.norm() / s.mass;
    pushed += std::max({0.0, -weight.dot(way - h * x.v), -weight.dot(way - h * y.v)});
  }

  const Scene& scene_;
  const Touching& touching_;
  bool events_;
};

}  // namespace

Ledger ledger_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching, bool events) {
  Ledger out;
  LedgerStep sum(scene, touching, events);
  for (std::size_t k = 0; k < run.size(); ++k) {
    if (k > 0) sum.add(run[k - 1], run[k], k);
    out.energy.push_back(scene.energy(run[k]));
    out.put_in.push_back(sum.put_in), out.put_in_slack.push_back(sum.put_in_slack);
    out.unexplained.push_back(sum.unexplained);
    out.pushed.push_back(sum.pushed);
    out.slack.push_back(sum.slack);
  }
  return out;
}

Worst unexplained_momentum(const Scene& scene, const std::vector<Instant>& run, const Touching& touching) {
  Worst out;
  if (!scene.description().springs.empty() || scene.description().table) return out;
  for (std::size_t k = 1; k < run.size(); ++k)
    for (std::size_t i = 0; i < scene.subjects().size(); ++i) {
      const Subject& s = scene.subjects()[i];
      if (!s.dynamic || !touching.free(k, i)) continue;
      const Rest r = rest_impulse(scene, run[k - 1], run[k], i);
      const double momentum =
          s.mass * (run[k].bodies[i].v.norm() + step_of(run[k - 1], run[k]) * scene.description().gravity.norm());
      const double spin = scene.spin(i, run[k].bodies[i]).norm();
      for (const double part :
           {momentum > 0 ? r.linear.norm() / momentum : 0.0, spin > 0 ? r.angular.norm() / spin : 0.0})
        if (part > out.value) out = {part, run[k].step, run[k].time, s.name, ""};
    }
  return out;
}

Creeping creep_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching) {
  Creeping out;
  const double gravity = scene.description().gravity.norm(), end = run.back().time;
  std::size_t first = run.size();
  while (first > 0 && run[first - 1].time >= end - 0.1 * (end - run.front().time) - 1e-9 * end) --first;
  if (!(gravity > 0) || run.size() - first < 3) return out;
  out.from = run[first].time;
  std::size_t half = first;
  for (std::size_t k = first; k < run.size(); ++k)
    if (std::abs(run[k].time - middle(out.from, end)) < std::abs(run[half].time - middle(out.from, end))) half = k;
  using Way = Eigen::Matrix<double, 6, 1>;
  for (std::size_t i = 0; i < scene.subjects().size(); ++i) {
    const Subject& s = scene.subjects()[i];
    if (!s.dynamic || touching.at_end(i).empty()) continue;
    const double size = scene.size(i), limit = 0.02 * std::sqrt(gravity * size);
    const bool rests = std::all_of(run.begin() + static_cast<std::ptrdiff_t>(first), run.end(), [&](const Instant& at) {
      return at.bodies[i].v.norm() + 0.5 * size * at.bodies[i].w.norm() < limit;
    });
    if (!rests) continue;
    const double gyration =
        std::sqrt((scene.description().dimension == 2 ? s.inertia(2, 2) : 0.5 * s.inertia.trace()) / s.mass);
    const auto way = [&](std::size_t from, std::size_t to) {
      const BodyAt &x = run[from].bodies[i], &y = run[to].bodies[i];
      const Eigen::AngleAxisd turn(Matrix3d(y.R * x.R.transpose()));
      Way w;
      w << y.centre - x.centre, gyration * turn.angle() * turn.axis();
      return w;
    };
    const Way one = way(first, half), two = way(half, run.size() - 1), both = one + two;
    const double speed = both.norm() > 0 ? std::max(0.0, std::min(one.dot(both) / (run[half].time - out.from),
                                                                  two.dot(both) / (end - run[half].time)) /
                                                             both.norm())
                                         : 0.0;
    ++out.resting;
    out.mean += speed;
    if (out.body.empty() || speed > out.worst) out.worst = speed, out.body = s.name;
  }
  if (out.resting > 0) out.mean /= static_cast<double>(out.resting);
  return out;
}

}  // namespace touchstone::audit
