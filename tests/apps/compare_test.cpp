// touchstone compare, as a user runs it.
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

const char* kIncline = TOUCHSTONE_SOURCE_DIR "/scenes/incline.toml";

class CompareWord : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  Folder folder_;
};

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST_F(CompareWord, SaysWhichLawsEachModelKept) {
  const Result r = run({"compare", kIncline, "--duration", "0.5", "--halvings", "2"});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part :
       {"impulse kept the laws:", "penalty broke the laws:", "free was left out: it detects no contacts", "natural_map",
        "step_time_median", "step_error"})
    expect_has(r.out, part);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(run({"compare", kIncline, "--duration", "0.1", "--quiet", "--halvings", "0"}).out, "");
}

TEST_F(CompareWord, JsonHasEveryNumberWithUnitDefinitionAndPlace) {
  const Result r =
      run({"compare", kIncline, "--duration", "0.5", "--models", "impulse,penalty", "--json", "--halvings", "2"});
  ASSERT_EQ(r.code, 0) << r.err;
  const Json j = Json::parse(r.out);
  ASSERT_EQ(j["runs"].size(), 2u);
  for (const Json& column : j["columns"]) {
    EXPECT_GT(column["help"].get<std::string>().size(), 5u) << column;
    for (const Json& each : j["runs"]) EXPECT_TRUE(each["numbers"].contains(column["name"].get<std::string>()));
  }
  const Json& penalty = j["runs"][1];
  EXPECT_EQ(penalty["outcome"], "finished");
  EXPECT_GT(penalty["yardstick"]["penetration"]["worst"], 1e-5);
  EXPECT_EQ(penalty["yardstick"]["penetration"]["where"]["body_a"], "slope");
  EXPECT_GT(j["rules"].size(), 10u);
  EXPECT_FALSE(j.contains("words"));
  EXPECT_EQ(penalty["verdict"], "broke");
  const auto is_laws = [](const Json& f) { return f["model"] == "penalty" && f["kind"] == "laws"; };
  const auto laws = std::find_if(j["findings"].begin(), j["findings"].end(), is_laws);
  ASSERT_NE(laws, j["findings"].end()) << j["findings"];
  EXPECT_GT((*laws)["value"], (*laws)["bound"]) << *laws;
  EXPECT_EQ(penalty["halving"]["steps"].size(), 3u);
  EXPECT_TRUE(j["reference"].contains("error"));
}

TEST_F(CompareWord, KeepsRecordingsThatOtherWordsRead) {
  const Result r =
      run({"compare", kIncline, "--duration", "0.2", "--models", "impulse", "--keep", "kept", "--halvings", "0"});
  ASSERT_EQ(r.code, 0) << r.err;
  const Json found = Json::parse(run({"verify", "kept/impulse.h5", "--json"}).out);
  EXPECT_EQ(found["steps"], 200);
  // The same states as `run` goes through.
  run({"run", kIncline, "--duration", "0.2", "-m", "impulse", "-o", "alone.h5"});
  EXPECT_EQ(Json::parse(run({"hash", "alone.h5", "--json"}).out)["state_hash"],
            Json::parse(run({"hash", "kept/impulse.h5", "--json"}).out)["state_hash"]);
}

TEST_F(CompareWord, PrintsObservedOrders) {
  const Result r =
      run({"compare", kIncline, "--models", "ncp", "--dt", "0.004,0.002,0.001,0.0005", "--duration", "0.4"});
  EXPECT_EQ(r.code, 0) << r.err;
  expect_has(r.out, "Convergence");
  expect_has(r.out, "shrink with order 1.0");
}

TEST_F(CompareWord, MistakesAreNamedBeforeAnythingIsComputed) {
  const Result unknown = run({"compare", kIncline, "--models", "impulse,glue"});
  EXPECT_EQ(unknown.code, 2);
  expect_has(unknown.err, "there is no model 'glue'; there are impulse");
  EXPECT_EQ(run({"compare", "nowhere.toml"}).code, 2);
  EXPECT_EQ(run({"compare", kIncline, "--dt", "0.01,0.007"}).code, 2);
  EXPECT_EQ(run({"compare", kIncline, "--jobs", "0"}).code, 2);
  EXPECT_EQ(run({"compare", kIncline, "--budget", "0"}).code, 2);
  EXPECT_EQ(run({"compare", kIncline, "--halvings", "99"}).code, 2);
  EXPECT_EQ(run({"compare", kIncline, "--set", "nonsense"}).code, 2);
  const Result nowhere = run({"compare", kIncline, "-o", "no/such/folder/report.html"});
  EXPECT_NE(nowhere.code, 0);  // 2 without the viewer's page, 4 with it
  EXPECT_EQ(nowhere.out, "");
}

TEST_F(CompareWord, TheReportIsAPageOrAClearWordThatThereIsNone) {
  const Result r = run({"compare", kIncline, "--duration", "0.2", "--halvings", "0", "-o", "report.html"});
  if (r.code == 0) {
    EXPECT_GT(std::filesystem::file_size(folder_.path("report.html")), 10'000u);
  } else {
    EXPECT_EQ(r.code, 2);
    expect_has(r.err, "built without the viewer's page");
    EXPECT_FALSE(std::filesystem::exists(folder_.path("report.html")));
  }
}

TEST_F(CompareWord, AModelThatStopsDoesNotStopTheOthers) {
  const Result r = run({"compare", kIncline, "--dt", "0.03", "--models", "penalty,impulse", "--set", "penalty.sag=1e-6",
                        "--json", "--halvings", "0"});
  EXPECT_EQ(r.code, 0) << r.err;
  const Json j = Json::parse(r.out);
  EXPECT_EQ(j["runs"][0]["outcome"], "stopped");
  EXPECT_EQ(j["runs"][0]["failure"]["step"], 1);
  EXPECT_EQ(j["runs"][1]["outcome"], "finished");
  EXPECT_EQ(run({"compare", kIncline, "--dt", "0.03", "--models", "penalty", "--set", "penalty.sag=1e-6"}).code, 3);
}

TEST_F(CompareWord, CtrlCLeavesWhatWasComputed) {
  const pid_t process =
      start_program({"compare", kIncline, "--duration", "10000", "--keep", "kept", "--json"}, folder_.path("."));
  for (int i = 0; i < 100 && !std::filesystem::exists(folder_.path("kept/impulse.h5")); ++i) usleep(50'000);
  usleep(500'000);
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 130);
  std::ifstream file(folder_.path("stdout.txt"));
  const Json j = Json::parse(file);
  EXPECT_TRUE(j["interrupted"]);
  EXPECT_EQ(j["runs"][0]["outcome"], "interrupted");
  EXPECT_GT(j["runs"][0]["steps"], 0);
  EXPECT_TRUE(j["runs"][0]["yardstick"].is_object());
}

}  // namespace
}  // namespace touchstone::testing
