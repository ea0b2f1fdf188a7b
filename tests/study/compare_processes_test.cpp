// Runs in processes: what one does to itself, the others do not notice.
#include "study/compare/processes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace touchstone::compare {
namespace {

using Stop = std::atomic<bool>;

void finish(RunState& state, const Stop&) {
  state.total = 10;
  state.done = 10;
  state.outcome = Outcome::kFinished;
}

TEST(Processes, OneThatCrashesTakesNothingWithIt) {
  const std::vector<RunWork> works{
      finish,
      [](RunState& state, const Stop&) {
        state.total = 10;
        state.done = 4;
        std::raise(SIGSEGV);
      },
      [](RunState&, const Stop&) { throw std::runtime_error("no such thing"); },
      [](RunState& state, const Stop&) {
        state.done = 2;
        ::_exit(7);
      },
      finish,
  };
  const RunStates states(works.size());
  run_in_processes(works, states, 2, nullptr);
  EXPECT_EQ(states[0].outcome, Outcome::kFinished);
  EXPECT_EQ(states[1].outcome, Outcome::kCrashed);
  EXPECT_EQ(states[1].failed_step, 5u);
  EXPECT_NE(std::string(states[1].message).find("died"), std::string::npos) << states[1].message;
  EXPECT_EQ(states[2].outcome, Outcome::kRefused);
  EXPECT_STREQ(states[2].message, "no such thing");
  EXPECT_EQ(states[3].outcome, Outcome::kCrashed);
  EXPECT_NE(std::string(states[3].message).find("code 7"), std::string::npos);
  EXPECT_EQ(states[4].outcome, Outcome::kFinished);
}

TEST(Processes, AreAskedToStopAndLeaveWhatTheyHave) {
  const RunWork endless = [](RunState& state, const Stop& stop) {
    state.total = 1'000'000;
    while (!stop) {
      ++state.done;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    state.fail(Outcome::kInterrupted, "interrupted");
  };
  const RunStates states(3);
  int calls = 0;
  run_in_processes({endless, endless, endless}, states, 2, [&] { return ++calls < 3; });
  EXPECT_EQ(states[0].outcome, Outcome::kInterrupted);
  EXPECT_EQ(states[1].outcome, Outcome::kInterrupted);
  EXPECT_GT(states[0].done, 0u);
  EXPECT_EQ(states[2].outcome, Outcome::kWaiting);  // its turn never came
}

// One that listens is asked to stop, one that does not is killed; the others have all the time they need.
TEST(Processes, AreCutOffWhenTheirTimeIsUp) {
  const auto works_on = [](RunState& state) {
    ++state.done;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const RunWork listens = [&](RunState& state, const Stop& stop) {
    while (!stop) works_on(state);
    state.fail(state.out_of_time ? Outcome::kCutOff : Outcome::kInterrupted, "its time was up");
  };
  const RunWork deaf = [&](RunState& state, const Stop&) {
    for (;;) works_on(state);
  };
  const RunStates states(3);
  run_in_processes({listens, deaf, finish}, states, 3, nullptr, {0.2, 0.2, 1000});
  EXPECT_EQ(states[0].outcome, Outcome::kCutOff);
  EXPECT_LT(states[0].elapsed, 2);
  EXPECT_EQ(states[1].outcome, Outcome::kCutOff);
  EXPECT_GT(states[1].elapsed, kGrace);
  EXPECT_GT(states[1].failed_step, 1u);
  EXPECT_EQ(states[2].outcome, Outcome::kFinished);
}

// Nobody ends before as many as may have begun: so many are there at a time. And nobody ever sees more.
TEST(Processes, RunAsManyAtATimeAsTheyMay) {
  for (const std::uint64_t jobs : {1u, 2u, 4u}) {
    const RunStates states(4);
    const auto count = [&states](auto&& counts) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < 4; ++i) sum += counts(states[i].done.load()) ? 1u : 0u;
      return sum;
    };
    const RunWork meet = [&](RunState& state, const Stop&) {
      state.done = 1;
      if (count([](std::uint64_t done) { return done == 1; }) > jobs) throw std::runtime_error("too many at a time");
      const auto hangs = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      while (count([](std::uint64_t done) { return done > 0; }) < jobs) {
        if (std::chrono::steady_clock::now() > hangs) throw std::runtime_error("nobody came");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      state.done = 2;
      state.outcome = Outcome::kFinished;
    };
    run_in_processes({meet, meet, meet, meet}, states, static_cast<int>(jobs), nullptr);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(states[i].outcome, Outcome::kFinished) << states[i].message;
  }
}

TEST(Processes, CutLongMessages) {
  RunState state;
  state.fail(Outcome::kStopped, std::string(5000, 'x'));
  EXPECT_EQ(std::string(state.message).size(), sizeof state.message - 1);
}

TEST(Processes, NothingToDoIsDoneAtOnce) {
  const RunStates none(0);
  run_in_processes({}, none, 2, nullptr);
  EXPECT_EQ(none.size(), 0u);
}

}  // namespace
}  // namespace touchstone::compare
