// Purpose: equilibrium of rigid bodies in contact as a linear program, with the motion that proves the opposite.
// Source: [rote2012, §9] without friction; with friction, forces in a polygonal cone, which generators span. Motion by
//   Farkas' lemma: {J'·g = −W, g >= 0} has no answer if and only if some y has y·J'_k >= 0 for every generator k and
//   W·y > 0: y moves the bodies such that no generator resists, and the loads do work.
// Letters: g factors of generators, W loads, y a motion of the free bodies.
// Deviations: (1) y of a structure with friction belongs to a cone of motions that dilate (y_N >= μ·|y_T|): it proves
//   that forces do not exist; the motion that follows is another one (accelerations.h). (2) A circular cone is
//   bracketed by polygons inside and around it.
// Fails: between the two finest polygons nothing is said (kUndecided): a band of 1e-4 of μ.
#include "statics/balance.h"

#include "statics/even_forces.h"
#include "statics/held_groups.h"

namespace touchstone::statics {
namespace {

const std::optional<Rational> kNone;

Balance impossible(const Solved& solved, int sectors) {
  Balance out{BalanceStatus::kImpossible, solved.exact, {}, {}, sectors};
  // y of the rows contradicts J'·g = −W: y·J' <= 0 for every generator (g >= 0), and y·(−W) > 0.
  out.mechanism.rounded = -solved.ray.rounded;
  for (const Rational& r : solved.ray.exact) out.mechanism.exact.push_back(-r);
  return out;
}

// {} where neither forces nor a proof came out.
Balance balance_within(const Equations& e, const FrictionCone& cone, ConeSide side, const ProgramSettings& settings,
                       int sectors) {
  const BalanceProgram program(e, cone, side);
  ProgramSolver solver(settings);
  const Solved solved = solver.solve(program.program());
  if (solved.status == LpStatus::kInfeasible) return impossible(solved, sectors);
  Balance out;
  out.sectors = sectors, out.exact = solved.exact;
  if (solved.status != LpStatus::kOptimal) return out;
  out.status = BalanceStatus::kBalanced;
  out.forces = program.forces_of(solved.x);
  return out;
}

bool has_circles(const Equations& e, FrictionLaw law) {
  if (e.axes == 2 || law == FrictionLaw::kPyramid) return false;
  return std::any_of(e.friction.begin(), e.friction.end(), [](const Rational& mu) { return mu > 0; });
}

}  // namespace

BalanceProgram::BalanceProgram(const Equations& e, const FrictionCone& cone, ConeSide side) : equations_(e) {
  program_.lower.assign(e.load.size(), Rational(0)), program_.upper = program_.lower;
  for (std::size_t i = 0; i < e.load.size(); ++i) program_.lower[i] = program_.upper[i] = -e.load[i];
  const auto add = [&](SparseRow column, const Rational& cost, const std::optional<Rational>& lower) {
    program_.columns.push_back(std::move(column)), program_.c.push_back(cost);
    program_.x_lower.push_back(lower), program_.x_upper.push_back(kNone);
  };
  for (std::size_t i = 0; i < e.contacts; ++i) {
    const auto add_force = [&](const Direction& d) {
      columns_.push_back({i, d});
      add(force_row(e, i, d), 1, Rational(0));
    };
    if (e.friction[i] == 0) {
      add_force({0, 0});
      continue;
    }
    for (const int k : side == ConeSide::kInside ? cone.inside : cone.outside)
      add_force(cone.forces[static_cast<std::size_t>(k)]);
  }
  for (std::size_t i = 0; i < e.holds; ++i) add(e.hold(i), 0, e.one_sided[i] ? std::optional<Rational>(0) : kNone);
}

std::size_t BalanceProgram::add_unknown_load(const std::vector<Rational>& load, std::optional<Rational> most) {
  SparseRow column;
  for (std::size_t i = 0; i < load.size(); ++i)
    if (load[i] != 0) column.push_back({static_cast<std::int32_t>(i), load[i]});
  program_.columns.push_back(std::move(column)), program_.c.push_back(0);
  program_.x_lower.push_back(Rational(0)), program_.x_upper.push_back(std::move(most));
  return program_.c.size() - 1;
}

void BalanceProgram::set_objective(const std::vector<std::size_t>& contacts, int factor) {
  for (Rational& c : program_.c) c = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (std::find(contacts.begin(), contacts.end(), columns_[k].contact) != contacts.end()) program_.c[k] = factor;
}

Forces BalanceProgram::forces_of(const Values& x) const {
  const auto axes = static_cast<std::size_t>(equations_.axes);
  Forces out;
  out.rounded = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(equations_.rows.size()));
  if (!x.exact.empty()) out.exact.assign(equations_.rows.size(), Rational(0));
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Column& c = columns_[k];
    const Rational& mu = equations_.friction[c.contact];
    const Rational part[3] = {1, mu * c.direction.x, mu * c.direction.y};
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::size_t row = c.contact * axes + axis;
      out.rounded[static_cast<Eigen::Index>(row)] += rounded(part[axis]) * x.rounded[static_cast<Eigen::Index>(k)];
      if (!x.exact.empty()) out.exact[row] += part[axis] * x.exact[k];
    }
  }
  for (std::size_t i = 0; i < equations_.holds; ++i) {
    const std::size_t row = equations_.contacts * axes + i, k = columns_.size() + i;
    out.rounded[static_cast<Eigen::Index>(row)] = x.rounded[static_cast<Eigen::Index>(k)];
    if (!x.exact.empty()) out.exact[row] = x.exact[k];
  }
  return out;
}

Balance find_balance(const Equations& e, const BalanceSettings& settings) {
  const bool circles = has_circles(e, settings.law);
  Balance out;
  for (int sectors = kFewestSectors; sectors <= kMostSectors; sectors *= 4) {
    const FrictionCone cone = friction_cone(e.axes, settings.law, sectors);
    out = balance_within(e, cone, ConeSide::kInside, settings.program, sectors);
    if (!circles || out.status != BalanceStatus::kImpossible) return out;
    out = balance_within(e, cone, ConeSide::kOutside, settings.program, sectors);
    if (out.status == BalanceStatus::kImpossible) return out;
  }
  return {BalanceStatus::kUndecided, false, {}, {}, kMostSectors};
}

Balance find_frictionless_balance(const Equations& e, const ProgramSettings& settings) {
  if (!settings.exact)
    if (Forces even = even_forces(e, settings.stop); even.size() > 0)
      return {BalanceStatus::kBalanced, false, std::move(even), {}, 0};
  Equations smooth = e;
  for (Rational& mu : smooth.friction) mu = 0;
  return balance_within(smooth, friction_cone(e.axes, FrictionLaw::kPyramid, 8), ConeSide::kInside, settings, 0);
}

namespace {

// y >= 0 for every generator, W·y = 0, |y| <= 1; and what balancing forces leave no choice of is 0 (held_groups.cpp).
ExactProgram neutral_program(const Equations& e, const FrictionCone& cone, const std::vector<Grip>& grips) {
  std::vector<SparseRow> rows;
  std::vector<std::optional<Rational>> upper;
  const auto add = [&](SparseRow row, const std::optional<Rational>& most) {
    rows.push_back(std::move(row)), upper.push_back(most);
  };
  for (std::size_t i = 0; i < e.contacts; ++i) {
    if (grips[i] == Grip::kWhole)
      for (int axis = 0; axis < e.axes; ++axis) add(e.row(i, axis), Rational(0));
    else if (e.friction[i] == 0)
      add(e.row(i, 0), grips[i] == Grip::kNormal ? std::optional<Rational>(0) : kNone);
    else
      for (const int k : cone.outside) add(force_row(e, i, cone.forces[static_cast<std::size_t>(k)]), kNone);
  }
  for (std::size_t i = 0; i < e.holds; ++i) add(e.hold(i), e.one_sided[i] ? kNone : std::optional<Rational>(0));
  SparseRow work;
  for (std::size_t i = 0; i < e.load.size(); ++i)
    if (e.load[i] != 0) work.push_back({static_cast<std::int32_t>(i), e.load[i]});
  add(work, Rational(0));

  ExactProgram p;
  const auto n = static_cast<std::size_t>(e.freedoms);
  p.c.assign(n, 0), p.columns.resize(n);
  p.x_lower.assign(n, Rational(-1)), p.x_upper.assign(n, Rational(1));
  p.lower.assign(rows.size(), Rational(0)), p.upper = upper;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const ExactEntry& entry : rows[r])
      p.columns[static_cast<std::size_t>(entry.row)].push_back({static_cast<std::int32_t>(r), entry.value});
  return p;
}

}  // namespace

// The set of such motions is a cone. A linear function with factors that no symmetry has is zero on all of it, and so
// is its negative, only if the cone holds nothing that the function sees.
std::optional<Motion> find_neutral_motion(const Equations& e, const Structure& s, const Forces& forces,
                                          const BalanceSettings& settings) {
  const std::vector<Grip> grips = grips_of(e, settings.law, forces);
  if (all_held(s, grips)) return std::nullopt;
  const FrictionCone cone = friction_cone(e.axes, settings.law, kFewestSectors);
  ExactProgram program = neutral_program(e, cone, grips);
  const bool all_rough = std::all_of(e.friction.begin(), e.friction.end(), [](const Rational& mu) { return mu > 0; });
  const Freedoms freedoms(s);
  Eigen::Vector3d up = Eigen::Vector3d::Zero();
  for (const Body& b : s.bodies) up -= b.weight;
  std::vector<Rational> factors(program.c.size(), Rational(0));
  int prime = 7;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0) continue;
    for (int k = 0; k < s.freedoms(); ++k) {
      const bool turn = k >= s.linear();
      // Turning about the vertical is sliding.
      const bool level = s.dimension == 2 || std::abs(up[turn ? k - s.linear() : 0]) < 1e-9 * up.norm();
      prime = (prime * 31 + 17) % 997;
      if (all_rough || (turn && level)) factors[static_cast<std::size_t>(at + k)] = Rational(500 + prime, 1000);
    }
  }
  ProgramSolver solver(settings.program);
  for (const int sign : {-1, 1}) {
    for (std::size_t i = 0; i < factors.size(); ++i) program.c[i] = sign * factors[i];
    const Solved solved = solver.solve(program);
    if (solved.status != LpStatus::kOptimal) continue;
    if (solved.exact ? solved.exact_objective < 0 : solved.objective < -1e-7) return solved.x;
  }
  return std::nullopt;
}

}  // namespace touchstone::statics
