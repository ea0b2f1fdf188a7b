// URDF: files of packages, colours, rotated inertials, mimic, and the report.
#include "io/robot/urdf.h"

#include <cstdlib>

#include "robots/robots.h"

namespace touchstone::testing {
namespace {

const char* const kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

std::string with_mesh(const std::string& address, const std::string& more = "") {
  return "<robot name=\"r\"><link name=\"a\"><collision><origin xyz=\"1 2 3\"/><geometry><mesh filename=\"" + address +
         "\" " + more + "/></geometry></collision></link></robot>";
}

TEST(Urdf, PackagesAreSoughtInRootsTheEnvironmentAndAboveTheFile) {
  const RobotFolder folder;
  folder.write("ws/src/arm/meshes/t.obj", kTetrahedron);
  const std::string inside = folder.write("ws/src/arm/urdf/robot.urdf", with_mesh("package://arm/meshes/t.obj"));
  const std::string outside = folder.write("other/robot.urdf", with_mesh("package://arm/meshes/t.obj"));
  EXPECT_EQ(load_robot(inside).links[0].shapes.size(), 1u);
  EXPECT_THROW(load_robot(outside), Error);
  for (const char* root : {"ws/src", "ws/src/arm"}) {
    ImportOptions options;
    options.package_roots = {folder.path(root)};
    EXPECT_EQ(load_robot(outside, options).links[0].shapes.size(), 1u) << root;
  }
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder.path("ws/src")).c_str(), 1), 0);
  EXPECT_EQ(load_robot(outside).links[0].shapes.size(), 1u);
  unsetenv("ROS_PACKAGE_PATH");
  // A package by another name, whose path ends alike.
  const std::string renamed =
      folder.write("ws/src/arm/urdf/renamed.urdf", with_mesh("package://robots/arm/meshes/t.obj"));
  const RobotDescription robot = load_robot(renamed);
  ASSERT_TRUE(find_note(robot, "no folder of the package 'robots'"));
  EXPECT_EQ(find_note(robot, "no folder of the package 'robots'")->kind, ImportNote::Kind::kApproximated);
  // A path may not leave its package.
  EXPECT_NE(refusal(with_mesh("package://../../etc/passwd")).find("no path in a package"), std::string::npos);
}

TEST(Urdf, CollisionMeshesAreHullsOrTriangles) {
  const RobotFolder folder;
  folder.write("t.obj", kTetrahedron);
  const std::string path = folder.write("robot.urdf", with_mesh("t.obj", "scale=\"1 2 -3\""));
  const RobotDescription hull = load_robot(path);
  const ShapeDescription& shape = hull.links[0].shapes[0].shape;
  EXPECT_EQ(shape.kind, ShapeKind::kConvex);
  EXPECT_EQ(shape.vertices.size(), 4u);
  EXPECT_EQ(shape.placement.position, Eigen::Vector3d(1, 2, 3));
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& v : shape.vertices) box.extend(v);
  EXPECT_LT((box.max() - Eigen::Vector3d(1, 2, 0)).norm() + (box.min() - Eigen::Vector3d(0, 0, -3)).norm(), 1e-12);
  ImportOptions triangles;
  triangles.mesh_triangles = true;
  const RobotDescription mesh = load_robot(path, triangles);
  EXPECT_EQ(mesh.links[0].shapes[0].shape.kind, ShapeKind::kMesh);
  EXPECT_EQ(mesh.links[0].shapes[0].shape.triangles.size(), 4u);
}

TEST(Urdf, MimicKeepsItsJointAndItsNumbers) {
  const RobotDescription robot = parse_robot_text(R"(<robot name="r"><link name="base"/>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="right" type="prismatic"><parent link="base"/><child link="b"/><axis xyz="0 -1 0"/><limit upper="0.04" effort="20" velocity="0.2"/>
      <mimic joint="left" multiplier="-1" offset="0.01"/></joint>
    <joint name="left" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="0 2 0"/><limit upper="0.04" effort="20" velocity="0.2"/></joint>
    </robot>)",
                                                  "robot.urdf");
  const RobotJoint& right = robot.joints[*robot.find_joint("right")];
  ASSERT_TRUE(right.mimic);
  EXPECT_EQ(right.mimic->joint, *robot.find_joint("left"));
  EXPECT_EQ(right.mimic->multiplier, -1);
  EXPECT_EQ(right.mimic->offset, 0.01);
  EXPECT_EQ(right.lower, 0.0);
  EXPECT_EQ(robot.joints[right.mimic->joint].axis, Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(right.source.line, 4);
}

TEST(Urdf, EveryUnusedPartIsInTheReport) {
  const RobotDescription robot = parse_robot_text(R"(<robot name="r">
    <material name="red"><color rgba="1 0 0 1"/></material>
    <link name="a" odd="1"><visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
      <strange><inner/></strange></link>
    <gazebo reference="a"><mu1>0.2</mu1></gazebo>
    <transmission name="t"/>
    </robot>)",
                                                  "robot.urdf");
  EXPECT_EQ(robot.links[0].visuals[0].color[0], 1);
  EXPECT_EQ(robot.links[0].visuals[0].color[1], 0);
  ASSERT_EQ(robot.report.notes.size(), 4u);
  EXPECT_EQ(robot.report.notes[0].thing, "odd of <link>");
  EXPECT_EQ(robot.report.notes[0].source.line, 3);
  EXPECT_EQ(robot.report.notes[1].thing, "<strange>");
  EXPECT_EQ(robot.report.notes[1].reason, "unknown element");
  EXPECT_EQ(robot.report.notes[2].thing, "<gazebo>");
  EXPECT_TRUE(robot.report.notes[2].affects_motion);
  EXPECT_EQ(robot.report.notes[3].source.line, 6);
  for (const ImportNote& note : robot.report.notes) EXPECT_EQ(note.kind, ImportNote::Kind::kIgnored);
}

TEST(Urdf, UnlikelyInertiasInsideOfARigidGroup) {
  // As some published robots have them: a tiny part with an impossible inertia, fixed to a heavy one.
  const RobotDescription robot = parse_robot_text(R"(<robot name="r">
    <link name="foot"><inertial><mass value="1e-6"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="1e-6" ixz="1e-6" iyz="1e-6"/></inertial></link>
    <link name="trunk"><inertial><mass value="50"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="fixed"><parent link="foot"/><child link="trunk"/></joint></robot>)",
                                                  "robot.urdf");
  const ImportNote* note = find_note(robot, "inertia of link 'foot'");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->kind, ImportNote::Kind::kApproximated);
}

}  // namespace
}  // namespace touchstone::testing
