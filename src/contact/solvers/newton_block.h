#pragma once
// A block of rows as Newton's method sees it: its law as an equation in impulse and velocity, and how that changes.
#include <Eigen/Core>
#include <limits>

#include "contact/contact_problem.h"

namespace touchstone {

struct NewtonBlock {
  BlockKind kind = BlockKind::kContact;
  std::uint32_t index = 0;  // in the problem
  std::uint32_t rows = 0;
  // By row, the inverse of the own response [kg]; the same for both tangents.
  Eigen::Vector3d rho = Eigen::Vector3d::Zero();
  double measure_rho = 0;  // rows/trace(W_ii), by which it is judged. Zero: nothing here can move; it is left alone
  double friction = 0;     // infinite: it sticks wherever it bears
  double delta = 0;        // by which its law is smoothed [m/s]; 0: not at all
  double side = 1;         // by how much more that of its friction is
  bool held = false;       // under μ_s > μ_d: it must not slide
  double lower = 0, upper = 0;                                                       // limits and motors
  Eigen::Vector3d r = Eigen::Vector3d::Zero();                                       // impulse [N·s]
  Eigen::Vector3d u = Eigen::Vector3d::Zero();                                       // velocity with biases [m/s]
  Eigen::Vector3d free = Eigen::Vector3d::Zero();                                    // u without any impulse
  Eigen::Vector3d r_way = Eigen::Vector3d::Zero(), u_way = Eigen::Vector3d::Zero();  // a Newton step
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();                                  // by row, of F²
  Eigen::Vector3d error = Eigen::Vector3d::Zero();                                   // F(r, u) [N·s]
  Eigen::Matrix3d by_r = Eigen::Matrix3d::Zero(), by_u = Eigen::Matrix3d::Zero();    // ∂F/∂r, ∂F/∂u

  bool moves() const { return measure_rho > 0; }
};

// How the block's impulse follows its velocity in a Newton step: Δr = −push − gain·Δu, with the step's ε
// (newton_system.cpp). Padded: rows that are not there give zero.
struct NewtonGain {
  Eigen::Matrix3d gain;
  Eigen::Vector3d push;
};
NewtonGain gain_of(const NewtonBlock& block, double epsilon);

// F: zero where the law of the block holds.
Eigen::Vector3d law_error(const NewtonBlock& block, const Eigen::Vector3d& r, const Eigen::Vector3d& u);
// The weights at r and u. 1/ρ [1/kg]; where the law is smoothed 1/s², with s what F may be near the path [N·s].
// `noise`: what nobody asks for [m/s].
void weigh(NewtonBlock& block, double noise);
// F² with its weights, summed over the rows.
double squared_error(const NewtonBlock& block, const Eigen::Vector3d& error);
// error, by_r and by_u at r and u.
void linearise(NewtonBlock& block);
// The natural map, as the yardstick has it [m/s].
double natural_error(const NewtonBlock& block, const Eigen::Vector3d& r, const Eigen::Vector3d& u);
// The nearest impulse that the law allows at all.
Eigen::Vector3d into_bounds(const NewtonBlock& block, const Eigen::Vector3d& r);

}  // namespace touchstone
