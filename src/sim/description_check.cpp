#include "sim/description_check.h"

#include <fmt/format.h>

#include <cmath>

#include "base/key_error.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }
[[noreturn]] void bad_key(const std::string& who, const std::string& key, const std::string& detail) {
  throw KeyError(ErrorKind::kBadInput, key, detail, who);
}

// Energies and measures multiply up to six such numbers, times masses: beyond this they overflow.
constexpr double kMostOfAVector = 1e50;

void check_finite(const std::string& who, const char* what, const Eigen::Vector3d& v) {
  if (!v.allFinite()) bad_key(who, what, fmt::format("{} is not finite", what));
  const double most = v.cwiseAbs().maxCoeff();
  if (most > kMostOfAVector)
    bad_key(who, what,
            fmt::format("{} has a component of {:g}; at most {:g} is possible, because energies and measures are "
                        "products of such numbers",
                        what, most, kMostOfAVector));
}
void check_not_negative(const std::string& who, const char* what, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    bad_key(who, what, fmt::format("{} is {}; it must be finite and not negative", what, value));
}

// In 2D vectors lie in the plane, and angular ones are along z.
template <int D>
void check_planar(const std::string& who, const char* what, const Eigen::Vector3d& v) {
  if (D == 2 && v.z() != 0)
    bad_key(who, what, fmt::format("the z component of {} is {}; it must be zero in a 2D scene", what, v.z()));
}
template <int D>
void check_angular(const std::string& who, const char* what, const Eigen::Vector3d& v) {
  if (D == 2 && (v.x() != 0 || v.y() != 0)) bad_key(who, what, fmt::format("{} must be along z in a 2D scene", what));
}

template <int D>
void check_vector(const std::string& who, const char* what, const Eigen::Vector3d& v) {
  check_finite(who, what, v);
  check_planar<D>(who, what, v);
}

template <int D>
void check_placement(const std::string& who, const Placement& p) {
  check_vector<D>(who, "position", p.position);
  if (!p.orientation.coeffs().allFinite() || !std::isfinite(p.angle))
    bad_key(who, "orientation", "orientation is not finite");
  if (!(p.orientation.norm() > 1e-12)) bad_key(who, "orientation", "orientation is a zero quaternion");
}

}  // namespace

template <int D>
void check_body_description(const BodyDescription& d) {
  const std::string who = fmt::format("body '{}'", d.name);
  check_placement<D>(who, d.placement);
  check_vector<D>(who, "velocity", d.velocity);
  check_finite(who, "angular_velocity", d.angular_velocity);
  check_angular<D>(who, "angular_velocity", d.angular_velocity);
  check_vector<D>(who, "surface_velocity", d.surface_velocity);
  if (d.center_of_mass) check_vector<D>(who, "center_of_mass", *d.center_of_mass);
  if (!std::isfinite(d.gravity_scale)) bad_key(who, "gravity_scale", "gravity_scale is not finite");
  check_not_negative(who, "linear_drag", d.linear_drag);
  check_not_negative(who, "quadratic_drag", d.quadratic_drag);
  check_not_negative(who, "angular_drag", d.angular_drag);
  check_not_negative(who, "table_friction", d.table_friction);
  for (std::size_t i = 0; i < d.shapes.size(); ++i)
    check_placement<D>(fmt::format("{}, shape {}", who, i + 1), d.shapes[i].placement);
  if (d.motion) {
    if (d.kind != BodyKind::kKinematic) bad_key(who, "motion", "only kinematic bodies have a prescribed motion");
    check_planar<D>(who, "motion.velocity", d.motion->velocity);
    check_planar<D>(who, "motion.amplitude", d.motion->amplitude);
    check_angular<D>(who, "motion.angular_velocity", d.motion->angular_velocity);
    check_angular<D>(who, "motion.angular_amplitude", d.motion->angular_amplitude);
  }
  if (d.kind == BodyKind::kStatic && (!d.velocity.isZero() || !d.angular_velocity.isZero()))
    bad_key(who, d.velocity.isZero() ? "angular_velocity" : "velocity",
            "a static body cannot have a velocity; make it kinematic");
}

template <int D>
void check_scene_values(const SceneDescription& scene) {
  if (!(scene.step > 0) || !std::isfinite(scene.step))
    bad(fmt::format("step is {} s; it must be positive and finite", scene.step));
  check_vector<D>("the scene", "gravity", scene.gravity);
  if (!scene.table) return;
  if (D != 2) bad("a table (friction of a world seen from above) needs a 2D scene");
  check_not_negative("the table", "gravity", scene.table->gravity);
  check_not_negative("the table", "rate", scene.table->rate);
  check_not_negative("the table", "static_speed", scene.table->static_speed);
}

void check_spring_description(const SpringDescription& s) {
  const std::string who = fmt::format("the spring between '{}' and '{}'", s.body_a, s.body_b);
  check_finite(who, "point_a", s.point_a);
  check_finite(who, "point_b", s.point_b);
  check_not_negative(who, "stiffness", s.stiffness);
  check_not_negative(who, "damping", s.damping);
  if (s.rest_length) check_not_negative(who, "rest_length", *s.rest_length);
}

void check_steady_force_description(const SteadyForceDescription& f) {
  const std::string who = fmt::format("the force on '{}'", f.body);
  check_finite(who, "force", f.force);
  check_finite(who, "torque", f.torque);
  if (f.point) check_finite(who, "point", *f.point);
  if (std::isnan(f.from) || std::isnan(f.until) || f.until < f.from)
    bad(fmt::format("{}: it acts from {} s until {} s; the end must not be before the start", who, f.from, f.until));
}

template void check_body_description<2>(const BodyDescription&);
template void check_body_description<3>(const BodyDescription&);
template void check_scene_values<2>(const SceneDescription&);
template void check_scene_values<3>(const SceneDescription&);

}  // namespace touchstone
