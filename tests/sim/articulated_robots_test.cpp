// Robots in reduced coordinates in a world: smooth motion against reference values, limits, drives, contacts,
// equalities, snapshots, and the same robot in maximal coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/robot_builders.h"

namespace touchstone {
namespace {

// B53 at first order: the error halves with the step.
TEST(ArticulatedRobots, DoublePendulumConverges) {
  for (const std::string& model : models()) {
    double before = 0;
    for (const double h : {1e-3, 5e-4}) {
      Simulation s(scene_of(model, h));
      s.set_yardstick(true);
      const std::size_t robot = s.add_robot(rods(2));
      s.set_robot_state(robot, std::vector<double>{M_PI / 2, 0.0}, std::vector<double>{0.0, 0.0});
      run(s, 0.5);
      const std::vector<double> q = s.robot_coordinates(robot);
      const double error = std::max(std::abs(q[0] - 0.448143), std::abs(q[0] + q[1] - 1.041963));
      EXPECT_LT(error, 20 * h) << model;
      if (before > 0) {
        EXPECT_NEAR(before / error, 2, 0.2) << model;
      }
      before = error;
      EXPECT_LT(s.gathered_measures().momentum_error.worst, 1e-9) << model;
      EXPECT_LT(std::abs(s.report().energy_balance), 20 * h * 9.81) << model;
    }
  }
}

// Links are bodies: where the coordinates put them, with the velocities of the rates.
TEST(ArticulatedRobots, LinksAreBodies) {
  Simulation s(scene_of("ncp", 1e-3));
  RobotPlacement placement;
  placement.name = "arm", placement.base.position = {1, 2, 3};
  const std::size_t robot = s.add_robot(rods(2), placement);
  s.set_robot_state(robot, std::vector<double>{0.3, 0.4}, std::vector<double>{2.0, -1.0});
  ASSERT_EQ(s.robot_link(robot, "rod1"), s.find_body("arm/rod1"));
  const BodyState b = s.state(s.find_body("arm/rod1"));
  const double a = 0.3, c = 0.7;
  EXPECT_LT((b.placement.position - Eigen::Vector3d(1 + std::sin(a), 2, 3 - std::cos(a))).norm(), 1e-14);
  EXPECT_LT((b.center_of_mass - b.placement.position - 0.5 * Eigen::Vector3d(std::sin(c), 0, -std::cos(c))).norm(),
            1e-14);
  EXPECT_LT((b.angular_velocity - Eigen::Vector3d(0, -1.0, 0)).norm(), 1e-14);
  const Eigen::Vector3d v =
      2.0 * Eigen::Vector3d(std::cos(a), 0, std::sin(a)) + 0.5 * 1.0 * Eigen::Vector3d(std::cos(c), 0, std::sin(c));
  EXPECT_LT((b.velocity - v).norm(), 1e-14);
  EXPECT_NEAR(s.mass(s.find_body("arm/rod1")), 1, 1e-15);
}

// A body with a floating joint that tumbles about its intermediate axis keeps its energy.
TEST(ArticulatedRobots, TumblingKeepsItsEnergy) {
  RobotDescription robot;
  robot.name = "block";
  add_link(robot, "block", RobotLink::kWorld, 1.0);
  robot.links[0].inertia = Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal();
  robot.links[0].center_of_mass.setZero();
  SceneDescription scene = scene_of("ncp", 1e-3);
  scene.gravity.setZero();
  Simulation s(scene);
  RobotPlacement placement;
  placement.floating = true;
  const std::size_t r = s.add_robot(robot, placement);
  s.set_robot_state(r, s.robot_coordinates(r), std::vector<double>{0, 0, 0, 0.1, 10, 0.1});
  const double start = 0.5 * (0.1 * 0.01 + 0.2 * 100 + 0.25 * 0.01);
  run(s, 5.0);
  EXPECT_NEAR(s.report().kinetic_energy, start, 1e-4 * start);
}

TEST(ArticulatedRobots, LimitsHoldAndFrictionHolds) {
  for (const std::string& model : models()) {
    RobotDescription robot = rods(1);
    robot.joints[0].lower = -0.5, robot.joints[0].upper = 1.0;
    Simulation s(scene_of(model, 1e-3));
    const std::size_t r = s.add_robot(robot);
    s.set_robot_state(r, std::vector<double>{1.0}, std::vector<double>{0.0});
    double least = 0;
    for (int i = 0; i < 3000; ++i) s.step(), least = std::min(least, s.robot_coordinates(r)[0]);
    EXPECT_GT(least, -0.5 - 1e-8) << model;
    EXPECT_LT(least, -0.5 + 1e-2) << model;

    robot = rods(1);
    robot.joints[0].friction = 3.0;  // holds up to asin(3/(m·g·½)) = 0.658 rad
    Simulation f(scene_of(model, 1e-3));
    const std::size_t held = f.add_robot(robot);
    f.set_robot_state(held, std::vector<double>{0.65}, std::vector<double>{0.0});
    run(f, 1.0);
    EXPECT_NEAR(f.robot_coordinates(held)[0], 0.65, 1e-6) << model;
    f.set_robot_state(held, std::vector<double>{0.67}, std::vector<double>{0.0});
    run(f, 1.0);
    EXPECT_LT(f.robot_coordinates(held)[0], 0.66) << model;
  }
}

// A position drive far too stiff for an explicit method: it holds the rod level, with the torque of its weight.
TEST(ArticulatedRobots, DrivesHold) {
  Simulation s(scene_of("ncp", 1e-2));
  const std::size_t r = s.add_robot(rods(1));
  RobotDrive drive;
  drive.position = M_PI / 2, drive.stiffness = 1e7, drive.damping = 1e5;
  s.set_robot_drive(r, "hinge0", drive);
  run(s, 2.0);
  EXPECT_NEAR(s.robot_coordinates(r)[0], M_PI / 2 - 0.5 * 9.81 / 1e7, 1e-9);
  drive.max_force = 4.0;  // less than the weight's 4.905 N·m
  s.set_robot_drive(r, "hinge0", drive);
  run(s, 0.5);
  EXPECT_LT(s.robot_coordinates(r)[0], M_PI / 2 - 0.05);
  RobotDrive torque;
  torque.force = 0.5 * 9.81 * std::sin(0.4);
  s.set_robot_drive(r, "hinge0", torque);
  s.set_robot_state(r, std::vector<double>{0.4}, std::vector<double>{0.0});
  run(s, 1.0);
  EXPECT_NEAR(s.robot_coordinates(r)[0], 0.4, 1e-12);
}

TEST(ArticulatedRobots, MimicJointsFollow) {
  for (const std::string& model : models()) {
    RobotDescription robot = rods(2);
    robot.joints[1].mimic = RobotMimic{0, -0.5, 0.1};
    Simulation s(scene_of(model, 1e-3));
    const std::size_t r = s.add_robot(robot);
    const std::vector<double> start = s.robot_coordinates(r);
    EXPECT_NEAR(start[1], -0.5 * start[0] + 0.1, 1e-10);
    for (int i = 0; i < 1000; ++i) {
      s.step();
      const std::vector<double> q = s.robot_coordinates(r);
      ASSERT_NEAR(q[1], -0.5 * q[0] + 0.1, 1e-8) << model;
    }
  }
}

// A ball on an arm rests on a floor: the contact carries half the weight, and the torques balance.
RobotDescription armed_ball() {
  RobotDescription robot;
  robot.name = "arm";
  const std::size_t link = add_link(robot, "arm", RobotLink::kWorld, 1.0);
  robot.links[link].pose.position = {0, 0, 0.5};
  add_hinge(robot, link, "hinge");
  RobotShape ball;
  ball.shape = ShapeDescription::sphere(0.1).at({0, 0, -1}, Eigen::Quaterniond::Identity());
  robot.links[link].shapes.push_back(ball);
  return robot;
}
BodyDescription floor() {
  BodyDescription out;
  out.name = "floor", out.kind = BodyKind::kStatic;
  out.shapes = {ShapeDescription::half_space(Eigen::Vector3d::UnitZ())};
  return out;
}

TEST(ArticulatedRobots, ContactsCarryAnArm) {
  for (const std::string& model : models()) {
    SceneDescription scene = scene_of(model, 1e-3);
    scene.bodies.push_back(floor());
    MaterialDescription smooth;
    smooth.static_friction = smooth.dynamic_friction = 0;
    scene.materials = {smooth};
    Simulation s(scene);
    s.set_yardstick(true);
    const std::size_t r = s.add_robot(armed_ball());
    // The ball touches where 0.5 − cos q = 0.1.
    s.set_robot_state(r, std::vector<double>{std::acos(0.4) + 0.01}, std::vector<double>{0.0});
    run(s, 2.0);
    EXPECT_NEAR(s.robot_coordinates(r)[0], std::acos(0.4), 2e-4) << model;
    ASSERT_EQ(s.contact_count(), 1u) << model;
    EXPECT_NEAR(s.contact(0).impulse.norm() / s.step_size(), 0.5 * 9.81, 1e-4) << model;
    EXPECT_LT(s.measures().natural_map.worst, 1e-6) << model;
    EXPECT_LT(s.measures().momentum_error.worst, 1e-9) << model;
  }
}

// A chain falls on a floor with friction, in both coordinates: the ends of two runs agree, and the better the shorter
// the step.
RobotDescription capsules(int number) {
  RobotDescription robot;
  robot.name = "chain";
  for (int i = 0; i < number; ++i) {
    const std::size_t parent = i == 0 ? RobotLink::kWorld : robot.links.size() - 1;
    RobotLink link;
    link.name = "capsule" + std::to_string(i), link.parent = parent;
    link.mass = 0.5, link.center_of_mass = {0.15, 0, 0};
    link.inertia = Eigen::Vector3d(6e-4, 4e-3, 4e-3).asDiagonal();
    if (i > 0) link.pose.position = {0.3, 0, 0};
    RobotShape capsule;
    capsule.shape = ShapeDescription::capsule(0.04, 0.2).at(
        {0.15, 0, 0}, Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitY())));
    link.shapes.push_back(capsule);
    robot.links.push_back(link);
    if (i > 0) add_hinge(robot, robot.links.size() - 1, "hinge" + std::to_string(i), Eigen::Vector3d::UnitY());
  }
  return robot;
}

double fall_apart(double h, double time) {
  RobotPlacement placement;
  placement.floating = true;
  placement.base.position = {0, 0, 0.5};
  placement.base.orientation = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitY());
  SceneDescription scene = scene_of("ncp", h);
  scene.bodies.push_back(floor());
  Simulation reduced(scene), maximal(scene);
  reduced.add_robot(capsules(4), placement);
  placement.coordinates = RobotCoordinates::kMaximal;
  maximal.add_robot(capsules(4), placement);
  run(reduced, time), run(maximal, time);
  double worst = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "chain/capsule" + std::to_string(i);
    worst = std::max(worst, (reduced.state(reduced.find_body(name)).center_of_mass -
                             maximal.state(maximal.find_body(name)).center_of_mass)
                                .norm());
  }
  return worst;
}

TEST(ArticulatedRobots, FallingChainAgreesWithMaximalCoordinates) {
  const double flight = fall_apart(1e-3, 0.1), coarse = fall_apart(1e-3, 0.6), fine = fall_apart(2.5e-4, 0.6);
  EXPECT_LT(flight, 1e-6);  // one rigid fall
  EXPECT_LT(coarse, 5e-3);
  EXPECT_LT(fine, 2e-3);
}

// Coordinates, rates and drives have one name in both coordinates, also under a model without trees.
TEST(ArticulatedRobots, MaximalCoordinatesAreReadAndDriven) {
  RobotDescription robot = rods(2);
  RobotKeyframe key;
  key.name = "bent", key.q = {0.4, -0.3};
  robot.keyframes.push_back(key);
  robot.joints[0].stiffness = 2.0, robot.joints[0].spring_reference = 0.1;
  RobotPlacement placement;
  placement.keyframe = "bent";
  RobotDrive drive;
  drive.stiffness = 30, drive.position = 0.2, drive.damping = 0.5, drive.force = 0.7;
  const auto end_of = [&](const char* model, RobotCoordinates coordinates, double h) {
    placement.coordinates = coordinates;
    Simulation s(scene_of(model, h));
    const std::size_t r = s.add_robot(robot, placement);
    EXPECT_NEAR(s.robot_coordinates(r)[1], -0.3, 1e-12);
    s.set_robot_drive(r, "hinge1", drive);
    EXPECT_EQ(s.robot_joint(r, "hinge1").drives[0], drive);
    run(s, 0.5);
    std::vector<double> end = s.robot_coordinates(r);
    for (const double v : s.robot_rates(r)) end.push_back(v);
    return Eigen::Vector4d(end.data());
  };
  for (const char* model : {"ncp", "impulse"}) {
    double before = 0;
    for (const double h : {4e-4, 2e-4}) {
      const Eigen::Vector4d reduced = end_of("ncp", RobotCoordinates::kReduced, h);
      const double apart = (reduced - end_of(model, RobotCoordinates::kMaximal, h)).norm();
      EXPECT_LT(apart, 200 * h) << model;
      if (before > 0) {
        EXPECT_NEAR(before / apart, 2, 0.1) << model;
      }
      before = apart;
    }
  }
}

// Two fingers of one robot press on each other: both sides of the contact are one clique.
TEST(ArticulatedRobots, TouchesItself) {
  RobotDescription robot;
  robot.name = "hand";
  for (const double side : {-1.0, 1.0}) {
    const std::size_t link = add_link(robot, side < 0 ? "left" : "right", RobotLink::kWorld, 1.0);
    robot.links[link].pose.position = {0.3 * side, 0, 0};
    add_hinge(robot, link, side < 0 ? "l" : "r");
    RobotShape ball;
    ball.shape = ShapeDescription::sphere(0.1).at({0, 0, -1}, Eigen::Quaterniond::Identity());
    robot.links[link].shapes.push_back(ball);
  }
  for (const std::string& model : models()) {
    Simulation s(scene_of(model, 1e-3));
    s.set_yardstick(true);
    const std::size_t r = s.add_robot(robot);
    RobotDrive in;
    in.force = 5.0;
    s.set_robot_drive(r, "l", in);
    in.force = -5.0;
    s.set_robot_drive(r, "r", in);
    run(s, 2.0);
    const std::vector<double> q = s.robot_coordinates(r);
    EXPECT_NEAR(q[0], -q[1], 1e-6) << model;
    EXPECT_NEAR(0.6 - 2 * std::sin(q[0]), 0.2, 1e-3) << model;
    ASSERT_EQ(s.contact_count(), 1u) << model;
    // Along x: 5 N·m − ½·9.81·sin q at an arm of cos q.
    EXPECT_NEAR(std::abs(s.contact(0).impulse.x()) / s.step_size(), (5 - 0.5 * 9.81 * std::sin(q[0])) / std::cos(q[0]),
                1e-3)
        << model;
    EXPECT_LT(s.measures().natural_map.worst, 1e-6) << model;
    EXPECT_LT(s.measures().momentum_error.worst, 1e-9) << model;
  }
}

TEST(ArticulatedRobots, SnapshotsHoldRobots) {
  SceneDescription scene = scene_of("ncp", 1e-3);
  scene.bodies.push_back(floor());
  RobotPlacement placement;
  placement.floating = true, placement.base.position = {0, 0, 0.2};
  Simulation s(scene), other(scene);
  const std::size_t r = s.add_robot(capsules(3), placement);
  RobotDrive drive;
  drive.stiffness = 20, drive.damping = 1, drive.position = 0.3;
  s.set_robot_drive(r, "hinge1", drive);
  run(s, 0.3);
  const std::vector<std::byte> snapshot = s.snapshot();
  run(s, 0.1);
  other.restore(snapshot);
  run(other, 0.1);
  EXPECT_EQ(s.state_hash(), other.state_hash());
  EXPECT_EQ(s.robot_coordinates(r), other.robot_coordinates(r));
  EXPECT_EQ(other.robot_joint(r, "hinge1").drives[0], drive);
  s.restore(snapshot);
  run(s, 0.1);
  EXPECT_EQ(s.state_hash(), other.state_hash());
}

TEST(ArticulatedRobots, RefusalsNameTheThing) {
  const auto message = [](auto&& act) {
    try {
      act();
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  Simulation s(scene_of("ncp", 1e-3));
  const std::size_t r = s.add_robot(rods(2));
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message([&] { s.add_robot(rods(2)); }), "two robots"));
  EXPECT_TRUE(has(message([&] { s.remove_body(s.find_body("rods/rod0")); }), "link of the robot 'rods'"));
  EXPECT_TRUE(has(message([&] { s.set_state(s.find_body("rods/rod0"), {}); }), "link of the robot 'rods'"));
  EXPECT_TRUE(has(message([&] { s.set_robot_drive(r, "hinge7", RobotDrive{}); }), "hinge7"));
  EXPECT_TRUE(
      has(message([&] { s.set_robot_state(r, std::vector<double>{1.0}, std::vector<double>{}); }), "2 coordinates"));
  Simulation impulse(scene_of("impulse", 1e-3));
  EXPECT_TRUE(has(message([&] { impulse.add_robot(rods(2)); }), "rods"));
  SceneDescription plane = scene_of("ncp", 1e-3);
  plane.dimension = 2, plane.gravity = {0, -9.81, 0};
  Simulation flat(plane);
  EXPECT_TRUE(has(message([&] { flat.add_robot(rods(2)); }), "3D"));
  RobotDescription broken = rods(2);
  broken.links[1].mass = 0, broken.links[1].inertia.setZero();
  const std::uint64_t before = s.state_hash();
  RobotPlacement named;
  named.name = "broken";
  EXPECT_TRUE(has(message([&] { s.add_robot(broken, named); }), "rod1"));
  EXPECT_EQ(s.state_hash(), before);
  EXPECT_EQ(s.robot_count(), 1u);
}

}  // namespace
}  // namespace touchstone
