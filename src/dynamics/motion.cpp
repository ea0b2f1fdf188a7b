#include "dynamics/motion.h"

#include <cmath>
#include <numbers>

#include "base/archive.h"
#include "touchstone/error.h"

namespace touchstone {

void check_motion(const PrescribedMotion& m) {
  const bool finite = m.velocity.allFinite() && m.angular_velocity.allFinite() && m.amplitude.allFinite() &&
                      m.angular_amplitude.allFinite() && std::isfinite(m.frequency) && std::isfinite(m.phase);
  if (!finite) throw Error(ErrorKind::kBadInput, "motion has a value that is not finite");
  const double scale = m.angular_velocity.norm() * m.angular_amplitude.norm();
  if (m.angular_velocity.cross(m.angular_amplitude).norm() > 1e-12 * scale)
    throw Error(ErrorKind::kBadInput, "motion.angular_velocity and motion.angular_amplitude must be parallel");
}

template <int D>
MotionSample<D> Motion<D>::at(double time) const {
  if (callback) return callback(time);
  const double t = time - start_time, omega = 2 * std::numbers::pi * law.frequency;
  const double wave = std::sin(omega * t + law.phase) - std::sin(law.phase),
               rate = omega * std::cos(omega * t + law.phase);
  MotionSample<D> s;
  s.pose.p = start.p + narrow<D>(Eigen::Vector3d(law.velocity * t + law.amplitude * wave));
  s.velocity = narrow<D>(Eigen::Vector3d(law.velocity + law.amplitude * rate));
  s.pose.R =
      compose(exp_rotation(narrow_angular<D>(Eigen::Vector3d(law.angular_velocity * t + law.angular_amplitude * wave))),
              start.R);
  s.angular_velocity = narrow_angular<D>(Eigen::Vector3d(law.angular_velocity + law.angular_amplitude * rate));
  return s;
}

template <int D>
void Motion<D>::serialize(Archive& ar) {
  ar(law.velocity), ar(law.angular_velocity), ar(law.amplitude), ar(law.angular_amplitude);
  ar(law.frequency), ar(law.phase), ar(start_time), ar(start.p), ar(start.R);
  bool had_callback = static_cast<bool>(callback) || needs_callback;
  ar(had_callback);
  if (!ar.saving()) needs_callback = had_callback && !callback;
}

template struct Motion<2>;
template struct Motion<3>;

}  // namespace touchstone
