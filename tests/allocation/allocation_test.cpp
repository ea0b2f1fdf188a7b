// A steady step allocates nothing.
#include <gtest/gtest.h>

#include "allocation/counter.h"
#include "collision/detector.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class Allocation : public ::testing::TestWithParam<std::tuple<int, Integrator, bool>> {};
INSTANTIATE_TEST_SUITE_P(Step, Allocation,
                         ::testing::Combine(::testing::Values(2, 3),
                                            ::testing::Values(Integrator::kSemiImplicitEuler, Integrator::kRk4),
                                            ::testing::Bool()));

TEST_P(Allocation, ASteadyStepAllocatesNothing) {
  const auto [dimension, integrator, yardstick] = GetParam();
  SceneDescription scene = empty_scene(dimension);
  if (integrator == Integrator::kRk4) scene.model.name = "penalty";  // impulse, the default, has its own scheme
  scene.integrator = integrator;
  scene.bodies = {fixed("floor", half_space(up(dimension)))};
  for (int i = 0; i < 20; ++i) {
    Eigen::Vector3d at = 0.1 * up(dimension);
    at.x() = 0.5 * i;
    scene.bodies.push_back(body("b" + std::to_string(i),
                                i % 2            ? sphere(0.1)
                                : dimension == 2 ? box(0.2, 0.2)
                                                 : box(0.2, 0.2, 0.2),
                                at));
  }
  SpringDescription spring;
  spring.body_a = "b0", spring.body_b = "b1", spring.stiffness = 10, spring.damping = 1;
  scene.springs = {spring};
  Simulation sim(scene);
  sim.set_yardstick(yardstick);
  const BodyId pushed = sim.find_body("b3");
  for (int i = 0; i < 200; ++i) {
    sim.apply_force(pushed, {0.1, 0, 0});
    sim.step();
  }
  ASSERT_GT(sim.report().contacts, 20);
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) {
    sim.apply_force(pushed, {0.1, 0, 0});
    sim.step();
  }
  EXPECT_EQ(allocations.count(), 0);
  ::operator delete(::operator new(1));  // the counter does count; a new-expression could be left out
  EXPECT_EQ(allocations.count(), 1);
}

class SteppingAllocation : public ::testing::TestWithParam<std::tuple<const char*, int>> {};
INSTANTIATE_TEST_SUITE_P(Models, SteppingAllocation,
                         ::testing::Combine(::testing::Values("ncp", "lcp", "lcp acceleration", "lcp regularised",
                                                              "convex"),
                                            ::testing::Values(2, 3)));

// Contacts and a joint at rest and in motion.
TEST_P(SteppingAllocation, ASteadyStepAllocatesNothing) {
  const int d = std::get<1>(GetParam());
  SceneDescription scene = empty_scene(d);
  const std::string model = std::get<0>(GetParam());
  scene.model.name = model.substr(0, model.find(' '));
  if (model.find(' ') != std::string::npos) scene.model.options["level"] = "acceleration";
  if (model == "lcp regularised") scene.model.options["regularisation"] = 1e-8;
  scene.integrator = Integrator::kSemiImplicitEuler;
  scene.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 10; ++i) {
    scene.bodies.push_back(body("b" + std::to_string(i),
                                i % 2    ? sphere(0.1)
                                : d == 2 ? box(0.2, 0.2)
                                         : box(0.2, 0.2, 0.2),
                                0.1 * up(d)));
    scene.bodies.back().placement.position.x() = 0.5 * i;
  }
  scene.bodies.back().placement.position += up(d);
  JointDescription joint;
  joint.kind = JointKind::kDistance;
  joint.body_b = "b9";
  joint.point_a = Eigen::Vector3d(4, 0, 0) + 2 * up(d);
  scene.joints = {joint};
  Simulation sim(scene);
  for (int i = 0; i < 200; ++i) sim.step();
  ASSERT_GT(sim.report().contacts, 9);
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_EQ(allocations.blocks(), 0);  // dense matrices, too
}

class JointAllocation : public ::testing::TestWithParam<std::tuple<const char*, int>> {};
INSTANTIATE_TEST_SUITE_P(Models, JointAllocation,
                         ::testing::Combine(::testing::Values("impulse", "ncp", "lcp", "convex"),
                                            ::testing::Values(2, 3)));

// Bodies on springs, ropes, targets and wires that swing all the time, with friction and breaking forces.
TEST_P(JointAllocation, ASteadyStepAllocatesNothing) {
  const int d = std::get<1>(GetParam());
  SceneDescription scene = empty_scene(d);
  scene.model.name = std::get<0>(GetParam());
  scene.integrator = Integrator::kSemiImplicitEuler;
  const auto hang = [&](JointKind kind) -> JointDescription& {
    const double x = 3.0 * static_cast<double>(scene.bodies.size());  // none meets another
    JointDescription j;
    j.kind = kind;
    j.body_b = "b" + std::to_string(scene.bodies.size());
    j.break_force = 1e9;
    scene.bodies.push_back(body(j.body_b, sphere(0.1), in_plane(d, x, 0)));
    scene.joints.push_back(j);
    return scene.joints.back();
  };
  JointDescription& spring = hang(JointKind::kSpring);
  spring.point_a = in_plane(d, 0, 0.5), spring.stiffness = 1000, spring.damping = 1;
  JointDescription& rope = hang(JointKind::kRope);
  rope.point_a = in_plane(d, 3.2, 0.5);
  JointDescription& target = hang(JointKind::kTarget);
  target.point_a = in_plane(d, 6, 1), target.motor_max_force = 1e4;
  JointDescription& rail = hang(JointKind::kSlider);
  rail.axis = in_plane(d, 1, 0.1), rail.friction = 1, rail.stiffness = 100, rail.motor_speed = 1,
  rail.motor_max_force = 1;
  if (d == 2) {
    JointDescription& bead = hang(JointKind::kBead);
    bead.point_a = in_plane(d, 11, -0.5), bead.curve = "y = x^2/2";
  } else {
    JointDescription& screw = hang(JointKind::kScrew);
    screw.axis = up(d), screw.pitch = 0.01, screw.point = in_plane(d, 12, 0);
  }
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 2000; ++i) sim.step();  // lists are as long as these motions need
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
}

class NewtonAllocation : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimension, NewtonAllocation, ::testing::Values(2, 3));

// A stack that is pushed now this way, now that: sweeps do not end, and Newton's method takes over.
TEST_P(NewtonAllocation, ASteadyStepAllocatesNothing) {
  const int d = GetParam();
  SceneDescription scene = empty_scene(d, 5e-3);
  scene.model.name = "ncp";
  scene.integrator = Integrator::kSemiImplicitEuler;
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 8; ++i)
    scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + i) * up(d)));
  Simulation sim(scene);
  std::int64_t most = 0;
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      sim.apply_force(sim.find_body("cube7"), in_plane(d, i % 2 ? 100 : -100, 0));
      sim.step();
      most = std::max(most, sim.report().iterations);
    }
  };
  steps(100);
  ASSERT_GT(most, 16) << "it was sweeps alone";
  // Of 16 or 32 points: one may be open by a hair, which depends on the last bits.
  ASSERT_GE(sim.report().contacts, d == 2 ? 15 : 30);
  const CountAllocations allocations;
  steps(50);
  EXPECT_EQ(allocations.count(), 0);
}

class PairwiseAllocation : public ::testing::TestWithParam<std::tuple<const char*, int>> {};
INSTANTIATE_TEST_SUITE_P(Models, PairwiseAllocation,
                         ::testing::Combine(::testing::Values("guendelman", "hahn", "mirtich"),
                                            ::testing::Values(2, 3)));

// A small stack, a row of boxes and a ball that rolls, with the yardstick.
TEST_P(PairwiseAllocation, ASteadyStepAllocatesNothing) {
  const int d = std::get<1>(GetParam());
  SceneDescription scene = impulse_floor(d, material(0.5));
  scene.model.name = std::get<0>(GetParam());
  scene.model.options = {};
  scene.integrator = Integrator::kSemiImplicitEuler;
  for (int i = 0; i < 6; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d, 0.2, 0.2, 0.2),
                                in_plane(d, i < 3 ? 0.0 : 0.5 * i, i < 3 ? 0.1 + 0.2 * i : 0.1)));
  scene.bodies.push_back(body("ball", sphere(0.1), in_plane(d, -1, 0.1)));
  scene.bodies.back().velocity = in_plane(d, -0.5, 0);
  Simulation sim(scene);
  sim.set_yardstick(true);
  // The queue of collisions is as long as the busiest step had it.
  for (int i = 0; i < 1000; ++i) sim.step();
  ASSERT_GT(sim.report().contacts, 3);
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
}

class ImpulseOptionAllocation : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseOptionAllocation, ::testing::Values(2, 3));

// A stack that sleeps next to a ball that rolls, with shock propagation.
TEST_P(ImpulseOptionAllocation, ASteadyStepAllocatesNothing) {
  const int d = GetParam();
  SceneDescription scene = impulse_floor(d, material(0.5), 1.0 / 60);
  use_impulse(scene, "default");
  scene.model.options["sleep"] = scene.model.options["shock_propagation"] = true;
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + i) * up(d)));
  scene.bodies.push_back(body("ball", sphere(0.2), in_plane(d, 2, 0.2)));
  scene.bodies.back().velocity = in_plane(d, 1, 0);
  Simulation sim(scene);
  for (int i = 0; i < 200; ++i) sim.step();
  ASSERT_EQ(sim.state(sim.find_body("cube4")).velocity.norm(), 0);
  ASSERT_GT(sim.state(sim.find_body("ball")).velocity.norm(), 0);
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
}

// Boxes that lie side by side and creep: some pairs are carried along, some searched for again.
TEST(DetectorAllocation, PointsThatAreReusedAllocateNothing) {
  constexpr std::uint32_t kBoxes = 16;
  Detector<3> detector;
  std::vector<Vec<3>> position;
  for (std::uint32_t i = 0; i < kBoxes; ++i) {
    Collider<3> c;
    c.set_form({make_shape<3>(box(1, 0.9, 1.1))});
    c.body = i;
    c.movable = true;
    detector.colliders().add(c);
    position.emplace_back(0.999 * i, 0.01 * (i % 3), 0.02 * (i % 2));
  }
  const std::vector<Rotation<3>> orientation(kBoxes, identity_rotation<3>());
  const std::vector<double> reach(kBoxes, 0.01);
  const Parallel parallel(1);
  std::vector<Contact<3>> contacts;
  const auto frames = [&](int count) {
    for (int k = 0; k < count; ++k) {
      for (std::uint32_t i = 0; i < kBoxes; ++i) position[i][1] += 1e-7 * (i % 4);
      detector.keep_memory();
      detector.find_pairs(position, orientation, reach, parallel);
      detector.find_contacts(position, orientation, 0.01, parallel, contacts, 1e-6);
    }
  };
  frames(50);
  ASSERT_GE(contacts.size(), 4 * (kBoxes - 1));
  const CountAllocations allocations;
  frames(200);
  EXPECT_EQ(allocations.count(), 0);
}

}  // namespace
}  // namespace touchstone::testing
