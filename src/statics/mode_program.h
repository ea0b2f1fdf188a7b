#pragma once
// One node of the search over contact modes: which accelerations and forces remain when some contacts are known to
// open, stick or slide. The matrix is the same for all nodes; only bounds differ.
#include "statics/balance.h"
#include "statics/slip_groups.h"

namespace touchstone::statics {

// What a branch of the search says of a contact: one of these, or a sector of sliding (>= 0: of FrictionCone::modes).
enum ModeWay : int { kUnknown = -1, kOpens = -2, kSticks = -3, kTouches = -4, kStill = -5 };

// What is known of a contact: whether it opens, and in which sector it slides. Sliding says nothing of opening: the
// friction forces of a sector are a cone, and no force at all is in it. kSticks: it stays closed and does not slide.
// kStill: of a group (slip_groups.h) that does not slide, whichever of its contacts are open.
struct Mode {
  int opening = kUnknown;  // kUnknown, kOpens, kTouches
  int slip = kUnknown;     // kUnknown, kSticks, kStill, or a sector

  Mode() = default;
  // A single word for all that is known. A sector by itself is that of a closed contact.
  Mode(int way) : opening(way == kUnknown || way == kOpens ? way : static_cast<int>(kTouches)) {
    if (way == kSticks || way >= 0) slip = way;
  }
  bool opens() const { return opening == kOpens; }
  bool closed() const { return opening == kTouches || slip == kSticks; }
  friend auto operator<=>(const Mode&, const Mode&) = default;
};
using Modes = std::vector<Mode>;  // by contact

struct ContactState {
  double opening = 0, slip_x = 0, slip_y = 0;  // acceleration of B against A
  double force = 0, friction_x = 0, friction_y = 0;
};

// Multipliers p of M·a − Jᵀ·f = W, and q of the rows of J.
struct Multipliers {
  Eigen::VectorXd momentum, rates;
};

class ModeProgram {
 public:
  ModeProgram(const Equations& equations, const FrictionCone& cone);

  // Least −W·a. Rounded: with |a| <= the bound that energy gives; exact: without.
  const LinearProgram& rounded_at(const Modes& modes);
  ExactProgram exact_at(const Modes& modes) const;

  Motion acceleration_of(const Values& x) const;
  Forces forces_of(const Values& x) const;
  // A point of the program with this acceleration and no forces.
  Eigen::VectorXd with_acceleration(const Eigen::VectorXd& a) const;
  ContactState state_of(const Eigen::VectorXd& x, std::size_t contact) const;
  const SlipGroups& groups() const { return groups_; }
  double scale() const { return scale_; }  // WᵀM⁻¹W: what W·a is at most

  // Multipliers of all rows as factors of the rows of J.
  std::vector<Rational> rates_of(const std::vector<Rational>& multipliers) const;
  // Of an answer that closes a node: an optimum or a contradiction.
  Multipliers multipliers_of(const LpAnswer& answer) const;
  // How much limits of joints push where they open: power.
  double limit_violation(const Eigen::VectorXd& x) const;

 private:
  struct Range {
    std::optional<Rational> lower, upper;
  };
  void add_contact(std::size_t contact);
  void add_dynamics();
  void bound_accelerations();
  // Calls set_row(row, lower, upper) and set_column for what the modes say; anything else is as in base_.
  template <class SetRow, class SetColumn>
  void apply(const Modes& modes, SetRow&& set_row, SetColumn&& set_column) const;

  const Equations& e_;
  const FrictionCone& cone_;
  SlipGroups groups_;
  ExactProgram base_;
  LinearProgram rounded_;
  std::vector<SparseRow> kinematic_;
  std::vector<std::size_t> contact_row_, contact_column_;
  std::size_t hold_column_ = 0;
  double scale_ = 0;
};

}  // namespace touchstone::statics
