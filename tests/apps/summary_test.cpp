// What `run`, `info` and `verify` say of steps that did not converge, of the world, of what is measured, and of bodies
// that overlap at the start.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

const char* kStack = R"(touchstone = 1
name = "stack"
dimension = 2
[simulation]
step = 0.005
duration = 0.5
[model]
name = "ncp"
solver = "nsgs"
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "brick"
position = [0, 0.1]
shape = { kind = "box", size = [0.2, 0.2] }
repeat = { count = [1, 6], spacing = [0.2, 0.21] }
)";

const char* kPendulum = R"(touchstone = 1
name = "pendulum"
dimension = 2
[simulation]
step = 0.005
duration = 0.2
[[body]]
name = "bob"
position = [1, 0]
shape = { kind = "circle", radius = 0.1 }
[[joint]]
kind = "pin"
name = "pivot"
body_b = "bob"
point = [0, 0]
)";

class Summary : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) {
    Result r = run_program(arguments, folder_.path("."));
    EXPECT_EQ(r.code, 0) << r.err;
    return r;
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
  Folder folder_;
};

TEST_F(Summary, StepsThatDidNotConvergeAreCounted) {
  folder_.write("stack.toml", kStack);
  const std::vector<std::string> few{"run", "stack.toml", "-o", "few.h5", "--set", "model.max_iterations=2"};
  const std::string text = run(few).out;
  EXPECT_TRUE(has(text, "not converged in ")) << text;
  EXPECT_TRUE(has(text, " of 100 steps, first at t = ")) << text;
  std::vector<std::string> with_json = few;
  with_json.push_back("--json");
  const Json ran = Json::parse(run(with_json).out);
  EXPECT_GT(ran["not_converged_steps"], 0);
  EXPECT_GT(ran["first_not_converged"]["time"], 0);
  EXPECT_TRUE(ran["first_not_converged"]["reason"].is_string());
  for (const char* word : {"info", "verify"}) {
    EXPECT_TRUE(has(run({word, "few.h5"}).out, "not converged in ")) << word;
    const Json j = Json::parse(run({word, "few.h5", "--json"}).out);
    EXPECT_EQ(j["not_converged_steps"], ran["not_converged_steps"]) << word;
    EXPECT_EQ(j["first_not_converged"]["time"], ran["first_not_converged"]["time"]) << word;
  }
}

TEST_F(Summary, OnlyRecordedStepsAreCountedInAThinRecording) {
  folder_.write("stack.toml", kStack);
  run({"run", "stack.toml", "-o", "few.h5", "--set", "model.max_iterations=2", "--set", "record.every=10"});
  EXPECT_TRUE(has(run({"info", "few.h5"}).out, " of 10 recorded steps")) << run({"info", "few.h5"}).out;
}

TEST_F(Summary, NothingIsSaidWhereAllConverged) {
  folder_.write("stack.toml", kStack);
  const Result r = run({"run", "stack.toml", "-o", "all.h5", "--set", "model.solver=newton"});
  EXPECT_FALSE(has(r.out, "converged")) << r.out;
  EXPECT_FALSE(has(run({"info", "all.h5"}).out, "converged"));
  EXPECT_FALSE(has(run({"verify", "all.h5"}).out, "converged"));
  const Json j = Json::parse(run({"info", "all.h5", "--json"}).out);
  EXPECT_EQ(j["not_converged_steps"], 0);
  EXPECT_FALSE(j.contains("first_not_converged"));
}

TEST_F(Summary, TheWorldHasAName) {
  folder_.write("pendulum.toml", kPendulum);
  run({"run", "pendulum.toml", "-o", "p.h5"});
  const std::string text = run({"verify", "p.h5"}).out;
  EXPECT_TRUE(has(text, "the world")) << text;
  EXPECT_FALSE(has(text, "  , bob")) << text;
}

TEST_F(Summary, ModelsThatLookForNoContactsAreMeasuredAllTheSame) {
  const Result r =
      run({"run", TOUCHSTONE_SOURCE_DIR "/scenes/pendulum_spring.toml", "--model", "free", "-t", "0.1", "-o", "f.h5"});
  EXPECT_TRUE(has(r.out, "contacts    not detected by this model\n")) << r.out;
  EXPECT_TRUE(has(r.out, "(1 body, model free)")) << r.out;
  // Freely falling through the floor: after 0.1 s the lowest brick is g·t²/2 and half a step deep.
  folder_.write("stack.toml", kStack);
  const Json j = Json::parse(run({"run", "stack.toml", "--json", "--no-record", "--model", "free", "-t", "0.1"}).out);
  EXPECT_NEAR(j["penetration_max"].get<double>(), 0.5 * 9.81 * 0.1 * (0.1 + 0.005), 1e-9);
  EXPECT_EQ(j["deepest"]["bodies"], (std::vector<std::string>{"floor", "brick_0"}));
}

// Six bricks fall freely through the floor: the depth is g·t·(t + h)/2, a brick's size is the diameter 0.2·√2 m of the
// circle about it.
TEST_F(Summary, RunListsMeasuresAboveTheirUsualBounds) {
  folder_.write("stack.toml", kStack);
  const std::vector<std::string> falls{"run", "stack.toml", "--no-record", "--model", "free", "-t", "0.1"};
  std::vector<std::string> with_json = falls;
  with_json.push_back("--json");
  const Json found = Json::parse(run(with_json).out)["findings"];
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0]["kind"], "penetration_ratio");
  EXPECT_EQ(found[0]["model"], "free");
  EXPECT_EQ(found[0]["bodies"], (std::vector<std::string>{"floor", "brick_0"}));
  EXPECT_NEAR(found[0]["value"].get<double>(), 0.5 * 9.81 * 0.1 * (0.1 + 0.005) / (0.2 * std::sqrt(2.0)), 1e-9);
  EXPECT_NEAR(found[0]["time"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(found[0]["bound"], 1e-3);
  EXPECT_TRUE(has(run(falls).out, "finding     " + found[0]["text"].get<std::string>())) << run(falls).out;
}

TEST_F(Summary, RunSaysThatNothingWasFoundOrThatNothingWasMeasured) {
  folder_.write("stack.toml", kStack);
  const std::vector<std::string> rests{"run", "stack.toml", "-o", "r.h5", "--set", "model.solver=newton"};
  EXPECT_TRUE(has(run(rests).out, "findings    none: every measure is within its usual bound"));
  std::vector<std::string> arguments = rests;
  arguments.push_back("--json");
  EXPECT_EQ(Json::parse(run(arguments).out)["findings"], Json::array());
  arguments.insert(arguments.end(), {"--set", "record.yardstick=false"});
  EXPECT_TRUE(Json::parse(run(arguments).out)["findings"].is_null());
  EXPECT_FALSE(has(run({"run", "stack.toml", "--no-record", "--set", "record.yardstick=false"}).out, "finding"));
}

// What is called measured is measured, with a recording or without; what is not says so.
TEST_F(Summary, TheYardstickMeasuresWithoutARecordingToo) {
  folder_.write("stack.toml", kStack);
  const Json kept = Json::parse(run({"run", "stack.toml", "--json", "-o", "kept.h5", "--model", "penalty"}).out),
             bare = Json::parse(run({"run", "stack.toml", "--json", "--no-record", "--model", "penalty"}).out);
  EXPECT_EQ(kept["penetration_max"], bare["penetration_max"]);
  EXPECT_EQ(kept["natural_map_max"], bare["natural_map_max"]);
  const Json verified = Json::parse(run({"verify", "kept.h5", "--json"}).out);
  EXPECT_EQ(verified["measures"]["penetration"]["worst"], kept["penetration_max"]);
  EXPECT_EQ(verified["measures"]["penetration"]["time"], kept["deepest"]["time"]);
  const std::vector<std::string> off{"run", "stack.toml", "-o", "off.h5", "--set", "record.yardstick=false"};
  const std::string text = run(off).out;
  EXPECT_TRUE(has(text, "penetration not measured")) << text;
  EXPECT_FALSE(has(text, "deepest")) << text;
  EXPECT_TRUE(has(run({"info", "off.h5"}).out, "yardstick   not measured: it was off"));
  EXPECT_TRUE(Json::parse(run({"info", "off.h5", "--json"}).out)["penetration"].is_null());
}

TEST_F(Summary, BodiesThatOverlapAtTheStartAreNamed) {
  folder_.write("deep.toml", R"(touchstone = 1
name = "deep"
dimension = 3
[simulation]
duration = 0.01
gravity = [0, 0, 0]
[[body]]
name = "a"
shape = { kind = "box", size = [1, 1, 1] }
[[body]]
name = "b"
position = [0.2, 0, 0]
shape = { kind = "box", size = [1, 1, 1] }
[[body]]
name = "c"
position = [0, 0.9, 0]
shape = { kind = "box", size = [1, 1, 1] }
)");
  const std::string pairs =
      "3 pairs of bodies overlap at the start: a and b by 0.8 m, a and c by 0.1 m, b and c by 0.1 m. ";
  const Result valid = run({"validate", "deep.toml"}), ran = run({"run", "deep.toml", "--no-record"});
  EXPECT_TRUE(has(valid.out, "note: " + pairs)) << valid.out;
  EXPECT_TRUE(has(ran.err, "note: " + pairs)) << ran.err;
  EXPECT_EQ(run({"run", "deep.toml", "--no-record", "--quiet"}).err, "");
  const Json j = Json::parse(run({"validate", "deep.toml", "--json"}).out);
  EXPECT_EQ(j["valid"], true);
  EXPECT_EQ(j["overlaps"]["pairs"], 3);
  EXPECT_EQ(j["overlaps"]["deepest"][0]["bodies"], (std::vector<std::string>{"a", "b"}));
  EXPECT_NEAR(j["overlaps"]["deepest"][0]["depth"].get<double>(), 0.8, 1e-9);
  const Json r = Json::parse(run({"run", "deep.toml", "--json", "--no-record"}).out);
  EXPECT_EQ(r["overlaps_at_start"]["pairs"], 3);
  // A handful is named, the rest is counted.
  folder_.write("heap.toml", R"(touchstone = 1
dimension = 2
[[body]]
name = "brick"
shape = { kind = "box", size = [1, 1] }
repeat = { count = [9, 1], spacing = [0.75, 1] }
)");
  EXPECT_TRUE(has(run({"validate", "heap.toml"}).out, "8 pairs of bodies overlap at the start: ")) << "2D";
  EXPECT_TRUE(has(run({"validate", "heap.toml"}).out, " and 3 more. "));
  EXPECT_FALSE(has(run({"validate", TOUCHSTONE_SOURCE_DIR "/scenes/incline.toml"}).out, "overlap"));
}

}  // namespace
}  // namespace touchstone::testing
