// Which end `compare` takes for the right one, what error it states for it, and how far it says that the others are
// away: against answers by formula, or by an integration of the equations of motion that shares nothing with src.
#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "study/audited.h"
#include "study/compare/halving.h"

namespace touchstone::compare::testing {
namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;

struct Pose {
  Vector3d centre;
  Matrix3d rotation = Matrix3d::Identity();
};
using Poses = std::map<std::string, Pose>;

constexpr double kGravity = 9.81;

// The same points of a body in two poses, root mean square over its mass.
double apart(const BodyFacts& body, const Pose& a, const Pose& b) {
  const Matrix3d turn = a.rotation - b.rotation;
  return std::sqrt((a.centre - b.centre).squaredNorm() + (turn * body.spread * turn.transpose()).trace());
}

class Answers : public Audited {
 protected:
  // Root mean square over the bodies that there is an answer for.
  double distance(const Comparison& c, const std::string& recording, const Poses& exact) const {
    const Frame end = last_frame(recording);
    double sum = 0;
    for (const BodyFacts& body : c.facts.bodies) {
      const BodyPose at = pose_of(end, c.facts.dimension, body);
      const double d = apart(body, {at.center, at.rotation}, exact.at(body.name));
      sum += d * d;
    }
    return std::sqrt(sum / static_cast<double>(c.facts.bodies.size()));
  }

  // rounding: of the numbers in the scene file, which the formula does not have [m].
  void check(const Comparison& c, const Poses& exact, double rounding) {
    ASSERT_FALSE(c.reference.label.empty()) << c.reference.why;
    const double of_reference = distance(c, c.reference.recording, exact);
    // "whose end is right to about": the error of a method of first order, which others are better than.
    EXPECT_LE(of_reference, 1.5 * c.reference.error + rounding) << c.reference.label;
    for (const ModelRun& run : c.runs) {
      ASSERT_TRUE(run.numbers.distance) << run.label << ": " << run.failure;
      const double own = distance(c, run.recording, exact);
      EXPECT_NEAR(run.numbers.distance->mean, own, of_reference + 1e-12) << run.label;
      const Finding* found = finding(c, run.label, "step_error");
      if (!found) found = finding(c, run.label, "elsewhere");
      if (found) {
        EXPECT_NEAR(found->value, own, of_reference + 1e-12) << found->text;
      }
      // What is nearer than a hundredth of the size is nothing to speak of.
      EXPECT_EQ(found != nullptr, run.numbers.distance->mean > 0.01 * c.facts.size && run.label != c.reference.label)
          << run.label << " is off by " << own;
    }
  }
};

// README's ball: it falls by 1 m, bounces with √(2·g)·0.8, 0.8², …; its height after 0.7 s is on the first bounce.
TEST_F(Answers, BouncingBall) {
  const Comparison c = compare("bouncing_ball", {"impulse", "ncp", "mirtich"}, 0.7, 6);
  const double fall = std::sqrt(2 / kGravity), up = 0.8 * kGravity * fall, t = 0.7 - fall;
  // The lowest point has u = 0.3 + 4·0.1 = 0.7 m/s (ω = −4 about y takes it forwards). Friction of √(0.8·0.5) is enough
  // to stop it, which takes 2/7 of u off v; then the ball rolls.
  const double v = 0.3 - 2.0 / 7 * 0.7;
  Pose ball{{0.3 * fall + v * t, 0, 0.1 + up * t - 0.5 * kGravity * t * t}};
  ball.rotation = Eigen::AngleAxisd(-4 * fall + v / 0.1 * t, Vector3d::UnitY()).toRotationMatrix();
  check(c, {{"ball", ball}}, 1e-9);
}

// The rough block stays; the smooth one slides with g·(sin 20° − 0.2·cos 20°).
TEST_F(Answers, Incline) {
  const Comparison c = compare("incline", {"impulse", "ncp", "lcp", "convex", "penalty"}, 0.5, 6);
  const double slope = 20 * M_PI / 180, a = kGravity * (std::sin(slope) - 0.2 * std::cos(slope));
  const Matrix3d turn = Eigen::AngleAxisd(-slope, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d downhill(std::cos(slope), -std::sin(slope), 0);
  check(c,
        {{"rough_block", {{-0.4356443, 0.2649793, 0}, turn}},
         {"smooth_block", {Vector3d(0.5040483, -0.0770408, 0) + 0.5 * a * 0.25 * downhill, turn}}},
        1e-7);
}

// A box falls by 0.5 mm, and the landing takes it along by μ·v; then friction does, until it has the belt's 0.5 m/s.
TEST_F(Answers, Conveyor) {
  const Comparison c = compare("conveyor", {"impulse", "ncp", "lcp"}, 0.5, 6);
  const double fall = std::sqrt(2 * 5e-4 / kGravity), mu = 0.6;
  const auto carried = [&](const Vector3d& from, double v) {
    const double sign = v < 0.5 ? 1 : -1, landed = v + sign * mu * kGravity * fall;
    const double slides = (0.5 - landed) / (sign * mu * kGravity), left = 0.5 - fall;
    const double way = slides < left ? 0.5 * (landed + 0.5) * slides + 0.5 * (left - slides)
                                     : landed * left + 0.5 * sign * mu * kGravity * left * left;
    return Pose{from + Vector3d(v * fall + way, 0, -5e-4)};
  };
  Poses exact{{"against", carried({1.5, 0, 0.1005}, -1.5)}};
  for (int i = 0; i < 3; ++i) exact["parcel_" + std::to_string(i)] = carried({-2.0 + 0.8 * i, 0, 0.1505}, 0);
  check(c, exact, 1e-9);
}

// Rigid rotation without torque: L is constant in space; q' = ½·(ω)·q with ω = R·I⁻¹·Rᵀ·L, by Runge-Kutta of fourth
// order in steps of 10 µs, with q kept a unit.
Pose tumbled(double time) {
  const Vector3d inertia(0.02, 0.05, 0.06), L = inertia.cwiseProduct(Vector3d(0.01, 6, 0));
  using Vector4d = Eigen::Vector4d;  // w, x, y, z
  const auto slope = [&](const Vector4d& q) {
    const Matrix3d R = Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    const Vector3d w = R * (R.transpose() * L).cwiseQuotient(inertia);
    const Quaterniond d = Quaterniond(0, w.x(), w.y(), w.z()) * Quaterniond(q[0], q[1], q[2], q[3]);
    return Vector4d(0.5 * Vector4d(d.w(), d.x(), d.y(), d.z()));
  };
  Vector4d q(1, 0, 0, 0);
  const double h = 1e-5;
  for (auto n = std::llround(time / h); n > 0; --n) {
    const Vector4d a = slope(q), b = slope(q + 0.5 * h * a), c = slope(q + 0.5 * h * b), d = slope(q + h * c);
    q = (q + h / 6 * (a + 2 * b + 2 * c + d)).normalized();
  }
  return {Vector3d::Zero(), Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()};
}

TEST_F(Answers, TumblingBox) {
  const Comparison c =
      compare("tumbling_box", {"free", "impulse", "ncp"}, 5, 4, {{"simulation.integrator", "semi_implicit_euler"}});
  check(c, {{"box", tumbled(5)}}, 1e-9);
}

// x'' = g − k/m·(1 − l/|x|)·x, by Runge-Kutta in steps of 10 µs.
TEST_F(Answers, PendulumOnASpring) {
  const Comparison c = compare("pendulum_spring", {"free"}, 3, 4);
  using State = Eigen::Vector4d;
  const auto slope = [](const State& s) {
    const double pull = 39.24 * (1 - 0.75 / s.head<2>().norm());
    return State(s[2], s[3], -pull * s[0], -pull * s[1] - kGravity);
  };
  State s(0.15, -1.1, 0, 0);
  const double h = 1e-5;
  for (int n = 0; n < 300'000; ++n) {
    const State k1 = slope(s), k2 = slope(s + 0.5 * h * k1), k3 = slope(s + 0.5 * h * k2), k4 = slope(s + h * k3);
    s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  check(c, {{"bob", {{s[0], s[1], 0}}}}, 1e-9);
}

}  // namespace
}  // namespace touchstone::compare::testing
