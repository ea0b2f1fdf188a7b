#pragma once
// The motion of a framework in the plane, step by step, as the paper computes it.
#include "models/gauss/framework_program.h"

namespace touchstone {

// Figure 7, by positions; figure 6, by accelerations with (3.1) or with the mean of the velocities.
enum class MotionForm : std::uint8_t { kPositions, kAccelerations, kMeanAccelerations };

struct MotionOptions {
  MotionForm form = MotionForm::kPositions;
  LengthForm lengths = LengthForm::kStart;  // of kPositions
  BarOptions bars{};
  double dt = 1e-3;  // [s]
  Vec<2> g{0, -9.81};
  double margin = 0.01;      // sides nearer than this are constraints [m]; of kPositions
  double touching = 1e-9;    // a vertex nearer than this is on its side [m]; of the other forms
  double recovery = 0.2;     // part of a penetration that is closed within a step
  double tolerance = 1e-12;  // of the certificate of each program
  StopFlag stop{};
};

class FrameworkMotion {
 public:
  FrameworkMotion(Framework<2> framework, const MotionOptions& options);
  // Velocities at the start; zero otherwise.
  void set_velocities(std::span<const Vec<2>> v);
  // Advances by dt. The answer is that of the program with the worst certificate.
  QpAnswer step();
  // Accelerations of the points from where they are, as step() of the other forms finds them: the initial collapse.
  const std::vector<Vec<2>>& accelerate(QpAnswer& answer);

  const Framework<2>& framework() const { return framework_; }
  std::span<const Vec<2>> positions() const { return p_; }
  std::span<const Vec<2>> velocities() const { return v_; }
  std::span<const Sidedness<2>> sides() const { return sides_; }  // of the last program
  double energy() const;                                          // kinetic and in gravity [J]

 private:
  QpAnswer solve(const QuadraticProgram& program);
  QpAnswer step_positions();
  QpAnswer step_accelerations();
  void find_touching();

  Framework<2> framework_;
  MotionOptions options_;
  FrameworkProgram<2> program_;
  QuadraticSolver solver_;
  std::vector<Vec<2>> p_, last_, v_, x_;
  std::vector<Sidedness<2>> sides_;
};

}  // namespace touchstone
