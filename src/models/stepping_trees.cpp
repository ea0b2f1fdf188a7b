#include "models/stepping_trees.h"

#include <algorithm>
#include <cmath>

#include "dynamics/tree/coordinates.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/rnea.h"
#include "dynamics/tree/sparse_inertia.h"
#include "models/contact_model.h"

namespace touchstone {
namespace {

// A limit takes part from this distance on, and from what the rate could cover in so many steps: a jump of the rate
// that is still greater passes it in one step and comes back in the next.
constexpr double kLimitReach = 0.1, kLimitSteps = 4;

bool in_quaternion(const TreeModel& model, std::size_t rate) { return model.coordinate[rate] == TreeModel::kNone; }

}  // namespace

void SteppingTrees<3>::begin(const StepInput<3>& in) {
  if (trees_ == in.trees.data() && count_ == in.trees.size()) return;
  trees_ = in.trees.data(), count_ = in.trees.size();
  mechanisms_.clear(), constraints_.clear(), moved_.clear();
  std::size_t rates = 0;
  for (const TreeBody& tree : in.trees) {
    if (tree.model.nv() == 0) continue;
    mechanisms_.emplace_back(tree);
    constraints_.emplace_back(tree.model, tree.constraints);
    moved_.emplace_back(tree.model);
    rates += tree.model.nv();
  }
  for (auto* list : {&before_, &free_, &after_, &added_, &force_, &damper_, &drive_}) list->assign(rates, 0.0);
  inputs_.resize(mechanisms_.size());
}

void SteppingTrees<3>::place_at_rest(const State<3>& state) {
  if (empty()) return;
  before_ = free_ = state.v;
  std::fill(added_.begin(), added_.end(), 0.0);
  for (TreeMechanism& m : mechanisms_) m.place(state, {});
}

// Q of springs, dampers and drives without their part in v⁺ − v, which is in `added`.
void SteppingTrees<3>::drive(const TreeBody& tree, const State<3>& state, double h) {
  const std::span<const double> q = tree.q(state), v = tree.v(state);
  for (std::size_t i = 0; i < tree.model.nv(); ++i) {
    const std::size_t at = tree.first_v + i;
    const RateDrive& d = tree.drives[i];
    const bool quaternion = in_quaternion(tree.model, i);
    double stiffness = quaternion ? 0.0 : d.stiffness, damping = d.damping;
    const double away = quaternion ? 0.0 : d.position - q[tree.model.coordinate[i]];
    drive_[at] = stiffness * (away - h * v[i]) + damping * (d.speed - v[i]);
    if (std::abs(drive_[at]) > d.max_force) {
      drive_[at] = std::copysign(d.max_force, drive_[at]);
      stiffness = damping = 0;
    }
    damper_[at] = damping + h * stiffness;
    const double spring = quaternion ? 0.0 : tree.springs[i].stiffness;
    added_[at] = h * (tree.model.rates[i].damping + damper_[at] + h * spring);
    force_[at] = d.force + drive_[at] - tree.model.rates[i].damping * v[i];
    if (spring != 0) force_[at] -= spring * (q[tree.model.coordinate[i]] - tree.springs[i].rest + h * v[i]);
  }
}

void SteppingTrees<3>::kick(const StepInput<3>& in, const std::vector<Wrench<3>>& wrenches, State<3>& state) {
  if (empty()) return;
  before_ = state.v;
  for (TreeMechanism& m : mechanisms_) {
    const TreeBody& tree = m.tree();
    const std::size_t nv = tree.model.nv();
    drive(tree, state, in.h);
    m.place(state, std::span(added_).subspan(tree.first_v, nv));
    external_.assign(tree.model.size(), Spatial::Zero());
    for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
      const Wrench<3>& w = wrenches[tree.bodies[k]];
      const std::uint32_t link = tree.body_links[k];
      external_[link] = shift_force(spatial(w.torque, w.force), m.data().p[link] - m.centers()[k]);
    }
    const std::span<double> dv = std::span(free_).subspan(tree.first_v, nv);
    const std::span<double> middle = std::span(after_).subspan(tree.first_v, nv);
    for (const bool halfway : {false, true}) {  // c of the velocity in the middle of the step, by that of its start
      if (halfway) {
        for (std::size_t i = 0; i < nv; ++i) middle[i] = before_[tree.first_v + i] + 0.5 * dv[i];
        move_links(tree.model, middle, m.data());
      }
      inverse_dynamics(tree.model, m.data(), Vec<3>::Zero(), {}, external_, dv);
      for (std::size_t i = 0; i < nv; ++i) dv[i] = in.h * (force_[tree.first_v + i] - dv[i]);
      solve_mass_matrix(tree.model, m.data(), dv);
    }
    for (std::size_t i = 0; i < nv; ++i) dv[i] += before_[tree.first_v + i];
    m.for_each_velocity(dv, [&](std::uint32_t body, const Spatial& v) {
      state.angular_velocity[body] = v.head<3>(), state.velocity[body] = v.tail<3>();
    });
  }
  state.v = free_;
}

std::span<const MechanismInput<3>> SteppingTrees<3>::inputs() {
  for (std::size_t i = 0; i < mechanisms_.size(); ++i) {
    const TreeBody& tree = mechanisms_[i].tree();
    const auto of = [&](const std::vector<double>& x) { return std::span(x).subspan(tree.first_v, tree.model.nv()); };
    inputs_[i] = {&mechanisms_[i], of(before_), of(free_)};
  }
  return inputs_;
}

std::span<const SolvedMechanism<3>> SteppingTrees<3>::solved(const ProblemBuilder<3>& builder,
                                                             std::span<const double> impulses) {
  solved_.resize(mechanisms_.size());
  received_.assign(before_.size(), 0.0);
  for (std::size_t i = 0; i < mechanisms_.size(); ++i) {
    const TreeBody& tree = mechanisms_[i].tree();
    const auto of = [&](std::vector<double>& x) { return std::span(x).subspan(tree.first_v, tree.model.nv()); };
    builder.add_mechanism_impulses(i, impulses, of(received_));
    solved_[i] = {&mechanisms_[i], of(before_), of(free_), of(after_), of(received_)};
  }
  return solved_;
}

namespace {

Vec<3> turn_of(const TreeModel& model, std::size_t rate, std::span<const double> q) {
  const TreeModel::Link& link = model.links[model.rate_link[rate]];
  const double* r = &q[link.first_q];
  return log_rotation(Eigen::Quaterniond(r[0], r[1], r[2], r[3]));
}

}  // namespace

double SteppingTrees<3>::limit_gap(const TreeBody& tree, const Row& row, const State<3>& state) const {
  const TreeRate& rate = tree.model.rates[row.rate];
  const std::span<const double> q = tree.q(state);
  if (in_quaternion(tree.model, row.rate)) return rate.upper - turn_of(tree.model, row.rate, q).norm();
  const double x = q[tree.model.coordinate[row.rate]];
  return row.kind == RowKind::kLower ? x - rate.lower : rate.upper - x;
}

bool SteppingTrees<3>::must_aim() const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.kind == RowKind::kEquality ||
           (row.kind == RowKind::kUpper && in_quaternion(mechanisms_[row.tree].tree().model, row.rate));
  });
}

std::span<const double> SteppingTrees<3>::row_errors(const State<3>& state) {
  errors_.assign(rows_.size(), 0.0);
  for (std::uint32_t i = 0; i < mechanisms_.size(); ++i) {
    const TreeBody& tree = mechanisms_[i].tree();
    if (constraints_[i].rows() > 0) constraints_[i].find(tree.model, moved_[i], tree.q(state), tree.v(state));
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (row.kind == RowKind::kEquality) errors_[r] = constraints_[row.tree].error()[row.equality];
    if (row.kind == RowKind::kLower || row.kind == RowKind::kUpper)
      errors_[r] = limit_gap(mechanisms_[row.tree].tree(), row, state);
  }
  return errors_;
}

// Its entries are set afterwards, in jacobian_.
void SteppingTrees<3>::add_row(std::uint32_t tree, RowKind kind, double error, double max_force) {
  rows_.push_back({.tree = tree, .kind = kind, .error = error, .max_force = max_force, .first = jacobian_.size()});
  jacobian_.resize(jacobian_.size() + mechanisms_[tree].tree().model.nv(), 0.0);
}

void SteppingTrees<3>::add_rate_rows(const StepInput<3>& in, const State<3>& state, std::uint32_t index, bool impact) {
  const TreeBody& tree = mechanisms_[index].tree();
  const TreeModel& model = tree.model;
  const std::span<const double> q = tree.q(state);
  for (std::size_t i = 0; i < model.nv(); ++i) {
    const TreeRate& rate = model.rates[i];
    const double fast = std::max(std::abs(before_[tree.first_v + i]), std::abs(free_[tree.first_v + i]));
    const double reach = kLimitReach + kLimitSteps * in.h * fast;
    if (!in_quaternion(model, i)) {
      const double x = q[model.coordinate[i]];
      for (const auto& [kind, gap, sign] :
           {std::tuple{RowKind::kLower, x - rate.lower, 1.0}, std::tuple{RowKind::kUpper, rate.upper - x, -1.0}}) {
        if (!(gap < reach)) continue;
        add_row(index, kind, gap);
        rows_.back().rate = static_cast<std::uint32_t>(i);
        jacobian_[rows_.back().first + i] = sign;
      }
    } else if (std::isfinite(rate.upper)) {  // the greatest angle of a rotation, about its axis
      const Vec<3> turn = turn_of(model, i, q);
      if (const double angle = turn.norm(); rate.upper - angle < reach && angle > 0) {
        add_row(index, RowKind::kUpper, rate.upper - angle);
        rows_.back().rate = static_cast<std::uint32_t>(i);
        for (int k = 0; k < 3; ++k) jacobian_[rows_.back().first + i + static_cast<std::size_t>(k)] = -turn[k] / angle;
      }
    }
    if (rate.friction > 0 && !impact) {
      add_row(index, RowKind::kFriction, 0, rate.friction);
      jacobian_[rows_.back().first + i] = 1;
    }
  }
}

// A loop of parallel hinges needs two of the three equations of a point: the third has no Jacobian but rounding, and
// what is asked of it makes impulses without bound. By Cholesky's method with pivots: a row is kept if it does not
// depend on those that were kept before it.
void SteppingTrees<3>::choose_equalities(std::uint32_t index) {
  constexpr double kDependent = 1e-9;  // of its own diagonal entry, what a row must add
  constexpr double kNothing = 1e-16;   // of the greatest diagonal entry of its constraint: below, it is rounding
  const TreeConstraints& constraints = constraints_[index];
  const Eigen::Index rows = constraints.rows();
  const std::size_t nv = mechanisms_[index].tree().model.nv();
  response_.resize(nv);
  coupling_.resize(rows, rows);
  const Eigen::MatrixXd& jt = constraints.jacobian_transposed();
  for (Eigen::Index r = 0; r < rows; ++r) {
    mechanisms_[index].mass().solve({jt.col(r).data(), nv}, response_);
    const Eigen::Map<const Eigen::VectorXd> response(response_.data(), static_cast<Eigen::Index>(nv));
    for (Eigen::Index k = 0; k < rows; ++k) coupling_(k, r) = jt.col(k).dot(response);
  }
  diagonal_.assign(coupling_.diagonal().begin(), coupling_.diagonal().end());
  independent_.assign(static_cast<std::size_t>(rows), 0);
  for (Eigen::Index step = 0; step < rows; ++step) {
    Eigen::Index best = -1;
    double most = kDependent;
    for (Eigen::Index r = 0; r < rows; ++r) {
      const double own = diagonal_[static_cast<std::size_t>(r)];
      if (independent_[static_cast<std::size_t>(r)] || !(own > kNothing * constraints.scale(diagonal_, r))) continue;
      if (coupling_(r, r) / own > most) most = coupling_(r, r) / own, best = r;
    }
    if (best < 0) return;
    independent_[static_cast<std::size_t>(best)] = 1;
    const double pivot = coupling_(best, best);
    for (Eigen::Index r = 0; r < rows; ++r) {
      if (independent_[static_cast<std::size_t>(r)]) continue;
      const double part = coupling_(r, best) / pivot;
      for (Eigen::Index k = 0; k < rows; ++k)
        if (!independent_[static_cast<std::size_t>(k)]) coupling_(r, k) -= part * coupling_(best, k);
    }
  }
}

void SteppingTrees<3>::add_equalities(const State<3>& state, std::uint32_t index) {
  TreeConstraints& constraints = constraints_[index];
  if (constraints.rows() == 0) return;
  const TreeBody& tree = mechanisms_[index].tree();
  constraints.find(tree.model, mechanisms_[index].data(), tree.q(state), tree.v(state));
  choose_equalities(index);
  for (Eigen::Index r = 0; r < constraints.rows(); ++r) {
    if (!independent_[static_cast<std::size_t>(r)]) continue;
    add_row(index, RowKind::kEquality, constraints.error()[r]);
    rows_.back().equality = r;
    for (std::size_t i = 0; i < tree.model.nv(); ++i)
      jacobian_[rows_.back().first + i] = constraints.jacobian_transposed()(static_cast<Eigen::Index>(i), r);
  }
}

std::span<const CoordinateRow> SteppingTrees<3>::find_rows(const StepInput<3>& in, const State<3>& state, bool impact) {
  rows_.clear(), jacobian_.clear(), coordinates_.clear();
  for (std::uint32_t i = 0; i < mechanisms_.size(); ++i) {
    add_rate_rows(in, state, i, impact);
    add_equalities(state, i);
  }
  for (const Row& row : rows_) {
    CoordinateRow out;
    out.mechanism = row.tree, out.kind = row.kind, out.error = row.error;
    if (drives(row.kind)) out.max_force = row.max_force;
    out.jacobian = std::span(jacobian_).subspan(row.first, mechanisms_[row.tree].tree().model.nv());
    coordinates_.push_back(out);
  }
  return coordinates_;
}

std::span<const double> SteppingTrees<3>::guess(double h) {
  guess_ = memory_;
  for (double& g : guess_) g *= h;
  return guess_;
}

void SteppingTrees<3>::read(const ProblemBuilder<3>& builder, std::span<const double> velocities,
                            std::vector<Twist<3>>& twists) {
  for (std::size_t i = 0; i < mechanisms_.size(); ++i) {
    const std::span<const double> rates = builder.mechanism_velocities(i, velocities);
    std::copy(rates.begin(), rates.end(), after_.begin() + mechanisms_[i].tree().first_v);
    mechanisms_[i].for_each_velocity(rates, [&](std::uint32_t body, const Spatial& v) {
      twists[body] = {v.tail<3>(), v.head<3>()};
    });
  }
}

void SteppingTrees<3>::take(State<3>& state) const {
  if (!empty()) state.v = after_;
}

double SteppingTrees<3>::added_work() const {
  double sum = 0;
  for (const TreeMechanism& m : mechanisms_) {
    const TreeBody& tree = m.tree();
    for (std::size_t i = 0; i < tree.model.nv(); ++i) {
      const std::size_t at = tree.first_v + i;
      sum += (tree.model.rates[i].armature + added_[at]) * (after_[at] - free_[at]) * (after_[at] + before_[at]);
    }
  }
  return sum;
}

double SteppingTrees<3>::row_work(std::span<const double> impulses) const {
  double sum = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const TreeBody& tree = mechanisms_[rows_[r].tree].tree();
    for (std::size_t i = 0; i < tree.model.nv(); ++i)
      sum += impulses[r] * jacobian_[rows_[r].first + i] * (after_[tree.first_v + i] + before_[tree.first_v + i]);
  }
  return 0.5 * sum;
}

void SteppingTrees<3>::count_work(double h, WorkByClass& work) const {
  for (const TreeMechanism& m : mechanisms_) {
    const TreeBody& tree = m.tree();
    for (std::size_t i = 0; i < tree.model.nv(); ++i) {
      const std::size_t at = tree.first_v + i;
      const double way = 0.5 * h * (after_[at] + before_[at]);
      work[ForceClass::kDrag] -= tree.model.rates[i].damping * after_[at] * way;
      const double driven = drive_[at] - damper_[at] * (after_[at] - before_[at]);
      work[ForceClass::kMotor] += (tree.drives[i].force + driven) * way;
    }
  }
}

void SteppingTrees<3>::remember(std::span<const double> impulses, double h) {
  memory_.assign(impulses.begin(), impulses.end());
  for (double& f : memory_) f /= h;
}

void SteppingTrees<3>::move(const StepInput<3>& in, State<3>& state) {
  for (std::size_t i = 0; i < mechanisms_.size(); ++i) {
    const TreeBody& tree = mechanisms_[i].tree();
    move_coordinates(tree.model, tree.q(state), tree.v(state), in.h, tree.q(state));
    write_bodies(tree, in.bodies, moved_[i], state);
  }
}

void SteppingTrees<3>::shift(const StepInput<3>& in, const std::vector<double>& part, State<3>& state) {
  for (std::size_t i = 0; i < mechanisms_.size(); ++i) {
    const TreeBody& tree = mechanisms_[i].tree();
    if (tree.bodies.empty() || part[tree.bodies[0]] == 0) continue;
    const std::span<const double> rates = std::span(after_).subspan(tree.first_v, tree.model.nv());
    move_coordinates(tree.model, tree.q(state), rates, in.h * part[tree.bodies[0]], tree.q(state));
    write_bodies(tree, in.bodies, moved_[i], state);
  }
}

}  // namespace touchstone
