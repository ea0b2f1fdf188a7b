// Models with their presets, keys of a scene from the command line, and the examples with joints.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
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

}  // namespace
}  // namespace touchstone::testing
