#pragma once
// Coulomb friction with Signorini's condition at one contact, solved exactly; and how far an answer is from it.
#include <Eigen/Core>

namespace touchstone {

// From here on friction is endless: a cone that is 1e-6 rad from a half-space cannot be told from one, and μ times the
// rounding of a slip would look like an error. The law is then: a contact that bears does not slip, one that does not
// bear gives no impulse.
inline constexpr double kEndlessFriction = 1e6;

// One contact against the rest of the world: u = W·r + b, normal first.
class CoulombContact {
 public:
  // W must be symmetric and positive definite in its first `rows` rows; the rest is not looked at.
  void prepare(const Eigen::Matrix3d& w, int rows);

  struct Answer {
    Eigen::Vector3d r = Eigen::Vector3d::Zero();
    bool sticks = false;
  };
  // μ_d <= μ_s. Where both sticking under μ_s and sliding under μ_d would do, it sticks. Remembers how it slid: the
  // next answer, which will be near, is found sooner.
  Answer solve(const Eigen::Vector3d& b, double static_friction, double dynamic_friction);
  // The same under 0 <= r_N − least ⟂ u_N >= 0, with friction up to μ·r_N.
  Answer solve_above(double least, const Eigen::Vector3d& b, double static_friction, double dynamic_friction);

 private:
  Eigen::Vector3d slide(const Eigen::Vector3d& b, double friction, const Eigen::Vector3d& stick);
  Eigen::Vector2d slide_under(double most, const Eigen::Vector2d& b_t) const;

  int rows_ = 0;
  Eigen::Vector2d coupling_ = Eigen::Vector2d::Zero();  // W_TN
  Eigen::Matrix3d inverse_ = Eigen::Matrix3d::Zero();
  Eigen::Matrix2d axes_ = Eigen::Matrix2d::Identity();  // in which the tangential block of W is diagonal
  Eigen::Vector2d lambda_ = Eigen::Vector2d::Zero();    // and its eigenvalues
  Eigen::Vector2d couple_ = Eigen::Vector2d::Zero();    // W_TN in those axes
  double w_nn_ = 0;
  double last_ = -1;  // t of the last slide; −1: none
};

// ‖r − P_K(r − ρ·û)‖/ρ with û = u + μ|u_T|n: zero exactly where the two laws hold [m/s]. From kEndlessFriction on as in
// contact_laws.cpp.
double natural_map(const Eigen::Vector3d& r, const Eigen::Vector3d& u, double friction, double rho);

// Of the law with r_N >= least: ‖r − P(r − ρ·u)‖/ρ, where P takes r_N to at least that and r_T into the disk of μ·r_N.
double natural_map_above(double least, const Eigen::Vector3d& r, const Eigen::Vector3d& u, double friction, double rho);

}  // namespace touchstone
