#include "statics/structure.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

double power_of_ten_above(double x) { return x > 0 ? std::pow(10.0, std::ceil(std::log10(x))) : 1.0; }

double to_digits(double x) {
  const double scale = 1e14;
  const double whole = std::round(x * scale);
  return whole == 0 ? 0.0 : whole / scale;
}

double to_significant(double x) {
  if (x == 0) return 0.0;
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", x);
  return std::strtod(text, nullptr);
}

template <class M, class F>
M each(const M& m, F&& round) {
  M out = m;
  for (Eigen::Index i = 0; i < m.size(); ++i) out.data()[i] = round(m.data()[i]);
  return out;
}

void check(const Structure& s) {
  const auto finite = [](const auto& m) { return m.allFinite(); };
  for (const Body& b : s.bodies) {
    if (!finite(b.center) || !finite(b.inertia) || !finite(b.weight) || !finite(b.force) || !finite(b.torque))
      bad(fmt::format("body '{}': a place, a load or an inertia is not finite", b.name));
    if (b.held) continue;
    if (!(b.mass > 0) || !std::isfinite(b.mass))
      bad(fmt::format("body '{}': mass is {} kg; a free body needs a positive one", b.name, b.mass));
    if (s.dimension == 2 ? !(b.inertia(2, 2) > 0) : !(b.inertia.determinant() > 0 && b.inertia.trace() > 0))
      bad(fmt::format("body '{}': the inertia is not positive; a free body needs one", b.name));
  }
  for (const Contact& c : s.contacts) {
    if (c.a >= s.bodies.size() || c.b >= s.bodies.size() || c.a == c.b)
      bad(fmt::format("a contact joins bodies {} and {} of {}", c.a, c.b, s.bodies.size()));
    if (!finite(c.point) || !finite(c.frame) || !(c.friction >= 0) || !std::isfinite(c.friction))
      bad(fmt::format(
          "contact of '{}' and '{}': a place, a direction or the friction ({}) is not a number that it may be",
          s.bodies[c.a].name, s.bodies[c.b].name, c.friction));
  }
}

Units units_of(const Structure& s) {
  double length = 0, mass = 0, force = 0;
  for (const Body& b : s.bodies) {
    if (b.held) continue;
    length = std::max(length, b.center.cwiseAbs().maxCoeff());
    length = std::max(length, std::sqrt(b.inertia.trace() / b.mass));
    mass = std::max(mass, b.mass);
    force = std::max({force, b.weight.norm(), b.force.norm()});
  }
  for (const Contact& c : s.contacts) length = std::max(length, c.point.cwiseAbs().maxCoeff());
  if (!(force > 0)) force = mass;
  return {power_of_ten_above(length), power_of_ten_above(mass), power_of_ten_above(force)};
}

}  // namespace

bool Structure::has_friction() const {
  return std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.friction > 0; });
}

Scaled nondimensional(const Structure& structure, const Units* known) {
  check(structure);
  Scaled out{structure, known ? *known : units_of(structure)};
  const Units& u = out.units;
  // Once more after the division: 0.3/10 is not the double nearest to 0.03 in every case.
  const auto significant = [](double unit) { return [unit](double x) { return to_significant(x / unit); }; };
  const auto digits = [](double unit) { return [unit](double x) { return to_digits(x / unit); }; };
  for (Body& b : out.structure.bodies) {
    b.center = each(b.center, digits(u.length));
    b.mass = to_significant(b.mass / u.mass);
    b.inertia = each(b.inertia, significant(u.mass * u.length * u.length));
    b.weight = each(b.weight, significant(u.force));
    b.force = each(b.force, digits(u.force));
    b.torque = each(b.torque, digits(u.torque()));
  }
  for (Contact& c : out.structure.contacts) {
    c.point = each(c.point, digits(u.length));
    c.frame = each(c.frame, digits(1.0));
    c.friction = to_significant(c.friction);
  }
  for (Hold& h : out.structure.holds) {
    h.linear_a = each(h.linear_a, significant(1.0)), h.linear_b = each(h.linear_b, significant(1.0));
    h.angular_a = each(h.angular_a, significant(u.length)), h.angular_b = each(h.angular_b, significant(u.length));
  }
  return out;
}

Freedoms::Freedoms(const Structure& s) : first(s.bodies.size(), -1) {
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (s.bodies[i].held) continue;
    first[i] = count;
    count += s.freedoms();
  }
}

Eigen::VectorXd load_of(const Structure& s, const Freedoms& freedoms) {
  Eigen::VectorXd w(freedoms.count);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0) continue;
    const Body& b = s.bodies[i];
    w.segment(at, s.linear()) = (b.weight + b.force).head(s.linear());
    w.segment(at + s.linear(), s.angular()) = b.torque.tail(s.angular());
  }
  return w;
}

Eigen::Vector3d relative_rate(const Structure& s, const Freedoms& freedoms, const Contact& c,
                              const Eigen::VectorXd& motion) {
  const auto rate = [&](std::uint32_t body) -> Eigen::Vector3d {
    const int at = freedoms.of(body);
    Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = linear;
    if (at < 0) return linear;
    linear.head(s.linear()) = motion.segment(at, s.linear());
    angular.tail(s.angular()) = motion.segment(at + s.linear(), s.angular());
    return linear + angular.cross(c.point - s.bodies[body].center);
  };
  return rate(c.b) - rate(c.a);
}

}  // namespace touchstone::statics
