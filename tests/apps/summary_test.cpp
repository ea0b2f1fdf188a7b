// What `run`, `info` and `verify` say of steps that did not converge, of the world, and of models without contacts.
#include <gtest/gtest.h>

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

TEST_F(Summary, ModelsThatLookForNoContactsSayNothingOfPenetration) {
  const Result r =
      run({"run", TOUCHSTONE_SOURCE_DIR "/scenes/pendulum_spring.toml", "--model", "free", "-t", "0.1", "-o", "f.h5"});
  EXPECT_FALSE(has(r.out, "deepest penetration")) << r.out;
  EXPECT_TRUE(has(r.out, "not looked for")) << r.out;
  EXPECT_TRUE(has(r.out, "(1 body, model free)")) << r.out;
}

}  // namespace
}  // namespace touchstone::testing
