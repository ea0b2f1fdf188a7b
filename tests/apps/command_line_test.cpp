#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

const char* kHeap = R"(touchstone = 1
name = "heap"
dimension = 3
[simulation]
step = 0.002
duration = 1.0
[model]
name = "penalty"
[record]
every = 5
[[material]]
name = "stone"
friction = 0.5
restitution = 0.3
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "stone"
material = "stone"
position = [0, 0, 0.5]
shape = { kind = "box", size = [0.3, 0.2, 0.25] }
repeat = { count = [2, 2, 3], spacing = [0.28, 0.27, 0.4], jitter = 0.02, angle_jitter = 0.4, seed = 5 }
[[body]]
name = "ball"
material = "stone"
position = [0.1, 0.1, 2.0]
shape = { kind = "sphere", radius = 0.15 }
)";

// The same, long enough to be interrupted.
std::string long_heap() {
  std::string text = kHeap;
  return text.replace(text.find("duration = 1.0"), 14, "duration = 1000");
}

class CommandLine : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments, std::uint64_t limit = 0) {
    return run_program(arguments, folder_.path("."), limit);
  }
  Folder folder_;
};

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST_F(CommandLine, EveryWordHasHelpThatTeaches) {
  const Result top = run({"--help"});
  EXPECT_EQ(top.code, 0);
  for (const char* word :
       {"run", "resume", "hash", "diff", "demo", "validate", "info", "models", "examples", "plot", "picture", "export",
        "format", "recover", "verify", "papers", "compare", "problem", "view"}) {
    expect_has(top.out, word);
    const Result help = run({word, "--help"});
    EXPECT_EQ(help.code, 0) << word;
    EXPECT_GT(help.out.size(), 150u) << word;
  }
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"rum"}).code, 2);
  expect_has(run({"--version"}).out, "touchstone ");
}

TEST_F(CommandLine, RunRecordsAndReports) {
  folder_.write("heap.toml", kHeap);
  const Result r = run({"run", "heap.toml", "-o", "out.h5"});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part : {"simulated   1 s in 500 steps", "penetration", "state hash", "out.h5"})
    expect_has(r.out, part);
  const Json info = Json::parse(run({"info", "out.h5", "--json"}).out);
  EXPECT_EQ(info["steps"], 500);
  EXPECT_EQ(info["frames"], 101);  // every 5th, and step 0
  EXPECT_EQ(info["bodies"], 14);
  EXPECT_TRUE(info["complete"]);
  EXPECT_FALSE(info["journal"]);
  const Json hash = Json::parse(run({"hash", "out.h5", "--json"}).out);
  EXPECT_EQ(hash["state_hash"], info["state_hash"]);
  EXPECT_EQ(Json::parse(run({"run", "heap.toml", "--json", "-o", "again.h5"}).out)["state_hash"], hash["state_hash"]);
  EXPECT_EQ(run({"run", "heap.toml", "--quiet", "--no-record"}).out, "");
}

TEST_F(CommandLine, DefaultRecordingIsNamedAfterTheScene) {
  folder_.write("heap.toml", kHeap);
  EXPECT_EQ(run({"run", "heap.toml", "--duration", "0.01"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("heap.h5")));
}

TEST_F(CommandLine, DiffNamesTheFirstStepAndBody) {
  folder_.write("heap.toml", kHeap);
  run({"run", "heap.toml", "-o", "a.h5"});
  run({"run", "heap.toml", "-o", "b.h5", "--threads", "2"});
  run({"run", "heap.toml", "-o", "c.h5", "--set", "body.ball.velocity=[0,0,-1e-9]"});
  const Result same = run({"diff", "a.h5", "b.h5"});
  EXPECT_EQ(same.code, 0) << same.out;
  expect_has(same.out, "equal: all 500 steps");
  const Result other = run({"diff", "a.h5", "c.h5", "--json"});
  EXPECT_EQ(other.code, 1);
  const Json j = Json::parse(other.out);
  EXPECT_EQ(j["step"], 0);  // the velocity differs from the start
  EXPECT_EQ(j["body"], "ball");
}

TEST_F(CommandLine, OverridesReachTheSceneAndTheRecordingRemembersThem) {
  folder_.write("heap.toml", kHeap);
  EXPECT_EQ(run({"run", "heap.toml", "-o", "out.h5", "--dt", "0.001", "--duration", "0.1", "--set", "model.sag=1e-4",
                 "--seed", "3"})
                .code,
            0);
  const Json info = Json::parse(run({"info", "out.h5", "--json"}).out);
  EXPECT_EQ(info["steps"], 100);
  EXPECT_EQ(info["step_size"], 0.001);
  EXPECT_EQ(info["overrides"]["model.sag"], "1e-4");
  const Result typo = run({"run", "heap.toml", "--set", "model.sagg=1"});
  EXPECT_EQ(typo.code, 2);
  expect_has(typo.err, "sagg");
  expect_has(typo.err, "did you mean 'sag'");
  EXPECT_EQ(run({"run", "heap.toml", "--set", "nonsense"}).code, 2);
  EXPECT_EQ(run({"run", "heap.toml", "--model", "impulsive"}).code, 2);
  EXPECT_EQ(run({"run", "heap.toml", "--dt", "-1"}).code, 2);
}

// Kills the run at some moment, resumes, and compares with a run that was never stopped.
TEST_F(CommandLine, AKilledRunIsReadableAndResumesToTheSameHashAtEveryStep) {
  folder_.write("heap.toml", kHeap);
  ASSERT_EQ(run({"run", "heap.toml", "-o", "whole.h5", "--duration", "40"}).code, 0);
  for (const int milliseconds : {900, 2600}) {
    const pid_t process =
        start_program({"run", "heap.toml", "-o", "killed.h5", "--duration", "40", "--dt", "0.002"}, folder_.path("."));
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    kill(process, SIGKILL);
    const int code = wait_for(process);
    if (code == 0) continue;  // it was faster than the kill: nothing to see
    const Result info = run({"info", "killed.h5", "--json"});
    ASSERT_EQ(info.code, 0) << info.err;
    EXPECT_TRUE(Json::parse(info.out)["journal"]);
    EXPECT_EQ(run({"hash", "killed.h5"}).code, 0);
    const Result resumed = run({"resume", "killed.h5"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const Result diff = run({"diff", "whole.h5", "killed.h5"});
    EXPECT_EQ(diff.code, 0) << diff.out;
  }
}

TEST_F(CommandLine, CtrlCSavesAndSaysHowToGoOn) {
  folder_.write("heap.toml", long_heap());
  const pid_t process = start_program({"run", "heap.toml", "-o", "out.h5"}, folder_.path("."));
  usleep(700 * 1000);
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 130);
  std::ifstream err(folder_.path("stderr.txt"));
  const std::string said((std::istreambuf_iterator<char>(err)), {});
  expect_has(said, "touchstone resume out.h5");
  const Json info = Json::parse(run({"info", "out.h5", "--json"}).out);
  EXPECT_FALSE(info["complete"]);
  const double stopped = info["time"];
  ASSERT_GT(stopped, 0);
  const std::string until = std::to_string(stopped + 0.2);
  ASSERT_EQ(run({"resume", "out.h5", "-o", "more.h5", "--duration", until}).code, 0);
  folder_.write("heap.toml", kHeap);
  ASSERT_EQ(run({"run", "heap.toml", "-o", "whole.h5", "--duration", until}).code, 0);
  EXPECT_EQ(run({"diff", "whole.h5", "more.h5"}).code, 0);
}

TEST_F(CommandLine, AFinishedRunCanBeMadeLonger) {
  folder_.write("heap.toml", kHeap);
  run({"run", "heap.toml", "-o", "out.h5"});
  const Result nothing = run({"resume", "out.h5"});
  EXPECT_EQ(nothing.code, 0);
  expect_has(nothing.out, "is complete");
  ASSERT_EQ(run({"resume", "out.h5", "--duration", "1.5"}).code, 0);
  run({"run", "heap.toml", "-o", "whole.h5", "--duration", "1.5"});
  EXPECT_EQ(run({"diff", "whole.h5", "out.h5"}).code, 0);
  EXPECT_TRUE(Json::parse(run({"info", "out.h5", "--json"}).out)["complete"]);
}

TEST_F(CommandLine, AFullDiskLosesNothingThatWasRecorded) {
  folder_.write("heap.toml", long_heap());
  const Result full = run({"run", "heap.toml", "-o", "out.h5"}, 3 << 20);
  EXPECT_EQ(full.code, 4);
  expect_has(full.err, "out.h5");
  const Result info = run({"info", "out.h5", "--json"});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_GT(Json::parse(info.out)["frames"], 10);
}

TEST_F(CommandLine, AnUnstableStepKeepsWhatWasComputed) {
  folder_.write("heap.toml", kHeap);
  const Result r =
      run({"run", "heap.toml", "-o", "out.h5", "--set", "model.stiffness=1e13", "--set", "model.max_substeps=20"});
  EXPECT_EQ(r.code, 3);
  expect_has(r.err, "step of at most");
  EXPECT_EQ(run({"info", "out.h5"}).code, 0);
}

TEST_F(CommandLine, NothingThatIsReadIsWrittenOver) {
  folder_.write("heap.toml", kHeap);
  run({"run", "heap.toml", "-o", "out.h5"});
  EXPECT_EQ(run({"run", "heap.toml", "-o", "heap.toml"}).code, 2);
  EXPECT_EQ(run({"validate", "heap.toml"}).code, 0);
  EXPECT_EQ(run({"export", "out.h5", "--format", "csv", "-o", "out.h5"}).code, 2);
  EXPECT_EQ(run({"export", "out.h5", "--format", "csv", "-o", "/dev/null"}).code, 4);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const Result back = run({"resume", "out.h5", "--duration", "0.1"});
  EXPECT_EQ(back.code, 2);
  expect_has(back.err, "a recording is never shortened");
  EXPECT_EQ(Json::parse(run({"info", "out.h5", "--json"}).out)["steps"], 500);
}

TEST_F(CommandLine, OptionsThatMakeNoSenseAreNotIgnored) {
  folder_.write("heap.toml", kHeap);
  run({"run", "heap.toml", "-o", "out.h5", "--duration", "0.1"});
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"run", "heap.toml", "--dt", "0"},
                                             {"run", "heap.toml", "--dt", "nan"},
                                             {"run", "heap.toml", "--duration", "-3"},
                                             {"run", "heap.toml", "--duration", "nan"},
                                             {"run", "heap.toml", "--duration", "1e308"},
                                             {"run", "heap.toml", "--seed", "-5"},
                                             {"run", "heap.toml", "--dt", "1e-300"},
                                             {"run", "heap.toml", "--threads", "0"},
                                             {"resume", "out.h5", "--duration", "-1"},
                                             {"picture", "out.h5", "--time", "-1"},
                                             {"picture", "out.h5", "--time", "99"}}) {
    const Result r = run(bad);
    EXPECT_EQ(r.code, 2) << bad[1] << " " << bad[2] << " " << bad[3] << "\n" << r.out;
    EXPECT_GT(r.err.size(), 20u);
  }
  expect_has(run({"runn", "heap.toml"}).err, "did you mean 'run'");
}

TEST_F(CommandLine, ValidateListsEveryMistakeAtOnce) {
  folder_.write("bad.toml",
                "touchstone = 1\ndimension = 3\n[simulation]\nstep = -1\n[[body]]\nname = \"a\"\nmasss = 1\nshape = { "
                "kind = \"sphere\", radius = 0 }\n");
  const Result r = run({"validate", "bad.toml"});
  EXPECT_EQ(r.code, 2);
  for (const char* part : {"bad.toml:4:", "bad.toml:7:", "masss", "did you mean 'mass'", "radius"})
    expect_has(r.err, part);
  const Json j = Json::parse(run({"validate", "bad.toml", "--json"}).out);
  EXPECT_EQ(j["exit_code"], 2);
  expect_has(j["error"].get<std::string>(), "masss");
  folder_.write("heap.toml", kHeap);
  EXPECT_EQ(run({"validate", "heap.toml"}).code, 0);
}

TEST_F(CommandLine, FilesThatAreNoRecordings) {
  folder_.write("empty.h5", "");
  folder_.write("text.h5", "hello, this is no recording at all, but it is long enough to look at\n");
  folder_.write("heap.toml", kHeap);
  for (const char* file : {"missing.h5", "empty.h5", "text.h5", "heap.toml", "."})
    for (const char* word : {"info", "hash", "plot", "resume", "picture", "recover"}) {
      const Result r = run({word, file});
      EXPECT_TRUE(r.code == 2 || r.code == 4) << word << " " << file << " " << r.code << r.out;
      expect_has(r.err, file);
    }
  EXPECT_NE(run({"run", "missing.toml"}).code, 0);
  EXPECT_NE(run({"run", "empty.h5"}).code, 0);
  EXPECT_EQ(run({"run", "heap.toml", "-o", "/nowhere/at/all.h5"}).code, 4);
}

TEST_F(CommandLine, PlotPictureAndExportWriteFiles) {
  folder_.write("heap.toml", kHeap);
  run({"run", "heap.toml", "-o", "out.h5", "--duration", "0.2"});
  const auto written = [&](const std::vector<std::string>& arguments, const char* file) {
    const Result r = run(arguments);
    EXPECT_EQ(r.code, 0) << r.err;
    struct stat s {};
    EXPECT_EQ(stat(folder_.path(file).c_str(), &s), 0) << file;
    EXPECT_GT(s.st_size, 200) << file;
  };
  written({"plot", "out.h5", "energy", "-o", "e.svg"}, "e.svg");
  written({"plot", "out.h5", "ball.height", "stone_3.height", "-o", "h.png"}, "h.png");
  written({"plot", "out.h5"}, "out.energy.svg");
  written({"picture", "out.h5", "--time", "0.1"}, "out.png");
  written({"export", "out.h5", "--format", "csv"}, "out.csv");
  written({"export", "out.h5", "--format", "report"}, "out.report.csv");
  written({"export", "out.h5", "-o", "out.npz"}, "out.npz");
  written({"export", "out.h5", "-o", "out.glb"}, "out.glb");
  written({"export", "out.h5", "--frames", "frames", "--fps", "10", "--width", "200", "--height", "100"},
          "frames/frame_000002.png");
  written({"export", "out.h5", "--format", "contacts"}, "out.contacts.csv");
  const Result unknown = run({"plot", "out.h5", "energie"});
  EXPECT_EQ(unknown.code, 2);
  expect_has(unknown.err, "did you mean 'energy'");
  EXPECT_EQ(run({"plot", "out.h5", "energy", "max_speed"}).code, 2);
  EXPECT_EQ(run({"plot", "out.h5", "energy", "-o", "e.gif"}).code, 2);
  EXPECT_EQ(run({"export", "out.h5"}).code, 2);
}

TEST_F(CommandLine, ModelsExamplesAndFormat) {
  const Json models = Json::parse(run({"models", "--json"}).out);
  ASSERT_GE(models.size(), 2u);
  EXPECT_EQ(models[0]["name"], "impulse");  // the default comes first
  const Json examples = Json::parse(run({"examples", "--json"}).out);
  ASSERT_GE(examples.size(), 5u);
  for (const Json& e : examples) {
    EXPECT_GT(e["about"].get<std::string>().size(), 10u) << e;
    EXPECT_EQ(run({"validate", e["file"].get<std::string>()}).code, 0) << e;
  }
  expect_has(run({"examples", "bouncing_ball"}).out, "touchstone = 1");
  expect_has(run({"format"}).out, "# ");
  EXPECT_TRUE(Json::parse(run({"format", "--schema"}).out).contains("properties"));
}

}  // namespace
}  // namespace touchstone::testing
