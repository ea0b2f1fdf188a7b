// Impulses that would give an island energy are taken back, and those of no other island.
#include <gtest/gtest.h>

#include <deque>
#include <span>
#include <vector>

#include "models/impulse/contact_groups.h"

namespace touchstone::testing {
namespace {

template <class T>
class EnergyGainsIn : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(EnergyGainsIn, Dimensions);

// Pairs of bodies of 1 kg and 1 kg·m² that touch in the middle between their centres, 1 m apart along x. A pair's
// bodies come with velocity ∓`before` along x and have an impulse of `impulse` between them.
template <int D>
struct Pairs {
  Bodies<D> bodies;
  State<D> state;
  std::deque<Contact<D>> contacts;
  PairMaterial material;
  std::deque<ContactSides<D>> sides;
  std::vector<ContactRecord<D>> records;
  std::vector<BodyVelocity<D>> velocity;
  ContactGroups<D> groups;
  Scratch room;

  void add(double before, double impulse) {
    const auto a = static_cast<std::uint32_t>(bodies.size()), b = a + 1;
    bodies.resize(b + 1);
    state.resize(b + 1);
    for (const std::uint32_t i : {a, b}) {
      const double side = i == a ? -0.5 : 0.5;
      bodies.mass[i] = bodies.inv_mass[i] = 1;
      bodies.inertia[i].setOnes(), bodies.inv_inertia[i].setOnes();
      state.position[i] = side * Vec<D>::UnitX();
      state.orientation[i] = identity_rotation<D>();
      state.velocity[i] = -2 * side * before * Vec<D>::UnitX();
    }
    const std::uint64_t key = std::uint64_t{a} << 40 | std::uint64_t{b} << 16;
    contacts.push_back({a, b, key, Vec<D>::Zero(), Vec<D>::UnitX(), 0.0});
    ContactRecord<D> r;
    r.contact = &contacts.back();
    sides.emplace_back().material = &material;
    r.sides = &sides.back();
    r.impulse = impulse * Vec<D>::UnitX();
    records.push_back(r);
  }
  // The first body is moved by others.
  void drive(double speed) {
    bodies.mass[0] = bodies.inv_mass[0] = 0;
    bodies.inv_inertia[0].setZero();
    bodies.kind[0] = BodyKind::kKinematic;
    state.velocity[0] = speed * Vec<D>::UnitX();
  }
  void apply() {
    const std::size_t n = bodies.size();
    const Parallel one(1);
    const std::vector<Displacement<D>> still(n + 1);
    const std::vector<AngMat<D>> inverse(n + 1, AngMat<D>::Identity());
    velocity.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i) set_velocity(velocity[i], state.velocity[i], state.angular_velocity[i]);
    set_velocity(velocity[n], Vec<D>::Zero(), AngVec<D>::Zero());
    groups.pack(bodies, records, state.position, one);
    groups.prepare(still, inverse, 1e-3, 0.0, 0.0, true, true, one);
    groups.warm_start(velocity, one);
  }
  Vec<D> speed_of(std::size_t i) const {
    Vec<D> v;
    AngVec<D> w;
    get_velocity(velocity[i], v, w);
    return v;
  }
};

TYPED_TEST(EnergyGainsIn, OnlyTheIslandThatGainsGoesBack) {
  constexpr int D = TypeParam::value;
  Pairs<D> p;
  p.add(1, 1);  // stops both: 1 J less
  p.add(1, 3);  // turns them around at twice their speed: 3 J more
  p.add(1, 2);  // a bounce without loss
  p.apply();
  EXPECT_NEAR(p.speed_of(0)[0], 0, 1e-15);
  EXPECT_NEAR(p.speed_of(2)[0], -2, 1e-15);
  ASSERT_TRUE(p.groups.take_gains_back(p.bodies, p.state, 1.0, true, p.velocity, p.room,
                                       Parallel(2)));  // 1 J for two bodies of 1 kg
  const std::span<const std::uint8_t> back = p.groups.taken_back();
  EXPECT_EQ(std::vector<std::uint8_t>(back.begin(), back.end()), (std::vector<std::uint8_t>{0, 0, 1, 1, 0, 0}));
  EXPECT_NEAR(p.speed_of(0)[0], 0, 1e-15);
  EXPECT_EQ(p.speed_of(2)[0], 1);
  EXPECT_EQ(p.speed_of(3)[0], -1);
  EXPECT_NEAR(p.speed_of(4)[0], -1, 1e-15);
  std::vector<double> gaps(3);
  p.groups.unpack(p.records, gaps, Parallel(1));
  EXPECT_NEAR(p.records[0].impulse[0], 1, 1e-15);
  EXPECT_EQ(p.records[1].impulse.norm(), 0);
  EXPECT_NEAR(p.records[2].impulse[0], 2, 1e-15);
  EXPECT_FALSE(p.groups.take_gains_back(p.bodies, p.state, 1.0, true, p.velocity, p.room, Parallel(2)));
}

// Of what would throw them back at twice their speed, and make 3 J, a third stops them: less energy there is not along
// that impulse. A bounce without loss is not touched.
TYPED_TEST(EnergyGainsIn, AsMuchIsTakenBackAsLeavesTheLeast) {
  constexpr int D = TypeParam::value;
  Pairs<D> p;
  p.add(1, 3);
  p.add(1, 2);
  p.apply();
  ASSERT_TRUE(p.groups.take_gains_back(p.bodies, p.state, 1.0, false, p.velocity, p.room, Parallel(2)));
  EXPECT_NEAR(p.speed_of(0)[0], 0, 1e-15);
  EXPECT_NEAR(p.speed_of(1)[0], 0, 1e-15);
  EXPECT_NEAR(p.speed_of(2)[0], -1, 1e-15);
  std::vector<double> gaps(2);
  p.groups.unpack(p.records, gaps, Parallel(1));
  EXPECT_NEAR(p.records[0].impulse[0], 1, 1e-15);
  EXPECT_NEAR(p.records[1].impulse[0], 2, 1e-15);
  EXPECT_FALSE(p.groups.take_gains_back(p.bodies, p.state, 1.0, false, p.velocity, p.room, Parallel(2)));
}

// What pulls apart instead of stopping has no part that would be right.
TYPED_TEST(EnergyGainsIn, NothingIsLeftOfWhatOnlyAdds) {
  Pairs<TypeParam::value> p;
  p.add(-1, 3);  // they part already
  p.apply();
  ASSERT_TRUE(p.groups.take_gains_back(p.bodies, p.state, 1.0, false, p.velocity, p.room, Parallel(2)));
  EXPECT_EQ(p.speed_of(0)[0], -1);
  EXPECT_EQ(p.speed_of(1)[0], 1);
}

// 3 J are less than two bodies of 1 kg have at 2 m/s.
TYPED_TEST(EnergyGainsIn, LittleIsLeftAlone) {
  Pairs<TypeParam::value> p;
  p.add(1, 3);
  p.apply();
  EXPECT_FALSE(p.groups.take_gains_back(p.bodies, p.state, 2.0, true, p.velocity, p.room, Parallel(2)));
  EXPECT_NEAR(p.speed_of(0)[0], -2, 1e-15);
}

// What pushes from outside does work on what it pushes, and that is no gain: the contact's own velocities count.
TYPED_TEST(EnergyGainsIn, AMovingWallMayPush) {
  Pairs<TypeParam::value> p;
  p.add(0, 10);
  p.drive(10);
  p.apply();
  EXPECT_NEAR(p.speed_of(1)[0], 10, 1e-15);  // 50 J
  EXPECT_FALSE(p.groups.take_gains_back(p.bodies, p.state, 1.0, true, p.velocity, p.room, Parallel(2)));
}

// A wall that draws back, and a body that is thrown the other way: its energy stays, and is a gain all the same, since
// seen from the wall it leaves faster than it came.
TYPED_TEST(EnergyGainsIn, AWallThatDrawsBackHidesNothing) {
  constexpr int D = TypeParam::value;
  Pairs<D> p;
  p.add(0, 20);
  p.drive(-5);
  p.state.velocity[1] = -10 * Vec<D>::UnitX();
  p.apply();
  EXPECT_NEAR(p.speed_of(1)[0], 10, 1e-15);  // as fast as before; from the wall 15 m/s after 5 m/s: 100 J more
  ASSERT_TRUE(p.groups.take_gains_back(p.bodies, p.state, 1.0, false, p.velocity, p.room, Parallel(2)));
  EXPECT_NEAR(p.speed_of(1)[0], -5, 1e-14);  // it goes along with the wall
}

}  // namespace
}  // namespace touchstone::testing
