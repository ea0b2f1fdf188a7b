// What a user, a shell or a service manager does to a program without meaning harm, and some who do.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/program.h"
#include "io/replay/html.h"
#include "recording/recorder.h"
#include "recording/recording.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

class RoughUse : public ::testing::Test {
 protected:
  RoughUse() { folder_.write("boxes.toml", two_boxes("impulse")); }

  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  // The program by way of a shell; its exit code, or 128 + the signal that ended it.
  int shell(const std::string& words) {
    const int status =
        std::system(("cd '" + folder_.path(".") + "' && exec '" TOUCHSTONE_PROGRAM "' " + words).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string bytes(const std::string& name) const {
    std::ifstream in(folder_.path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void record(const std::string& name) {
    const Result r = run({"run", "boxes.toml", "-o", name, "-q"});
    ASSERT_EQ(r.code, 0) << r.err;
  }
  template <class Check>
  static bool soon(const Check& check) {
    for (int i = 0; i < 1200; ++i) {
      if (check()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return false;
  }
  // A run that does not end by itself, with its recording begun.
  pid_t start_long_run(const std::string& name) {
    const pid_t process = start_program({"run", "boxes.toml", "--duration", "1e5", "-o", name}, folder_.path("."));
    EXPECT_TRUE(soon([&] { return fs::exists(folder_.path(name)) && fs::file_size(folder_.path(name)) > 20000; }));
    return process;
  }

  Folder folder_;
};

// Every command answers with one JSON object in UTF-8, whatever is in its arguments, files and names.
TEST_F(RoughUse, JsonOfTextThatIsNoUtf8) {
  folder_.write("bad.dat", "3 1 0 3 3 \xff");
  folder_.write("bad.toml", "touchstone = 1\ndimension = 3\nname = \"\xff\"\n");
  folder_.write("n\xff.h5", "no recording \xff");
  const std::string h5 = "n\xff.h5", toml = "n\xff.toml";
  const std::vector<std::vector<std::string>> wrong{{"problem", "solve", "bad.dat"},
                                                    {"problem", "solve", h5},
                                                    {"problem", "write", h5, "--step", "1", "-o", "x\xff"},
                                                    {"info", h5},
                                                    {"hash", h5},
                                                    {"diff", h5, h5},
                                                    {"recover", h5},
                                                    {"verify", h5},
                                                    {"plot", h5},
                                                    {"picture", h5},
                                                    {"export", h5, "--html"},
                                                    {"resume", h5},
                                                    {"run", toml},
                                                    {"run", "bad.toml"},
                                                    {"run", "boxes.toml", "--set", "\xff=1"},
                                                    {"run", "boxes.toml", "--set", "model.name=\xff"},
                                                    {"run", "boxes.toml", "-m", "\xff"},
                                                    {"validate", toml},
                                                    {"compare", toml},
                                                    {"compare", "boxes.toml", "-m", "\xff"},
                                                    {"papers", "\xff"},
                                                    {"examples", "\xff"}};
  for (std::vector<std::string> words : wrong) {
    const std::string name = words[0] + " " + words[1];
    words.push_back("--json");
    const Result r = run(words);
    EXPECT_TRUE(r.code == 2 || r.code == 4) << name << ": " << r.code;
    ASSERT_TRUE(Json::accept(r.out)) << name << ": " << r.out;  // which refuses text that is not UTF-8
    EXPECT_FALSE(Json::parse(r.out)["error"].get<std::string>().empty()) << name;
    EXPECT_TRUE(Json::accept(Json(r.err).dump(-1, ' ', false, Json::error_handler_t::strict))) << name;
  }
}

TEST_F(RoughUse, JsonOfNamesThatAreNoUtf8) {
  folder_.write("s\xff.toml", two_boxes("impulse"));
  const std::string h5 = "r\xff.h5";
  const std::vector<std::vector<std::string>> right{{"run", "s\xff.toml", "-o", h5},
                                                    {"validate", "s\xff.toml"},
                                                    {"info", h5},
                                                    {"hash", h5},
                                                    {"diff", h5, h5},
                                                    {"verify", h5},
                                                    {"plot", h5, "-o", "p\xff.svg"},
                                                    {"picture", h5, "-o", "p.png"},
                                                    {"export", h5, "-o", "p\xff.csv"},
                                                    {"resume", h5},
                                                    {"recover", h5},
                                                    {"problem", "write", h5, "--step", "2", "-o", "p\xff"},
                                                    {"problem", "solve", "p\xff"}};
  for (std::vector<std::string> words : right) {
    words.push_back("--json");
    const Result r = run(words);
    EXPECT_EQ(r.code, 0) << words[0] << ": " << r.err;
    EXPECT_TRUE(Json::accept(r.out)) << words[0] << ": " << r.out;
  }
}

TEST_F(RoughUse, NothingIsWrittenOverARecording) {
  record("out.h5");
  record("other.h5");
  const std::string before = bytes("out.h5");
  for (const char* name : {"soft.svg", "soft.png", "soft.csv", "soft.html"})
    fs::create_symlink("out.h5", folder_.path(name));
  for (const char* name : {"hard.svg", "hard.npz", "hard.txt"})
    fs::create_hard_link(folder_.path("out.h5"), folder_.path(name));
  fs::create_directory(folder_.path("frames"));
  fs::create_hard_link(folder_.path("out.h5"), folder_.path("frames/frame_000000.png"));
  const std::vector<std::vector<std::string>> wrong{{"plot", "other.h5", "-o", "soft.svg"},
                                                    {"plot", "other.h5", "-o", "hard.svg"},
                                                    {"picture", "other.h5", "-o", "soft.png"},
                                                    {"export", "other.h5", "-o", "soft.csv"},
                                                    {"export", "other.h5", "-o", "hard.npz"},
                                                    {"export", "other.h5", "--format", "csv", "-o", "out.h5"},
                                                    {"export", "other.h5", "--format", "gltf", "-o", "out.h5"},
                                                    {"export", "other.h5", "--frames", "frames"},
                                                    {"problem", "write", "other.h5", "--step", "2", "-o", "out.h5"},
                                                    {"problem", "write", "other.h5", "--step", "2", "-o", "hard.txt"},
                                                    {"plot", "out.h5", "-o", "soft.svg"},
                                                    {"picture", "out.h5", "-o", "soft.png"}};
  for (const auto& words : wrong) {
    const Result r = run(words);
    EXPECT_EQ(r.code, 2) << words[0] << " " << words.back() << r.err;
    expect_has(r.err, words.back() == "frames" ? "frame_000000.png" : words.back());
    EXPECT_EQ(bytes("out.h5"), before) << words[0] << " " << words.back();
  }
  // Any other file is replaced, and nothing is written through a link of the temporary file's name.
  fs::create_symlink("out.h5", folder_.path("energy.svg.tmp"));
  folder_.write("energy.svg", "old");
  EXPECT_EQ(run({"plot", "other.h5", "-o", "energy.svg"}).code, 0);
  expect_has(bytes("energy.svg"), "<svg");
  EXPECT_EQ(bytes("out.h5"), before);
  EXPECT_EQ(run({"problem", "write", "other.h5", "--step", "2", "-o", "p.hdf5"}).code, 0);
  EXPECT_EQ(run({"problem", "write", "other.h5", "--step", "3", "-o", "p.hdf5"}).code, 0)
      << "a problem is no recording";
}

TEST_F(RoughUse, AWritersLockIsMinded) {
  record("out.h5");
  const pid_t process = start_long_run("live.h5");
  fs::create_hard_link(folder_.path("live.h5"), folder_.path("live.svg"));
  const Folder elsewhere;  // for the output of the second program
  const Result r = run_program({"plot", folder_.path("out.h5"), "-o", folder_.path("live.svg")}, elsewhere.path("."));
  EXPECT_EQ(r.code, 4) << r.err;
  expect_has(r.err, "running simulation");
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 130);
  EXPECT_GT(Recording::open(folder_.path("live.h5")).frame_count(), 10u);
}

// Killed in its last moments: all steps are in the journal, and a part of the HDF5 form lies beside it.
TEST_F(RoughUse, ResumeFinishesAConversionThatWasKilled) {
  record("whole.h5");
  copy_up_to_snapshot(folder_.path("whole.h5"), folder_.path("killed.h5"));
  folder_.write("killed.h5.tmp", bytes("whole.h5").substr(0, 5000));
  ASSERT_TRUE(Json::parse(run({"info", "killed.h5", "--json"}).out)["journal"]);
  const Result r = run({"resume", "killed.h5", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(Json::parse(r.out)["resumed"], false);
  EXPECT_EQ(Json::parse(r.out)["converted"], true);
  EXPECT_FALSE(fs::exists(folder_.path("killed.h5.tmp")));
  const Json info = Json::parse(run({"info", "killed.h5", "--json"}).out);
  EXPECT_EQ(info["journal"], false);
  EXPECT_EQ(info["complete"], true);
  EXPECT_EQ(run({"diff", "whole.h5", "killed.h5"}).code, 0);
  // Of a recording that is complete, only what a killed process left is removed.
  const std::string before = bytes("killed.h5");
  folder_.write("killed.h5.tmp", "half a journal");
  EXPECT_EQ(run({"resume", "killed.h5"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_.path("killed.h5.tmp")));
  EXPECT_EQ(bytes("killed.h5"), before);
}

TEST_F(RoughUse, AHangUpSavesLikeSigterm) {
  for (const auto& signals : {std::vector{SIGHUP}, std::vector{SIGHUP, SIGHUP}, std::vector{SIGHUP, SIGTERM}}) {
    const pid_t process = start_long_run("hung.h5");
    for (const int s : signals) kill(process, s);
    EXPECT_EQ(wait_for(process), 130);
    const Recording r = Recording::open(folder_.path("hung.h5"));
    EXPECT_FALSE(r.journal()) << "it was not saved";
    EXPECT_GT(r.frame_count(), 10u);
    fs::remove(folder_.path("hung.h5"));
  }
}

TEST_F(RoughUse, NohupIsObeyed) {
  signal(SIGHUP, SIG_IGN);  // which the program inherits
  const pid_t process = start_long_run("nohup.h5");
  signal(SIGHUP, SIG_DFL);
  kill(process, SIGHUP);
  const auto size = fs::file_size(folder_.path("nohup.h5"));
  EXPECT_TRUE(soon([&] { return fs::file_size(folder_.path("nohup.h5")) > size + 10000; })) << "it stopped";
  kill(process, SIGTERM);
  EXPECT_EQ(wait_for(process), 130);
}

TEST_F(RoughUse, ClosedAndFullStreams) {
  EXPECT_EQ(shell("run boxes.toml -o a.h5 >&- 2>err.txt"), 4);
  expect_has(bytes("err.txt"), "standard output cannot be written");
  EXPECT_EQ(shell("run boxes.toml -o b.h5 >&- 2>&-"), 4);
  EXPECT_EQ(shell("run boxes.toml -o c.h5 <&- >&- 2>&- --quiet"), 0);
  EXPECT_EQ(shell("run boxes.toml -o d.h5 >out.txt 2>&-"), 0);
  EXPECT_EQ(shell("run boxes.toml -o e.h5 >out.txt 2>/dev/full"), 0);
  for (const char* name : {"a.h5", "b.h5", "c.h5", "d.h5", "e.h5"}) {
    const Recording r = Recording::open(folder_.path(name));
    EXPECT_TRUE(r.complete() && !r.journal()) << name;
  }
  for (const char* streams : {"2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"}) {
    EXPECT_EQ(shell(std::string("run none.toml --json >out.txt ") + streams), 2) << streams;
    EXPECT_EQ(shell(std::string("nonsense ") + streams), 2) << streams;
  }
  EXPECT_EQ(shell("--help >&-"), 4);
  EXPECT_EQ(shell("--help >/dev/full 2>&-"), 4);
  EXPECT_EQ(shell("models >&- 2>&-"), 4);
}

TEST_F(RoughUse, AnEmptyNameIsRefused) {
  record("out.h5");
  const std::vector<std::vector<std::string>> wrong{{"run", "boxes.toml", "-o", ""},
                                                    {"run", "boxes.toml", "--output="},
                                                    {"resume", "out.h5", "-o", ""},
                                                    {"plot", "out.h5", "-o", ""},
                                                    {"picture", "out.h5", "-o", ""},
                                                    {"export", "out.h5", "-o", ""},
                                                    {"export", "out.h5", "--frames", ""},
                                                    {"export", "out.h5", "--video", ""},
                                                    {"compare", "boxes.toml", "-o", ""},
                                                    {"compare", "boxes.toml", "--keep", ""},
                                                    {"problem", "write", "out.h5", "--step", "1", "-o", ""}};
  for (const auto& words : wrong) {
    const Result r = run(words);
    EXPECT_EQ(r.code, 2) << words[0];
    expect_has(r.err, words.back() == "--output=" ? "a value is missing" : "the name is empty");
  }
  EXPECT_FALSE(fs::exists(folder_.path("boxes.h5")));
}

TEST_F(RoughUse, AnAbsurdNumberOfStepsIsAskedFor) {
  const Result r = run({"run", "boxes.toml", "--dt", "1e-12", "--duration", "0.05", "-o", "out.h5"});
  EXPECT_EQ(r.code, 2);
  for (const char* part : {"50000000000 steps", "1.2e+03 GB", "--yes", "--dt"}) expect_has(r.err, part);
  EXPECT_FALSE(fs::exists(folder_.path("out.h5")));
  const pid_t process = start_program(
      {"run", "boxes.toml", "--dt", "1e-12", "--duration", "0.05", "-o", "out.h5", "--yes"}, folder_.path("."));
  EXPECT_TRUE(soon([&] { return fs::exists(folder_.path("out.h5")); }));
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 130);
  record("short.h5");
  const Result longer = run({"resume", "short.h5", "--duration", "1e8"});
  EXPECT_EQ(longer.code, 2);
  expect_has(longer.err, "--yes");
}

// 1.8e17 substeps: no interruption is a substitute for a refusal.
TEST_F(RoughUse, AStepOfTooManySubstepsIsRefused) {
  const Result r =
      run({"run", "boxes.toml", "--model", "impulse", "--dt", "1e15", "--duration", "1e16", "--no-record"});
  EXPECT_EQ(r.code, 3);
  expect_has(r.err, "a step of 1e+15 s needs 1.8e+17 substeps");
}

// The browser gets the name of a file; what is in it nobody else can read.
TEST_F(RoughUse, TheTokenIsInNoCommandLine) {
  if (viewer_page().empty()) GTEST_SKIP() << "the page is not there";
  fs::create_directory(folder_.path("bin"));
  fs::create_directory(folder_.path("runtime"));
  const std::string script = folder_.write(
      "bin/xdg-open",
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > words\nstat -c %a \"$1\" \"$(dirname \"$1\")\" > modes\ncp \"$1\" copy.tmp\n"
      "mv copy.tmp copy\n");
  fs::permissions(script, fs::perms::owner_all);
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin";
  setenv("PATH", (folder_.path("bin") + ":" + path).c_str(), 1);
  setenv("DISPLAY", ":99", 1);
  setenv("XDG_RUNTIME_DIR", folder_.path("runtime").c_str(), 1);
  const pid_t process = start_program({"view", "boxes.toml", "--json"}, folder_.path("."));
  setenv("PATH", path.c_str(), 1);
  unsetenv("DISPLAY"), unsetenv("XDG_RUNTIME_DIR");
  ASSERT_TRUE(soon([&] { return fs::exists(folder_.path("copy")); }));
  const Json said = Json::parse(bytes("stdout.txt"));
  EXPECT_EQ(bytes("words").find(said["token"].get<std::string>()), std::string::npos);
  expect_has(bytes("copy"), said["url"]);
  EXPECT_EQ(bytes("modes"), "600\n700\n");
  std::ifstream line("/proc/" + std::to_string(process) + "/cmdline");
  const std::string own{std::istreambuf_iterator<char>(line), {}};
  EXPECT_EQ(own.find(said["token"].get<std::string>()), std::string::npos);
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 0);
  EXPECT_TRUE(fs::is_empty(folder_.path("runtime"))) << "the file is still there";
}

}  // namespace
}  // namespace touchstone::testing
