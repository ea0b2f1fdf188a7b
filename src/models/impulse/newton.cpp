// Purpose: which islands Newton's method is for, the way to it and back, and the verdict on what it came to.
// Source: own.
// Letters: as in newton_steps.cpp.
// Deviations: -
// Fails: an island that is not better afterwards is left as it was.
#include "models/impulse/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace touchstone {

template <int D>
void ContactNewton<D>::begin(const Bodies<D>& bodies, ContactGroups<D>& groups, std::size_t most_bodies) {
  const std::size_t n = bodies.size();
  Islands& islands = groups.islands(n);
  root_.assign(n, Islands::kNone), size_.assign(n, 0);
  lightest_.assign(n, std::numeric_limits<double>::infinity()), heaviest_.assign(n, 0);
  for (const ContactGroup<D>& g : groups.groups()) {
    for (int lane = 0; lane < g.lanes; ++lane) {
      for (const std::uint32_t body : {g.a[lane], g.b[lane]}) {
        if (!bodies.dynamic(body) || root_[body] != Islands::kNone) continue;
        root_[body] = islands.root(body);
        const std::uint32_t root = root_[body];
        ++size_[root];
        lightest_[root] = std::min(lightest_[root], bodies.mass[body]);
        heaviest_[root] = std::max(heaviest_[root], bodies.mass[body]);
      }
    }
  }
  members_.clear();
  too_large_ = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (root_[i] == Islands::kNone) continue;
    if (size_[root_[i]] > most_bodies)
      root_[i] = Islands::kNone, too_large_ = true;
    else
      members_.push_back(i);
  }
}

template <int D>
bool ContactNewton<D>::find_slow(const NewtonInput<D>& in) {
  chosen_.assign(in.bodies.size(), 1);
  left_out_ = too_large_;
  for (const std::uint32_t body : members_) {
    const double speed =
        in.state.velocity[body].norm() + in.state.angular_velocity[body].norm() * in.bodies.radius[body];
    constexpr double kFarApart = 50;  // ratio of masses
    const std::uint32_t root = root_[body];
    if (speed > in.greatest_speed && heaviest_[root] < kFarApart * lightest_[root])
      chosen_[root_[body]] = 0, left_out_ = true;
  }
  return std::any_of(members_.begin(), members_.end(), [&](std::uint32_t body) { return chosen_[root_[body]] != 0; });
}

template <int D>
void ContactNewton<D>::collect(const ContactGroups<D>& groups) {
  points_.clear();
  const std::span<const ContactGroup<D>> all = groups.groups();
  for (std::uint32_t g = 0; g < all.size(); ++g) {
    for (int lane = 0; lane < all[g].lanes; ++lane) {
      const std::uint32_t root = root_[all[g].moves_a & 1 << lane ? all[g].a[lane] : all[g].b[lane]];
      if (root == Islands::kNone || !chosen_[root]) continue;
      for (std::uint32_t k = 0; k < all[g].points; ++k) {
        if (groups.contact(g, k, lane) < 0) continue;
        Point& p = points_.emplace_back();
        p.group = g, p.point = all[g].first_point + k, p.lane = lane, p.root = root;
      }
    }
  }
  std::sort(points_.begin(), points_.end(), [](const Point& x, const Point& y) {
    return std::tie(x.root, x.group, x.lane, x.point) < std::tie(y.root, y.group, y.lane, y.point);
  });
}

// By how much a contact is off its law, as a velocity.
template <int D>
double ContactNewton<D>::natural_residual(const Point& p, std::span<const BodyVelocity<D>> velocity,
                                          const ContactGroups<D>& groups) const {
  const ContactGroup<D>& g = groups.groups()[p.group];
  const PointLanes<D>& q = groups.points()[p.point];
  const int lane = p.lane;
  Vec<D> va, vb;
  AngVec<D> wa, wb;
  get_velocity(velocity[g.a[lane]], va, wa);
  get_velocity(velocity[g.b[lane]], vb, wb);
  const Vec<D> n = get_lane(g.n, lane);
  const Vec<D> u = vb + cross(wb, get_lane(arm_of_b(g, q), lane)) - va - cross(wa, get_lane(q.arm_a, lane));
  const double normal = q.normal[lane], un = n.dot(u) + q.bias[lane];
  const auto [k, slide] = groups.response_of(g, p.point, lane);
  const double off = std::abs(normal - std::max(0.0, normal - un / k)) * k;
  const Mat<D> axes = contact_axes(g, lane);
  Vec<D - 1> ut = axes.template rightCols<D - 1>().transpose() * u;
  ut += get_lane(groups.tangential_aim(g, p.point), lane);
  const Vec<D - 1> t = get_lane(q.tangent, lane);
  Vec<D - 1> z = t - ut / slide;
  const double limit = (q.stuck[lane] > 0 ? g.static_friction[lane] : g.dynamic_friction[lane]) * normal;
  if (z.norm() > limit) z *= g.dynamic_friction[lane] * normal / z.norm();
  return std::max(off, (t - z).norm() * slide);
}

// The island of points_[begin, end). False if it is too large.
template <int D>
bool ContactNewton<D>::build(const NewtonInput<D>& in, const ContactGroups<D>& groups, std::size_t begin,
                             std::size_t end, std::span<const BodyVelocity<D>> velocity) {
  local_.resize(in.bodies.size());
  bodies_.clear();
  const std::span<Point> points = std::span(points_).subspan(begin, end - begin);
  for (const Point& p : points) {
    const ContactGroup<D>& g = groups.groups()[p.group];
    if (g.moves_a & 1 << p.lane) bodies_.push_back(g.a[p.lane]);
    if (g.moves_b & 1 << p.lane) bodies_.push_back(g.b[p.lane]);
  }
  std::sort(bodies_.begin(), bodies_.end());
  bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  const std::uint32_t n = static_cast<std::uint32_t>(bodies_.size());
  for (std::uint32_t i = 0; i < n; ++i) local_[bodies_[i]] = i;
  edges_.clear();
  for (Point& p : points) {
    const ContactGroup<D>& g = groups.groups()[p.group];
    p.a = g.moves_a & 1 << p.lane ? local_[g.a[p.lane]] : n;
    p.b = g.moves_b & 1 << p.lane ? local_[g.b[p.lane]] : n;
    if (p.a < n && p.b < n) edges_.emplace_back(p.a, p.b);
  }
  if (!cholesky_.analyse(n, edges_, in.most_products)) return false;
  mass_.resize(n), free_.resize(n), v_.resize(n), trial_.resize(n), gradient_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t body = bodies_[i];
    mass_[i].setZero();
    mass_[i].diagonal().template head<D>().setConstant(in.bodies.mass[body]);
    mass_[i].template bottomRightCorner<kAngular<D>, kAngular<D>>() =
        rotate_moments(in.state.orientation[body], in.bodies.inertia[body]);
    free_[i] << in.state.velocity[body], in.state.angular_velocity[body];
    Vec<D> v;
    AngVec<D> w;
    get_velocity(velocity[body], v, w);
    v_[i] << v, w;
  }
  for (Point& p : points) {
    const ContactGroup<D>& g = groups.groups()[p.group];
    const PointLanes<D>& q = groups.points()[p.point];
    const Mat<D> axes = contact_axes(g, p.lane);
    const Vec<D> arm_a = get_lane(q.arm_a, p.lane), arm_b = get_lane(arm_of_b(g, q), p.lane);
    for (int i = 0; i < D; ++i) {
      const Vec<D> d = axes.col(i);
      p.j_a.row(i) << -d.transpose(), -torque_of(arm_a, d).transpose();
      p.j_b.row(i) << d.transpose(), torque_of(arm_b, d).transpose();
    }
    p.still[0] = q.bias[p.lane];
    p.still.template tail<D - 1>() = get_lane(groups.tangential_aim(g, p.point), p.lane);
    for (const bool second : {false, true}) {  // velocities of what is moved from outside
      if ((second ? p.b : p.a) < n) continue;
      Vec<D> v;
      AngVec<D> w;
      get_velocity(velocity[second ? g.b[p.lane] : g.a[p.lane]], v, w);
      Vector both;
      both << v, w;
      p.still += (second ? p.j_b : p.j_a) * both;
    }
    p.lambda[0] = q.normal[p.lane];
    p.lambda.template tail<D - 1>() = get_lane(q.tangent, p.lane);
    p.k = groups.response_of(g, p.point, p.lane).normal;
    p.static_friction = g.static_friction[p.lane], p.dynamic_friction = g.dynamic_friction[p.lane];
    p.stuck = q.stuck[p.lane] > 0;
    p.bound = p.lambda[0];
  }
  return true;
}

// Velocities follow from the impulses, so that momentum is kept to rounding.
template <int D>
void ContactNewton<D>::write_back(const NewtonInput<D>& in, ContactGroups<D>& groups, std::span<const Point> points,
                                  std::span<BodyVelocity<D>> velocity) {
  for (Vector& g : gradient_) g.setZero();
  for (const Point& p : points) {
    if (p.a < v_.size()) gradient_[p.a] += p.j_a.transpose() * p.lambda;
    if (p.b < v_.size()) gradient_[p.b] += p.j_b.transpose() * p.lambda;
    groups.set_impulse(p.point, p.lane, p.lambda, p.stuck);
  }
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const std::uint32_t body = bodies_[i];
    const Vec<D> v = free_[i].template head<D>() + in.bodies.inv_mass[body] * gradient_[i].template head<D>();
    const AngVec<D> w =
        free_[i].template tail<kAngular<D>>() + in.inv_inertia[body] * gradient_[i].template tail<kAngular<D>>();
    set_velocity(velocity[body], v, w);
  }
}

template <int D>
void ContactNewton<D>::keep(const ContactGroups<D>& groups, std::span<const Point> points,
                            std::span<const BodyVelocity<D>> velocity) {
  kept_velocity_.clear(), kept_points_.clear();
  for (const std::uint32_t body : bodies_) kept_velocity_.push_back(velocity[body]);
  for (const Point& p : points) {
    const PointLanes<D>& q = groups.points()[p.point];
    Vec<D> lambda;
    lambda << q.normal[p.lane], get_lane(q.tangent, p.lane);
    kept_points_.push_back({lambda, q.stuck[p.lane] > 0});
  }
}

template <int D>
void ContactNewton<D>::put_back(ContactGroups<D>& groups, std::span<const Point> points,
                                std::span<BodyVelocity<D>> velocity) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) velocity[bodies_[i]] = kept_velocity_[i];
  for (std::size_t i = 0; i < points.size(); ++i)
    groups.set_impulse(points[i].point, points[i].lane, kept_points_[i].first, kept_points_[i].second);
}

template <int D>
std::int64_t ContactNewton<D>::solve(const NewtonInput<D>& in, ContactGroups<D>& groups,
                                     std::span<BodyVelocity<D>> velocity) {
  violation_ = 0, factorisations_ = 0;
  if (!find_slow(in)) return 0;
  collect(groups);
  std::int64_t solved = 0;
  for (std::size_t begin = 0, end = 0; begin < points_.size(); begin = end) {
    double worst = 0;
    for (end = begin; end < points_.size() && points_[end].root == points_[begin].root; ++end)
      worst = std::max(worst, natural_residual(points_[end], velocity, groups));
    if (worst <= in.tolerance) continue;
    const bool large = size_[points_[begin].root] > in.large;
    if ((large && pause.wait > 0) || !build(in, groups, begin, end, velocity)) {
      violation_ = std::max(violation_, worst);
      continue;
    }
    const std::span<const Point> points = std::span(points_).subspan(begin, end - begin);
    keep(groups, points, velocity);
    iterate(begin, end, in.tolerance, in.target);
    write_back(in, groups, points, velocity);
    // Judged by what it came to, not by what the steps thought of themselves.
    double left = 0;
    for (const Point& p : points) left = std::max(left, natural_residual(p, velocity, groups));
    if (!(left < worst)) put_back(groups, points, velocity), left = worst;
    violation_ = std::max(violation_, left);
    if (large) pause.start();
    ++solved;
  }
  return solved;
}

template class ContactNewton<2>;
template class ContactNewton<3>;

}  // namespace touchstone
