// Purpose: Runs an engine in a child process and brings its figures home through a pipe. Only the engine's own calls
// are timed and counted into its memory; the judge works between them.
// Source: none.
// Letters: none.
// Deviations: none.
// Fails: a crash of the child, an exception or the time limit become the result's trouble, with the steps done.
#include "peers/run.h"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <type_traits>

namespace touchstone::bench {
namespace {

static_assert(std::is_trivially_copyable_v<RunResult>, "it goes through a pipe");

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double bytes_in_use() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

void say(RunResult& result, const char* text) { std::snprintf(result.trouble, sizeof result.trouble, "%s", text); }

class Run {
 public:
  Run(const Scene& scene, const EngineEntry& entry, const EngineOptions& options, const RunOptions& how)
      : scene_(scene),
        how_(how),
        judge_(scene),
        clock_(options.threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID) {
    const double before = bytes_in_use();
    engine_ = entry.make(scene, options);
    held_ = most_held_ = bytes_in_use() - before;
    check_start();
  }

  void go(RunResult& result) {
    double time = 0;
    for (; result.steps < scene_.steps && time < how_.time_limit;) {
      time += timed_frame();
      ++result.steps;
      result.ms_per_step = 1e3 * time / result.steps;
      if (how_.judge_every > 0 && result.steps % how_.judge_every == 0) look(result);
    }
    if (result.steps < scene_.steps) say(result, "cut off at the time limit");
  }

  void finish(RunResult& result) {
    result.memory = most_held_ / static_cast<double>(scene_.bodies.size());
    result.contacts = engine_->contacts();
    look(result);
    result.verdict = judge_.judge(motions_);
  }

 private:
  // Every engine has the scene's bodies where the scene has them, to single precision.
  void check_start() {
    engine_->read(motions_);
    if (motions_.size() != scene_.bodies.size()) throw std::runtime_error("it has another number of bodies");
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      const Pose &is = motions_[i].pose, &should = scene_.bodies[i].pose;
      double apart = 0, cosine = 0, rounding = 0;
      for (std::size_t k = 0; k < 3; ++k) apart += std::abs(is.position[k] - should.position[k]);
      for (std::size_t k = 0; k < 3; ++k) rounding += 6e-8 * std::abs(should.position[k]);
      for (std::size_t k = 0; k < 4; ++k) cosine += is.orientation[k] * should.orientation[k];
      if (!(apart < 5e-5 + rounding && std::abs(std::abs(cosine) - 1) < 1e-5))
        throw std::runtime_error("body " + std::to_string(i) + " does not start where the scene has it");
    }
  }

  void look(RunResult& result) {
    engine_->read(motions_);
    const Judge::Depths depths = judge_.depths(motions_);
    result.penetration_run = std::max(result.penetration_run, depths.all);
    result.penetration_made = std::max(result.penetration_made, depths.made);
  }

  double timed_frame() {
    const double before = bytes_in_use(), start = seconds(clock_);
    engine_->frame();
    const double time = seconds(clock_) - start;
    held_ += bytes_in_use() - before;
    most_held_ = std::max(most_held_, held_);
    return time;
  }

  const Scene& scene_;
  RunOptions how_;
  Judge judge_;
  clockid_t clock_;
  double held_ = 0, most_held_ = 0;  // bytes
  std::vector<Motion> motions_;
  std::unique_ptr<Engine> engine_;
};

RunResult run_here(const Scene& scene, const EngineEntry& entry, const EngineOptions& options, const RunOptions& how) {
  RunResult result;
  std::unique_ptr<Run> run;
  try {
    run = std::make_unique<Run>(scene, entry, options, how);
    run->go(result);
  } catch (const std::exception& error) {
    say(result, error.what());
  }
  if (run) run->finish(result);
  return result;
}

void write_all(int pipe, const RunResult& result) {
  const char* from = reinterpret_cast<const char*>(&result);
  for (std::size_t done = 0; done < sizeof result;) {
    const ssize_t n = write(pipe, from + done, sizeof result - done);
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

bool read_all(int pipe, RunResult& result) {
  char bytes[sizeof(RunResult)];
  for (std::size_t done = 0; done < sizeof bytes;) {
    const ssize_t n = read(pipe, bytes + done, sizeof bytes - done);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  std::memcpy(&result, bytes, sizeof bytes);
  return true;
}

}  // namespace

RunResult run(const Scene& scene, const EngineEntry& engine, const EngineOptions& options, const RunOptions& how) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to the run's process");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process for the run");
  if (child == 0) {
    close(ends[0]);
    write_all(ends[1], run_here(scene, engine, options, how));
    _exit(0);  // the engine's memory goes with the process; its destructors are not of interest
  }
  close(ends[1]);
  RunResult result;
  const bool arrived = read_all(ends[0], result);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!arrived) {
    result = {};
    const std::string text =
        WIFSIGNALED(status) ? std::string("crashed: ") + strsignal(WTERMSIG(status)) : "ended early";
    say(result, text.c_str());
  }
  return result;
}

}  // namespace touchstone::bench
