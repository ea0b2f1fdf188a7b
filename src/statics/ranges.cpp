#include "statics/ranges.h"

#include <map>

namespace touchstone::statics {
namespace {

Bound bound_of(ProgramSolver& solver, BalanceProgram& program, const std::vector<std::size_t>& contacts, int sign) {
  program.set_objective(contacts, sign);
  const Solved solved = solver.solve(program.program());
  Bound out;
  if (solved.status != LpStatus::kOptimal) return out;
  out.finite = true, out.is_exact = solved.exact;
  out.value = sign * solved.objective + 0.0;
  out.exact = sign * solved.exact_objective;
  return out;
}

}  // namespace

// A circular cone is replaced by the finest polygon inside of it: the range is never too wide.
std::vector<ForceRange> force_ranges(const Equations& e, const BalanceSettings& settings,
                                     const std::vector<std::vector<std::size_t>>& groups) {
  const FrictionCone cone = friction_cone(e.axes, settings.law, 4 * kFewestSectors);
  BalanceProgram program(e, cone, ConeSide::kInside);
  ProgramSolver solver(settings.program);
  std::vector<ForceRange> out;
  for (const std::vector<std::size_t>& group : groups) {
    ForceRange range;
    range.contacts = group;
    range.least = bound_of(solver, program, group, 1);
    range.greatest = bound_of(solver, program, group, -1);
    out.push_back(std::move(range));
  }
  return out;
}

std::vector<std::vector<std::size_t>> contacts_by_pair(const Structure& s) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> place;
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const auto [at, fresh] = place.try_emplace({s.contacts[i].a, s.contacts[i].b}, out.size());
    if (fresh) out.emplace_back();
    out[at->second].push_back(i);
  }
  return out;
}

}  // namespace touchstone::statics
