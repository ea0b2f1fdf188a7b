// `touchstone plot`: the numbers behind a plot, as JSON and as CSV.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

class PlotWord : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  Folder folder_;
};

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

const char* kFall = R"(touchstone = 1
dimension = 3
[simulation]
step = 0.01
duration = 0.1
[[body]]
name = "ball"
position = [0, 0, 2]
shape = { kind = "sphere", radius = 0.1 }
)";

TEST_F(PlotWord, PlotGivesTheNumbersToo) {
  folder_.write("fall.toml", kFall);
  ASSERT_EQ(run({"run", "fall.toml", "-o", "out.h5"}).code, 0);
  const Json j = Json::parse(run({"plot", "out.h5", "energy", "ball.height", "--json"}).out);
  EXPECT_EQ(j["time"]["values"].size(), 11u);
  EXPECT_EQ(j["series"][0]["unit"], "J");
  EXPECT_EQ(j["series"][1]["name"], "ball.height");
  EXPECT_EQ(j["series"][1]["values"][0], 2.0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out.energy.svg")));  // nothing is drawn unless it is asked for
  const std::string csv = run({"plot", "out.h5", "energy", "ball.height", "--csv"}).out;
  expect_has(csv, "time [s],energy [J],ball.height [m]\n0,");
  EXPECT_EQ(run({"plot", "out.h5", "energy", "ball.height", "-o", "x.csv"}).code, 0);
  std::stringstream file;
  file << std::ifstream(folder_.path("x.csv")).rdbuf();
  EXPECT_EQ(file.str(), csv);
  EXPECT_EQ(run({"plot", "out.h5", "--csv", "--json"}).code, 2);
  EXPECT_EQ(run({"plot", "out.h5", "-o", "out.h5"}).code, 2);
}

}  // namespace
}  // namespace touchstone::testing
