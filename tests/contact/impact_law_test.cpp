// Impacts by law of restitution: against Routh's course, formulas, and what energy and momentum allow.
#include "contact/impact_law.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "contact/routh_impact.h"
#include "contact/solvers/newton_contact.h"

namespace touchstone::testing {
namespace {

constexpr double kTolerance = 1e-12;
constexpr RestitutionLaw kLaws[] = {RestitutionLaw::kPoisson, RestitutionLaw::kEnergetic};

struct Resolver {
  NewtonContact newton;
  ImpactLaw impact;
  ContactSolution solution;
  const ContactSolution& operator()(const ProblemData& data, RestitutionLaw law) {
    const auto solve = [this](const ContactProblem& p, std::span<const double> guess, ContactSolution& out) {
      newton.solve(p, {kTolerance}, guess, out);
    };
    impact.resolve(data.view(), {law, 0, kTolerance, true}, solve, solution);
    return solution;
  }
};

struct Draw {
  std::mt19937 engine;
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  template <int D>
  Mat<D> positive() {
    std::normal_distribution<double> normal;
    Mat<D> x;
    for (int i = 0; i < D * D; ++i) x.data()[i] = normal(engine);
    return x * x.transpose() + 0.3 * Mat<D>::Identity();
  }
  template <int D>
  Vec<D> approach() {
    Vec<D> u;
    for (int i = 0; i < D; ++i) u[i] = number(-2, 2);
    u[0] = -number(0.1, 1);
    return u;
  }
};

// A clique of D numbers whose velocity is u; normal first.
template <int D>
void add_point(ProblemData& data, const Mat<D>& mass, const Vec<D>& u) {
  const Clique c = data.add_clique(D);
  const Mat<D> inverse = mass.inverse();
  for (int i = 0; i < D; ++i) {
    data.free_velocity[c.first + static_cast<std::size_t>(i)] = u[i];
    for (int j = 0; j < D; ++j) {
      data.mass[c.mass + static_cast<std::size_t>(i * D + j)] = mass(i, j);
      data.inverse_mass[c.mass + static_cast<std::size_t>(i * D + j)] = inverse(i, j);
    }
  }
}

template <int D>
void set_identity(ProblemData& data, std::uint32_t jacobian, double sign) {
  for (std::size_t i = 0; i < D; ++i) data.jacobian[jacobian + i * (D + 1)] = sign;
}

template <int D>
void add_contact(ProblemData& data, std::uint32_t clique, double e, double friction) {
  RowBlock& block = data.add_block(BlockKind::kContact, D, Clique::kNone, clique);
  set_identity<D>(data, block.jacobian_b, 1);
  block.contact = static_cast<std::uint32_t>(data.contacts.size());
  ContactLaw law;
  law.restitution = e;
  law.static_friction = law.dynamic_friction = friction;
  data.contacts.push_back(law);
}

// One body at its contact; or two that are joined, of which one bears.
template <int D>
ProblemData alone(const Mat<D>& mass, const Vec<D>& u, double e, double friction) {
  ProblemData data;
  data.h = 1e-3;
  add_point<D>(data, mass, u);
  add_contact<D>(data, 0, e, friction);
  return data;
}
template <int D>
ProblemData joined(const Mat<D>& mass, const Mat<D>& other, const Vec<D>& u, double e, double friction) {
  ProblemData data = alone<D>(mass, u, e, friction);
  add_point<D>(data, other, u);
  RowBlock& joint = data.add_block(BlockKind::kEquality, D, 0, 1);
  joint.key = 1;
  set_identity<D>(data, joint.jacobian_a, -1), set_identity<D>(data, joint.jacobian_b, 1);
  return data;
}

double kinetic_energy(const ContactProblem& p, std::span<const double> v) {
  std::vector<double> momentum(v.size());
  multiply_mass(p, v, momentum);
  double twice = 0;
  for (std::size_t i = 0; i < v.size(); ++i) twice += momentum[i] * v[i];
  return 0.5 * twice;
}

template <int D>
Vec<D> impulse_of(const ContactSolution& s) {
  return Eigen::Map<const Vec<D>>(s.impulses.data());
}

// How far the course through a joint is from that of one point with the same response, at worst of `count`.
template <int D>
double off_routh(int count) {
  Draw draw{std::mt19937(3)};
  Resolver resolve;
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const Mat<D> a = draw.positive<D>(), b = draw.positive<D>();
    const Vec<D> u = draw.approach<D>();
    const double e = draw.number(0, 1), mu = draw.number(0, 1.5);
    const Mat<D> k = (a + b).inverse();
    // Where friction presses more than the normal impulse parts (Painlevé), the end of the slip is a jump.
    if (k(0, 0) < 1.1 * mu * k.template block<D - 1, 1>(1, 0).norm()) continue;
    for (const RestitutionLaw law : kLaws) {
      const Vec<D> expected = routh_impact<D>(k, u, {e, mu, mu, law}).impulse;
      const ContactSolution& s = resolve(joined<D>(a, b, u, e, mu), law);
      EXPECT_EQ(s.status, SolveStatus::kConverged) << i << " " << s.reason;
      const double off = (impulse_of<D>(s) - expected).norm() / expected.norm();
      if (off > (D == 2 ? 1e-9 : 2e-3)) ADD_FAILURE() << i << " law " << static_cast<int>(law) << " off " << off;
      worst = std::max(worst, off);
    }
  }
  return worst;
}

TEST(ImpactLaw, FollowsRouthsCourseThroughAJointInThePlane) { EXPECT_LT(off_routh<2>(1000), 1e-9); }
TEST(ImpactLaw, FollowsRouthsCourseThroughAJointInSpace) { EXPECT_LT(off_routh<3>(100), 2e-3); }

// Whatever the response and the friction, by Poisson's and by Stronge's law.
template <int D>
void expect_no_gain() {
  Draw draw{std::mt19937(5)};
  Resolver resolve;
  for (int i = 0; i < 2000; ++i) {
    const Mat<D> mass = draw.positive<D>();
    const Vec<D> u = draw.approach<D>();
    const double e = i % 10 == 0 ? 1.0 : i % 10 == 1 ? 0.0 : draw.number(0, 1), mu = draw.number(0, 2);
    const ProblemData data = alone<D>(mass, u, e, mu);
    const double before = kinetic_energy(data.view(), data.free_velocity);
    for (const RestitutionLaw law : kLaws) {
      const ContactSolution& s = resolve(data, law);
      ASSERT_EQ(s.status, SolveStatus::kConverged) << i;
      const Vec<D> r = impulse_of<D>(s), v = Eigen::Map<const Vec<D>>(s.velocities.data());
      EXPECT_LE(kinetic_energy(data.view(), s.velocities), before * (1 + 1e-12)) << i;
      EXPECT_GE(v[0], -1e-9) << i;
      EXPECT_LE(r.template tail<D - 1>().norm(), mu * r[0] * (1 + 1e-9)) << i;
      EXPECT_LT((mass * (v - u) - r).norm(), 1e-12 * (1 + r.norm())) << i;
    }
  }
}
TEST(ImpactLaw, OneContactNeverGainsEnergyInThePlane) { expect_no_gain<2>(); }
TEST(ImpactLaw, OneContactNeverGainsEnergyInSpace) { expect_no_gain<3>(); }

// Without friction, and where friction does not press: r_N = −(1 + e)·u_N/K_NN by every law.
TEST(ImpactLaw, LawsAgreeWithoutFrictionAndInCentralImpacts) {
  Draw draw{std::mt19937(7)};
  Resolver resolve;
  for (int i = 0; i < 500; ++i) {
    const bool central = i % 2 == 0;
    const double e = draw.number(0, 1), mu = central ? draw.number(0, 1) : 0.0;
    Mat<3> a = draw.positive<3>(), b = draw.positive<3>();
    if (central)
      for (Mat<3>* m : {&a, &b}) m->block<2, 1>(1, 0).setZero(), m->block<1, 2>(0, 1).setZero();
    const Vec<3> u = draw.approach<3>();
    const double expected = -(1 + e) * u[0] / Mat<3>((a + b).inverse())(0, 0);
    for (const RestitutionLaw law : kLaws) {
      EXPECT_NEAR(impulse_of<3>(resolve(joined<3>(a, b, u, e, mu), law))[0], expected, 1e-10 * expected) << i;
      EXPECT_NEAR(impulse_of<3>(resolve(alone<3>(a + b, u, e, mu), law))[0], expected, 1e-10 * expected) << i;
    }
  }
}

// B18: the slip turns round in expansion. The two ends of the course by Routh, piece by piece.
TEST(ImpactLaw, LawsDifferWhereSlipTurnsRound) {
  Mat<2> k;
  k << 1.0, 0.6, 0.6, 0.9;  // sticking would need a friction of 0.6/0.9
  const double e = 0.5, mu = 0.5;
  const Vec<2> u(-1, -1.1), slides(1, mu), back(1, -mu);
  const double compression = -u[0] / (k * slides)[0], turns = -u[1] / (k * slides)[1];
  ASSERT_GT(turns, compression);
  ASSERT_LT(turns, (1 + e) * compression);
  const Vec<2> poisson = turns * slides + ((1 + e) * compression - turns) * back;
  const double first = turns - compression, speed = first * (k * slides)[0], slope = (k * back)[0];
  const double owed = e * e * -0.5 * compression * u[0] - 0.5 * first * speed;
  const double rest = (std::sqrt(speed * speed + 2 * slope * owed) - speed) / slope;
  const Vec<2> energetic = turns * slides + rest * back;
  EXPECT_GT((poisson - energetic).norm(), 0.005);
  Resolver resolve;
  const Mat<2> half = 0.5 * k.inverse();
  for (const bool jointed : {false, true}) {
    const auto impulse = [&](RestitutionLaw law) {
      return impulse_of<2>(resolve(jointed ? joined<2>(half, half, u, e, mu) : alone<2>(k.inverse(), u, e, mu), law));
    };
    EXPECT_LT((impulse(RestitutionLaw::kPoisson) - poisson).norm(), 1e-11);
    EXPECT_LT((impulse(RestitutionLaw::kEnergetic) - energetic).norm(), 1e-11);
  }
}

// A flat face of n points on a floor: redundant from three on. No law turns it, and all throw it back at e.
TEST(ImpactLaw, AFaceThatLandsFlatGoesBackFlat) {
  for (const int points : {2, 3, 5}) {
    ProblemData data;
    data.h = 1e-3;
    add_point<3>(data, Vec<3>(2, 2, 0.5).asDiagonal(), Vec<3>(-3, 0, 0));  // up, right, turning
    for (int i = 0; i < points; ++i) {
      RowBlock& b = data.add_block(BlockKind::kContact, 2, Clique::kNone, 0);
      b.key = static_cast<std::uint64_t>(i);
      const double x = -1 + 2.0 * i / (points - 1);
      const double rows[6] = {1, 0, x, 0, 1, 1};
      std::copy(rows, rows + 6, &data.jacobian[b.jacobian_b]);
      b.contact = static_cast<std::uint32_t>(data.contacts.size());
      ContactLaw law;
      law.restitution = 0.6, law.static_friction = law.dynamic_friction = 0.3;
      data.contacts.push_back(law);
    }
    Resolver resolve;
    for (const RestitutionLaw law : kLaws) {
      const ContactSolution& s = resolve(data, law);
      EXPECT_EQ(s.status, SolveStatus::kConverged);
      EXPECT_NEAR(s.velocities[0], 1.8, 1e-9) << points;
      EXPECT_NEAR(s.velocities[1], 0, 1e-9) << points;
      EXPECT_NEAR(s.velocities[2], 0, 1e-9) << points;
    }
  }
}

// Many contacts at once, all of them meeting: Stronge's law gains nothing; nothing approaches, and friction is in its
// cones; momentum is what the impulses say.
template <int D>
void expect_lawful_piles(int count) {
  Resolver resolve;
  for (int seed = 0; seed < count; ++seed) {
    RandomPile<D> pile(static_cast<unsigned>(seed));
    for (SolvedContact<D>& c : pile.contacts) c.restitution = c.material.restitution = 0.7;
    pile.before[1] = {};  // what is prescribed puts in energy
    ProblemBuilder<D> builder;
    const ContactProblem p =
        builder.build({pile.bodies, pile.state, pile.before, pile.before, pile.contacts, {}, {}, pile.h, true});
    ProblemData data;
    const double before = kinetic_energy(p, p.free_velocity);
    for (const RestitutionLaw law : kLaws) {
      const auto solve = [&](const ContactProblem& part, std::span<const double> guess, ContactSolution& out) {
        resolve.newton.solve(part, {1e-10}, guess, out);
      };
      ContactSolution s;
      resolve.impact.resolve(p, {law, 0, 1e-10, true}, solve, s);
      EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << " " << s.reason;
      const double after = kinetic_energy(p, s.velocities);
      if (law == RestitutionLaw::kEnergetic) {
        EXPECT_LE(after, before * (1 + 1e-6)) << seed;
      }
      std::vector<double> u(p.rows()), momentum(p.velocities(), 0.0), change(p.velocities()), push(p.velocities());
      multiply_jacobian(p, s.velocities, u);
      for (const RowBlock& b : p.blocks) {
        const double* r = &s.impulses[b.first_row];
        if (b.clique_a == Clique::kNone && b.clique_b == Clique::kNone) continue;
        EXPECT_GE(r[0], 0) << seed;
        EXPECT_LE(std::hypot(r[1], b.rows > 2 ? r[2] : 0.0), p.contacts[b.contact].static_friction * r[0] + 1e-8);
        EXPECT_GE(u[b.first_row] + p.surface[b.first_row], -1e-8) << seed;
      }
      add_momentum(p, s.impulses, momentum);
      for (std::size_t i = 0; i < change.size(); ++i) change[i] = s.velocities[i] - p.free_velocity[i];
      multiply_mass(p, change, push);
      for (std::size_t i = 0; i < push.size(); ++i) EXPECT_NEAR(push[i], momentum[i], 1e-12 * (1 + std::abs(push[i])));
    }
  }
}
TEST(ImpactLaw, PilesAreLawfulInThePlane) { expect_lawful_piles<2>(5); }
TEST(ImpactLaw, PilesAreLawfulInSpace) { expect_lawful_piles<3>(5); }

}  // namespace
}  // namespace touchstone::testing
