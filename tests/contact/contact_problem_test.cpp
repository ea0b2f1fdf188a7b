// Contact problems: what the builder makes, against independent arithmetic and against the fast kernels of `impulse`.
#include "contact/contact_problem.h"

#include <gtest/gtest.h>

#include <deque>
#include <stdexcept>

#include "contact/contact_laws.h"
#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "dynamics/joint_builders.h"
#include "models/impulse/contact_sweeps.h"

namespace touchstone::testing {
namespace {

template <class T>
class ContactProblemIn : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(ContactProblemIn, Dimensions);

// The contacts of a pile as `impulse` has them; every third patch is smooth on one side, which moves its point.
template <int D>
std::vector<ContactRecord<D>> records_of(RandomPile<D>& pile, std::deque<Contact<D>>& found,
                                         std::deque<ContactSides<D>>& all_sides) {
  std::vector<ContactRecord<D>> out;
  for (SolvedContact<D>& s : pile.contacts) {
    ContactRecord<D> r;
    Contact<D>& c = s.contact;
    r.contact = &found.emplace_back(c);
    ContactSides<D>& sides = all_sides.emplace_back();
    r.sides = &sides;
    sides.material = &s.material;
    const Vec<D> half = 0.5 * c.gap * c.normal;
    sides.skin = s.surface_velocity;
    sides.smooth_a = c.body_b % 3 == 0, sides.smooth_b = c.body_b % 3 == 1;
    sides.weight_a = sides.smooth_a ? 1.0f : sides.smooth_b ? 0.0f : 0.5f;
    out.push_back(r);
    if (sides.smooth_a) c.point -= half;
    if (sides.smooth_b) c.point += half;
  }
  return out;
}

// As the kernels see a point: frame, K in the frame, relative velocity with skin and bias; in either precision.
template <int D>
struct KernelPoint {
  std::size_t contact;
  Mat<D> frame, k;
  Vec<D> u;
};

template <int D>
struct Packed {
  ContactGroups<D> groups;
  std::vector<BodyVelocity<D>> velocity;
  std::vector<AngMat<D>> inv_inertia;
  explicit Packed(const RandomPile<D>& pile, std::span<const ContactRecord<D>> records) {
    const std::size_t n = pile.bodies.size();
    const std::vector<Displacement<D>> still(n + 1);
    inv_inertia.assign(n + 1, AngMat<D>::Zero());
    velocity.resize(n + 1);
    set_velocity(velocity[n], Vec<D>::Zero(), AngVec<D>::Zero());
    for (std::size_t i = 0; i < n; ++i) {
      inv_inertia[i] = rotate_moments(pile.state.orientation[i], pile.bodies.inv_inertia[i]);
      set_velocity(velocity[i], pile.free[i].linear, pile.free[i].angular);
    }
    groups.pack(pile.bodies, records, pile.state.position, Parallel(1));
    groups.prepare(still, inv_inertia, pile.h, 0.0, 0.0, true, true, Parallel(1));
  }
  template <class L>
  std::vector<KernelPoint<D>> points() {
    ContactSweeps<D, L> sweeps;
    Scratch scratch, room;
    sweeps.begin(groups, velocity.size() - 1, scratch, Parallel(1));
    sweeps.load(groups, velocity, true, room, Parallel(1));
    std::vector<KernelPoint<D>> out;
    for (const SweepGroup<D, L>& g : sweeps.groups()) {
      for (std::uint32_t k = 0; k < g.points; ++k) {
        for (int lane = 0; lane < LaneTraits<L>::kCount; ++lane) {
          const std::size_t group = g.source + static_cast<std::size_t>(lane) / kLanes;
          if (lane >= 4 * g.parts || k >= groups.groups()[group].points) continue;
          const std::int32_t contact = groups.contact(group, k, lane % 4);
          if (contact < 0) continue;
          out.push_back(point(g, sweeps.points()[g.first_row + k], lane, !sweeps.kSingle));
          out.back().contact = static_cast<std::size_t>(contact);
          out.back().frame = contact_axes(groups.groups()[group], lane % 4);
        }
      }
    }
    return out;
  }
  // absolute: the velocities are those of the bodies, and have to be added.
  template <class L>
  KernelPoint<D> point(const SweepGroup<D, L>& g, const SweepPoint<D, L>& p, int lane, bool absolute) const {
    KernelPoint<D> out;
    Mat<D> frame;
    frame.col(0) = get_lane(g.n, lane), frame.col(1) = get_lane(g.t, lane);
    if constexpr (D == 3) frame.col(2) = cross(Vec<3>(frame.col(0)), Vec<3>(frame.col(1)));
    out.k(0, 0) = p.k_normal[lane];
    for (int i = 0; i < D - 1; ++i) out.k(i + 1, 0) = out.k(0, i + 1) = p.k_couple[i][lane];
    Eigen::Matrix<double, D - 1, D - 1> inverse;
    if constexpr (D == 2)
      inverse(0, 0) = p.inv_k_tangent[0][lane];
    else
      inverse << p.inv_k_tangent[0][lane], p.inv_k_tangent[2][lane], p.inv_k_tangent[2][lane], p.inv_k_tangent[1][lane];
    out.k.template bottomRightCorner<D - 1, D - 1>() = inverse.inverse();
    out.u = get_lane(p.aim, lane);
    if (!absolute) return out;
    Vec<D> va, vb;
    AngVec<D> wa, wb;
    get_velocity(velocity[g.a[lane]], va, wa);
    get_velocity(velocity[g.b[lane]], vb, wb);
    const Vec<D> arm_a = get_lane(p.arm_a, lane), arm_b = get_lane(arm_of_b(g, p), lane);
    out.u += frame.transpose() * Vec<D>(vb + cross(wb, arm_b) - va - cross(wa, arm_a));
    return out;
  }
};

template <int D>
void expect_the_same_rows(const std::vector<KernelPoint<D>>& points, const ContactProblem& problem,
                          std::span<const ContactRecord<D>> records, double tolerance) {
  Delassus delassus;
  delassus.prepare(problem);
  const Eigen::MatrixXd w = delassus.dense();
  std::vector<double> q(problem.rows());
  multiply_jacobian(problem, problem.free_velocity, q);
  EXPECT_EQ(points.size(), records.size());
  EXPECT_GT(points.size(), 40u);
  for (const KernelPoint<D>& p : points) {
    const RowBlock& block = problem.blocks[p.contact];
    ASSERT_EQ(block.key, records[p.contact].contact->key);
    ASSERT_EQ(block.rows, static_cast<std::uint32_t>(D));
    EXPECT_LT((problem.contacts[block.contact].frame.template topLeftCorner<D, D>() - p.frame).norm(), 1e-12);
    const Mat<D> own = w.block<D, D>(block.first_row, block.first_row);
    EXPECT_LT((own - p.k).norm(), tolerance * own.norm());
    for (int i = 0; i < D; ++i) {
      const std::size_t row = block.first_row + static_cast<std::size_t>(i);
      const double expected = q[row] + problem.surface[row] + problem.correction[row];
      EXPECT_NEAR(expected, p.u[i], tolerance * std::max(1.0, std::abs(expected)));
      EXPECT_EQ(problem.restitution[row], 0);
    }
  }
}

TYPED_TEST(ContactProblemIn, TheFastKernelsDescribeTheSameRows) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomPile<D> pile(seed);
    std::deque<Contact<D>> found;
    std::deque<ContactSides<D>> sides;
    const std::vector<ContactRecord<D>> records = records_of(pile, found, sides);
    Packed<D> packed(pile, records);
    ProblemBuilder<D> builder;
    const ContactProblem problem = builder.build(pile.input());
    check_problem(problem);
    ASSERT_EQ(problem.blocks.size(), records.size());
    expect_the_same_rows<D>(packed.template points<Lane>(), problem, records, 1e-12);
    expect_the_same_rows<D>(packed.template points<SingleLane>(), problem, records, 2e-6);
  }
}

TYPED_TEST(ContactProblemIn, RowsAreRelativeVelocitiesAndMassesAreThoseOfTheBodies) {
  constexpr int D = TypeParam::value;
  RandomPile<D> pile(3);
  for (SolvedContact<D>& c : pile.contacts) c.restitution = 0.5;
  ProblemBuilder<D> builder;
  const ContactProblem p = builder.build(pile.input());
  std::vector<double> q(p.rows());
  free_relative_velocity(p, q);
  Delassus delassus;
  delassus.prepare(p);
  const Eigen::MatrixXd w = delassus.dense();
  // By the yardstick's own arithmetic.
  const SolveView<D> view{false, 0, pile.h, pile.bodies, pile.state, pile.contacts, pile.before, pile.free, pile.free};
  for (std::size_t i = 0; i < pile.contacts.size(); ++i) {
    const SolvedContact<D>& c = pile.contacts[i];
    const Mat<D> frame = p.contacts[i].frame.template topLeftCorner<D, D>();
    EXPECT_NEAR(frame.determinant(), 1, 1e-14);
    Vec<D> u = frame.transpose() * relative_velocity(view, view.free, c);
    const double before = c.contact.normal.dot(relative_velocity(view, view.before, c));
    EXPECT_NEAR(p.contacts[i].normal_velocity_before, before, 1e-13);
    u[0] += std::max(0.0, c.contact.gap) / pile.h + 0.5 * std::min(0.0, before);
    for (int k = 0; k < D; ++k) EXPECT_NEAR(q[i * D + static_cast<std::size_t>(k)], u[k], 1e-12);
    const double trace = response_trace(view, c.contact);
    const Eigen::Index at = static_cast<Eigen::Index>(i) * D;
    EXPECT_NEAR((w.block<D, D>(at, at).trace()), trace, 1e-12 * trace);
  }
  // M·M⁻¹ = 1, and ½vᵀMv is the kinetic energy.
  std::vector<double> m(p.velocities()), back(p.velocities());
  multiply_mass(p, p.free_velocity, m);
  solve_mass(p, m, back);
  double twice = 0, expected = 0;
  for (std::size_t i = 0; i < p.velocities(); ++i) {
    EXPECT_NEAR(back[i], p.free_velocity[i], 1e-13);
    twice += m[i] * p.free_velocity[i];
  }
  for (std::size_t i = 0; i < pile.bodies.size(); ++i)
    expected += pile.bodies.mass[i] * pile.free[i].linear.squaredNorm() +
                pile.free[i].angular.dot(
                    apply_moments(frame_of(pile.state.orientation[i]), pile.bodies.inertia[i], pile.free[i].angular));
  EXPECT_NEAR(twice, expected, 1e-12 * expected);
}

TYPED_TEST(ContactProblemIn, TheOperatorIsTheDenseMatrix) {
  constexpr int D = TypeParam::value;
  RandomPile<D> pile(5);
  ProblemBuilder<D> builder;
  const ContactProblem p = builder.build(pile.input());
  Delassus delassus;
  delassus.prepare(p);
  const Eigen::MatrixXd w = delassus.dense();
  EXPECT_LT((w - w.transpose()).norm(), 1e-13 * w.norm());
  std::vector<double> r(p.rows()), u(p.rows());
  for (int trial = 0; trial < 5; ++trial) {
    for (double& x : r) x = pile.number(-1, 1);
    delassus.apply(r, u);
    const Eigen::Map<const Eigen::VectorXd> rr(r.data(), static_cast<Eigen::Index>(r.size())),
        uu(u.data(), static_cast<Eigen::Index>(u.size()));
    EXPECT_LT((w * rr - uu).norm(), 1e-12 * uu.norm());
    EXPECT_GE(rr.dot(uu), 0);
  }
}

TYPED_TEST(ContactProblemIn, JointsGiveTheirRows) {
  constexpr int D = TypeParam::value;
  RandomPile<D> pile(7);
  Dice dice(11);
  std::vector<Joint<D>> joints;
  for (const JointKind kind : joints_of_equations<D>()) {
    Joint<D> j = random_joined<D>(kind, dice).joint;
    give_limits_and_motor(j);
    j.body_a =
        joints.empty() ? kWorldBody : 1 + static_cast<std::uint32_t>(joints.size());  // one on the prescribed body
    j.body_b = 5 + static_cast<std::uint32_t>(joints.size());
    joints.push_back(j);
  }
  ProblemInput<D> in = pile.input();
  in.joints = joints;
  ProblemBuilder<D> builder;
  const ContactProblem p = builder.build(in);
  check_problem(p);
  std::vector<double> u(p.rows());
  multiply_jacobian(p, p.free_velocity, u);
  State<D> moving = pile.state;
  for (std::size_t i = 0; i < moving.size(); ++i)
    moving.velocity[i] = pile.free[i].linear, moving.angular_velocity[i] = pile.free[i].angular;
  std::size_t row = pile.contacts.size() * D;
  for (const Joint<D>& j : joints) {
    for (const JointRow<D>& expected : rows_of(j, moving)) {
      const double rate = rate_of(expected, j, moving);
      const bool motor = drives(expected.kind);
      EXPECT_NEAR(u[row] + p.surface[row], rate - (motor ? expected.target_speed : 0.0), 1e-12);
      EXPECT_NEAR(p.correction[row], motor ? 0.0 : expected.error / pile.h + 0.5 * pile.h * expected.rate_bias, 1e-9);
      EXPECT_EQ(p.upper[row], motor ? expected.max_force * pile.h : std::numeric_limits<double>::infinity());
      EXPECT_EQ(p.lower[row], motor                                 ? -p.upper[row]
                              : expected.kind == RowKind::kEquality ? -std::numeric_limits<double>::infinity()
                                                                    : 0.0);
      ++row;
    }
  }
  EXPECT_EQ(row, p.rows());
  for (std::size_t i = 1; i < p.blocks.size(); ++i) EXPECT_LT(p.blocks[i - 1].key, p.blocks[i].key);
}

TYPED_TEST(ContactProblemIn, ASecondBuildAllocatesNoNewMemory) {
  constexpr int D = TypeParam::value;
  RandomPile<D> pile(9);
  ProblemBuilder<D> builder;
  const double* first = builder.build(pile.input()).jacobian.data();
  EXPECT_EQ(builder.build(pile.input()).jacobian.data(), first);
}

// Of each block of a pile, and of blocks of one and two rows, against the dense matrix.
TEST(ContactProblem, OwnBlocksAreThoseOfTheDenseMatrix) {
  RandomPile<3> pile(6);
  std::vector<Joint<3>> joints;
  Dice dice(3);
  for (const JointKind kind : joints_of_equations<3>()) {
    joints.push_back(random_joined<3>(kind, dice).joint);
    joints.back().body_a = 2 + static_cast<std::uint32_t>(joints.size());
    joints.back().body_b = joints.back().body_a + 1;
  }
  ProblemInput<3> in = pile.input();
  in.joints = joints;
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(in);
  Delassus delassus;
  delassus.prepare(p);
  const Eigen::MatrixXd w = delassus.dense();
  std::vector<double> response(p.jacobian.size());
  for (const RowBlock& b : p.blocks) {
    Eigen::Matrix3d expected = Eigen::Matrix3d::Zero();
    const Eigen::Index n = b.rows, at = b.first_row;
    expected.topLeftCorner(n, n) = w.block(at, at, n, n);
    EXPECT_LT((own_block(p, b) - expected).norm(), 1e-13 * expected.norm());
    EXPECT_EQ(own_block(p, b), own_block(p, b, response));
    EXPECT_DOUBLE_EQ(own_mass(b, own_block(p, b)), b.rows / own_block(p, b).trace());
  }
}

TEST(ContactProblem, BrokenOnesAreRefused) {
  RandomPile<3> pile(1);
  ProblemBuilder<3> builder;
  ContactProblem good = builder.build(pile.input());
  EXPECT_NO_THROW(check_problem(good));
  ContactProblem p = good;
  p.h = 0;
  EXPECT_THROW(check_problem(p), std::invalid_argument);
  p = good, p.jacobian = p.jacobian.first(p.jacobian.size() - 1);
  EXPECT_THROW(check_problem(p), std::invalid_argument);
  p = good, p.surface = p.surface.first(p.surface.size() - 1);
  EXPECT_THROW(check_problem(p), std::invalid_argument);
  std::vector<double> v(good.free_velocity.begin(), good.free_velocity.end());
  v[3] = std::numeric_limits<double>::quiet_NaN();
  p = good, p.free_velocity = v;
  EXPECT_THROW(check_problem(p), std::invalid_argument);
  std::vector<RowBlock> blocks(good.blocks.begin(), good.blocks.end());
  blocks[0].clique_b = 1000;
  p = good, p.blocks = blocks;
  EXPECT_THROW(check_problem(p), std::invalid_argument);
  blocks[0].clique_a = blocks[0].clique_b = 2;
  p = good, p.blocks = blocks;
  try {
    check_problem(p);
    FAIL() << "a clique on both sides was taken";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "block 0 has clique 2 on both sides; add its two Jacobians and give it one side");
  }
  std::vector<Clique> cliques(good.cliques.begin(), good.cliques.end());
  cliques[0].factors = 0;
  p = good, p.cliques = cliques;
  EXPECT_THROW(check_problem(p), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone::testing
