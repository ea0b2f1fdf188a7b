// Ctrl-C and SIGTERM within one long step.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "apps/program.h"
#include "recording/recording.h"

namespace touchstone::testing {
namespace {

using namespace std::chrono_literals;

// Steps of 40 days: impulse cuts each into 650 million substeps, which take hours.
std::string long_steps(const std::string& model) {
  std::string text = two_boxes(model);
  text.replace(text.find("step = 0.002"), 12, "step = 3.6e6");
  text.replace(text.find("duration = 0.1"), 14, "duration = 3.6e7");
  return text;
}

// Whether the process has a handler for the signal by now, as Linux tells.
bool catches(pid_t process, int signal) {
  std::ifstream in("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("SigCgt:")) return std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1;
  ADD_FAILURE() << "the program has ended by itself";
  return true;
}

class Interrupt : public ::testing::TestWithParam<int> {
 protected:
  // The exit code, and whether it came soon after the signal.
  int interrupted(const std::vector<std::string>& arguments) {
    const pid_t process = start_program(arguments, folder_.path("."));
    while (!catches(process, GetParam())) std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(300ms);  // into the step
    const auto begin = std::chrono::steady_clock::now();
    kill(process, GetParam());
    const int code = wait_for(process);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
    return code;
  }
  std::string said() const {
    std::ifstream in(folder_.path("stderr.txt"));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Folder folder_;
};

TEST_P(Interrupt, ARunKeepsTheLastWholeStep) {
  const std::string scene = folder_.write("long.toml", long_steps("impulse"));
  EXPECT_EQ(interrupted({"run", scene, "-o", "long.h5", "--quiet"}), 130);
  EXPECT_NE(said().find("interrupted at t = 0 s; continue with: touchstone resume long.h5"), std::string::npos)
      << said();
  {
    const Recording recording = Recording::open(folder_.path("long.h5"));
    EXPECT_FALSE(recording.complete());
    EXPECT_EQ(recording.steps().size(), 1u);
    EXPECT_EQ(recording.frame_count(), 1u);
    EXPECT_TRUE(recording.last_snapshot().has_value());
  }
  EXPECT_EQ(interrupted({"resume", "long.h5", "--quiet"}), 130);
}

TEST_P(Interrupt, ACompare) {
  const std::string scene = folder_.write("long.toml", long_steps("impulse"));
  EXPECT_EQ(interrupted({"compare", scene, "--models", "impulse", "--quiet"}), 130);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& i) { return i.param == SIGINT ? "SIGINT" : "SIGTERM"; });

TEST(LongStep, IsRefusedWhenItIsLongerThanTheRun) {
  const Folder folder;
  const std::string scene = folder.write("a.toml", two_boxes("impulse"));
  const Result r = run_program({"run", scene, "--dt", "1e3"}, folder.path("."));
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("key 'simulation.step' is 1000: must be at most the duration, 0.1 s (simulation.duration)"),
            std::string::npos)
      << r.err;
}

}  // namespace
}  // namespace touchstone::testing
