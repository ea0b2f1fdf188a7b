// Purpose: margins of a structure. A force that grows is one more unknown of the balance program, so that its greatest
//   value is one linear program, exact with fractions; friction and a tilt with other loads are bisected.
// Letters: t the factor of the growing load.
// Fails: a margin is that of balancing forces. Where it ends the structure falls; within, friction may leave MAY STAND:
//   the verdicts on both sides say so.
#include "statics/margins.h"

#include <fmt/format.h>

#include <cmath>

namespace touchstone::statics {
namespace {

std::string direction_text(const Eigen::Vector3d& d) {
  const char* names[3] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(d[k]) - 1) < 1e-12) return fmt::format("{}{}", d[k] > 0 ? "+" : "-", names[k]);
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", d[0], d[1], d[2]);
}

Eigen::Vector3d total_weight(const Structure& s) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Body& b : s.bodies) sum += b.weight;
  return sum;
}

Structure rounded_again(const Structure& s) {
  const Units one;
  return nondimensional(s, &one).structure;
}

}  // namespace

Margins::Margins(const Structure& scaled, const StableSettings& settings)
    : structure_(scaled), settings_(settings), equations_(equations_of(scaled)) {
  settings_.marginal = false;
}

std::vector<Eigen::Vector3d> Margins::horizontal() const {
  const Eigen::Vector3d weight = total_weight(structure_);
  if (!(weight.norm() > 0)) return {};
  const Eigen::Vector3d down = weight.normalized();
  std::vector<Eigen::Vector3d> out;
  for (int k = 0; k < structure_.dimension; ++k) {
    if (std::abs(down[k]) > 0.9) continue;
    Eigen::Vector3d d = Eigen::Vector3d::Unit(k);
    d = (d - down * down.dot(d)).normalized();
    if (structure_.dimension == 2) d[2] = 0;
    for (const double sign : {1.0, -1.0}) out.push_back(sign * d);
    if (out.size() == (structure_.dimension == 2 ? 2u : 4u)) break;
  }
  return out;
}

Bound Margins::greatest(const std::vector<Rational>& load) {
  const FrictionCone cone = friction_cone(equations_.axes, settings_.law, 4 * kFewestSectors);
  BalanceProgram program(equations_, cone, ConeSide::kInside);
  const std::size_t t = program.add_unknown_load(load, std::nullopt);
  program.set_objective({}, 1);
  program.program().c[t] = -1;
  ProgramSolver solver(settings_.program);
  const Solved solved = solver.solve(program.program());
  Bound out;
  if (solved.status != LpStatus::kOptimal) return out;
  out.finite = true, out.is_exact = solved.exact;
  out.value = -solved.objective + 0.0, out.exact = -solved.exact_objective;
  return out;
}

Verdict Margins::verdict_of(const Structure& s) const {
  const Structure rounded = rounded_again(s);
  return assess(rounded, equations_of(rounded), settings_).verdict;
}

void Margins::judge(Margin& margin, const std::function<Structure(double)>& at) {
  if (!margin.limit.finite) return;
  const double limit = margin.limit.value, aside = kAside * std::max(std::abs(limit), 1.0);
  const double less = margin.kind == Margin::Kind::kFriction ? aside : -aside;
  // Neither a friction nor a load within its limit is below 0.
  margin.within = verdict_of(at(std::max(0.0, limit + less)));
  margin.beyond = verdict_of(at(std::max(0.0, limit - less)));
}

Margin Margins::push(const Eigen::Vector3d& direction) {
  Margin m;
  m.kind = Margin::Kind::kPush, m.direction = direction, m.name = "push " + direction_text(direction);
  std::vector<Rational> load(equations_.load.size(), Rational(0));
  const Freedoms freedoms(structure_);
  const auto weight_of = [](const Body& b) {
    int axis = 0;
    b.weight.cwiseAbs().maxCoeff(&axis);
    const bool along = (b.weight - Eigen::Vector3d::Unit(axis) * b.weight[axis]).isZero(0);
    return along ? std::abs(b.weight[axis]) : b.weight.norm();
  };
  for (std::size_t i = 0; i < structure_.bodies.size(); ++i)
    for (int k = 0; freedoms.first[i] >= 0 && k < structure_.linear(); ++k)
      load[static_cast<std::size_t>(freedoms.first[i] + k)] =
          rational_of(weight_of(structure_.bodies[i])) * Rational(direction[k]);
  m.limit = greatest(load);
  judge(m, [&](double t) {
    Structure s = structure_;
    for (Body& b : s.bodies) b.force += t * weight_of(b) * direction;
    return s;
  });
  return m;
}

bool Margins::has_other_loads() const {
  return std::any_of(structure_.bodies.begin(), structure_.bodies.end(),
                     [](const Body& b) { return !b.force.isZero(0) || !b.torque.isZero(0); });
}

// Without other loads the balance depends on the direction of gravity alone, and its tangent is the push.
Margin Margins::tilt(const Eigen::Vector3d& downhill) {
  Margin m = push(downhill);
  m.kind = Margin::Kind::kTilt, m.name = "tilt, downhill " + direction_text(downhill);
  const auto turned = [&](double angle) {
    Structure s = structure_;
    for (Body& b : s.bodies) b.weight = std::cos(angle) * b.weight + std::sin(angle) * b.weight.norm() * downhill;
    return s;
  };
  if (has_other_loads()) {
    double low = 0, high = 0.5 * M_PI;
    const auto holds = [&](double angle) {
      const Structure s = rounded_again(turned(angle));
      return find_balance(equations_of(s), {settings_.law, settings_.program}).status == BalanceStatus::kBalanced;
    };
    m.limit = {};
    if (holds(high)) return m;
    for (int i = 0; i < 40; ++i) (holds(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
    m.limit = {true, std::tan(low), {}, false};
  }
  judge(m, [&](double tangent) { return turned(std::atan(tangent)); });
  return m;
}

Margin Margins::load(const LoadCase& at) {
  Margin m;
  m.kind = Margin::Kind::kLoad, m.direction = at.direction, m.body = structure_.bodies[at.body].name;
  m.name = fmt::format("load on '{}', {}", m.body, direction_text(at.direction));
  std::vector<Rational> load(equations_.load.size(), Rational(0));
  const int first = Freedoms(structure_).first[at.body];
  for (int k = 0; k < structure_.linear(); ++k) load[static_cast<std::size_t>(first + k)] = Rational(at.direction[k]);
  m.limit = greatest(load);
  judge(m, [&](double t) {
    Structure s = structure_;
    s.bodies[at.body].force += t * at.direction;
    return s;
  });
  return m;
}

Margin Margins::least_friction() {
  Margin m;
  m.kind = Margin::Kind::kFriction, m.name = "least friction";
  const auto with = [&](double mu) {
    Structure s = structure_;
    for (Contact& c : s.contacts) c.friction = mu;
    return s;
  };
  const auto holds = [&](double mu) {
    const Structure s = rounded_again(with(mu));
    return find_balance(equations_of(s), {settings_.law, settings_.program}).status == BalanceStatus::kBalanced;
  };
  double low = 0, high = 1;
  if (holds(0)) {
    m.limit = {true, 0, 0, settings_.program.exact};
    m.within = m.beyond = verdict_of(with(0));
    return m;
  }
  while (high < 1e6 && !holds(high)) low = high, high *= 4;
  if (high >= 1e6) return m;
  for (int i = 0; i < 44; ++i) (holds(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  m.limit = {true, high, {}, false};
  judge(m, with);
  return m;
}

}  // namespace touchstone::statics
