// The search over contact modes against enumeration of all of them.
#include <gtest/gtest.h>

#include <random>

#include "statics/structures.h"

namespace touchstone::statics::testing {
namespace {

// Every combination of modes that nothing is left out of: whether one admits W·a > 0.
bool some_mode_moves(const Equations& e) {
  const FrictionCone cone = friction_cone(2, FrictionLaw::kCircle, 16);
  ModeProgram program(e, cone);
  ProgramSolver solver({});
  Modes modes(e.contacts, kOpens);
  const std::vector<int> ways{kOpens, kSticks, 0, 1}, smooth{kOpens, kTouches};
  std::vector<std::size_t> at(e.contacts, 0);
  while (true) {
    for (std::size_t i = 0; i < e.contacts; ++i) modes[i] = (e.friction[i] > 0 ? ways : smooth)[at[i]];
    const LpAnswer answer = solver.solve_rounded(program.rounded_at(modes));
    if (answer.status == LpStatus::kOptimal && -answer.objective > 1e-7 * program.scale()) return true;
    std::size_t i = 0;
    while (i < e.contacts && ++at[i] == (e.friction[i] > 0 ? ways : smooth).size()) at[i++] = 0;
    if (i == e.contacts) return false;
  }
}

Structure random_structure(std::mt19937& random) {
  std::uniform_real_distribution<double> place(-1, 1), friction(0.1, 1.2);
  std::uniform_int_distribution<int> coin(0, 3);
  const auto tenth = [&](double x) { return std::round(x * 10) / 10; };
  Maker m;
  const std::uint32_t ground = m.held("ground");
  const int bodies = 1 + coin(random) / 2;
  std::vector<std::uint32_t> free;
  for (int i = 0; i < bodies; ++i) free.push_back(m.free("body", 1 + i, {tenth(place(random)), i + 0.5, 0}));
  const int contacts = 2 + coin(random) % 3;
  for (int k = 0; k < contacts; ++k) {
    const double angle = 1.5 * place(random), mu = coin(random) == 0 ? 0 : tenth(friction(random)) + 0.05;
    const std::uint32_t b = free[static_cast<std::size_t>(k) % free.size()];
    const std::uint32_t a = bodies > 1 && b != free[0] && coin(random) > 0 ? free[0] : ground;
    m.touch(a, b, {tenth(2 * place(random)), 0.0 + (a == ground ? 0 : 1), 0}, {std::sin(angle), std::cos(angle), 0},
            mu);
  }
  return m.s;
}

TEST(Modes, AgreeWithEnumeration) {
  std::mt19937 random(11);
  std::array<int, 4> seen{};
  for (int i = 0; i < 120; ++i) {
    const Structure s = random_structure(random);
    const Judged j = judge_structure(s);
    ++seen[static_cast<std::size_t>(j.assessment.verdict)];
    ASSERT_NE(j.assessment.verdict, Verdict::kUndecided) << i;
    const bool moves = some_mode_moves(j.equations);
    // A structure that falls has some law-abiding motion, or none at all where the laws contradict each other.
    if (j.assessment.verdict == Verdict::kStands) {
      EXPECT_FALSE(moves) << i;
    }
    if (j.assessment.verdict == Verdict::kMayStand) {
      EXPECT_TRUE(moves) << i;
    }
  }
  EXPECT_GT(seen[static_cast<std::size_t>(Verdict::kStands)], 10);
  EXPECT_GT(seen[static_cast<std::size_t>(Verdict::kFalls)], 10);
  EXPECT_GT(seen[static_cast<std::size_t>(Verdict::kMayStand)], 0);
}

TEST(Modes, BudgetIsSaid) {
  Maker m(3);
  const std::uint32_t ground = m.held("ground"), block = m.free("block", 1, {0, 0, 0.5});
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) m.touch(ground, block, {x, y, 0}, {0, 0, 1}, 0.5);
  m.s.bodies[block].weight = {3, 0, -10};
  const Judged j = judge_structure(m.s, exactly(1));
  EXPECT_EQ(j.assessment.verdict, Verdict::kUndecided);
  EXPECT_NE(j.assessment.detail.find("after 1 node"), std::string::npos) << j.assessment.detail;
}

}  // namespace
}  // namespace touchstone::statics::testing
