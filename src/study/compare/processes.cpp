#include "study/compare/processes.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <thread>

#include "touchstone/error.h"

namespace touchstone::compare {
namespace {

static_assert(std::atomic<double>::is_always_lock_free && std::atomic<Outcome>::is_always_lock_free,
              "only lock-free atomics work between processes");

std::atomic<bool> asked_to_stop{false};  // in a copy

extern "C" void on_term(int) { asked_to_stop = true; }

// In the copy: no return, no destructors, no words on the terminal. Ctrl-C reaches every process of the terminal; the
// parent alone decides what it means, and asks with SIGTERM. A copy does not outlive its parent.
[[noreturn]] void do_work(const RunWork& work, RunState& state) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit core{0, 0};
  ::setrlimit(RLIMIT_CORE, &core);
  for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) std::signal(s, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, on_term);
  try {
    work(state, asked_to_stop);
  } catch (const std::bad_alloc&) {
    state.fail(Outcome::kCrashed, "out of memory");
  } catch (const std::exception& e) {
    state.fail(Outcome::kRefused, e.what());
  }
  ::_exit(0);
}

void note_end(RunState& state, int status) {
  const int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if ((by == SIGKILL || by == SIGTERM) && state.out_of_time) {
    state.failed_step = state.done + 1;
    state.fail(Outcome::kCutOff, fmt::format("step {} took too long", state.done + 1));
  } else if (WIFSIGNALED(status)) {
    state.failed_step = state.done + 1;
    state.fail(Outcome::kCrashed, fmt::format("its process died: {}", ::strsignal(WTERMSIG(status))));
  } else if (state.outcome == Outcome::kRunning) {
    state.failed_step = state.done + 1;
    state.fail(Outcome::kCrashed, fmt::format("its process ended by itself, with code {}", WEXITSTATUS(status)));
  }
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

struct Running {
  pid_t process;
  std::size_t index;
  Clock::time_point started;
};

// Takes those that have ended off the list.
void reap(std::vector<Running>& running, const RunStates& states) {
  std::erase_if(running, [&](const Running& r) {
    int status = 0;
    const pid_t ended = ::waitpid(r.process, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
    states[r.index].elapsed = seconds_since(r.started);
    note_end(states[r.index], status);
    return true;
  });
}

void start(const RunWork& work, std::size_t index, const RunStates& states, std::vector<Running>& running) {
  states[index].outcome = Outcome::kRunning;
  const pid_t process = ::fork();
  if (process == 0) do_work(work, states[index]);
  if (process < 0) {
    states[index].outcome = Outcome::kWaiting;
    if (running.empty())
      throw Error(ErrorKind::kIo, fmt::format("no process can be started: {}", std::strerror(errno)));
    return;  // full for the moment; it is tried again
  }
  running.push_back({process, index, Clock::now()});
}

// Again and again: one that has just been started may not listen yet.
void mind_time(const std::vector<Running>& running, const RunStates& states, const std::vector<double>& seconds) {
  for (const Running& r : running) {
    const double over = r.index < seconds.size() ? seconds_since(r.started) - seconds[r.index] : -1;
    if (!(over > 0)) continue;
    states[r.index].out_of_time = true;
    ::kill(r.process, over > kGrace ? SIGKILL : SIGTERM);
  }
}

}  // namespace

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kWaiting:
      return "not started";
    case Outcome::kRunning:
      return "running";
    case Outcome::kFinished:
      return "finished";
    case Outcome::kStopped:
      return "stopped";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kInterrupted:
      return "interrupted";
    case Outcome::kCutOff:
      return "cut off";
    case Outcome::kCrashed:
      return "crashed";
  }
  return "";
}

void RunState::fail(Outcome how, const std::string& why) {
  const std::size_t length = std::min(why.size(), sizeof message - 1);
  std::memcpy(message, why.data(), length);
  message[length] = '\0';
  outcome = how;
}

RunStates::RunStates(std::size_t count) : count_(count) {
  if (count == 0) return;
  void* memory = ::mmap(nullptr, count * sizeof(RunState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  states_ = static_cast<RunState*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (states_ + i) RunState;
}

RunStates::~RunStates() {
  if (states_) ::munmap(states_, count_ * sizeof(RunState));
}

void run_in_processes(const std::vector<RunWork>& works, const RunStates& states, int jobs,
                      const std::function<bool()>& goes_on, const std::vector<double>& seconds) {
  constexpr auto kLook = std::chrono::milliseconds(10);
  constexpr auto kReport = std::chrono::milliseconds(100);
  std::vector<Running> running;
  std::size_t next = 0;
  bool stopping = false;
  auto reported = std::chrono::steady_clock::time_point{};
  while (!running.empty() || (next < works.size() && !stopping)) {
    while (!stopping && next < works.size() && running.size() < static_cast<std::size_t>(std::max(1, jobs))) {
      start(works[next], next, states, running);
      if (states[next].outcome == Outcome::kWaiting) break;
      ++next;
    }
    std::this_thread::sleep_for(kLook);
    reap(running, states);
    const auto now = std::chrono::steady_clock::now();
    if (now - reported < kReport) continue;
    reported = now;
    mind_time(running, states, seconds);
    stopping = (goes_on && !goes_on()) || stopping;
    if (!stopping) continue;
    for (const Running& r : running) ::kill(r.process, SIGTERM);
  }
  if (goes_on) goes_on();
}

}  // namespace touchstone::compare
