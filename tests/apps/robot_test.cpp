// `info` of a robot and `same`, as a user calls them.
#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

const std::string kRobots = TOUCHSTONE_SOURCE_DIR "/scenes/robots/";

TEST(RobotWords, InfoPrintsLinksJointsAndWhatWasLeftOut) {
  const Folder folder;
  const std::string file =
      folder.write("robot.urdf",
                   "<robot name=\"one\">\n<link name=\"a\"><inertial><mass value=\"2\"/><inertia "
                   "ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
                   "<gazebo/></robot>\n");
  const Result plain = run_program({"info", file}, folder.path(""));
  EXPECT_EQ(plain.code, 0) << plain.err;
  for (const char* word : {"one (URDF", "2 kg", "robot.urdf:3", "<gazebo>", "[affects motion]"})
    EXPECT_NE(plain.out.find(word), std::string::npos) << word << " in " << plain.out;
  const Result strict = run_program({"info", file, "--strict"}, folder.path(""));
  EXPECT_EQ(strict.code, 2);
  EXPECT_NE(strict.err.find("robot.urdf:3"), std::string::npos) << strict.err;
}

TEST(RobotWords, InfoAsJson) {
  const Folder folder;
  const Result result = run_program({"info", kRobots + "arm.xml", "--json", "--strict"}, folder.path(""));
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("links").size(), 5u);
  EXPECT_EQ(json.at("joints").size(), 4u);
  EXPECT_EQ(json.at("actuators").size(), 3u);
  EXPECT_NEAR(json.at("mass").get<double>(), 7.2, 1e-12);
}

TEST(RobotWords, SameComparesTwoFiles) {
  const Folder folder;
  const Result same = run_program({"same", kRobots + "arm.urdf", kRobots + "arm.xml"}, folder.path(""));
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_NE(same.out.find("4 joints matched by name"), std::string::npos) << same.out;
  std::ifstream in(kRobots + "arm.xml");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = text.find("mass=\"2\"");
  ASSERT_NE(at, std::string::npos);
  const std::string heavier = folder.write("heavier.xml", text.replace(at, 8, "mass=\"3\""));
  const Result other = run_program({"same", kRobots + "arm.urdf", heavier}, folder.path(""));
  EXPECT_EQ(other.code, 1) << other.out << other.err;
  EXPECT_NE(other.out.find("not the same"), std::string::npos);
  EXPECT_EQ(run_program({"same", kRobots + "arm.urdf", "/nowhere.xml"}, folder.path("")).code, 2);
}

}  // namespace
}  // namespace touchstone::testing
