// Purpose: accelerations from rest under loads and contact.
// Source: Gauss' principle of least restraint [rote2012, §3, (Q)]: without friction the accelerations minimise
//   ½·aᵀM·a − W·a under J_N·a >= 0, joints J·a = 0. With friction the laws of contact between accelerations and forces
//   at rest are those between velocities and impulses of a step of 1 from rest: a solver of contact problems answers.
// Letters: a accelerations, W loads, J rows; f forces, which are the multipliers of the program.
// Fails: with friction the accelerations may not be unique (MAY STAND); the answer is then one of them.
#include "statics/accelerations.h"

#include <Eigen/Dense>
#include <cmath>

#include "contact/solvers/registry.h"
#include "math/optim/quadratic_program.h"
#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

// A row's part on one body: linear, then angular numbers.
Eigen::VectorXd side_of_contact(const Structure& s, const Contact& c, int axis, std::uint32_t body, double sign) {
  Eigen::VectorXd row(s.freedoms());
  const Eigen::Vector3d d = c.frame.col(axis), moment = (c.point - s.bodies[body].center).cross(d);
  row << sign * d.head(s.linear()), sign * moment.tail(s.angular());
  return row;
}

Eigen::VectorXd side_of_hold(const Structure& s, const Hold& h, bool on_a) {
  Eigen::VectorXd row(s.freedoms());
  row << (on_a ? h.linear_a : h.linear_b).head(s.linear()), (on_a ? h.angular_a : h.angular_b).tail(s.angular());
  return row;
}

Eigen::MatrixXd mass_of(const Structure& s, const Body& b) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(s.freedoms(), s.freedoms());
  m.topLeftCorner(s.linear(), s.linear()).diagonal().setConstant(b.mass);
  m.bottomRightCorner(s.angular(), s.angular()) = b.inertia.bottomRightCorner(s.angular(), s.angular());
  return m;
}

void add_entries(int row, int first, const Eigen::VectorXd& part, Entries& out) {
  for (Eigen::Index k = 0; first >= 0 && k < part.size(); ++k)
    if (part[k] != 0) out.emplace_back(row, first + static_cast<int>(k), part[k]);
}

QuadraticProgram least_restraint(const Structure& s, const Freedoms& freedoms) {
  QuadraticProgram p;
  Entries mass, rows;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int first = freedoms.first[i];
    if (first < 0) continue;
    const Eigen::MatrixXd m = mass_of(s, s.bodies[i]);
    for (int r = 0; r < m.rows(); ++r)
      for (int c = 0; c < m.cols(); ++c)
        if (m(r, c) != 0) mass.emplace_back(first + r, first + c, m(r, c));
  }
  int row = 0;
  for (const Contact& c : s.contacts) {
    if (freedoms.of(c.a) >= 0) add_entries(row, freedoms.of(c.a), side_of_contact(s, c, 0, c.a, -1), rows);
    if (freedoms.of(c.b) >= 0) add_entries(row, freedoms.of(c.b), side_of_contact(s, c, 0, c.b, 1), rows);
    ++row;
  }
  for (const Hold& h : s.holds) {
    add_entries(row, freedoms.of(h.a), side_of_hold(s, h, true), rows);
    add_entries(row, freedoms.of(h.b), side_of_hold(s, h, false), rows);
    ++row;
  }
  p.q.resize(freedoms.count, freedoms.count), p.q.setFromTriplets(mass.begin(), mass.end());
  p.a.resize(row, freedoms.count), p.a.setFromTriplets(rows.begin(), rows.end());
  p.c = -load_of(s, freedoms);
  p.lower = Eigen::VectorXd::Zero(row);
  p.upper = Eigen::VectorXd::Constant(row, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < s.holds.size(); ++i)
    if (!s.holds[i].one_sided) p.upper[static_cast<Eigen::Index>(s.contacts.size() + i)] = 0;
  return p;
}

InitialMotion without_friction(const Structure& s, const StopFlag& stop) {
  const Freedoms freedoms(s);
  QuadraticSolver solver;
  QpOptions options;
  options.stop = stop;
  const QpAnswer answer = solver.solve(least_restraint(s, freedoms), options);
  stop.check();
  InitialMotion out;
  out.method = "quadratic program";
  out.converged = answer.status == QpStatus::kOptimal;
  out.residual = std::max({answer.primal_residual, answer.dual_residual, answer.gap});
  out.acceleration = solver.x();
  const auto contacts = static_cast<Eigen::Index>(s.contacts.size());
  out.forces = Eigen::VectorXd::Zero(contacts * s.dimension + static_cast<Eigen::Index>(s.holds.size()));
  for (Eigen::Index i = 0; i < contacts; ++i) out.forces[i * s.dimension] = solver.multipliers()[i];
  out.forces.tail(static_cast<Eigen::Index>(s.holds.size())) =
      solver.multipliers().tail(static_cast<Eigen::Index>(s.holds.size()));
  return out;
}

class ProblemMaker {
 public:
  explicit ProblemMaker(const Structure& s) : s_(s), freedoms_(s) {
    data.h = 1;
    const Eigen::VectorXd load = load_of(s, freedoms_);
    for (std::size_t i = 0; i < s.bodies.size(); ++i) add_body(i, load);
    for (const Contact& c : s.contacts) add_contact(c);
    for (const Hold& h : s.holds) add_hold(h);
  }
  ProblemData data;

 private:
  void add_body(std::size_t i, const Eigen::VectorXd& load) {
    clique_.push_back(Clique::kNone);
    if (s_.bodies[i].held) return;
    clique_.back() = static_cast<std::uint32_t>(data.cliques.size());
    const Clique q = data.add_clique(static_cast<std::uint32_t>(s_.freedoms()));
    const Eigen::MatrixXd m = mass_of(s_, s_.bodies[i]), inverse = m.inverse();
    const Eigen::VectorXd free = inverse * load.segment(freedoms_.first[i], s_.freedoms());
    for (Eigen::Index k = 0; k < m.size(); ++k)
      data.mass[q.mass + static_cast<std::size_t>(k)] = m.data()[k],
                         data.inverse_mass[q.mass + static_cast<std::size_t>(k)] = inverse.data()[k];
    for (Eigen::Index k = 0; k < free.size(); ++k) data.free_velocity[q.first + static_cast<std::size_t>(k)] = free[k];
  }
  std::uint32_t clique(std::uint32_t body) const { return body == kGround ? Clique::kNone : clique_[body]; }
  void put(std::uint32_t at, std::uint32_t row, const Eigen::VectorXd& part) {
    for (Eigen::Index k = 0; k < part.size(); ++k)
      data.jacobian[at + row * static_cast<std::uint32_t>(part.size()) + static_cast<std::size_t>(k)] = part[k];
  }
  void add_contact(const Contact& c) {
    const std::uint32_t a = clique(c.a), b = clique(c.b);
    if (a == Clique::kNone && b == Clique::kNone) return;
    RowBlock& block = data.add_block(BlockKind::kContact, static_cast<std::uint32_t>(s_.dimension), a, b);
    block.contact = static_cast<std::uint32_t>(data.contacts.size()), block.key = data.blocks.size();
    for (int axis = 0; axis < s_.dimension; ++axis) {
      const auto row = static_cast<std::uint32_t>(axis);
      if (a != Clique::kNone) put(block.jacobian_a, row, side_of_contact(s_, c, axis, c.a, -1));
      if (b != Clique::kNone) put(block.jacobian_b, row, side_of_contact(s_, c, axis, c.b, 1));
    }
    ContactLaw law;
    law.frame = c.frame, law.static_friction = law.dynamic_friction = c.friction;
    data.contacts.push_back(law);
  }
  void add_hold(const Hold& h) {
    std::uint32_t a = clique(h.a), b = clique(h.b);
    if (a == Clique::kNone && b == Clique::kNone) return;
    RowBlock& block = data.add_block(h.one_sided ? BlockKind::kLimit : BlockKind::kEquality, 1, a, b);
    block.key = data.blocks.size() | (std::uint64_t{1} << 63);
    if (a != Clique::kNone) put(block.jacobian_a, 0, side_of_hold(s_, h, true));
    if (b != Clique::kNone) put(block.jacobian_b, 0, side_of_hold(s_, h, false));
    if (h.one_sided) data.lower[block.first_row] = 0;
  }

  const Structure& s_;
  Freedoms freedoms_;
  std::vector<std::uint32_t> clique_;
};

InitialMotion with_friction(const Structure& s, const StopFlag& stop, std::int64_t most_iterations) {
  ProblemMaker maker(s);
  maker.data.stop = stop;
  InitialMotion out;
  for (const char* name : {"newton", "nsgs"}) {
    const SolverInfo* info = find_contact_solver(name);
    if (!info || maker.data.blocks.empty()) continue;
    ContactSolution solution;
    info->make()->solve(maker.data.view(), {1e-11, most_iterations}, {}, solution);
    stop.check();
    const bool better = out.method.empty() || solution.residual < out.residual;
    if (!better) continue;
    out.method = name, out.residual = solution.residual;
    out.converged = solution.status == SolveStatus::kConverged || solution.residual < 1e-9;
    out.acceleration = Eigen::Map<const Eigen::VectorXd>(solution.velocities.data(),
                                                         static_cast<Eigen::Index>(solution.velocities.size()));
    out.forces = Eigen::Map<const Eigen::VectorXd>(solution.impulses.data(),
                                                   static_cast<Eigen::Index>(solution.impulses.size()));
    if (out.converged) break;
  }
  if (out.method.empty()) {
    out.method = "free motion", out.converged = true;
    out.acceleration = Eigen::Map<const Eigen::VectorXd>(maker.data.free_velocity.data(),
                                                         static_cast<Eigen::Index>(maker.data.free_velocity.size()));
  }
  return out;
}

}  // namespace

InitialMotion initial_motion(const Structure& s, const StopFlag& stop, std::int64_t most_iterations) {
  return s.has_friction() ? with_friction(s, stop, most_iterations) : without_friction(s, stop);
}

}  // namespace touchstone::statics
