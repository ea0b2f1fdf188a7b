// Steps of trees, and their constraints, allocate nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "allocation/counter.h"
#include "dynamics/tree/aba.h"
#include "dynamics/tree/crba.h"
#include "dynamics/tree/impulse_response.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/rnea.h"
#include "dynamics/tree/sparse_inertia.h"
#include "dynamics/tree/tree_constraints.h"
#include "dynamics/tree/tree_integrators.h"
#include "touchstone/simulation.h"

namespace touchstone::testing {
namespace {

TreeModel chain(int links) {
  std::vector<TreeLink> out;
  for (int i = 0; i < links; ++i) {
    TreeLink link;
    link.name = "link";
    link.parent = i - 1;
    link.joint = i == 0 ? TreeJoint::kFloating : i % 2 ? TreeJoint::kRevolute : TreeJoint::kSpherical;
    link.joint_in_parent.p = {0, 0, -0.3};
    link.mass = 1, link.center = {0, 0, -0.15}, link.inertia = Vec<3>(0.01, 0.01, 0.01).asDiagonal();
    out.push_back(link);
  }
  return make_tree(out);
}

TEST(TreeAllocation, StepsAllocateNothing) {
  const TreeModel model = chain(20);
  TreeData data(model);
  TreeStepper stepper(model);
  TreeConstraint pin;
  pin.a = 19, pin.b = TreeConstraint::kNone;
  TreeConstraints constraints(model, std::span(&pin, 1));
  std::vector<double> q = model.neutral(), v(model.nv(), 0.1), out(model.nv());
  const Vec<3> gravity(0, 0, -9.81);
  const TreeForceLaw none;
  const auto everything = [&] {
    for (const TreeIntegrator integrator : {TreeIntegrator::kSemiImplicitEuler, TreeIntegrator::kRk4})
      stepper.step(model, data, integrator, gravity, 1e-3, none, q, v);
    place_links(model, q, data), move_links(model, v, data);
    inverse_dynamics(model, data, gravity, v, {}, out);
    find_mass_matrix(model, data), factor_mass_matrix(model, data), factor_tree(model, data);
    impulse_response(model, data, 19, Vec<3>::Zero(), Spatial::Ones(), out);
    constraints.find(model, data, q, v);
    constraints.constrain(model, data, 1.0, v, out);
  };
  everything();
  const CountAllocations allocations;
  for (int i = 0; i < 3; ++i) everything();
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_EQ(allocations.blocks(), 0);
}

// A robot that stands on a floor, with a limit, dry friction, drives, a mimic joint and a contact with another link.
RobotDescription walker() {
  RobotDescription robot;
  robot.name = "walker";
  const auto add = [&](const std::string& name, std::size_t parent, const Eigen::Vector3d& place, bool jointed) {
    RobotLink link;
    link.name = name, link.parent = parent, link.pose.position = place, link.mass = 1;
    link.inertia = Eigen::Vector3d(0.01, 0.01, 0.01).asDiagonal();
    RobotShape ball;
    ball.shape = ShapeDescription::sphere(0.1);
    link.shapes.push_back(ball);
    if (jointed) {
      RobotJoint joint;
      joint.name = name, joint.link = robot.links.size(), joint.axis = Eigen::Vector3d::UnitY();
      joint.point = -place, joint.lower = -0.05, joint.upper = 0.05, joint.friction = 0.1, joint.damping = 0.1;
      link.joints.push_back(robot.joints.size());
      robot.joints.push_back(joint);
    }
    robot.links.push_back(link);
  };
  add("trunk", RobotLink::kWorld, {0, 0, 0}, false);
  for (int i = 0; i < 3; ++i)
    add("leg" + std::to_string(i), 0, {0.4 * std::cos(2.1 * i), 0.4 * std::sin(2.1 * i), 0}, true);
  robot.joints[2].mimic = RobotMimic{1, 1.0, 0.0};
  return robot;
}

class RobotAllocation : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, RobotAllocation, ::testing::Values("ncp", "lcp", "convex"));

TEST_P(RobotAllocation, ASteadyStepAllocatesNothing) {
  SceneDescription scene;
  scene.model.name = GetParam();
  BodyDescription floor;
  floor.name = "floor", floor.kind = BodyKind::kStatic;
  floor.shapes = {ShapeDescription::half_space(Eigen::Vector3d::UnitZ())};
  scene.bodies = {floor};
  Simulation sim(scene);
  RobotPlacement placement;
  placement.floating = true, placement.base.position = {0, 0, 0.1};
  const std::size_t robot = sim.add_robot(walker(), placement);
  RobotDrive drive;
  drive.stiffness = 10, drive.damping = 1;
  sim.set_robot_drive(robot, "leg0", drive);
  for (int i = 0; i < 300; ++i) sim.step();
  ASSERT_GE(sim.contact_count(), 4u);
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
  // The eigenvalues that `convex` takes of the equations have a workspace of Eigen's own.
  if (std::string(GetParam()) != "convex") {
    EXPECT_EQ(allocations.blocks(), 0);
  }
}

}  // namespace
}  // namespace touchstone::testing
