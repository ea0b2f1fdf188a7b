// Models with their presets, keys of a scene from the command line, and the examples with joints.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

class Catalogue : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  Folder folder_;
};

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST_F(Catalogue, ModelsPrintsTheValuesOfEveryPreset) {
  const std::string text = run({"models"}).out;
  std::stringstream lines(text);
  std::string head, line;
  while (std::getline(lines, line) && line.find("  tolerance ") != 0) head = line.find("  option ") == 0 ? line : head;
  std::stringstream names(head), values(line);
  std::vector<std::string> columns, row;
  for (std::string word; names >> word;) columns.push_back(word);
  for (std::string word; values >> word;) row.push_back(word);
  ASSERT_GE(columns.size(), 4u) << text;
  EXPECT_EQ((std::vector<std::string>(columns.begin(), columns.begin() + 4)),
            (std::vector<std::string>{"option", "accurate", "default", "fast"}));
  EXPECT_EQ((std::vector<std::string>(row.begin(), row.begin() + 5)),
            (std::vector<std::string>{"tolerance", "1e-06", "0.0001", "0.001", "m"}));
  const Json models = Json::parse(run({"models", "--json"}).out);
  for (const Json& option : models[0]["options"])
    if (option["name"] == "max_iterations") {
      EXPECT_EQ(option["presets"]["accurate"], 500);
    }
}

TEST_F(Catalogue, TheDefaultMaterialCanBeSetWhereNoneIsDescribed) {
  folder_.write("slide.toml", R"(touchstone = 1
dimension = 2
[simulation]
duration = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "box"
position = [0, 0.1]
velocity = [2, 0]
shape = { kind = "box", size = [0.2, 0.2] }
)");
  const auto way = [&](const char* friction) {
    const Result r =
        run({"run", "slide.toml", "-o", "s.h5", "--set", std::string("material.default.friction=") + friction});
    EXPECT_EQ(r.code, 0) << r.err;
    return Json::parse(run({"plot", "s.h5", "box.x", "--json"}).out)["series"][0]["values"].back().get<double>();
  };
  EXPECT_NEAR(way("0"), 1.0, 1e-6);
  EXPECT_NEAR(way("0.2"), 2 * 0.5 - 0.5 * 0.2 * 9.81 * 0.25, 2e-3);
  const Result bad = run({"run", "slide.toml", "--set", "material.default.frictoin=1"});
  EXPECT_EQ(bad.code, 2);
  expect_has(bad.err, "did you mean 'friction'");
  EXPECT_EQ(run({"run", "slide.toml", "--set", "material.rubber.friction=1"}).code, 2);
}

// The listed examples with joints do what their first lines say.
TEST_F(Catalogue, TheExamplesWithJointsMove) {
  const auto values = [&](const char* scene, const char* quantity) {
    const std::string name = std::string(TOUCHSTONE_SOURCE_DIR "/scenes/") + scene + ".toml";
    const Result r = run({"run", name, "-o", "e.h5"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    return Json::parse(run({"plot", "e.h5", quantity, "--json"}).out)["series"][0]["values"].get<std::vector<double>>();
  };
  const std::vector<double> box = values("gripper", "box.z");
  EXPECT_NEAR(*std::max_element(box.begin(), box.end()), 0.35, 2e-3);  // 0.3 m up,
  EXPECT_NEAR(box.back(), 0.05, 2e-3);                                 // and down again
  EXPECT_EQ(run({"export", "e.h5", "--format", "joints"}).code, 0);
  const std::vector<double> car = values("car", "chassis.x");
  EXPECT_GT(car.back(), 2.6);  // over the kerb
  const std::vector<double> hand = values("arm", "forearm.z");
  EXPECT_GT(hand.back(), hand.front() + 0.1);
  std::stringstream examples(run({"examples"}).out);
  for (const char* name : {"arm", "gripper", "car"}) expect_has(examples.str(), std::string("  ") + name + " ");
}

// Every listed example runs under its name, wherever the program is started.
TEST_F(Catalogue, ExamplesRunByName) {
  const Json all = Json::parse(run({"examples", "--json"}).out);
  std::set<std::string> names;
  for (const Json& one : all) {
    const std::string name = one["name"];
    EXPECT_TRUE(names.insert(name).second) << name << " stands there twice";
    EXPECT_NE(one["about"], "") << name;
    const Result r = run({"validate", name, "--json"});
    EXPECT_EQ(r.code, 0) << name << ": " << r.err;
    EXPECT_EQ(Json::parse(r.out)["file"], one["file"]);
  }
  for (const char* name : {"robots", "collisions", "collisions_pinned", "bouncing_ball"})
    EXPECT_TRUE(names.count(name));
  const Result r = run({"run", "robots", "--duration", "50", "--set", "body.robot.scatter.count=3", "--set",
                        "body.can.table_friction=0.8"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(run({"info", "robots.h5"}).code, 0);  // named after the example, in this folder
  const Result typo = run({"run", "robot"});
  EXPECT_EQ(typo.code, 2);
  expect_has(typo.err, "no example of that name (did you mean 'robots'?)");
  expect_has(run({"view", "robot", "--no-browser"}).err, "did you mean 'robots'?");
  expect_has(run({"compare", "robot"}).err, "did you mean 'robots'?");
}

// Resumed in the middle, while cans are carried: the same hash of every step as in one go.
TEST_F(Catalogue, RobotsAreResumedBitByBit) {
  ASSERT_EQ(run({"run", "robots", "--duration", "1200", "-o", "whole.h5"}).code, 0);
  ASSERT_EQ(run({"run", "robots", "--duration", "700", "-o", "parts.h5"}).code, 0);
  ASSERT_EQ(run({"resume", "parts.h5", "--duration", "1200"}).code, 0);
  const Result difference = run({"diff", "whole.h5", "parts.h5"});
  EXPECT_EQ(difference.code, 0) << difference.out << difference.err;
}

// A run whose controller fails ends with exit code 3, the name of the controller, and a recording of the steps before:
// this robot is told that the can that it grips is part of its effector.
TEST_F(Catalogue, AControllerThatFailsIsNamed) {
  const Result r = run({"run", "robots", "--set", "body.robot.scatter.count=1", "--set", "body.can.scatter.count=1",
                        "--set", "controller.robot.parameters.right=can"});
  EXPECT_EQ(r.code, 3) << r.err;
  expect_has(r.err, "controller 'robot_0' (robot) of body 'robot_0' failed in step ");
  expect_has(r.err, "body 'can_0' never collides with itself");
  const Result info = run({"info", "robots.h5", "--json"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_GT(Json::parse(info.out)["frames"].get<int>(), 1);
}

}  // namespace
}  // namespace touchstone::testing
