// `touchstone verify`, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

class Verify : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  void record(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run", folder_.write("scene.toml", two_boxes("penalty")), "-o", "out.h5", "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result r = run(arguments);
    ASSERT_EQ(r.code, 0) << r.err;
  }
  static void expect_has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
  }
  Folder folder_;
};

TEST_F(Verify, PrintsATableAndFailsAboveTheBound) {
  record();
  Result r = run({"verify", "out.h5"});
  EXPECT_EQ(r.code, 0) << r.err;
  expect_has(r.out, "50 of 50 steps measured");
  expect_has(r.out, "natural_map");
  expect_has(r.out, "penetration_ratio");
  expect_has(r.out, "floor, lower");
  r = run({"verify", "out.h5", "--max-residual", "1e-10"});
  EXPECT_EQ(r.code, 1);
  expect_has(r.err, "natural_map is");
  expect_has(r.err, "above the bound of 1e-10");
  r = run({"verify", "out.h5", "--max-residual", "1e10", "--max", "penetration=1"});
  EXPECT_EQ(r.code, 0);
  expect_has(r.out, "all within their bounds");
  r = run({"verify", "out.h5", "--max", "penetration=1e-9"});
  EXPECT_EQ(r.code, 1);
  expect_has(r.err, "penetration is");
}

TEST_F(Verify, SpeaksJson) {
  record();
  const Result r = run({"verify", "out.h5", "--max", "penetration=1e-9", "--json"});
  EXPECT_EQ(r.code, 1);
  const Json j = Json::parse(r.out);
  EXPECT_FALSE(j["passed"]);
  const Json& finding = j["findings"][0];
  EXPECT_EQ(finding["kind"], "penetration");
  EXPECT_EQ(finding["model"], "penalty");
  EXPECT_EQ(finding["bound"], 1e-9);
  EXPECT_EQ(finding["value"], j["measures"]["penetration"]["worst"]);
  EXPECT_TRUE(j["measures"].contains("energy_error"));
  EXPECT_EQ(j["measures"]["penetration"]["unit"], "m");
  EXPECT_EQ(j["measures"]["penetration"]["body_a"], "floor");
  EXPECT_GT(j["measures"]["natural_map"]["worst"], 0);
  const Json info = Json::parse(run({"info", "out.h5", "--json"}).out);
  EXPECT_EQ(info["natural_map"], j["measures"]["natural_map"]["worst"]);
}

TEST_F(Verify, SaysWhatToDoWithoutMeasures) {
  record({"--set", "record.yardstick=false"});
  const Result r = run({"verify", "out.h5"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "holds no measures: the yardstick was off");
  expect_has(r.err, "--set record.yardstick=true");
  EXPECT_EQ(run({"info", "out.h5"}).code, 0);
}

TEST_F(Verify, RefusesBadBounds) {
  record();
  for (const std::vector<std::string>& bad : {std::vector<std::string>{"--max", "penetration"},
                                              {"--max", "penetration=x"},
                                              {"--max", "penetration="},
                                              {"--max", "penetration=-1"},
                                              {"--max-residual", "-1"},
                                              {"--max-residual", "nan"},
                                              {"--max", "depth=1"}}) {
    std::vector<std::string> arguments{"verify", "out.h5"};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    const Result r = run(arguments);
    EXPECT_EQ(r.code, 2) << bad[1];
    EXPECT_FALSE(r.err.empty());
  }
}

TEST_F(Verify, MeasuresArePlottedAndExported) {
  record();
  EXPECT_EQ(run({"plot", "out.h5", "natural_map", "-o", "map.svg"}).code, 0);
  EXPECT_EQ(run({"plot", "out.h5", "penetration", "penetration_mean", "-o", "depth.svg"}).code, 0);
  const Result list = run({"plot", "out.h5", "--list"});
  expect_has(list.out, "natural_map");
}

}  // namespace
}  // namespace touchstone::testing
