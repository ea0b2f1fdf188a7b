#include "math/rotation.h"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(Rotation, ExponentialMapAgreesWithAngleAxisForSmallAndLargeAngles) {
  const Vec<3> axis = Vec<3>(1, -2, 0.5).normalized();
  for (const double angle : {0.0, 1e-12, 1e-6, 0.3, 0.999, 1.0, 1.001, 2.5, 6.0}) {
    const Eigen::Quaterniond ours = exp_rotation(Vec<3>(angle * axis));
    const Eigen::Quaterniond reference(Eigen::AngleAxisd(angle, axis));
    // Rounding of the angle itself (one bit of it) and of the three factors.
    EXPECT_LT((ours.coeffs() - reference.coeffs()).norm(), 2.3e-16 * (2 + angle)) << angle;
  }
}

TEST(Rotation, DexpinvInvertsTheTangentOfTheExponential) {
  // d/dt exp(θ(t)) = exp(θ)·... : for θ' = dexpinv(θ, ω) the rotation turns with ω. Checked by differences.
  const Vec<3> theta(0.02, -0.01, 0.03), omega(0.4, 1.0, -0.7);
  const double h = 1e-6;
  const Vec<3> rate = dexpinv(theta, omega);
  const Eigen::Quaterniond before = exp_rotation(theta), after = exp_rotation(Vec<3>(theta + h * rate));
  const Eigen::AngleAxisd turned(after * before.conjugate());
  const Vec<3> measured = turned.axis() * turned.angle() / h;
  EXPECT_LT((measured - omega).norm(), 1e-5);  // the truncation leaves |θ|⁴/720
}

TEST(Rotation, RepeatedTurnsStayUnit) {
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
  for (int i = 0; i < 1000000; ++i) q = rotate_by(Vec<3>(0.01, 0.02, -0.03), q);
  EXPECT_NEAR(q.norm(), 1.0, 1e-14);
}

}  // namespace
}  // namespace touchstone
