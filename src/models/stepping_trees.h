#pragma once
// Articulated trees in a step of a velocity-level model: their free motion, their rows, and what a solution means for
// their coordinates and bodies. In 2D there are none.
//
// Letters: v⁺ = v + M̃⁻¹·(h·(Q − c) + Jᵀ·r) with M̃ = M + h·(D + k_d) + h²·k: damping, springs and drives act with the
//   velocity of the end of the step, so that no stiffness is too great for the step. c is that of the velocity halfway:
//   with that of the start a body that tumbles would gain h·ω² of its energy in a second.
#include <vector>

#include "contact/problem_builder.h"
#include "contact/tree_mechanism.h"
#include "dynamics/forces.h"
#include "dynamics/integrators.h"

namespace touchstone {

template <int D>
struct StepInput;

template <int D>
class SteppingTrees;

template <>
class SteppingTrees<2> {
 public:
  void begin(const StepInput<2>&) {}
  bool empty() const { return true; }
  void place_at_rest(const State<2>&) {}
  void kick(const StepInput<2>&, const std::vector<Wrench<2>>&, State<2>&) {}
  std::span<const MechanismInput<2>> inputs() { return {}; }
  std::span<const SolvedMechanism<2>> solved(const ProblemBuilder<2>&, std::span<const double>) { return {}; }
  std::span<const CoordinateRow> find_rows(const StepInput<2>&, const State<2>&, bool) { return {}; }
  bool must_aim() const { return false; }
  std::span<const double> row_errors(const State<2>&) { return {}; }
  std::span<const double> guess(double) { return {}; }
  void read(const ProblemBuilder<2>&, std::span<const double>, std::vector<Twist<2>>&) {}
  void take(State<2>&) const {}
  double added_work() const { return 0; }
  double row_work(std::span<const double>) const { return 0; }
  void count_work(double, WorkByClass&) const {}
  void remember(std::span<const double>, double) {}
  void move(const StepInput<2>&, State<2>&) {}
  void shift(const StepInput<2>&, const std::vector<double>&, State<2>&) {}
  void forget() {}
  void forget_trees() {}
  void keep_memory() {}
  void restore_memory() {}
  void serialize(Archive&) {}
};

template <>
class SteppingTrees<3> {
 public:
  // Once a step.
  void begin(const StepInput<3>& in);
  bool empty() const { return mechanisms_.empty(); }
  // An instant: M without dampers, and v as it is.
  void place_at_rest(const State<3>& state);
  // M̃, v_free in the state, and the velocities of bodies with it. `wrenches`: on bodies, gravity included.
  void kick(const StepInput<3>& in, const std::vector<Wrench<3>>& wrenches, State<3>& state);
  std::span<const MechanismInput<3>> inputs();
  // As the yardstick is shown them, after read().
  std::span<const SolvedMechanism<3>> solved(const ProblemBuilder<3>& builder, std::span<const double> impulses);
  // Limits that may be reached, dry friction, equalities.
  std::span<const CoordinateRow> find_rows(const StepInput<3>& in, const State<3>& state, bool impact);
  // Whether some rows are not linear in the coordinates, so that they need the errors at the end of the step; and the
  // errors of all rows at the coordinates of this state, after move().
  bool must_aim() const;
  std::span<const double> row_errors(const State<3>& state);
  std::span<const double> guess(double h);
  // Rates of a solution, and the bodies' velocities with them.
  void read(const ProblemBuilder<3>& builder, std::span<const double> velocities, std::vector<Twist<3>>& twists);
  void take(State<3>& state) const;
  // After read(): twice the work of all impulses on what the bodies' masses do not hold, armatures and M̃ − M [J].
  double added_work() const;
  // The work of rows on coordinates [J].
  double row_work(std::span<const double> impulses) const;
  // Of dampers and drives over the step.
  void count_work(double h, WorkByClass& work) const;
  void remember(std::span<const double> impulses, double h);
  // Coordinates along the rates, then the bodies.
  void move(const StepInput<3>& in, State<3>& state);
  // Coordinates along the rates of the last read(), which are those of a shift; `part`: by body, how much of it.
  void shift(const StepInput<3>& in, const std::vector<double>& part, State<3>& state);

  void forget() { memory_.clear(); }
  // Trees were added, or are others: workspaces are made anew.
  void forget_trees() { trees_ = nullptr, memory_.clear(); }
  void keep_memory() { kept_ = memory_; }
  void restore_memory() { memory_ = kept_; }
  void serialize(Archive& ar) {
    if (!ar.saving()) forget_trees();
    ar(memory_);
  }

 private:
  struct Row {
    std::uint32_t tree;
    RowKind kind;
    double error, max_force;
    std::size_t first;          // in jacobian_
    std::uint32_t rate = 0;     // of a limit
    Eigen::Index equality = 0;  // of an equality, its row
  };
  void add_row(std::uint32_t tree, RowKind kind, double error, double max_force = 0);
  double limit_gap(const TreeBody& tree, const Row& row, const State<3>& state) const;
  void add_rate_rows(const StepInput<3>& in, const State<3>& state, std::uint32_t tree, bool impact);
  void add_equalities(const State<3>& state, std::uint32_t tree);
  void choose_equalities(std::uint32_t tree);
  void drive(const TreeBody& tree, const State<3>& state, double h);

  const TreeBody* trees_ = nullptr;  // for which workspaces are made
  std::size_t count_ = 0;
  std::vector<TreeMechanism> mechanisms_;  // of those that have rates
  std::vector<TreeConstraints> constraints_;
  std::vector<TreeData> moved_;                 // for poses after those of the mechanisms
  std::vector<double> before_, free_, after_;   // rates of all trees
  std::vector<double> added_, force_, damper_;  // M̃ − M; Q without wrenches; what of it is of drives
  std::vector<double> drive_;
  std::vector<Spatial> external_;
  std::vector<MechanismInput<3>> inputs_;
  std::vector<SolvedMechanism<3>> solved_;
  std::vector<double> received_;  // of rows of joints and coordinates
  std::vector<Row> rows_;
  std::vector<double> jacobian_;
  std::vector<CoordinateRow> coordinates_;
  std::vector<double> memory_, kept_, guess_;  // mean forces of the rows
  std::vector<double> errors_;
  // Of the equalities of a tree: J·M⁻¹ by row, J·M⁻¹·Jᵀ, and which are independent of those before them.
  std::vector<double> response_;
  Eigen::MatrixXd coupling_;
  std::vector<double> diagonal_;
  std::vector<std::uint8_t> independent_;
};

}  // namespace touchstone
