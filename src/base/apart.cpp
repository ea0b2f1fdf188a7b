#include "base/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr char kDone = 'D', kRefused = 'R';

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorKind::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

void write_all(int to, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(to, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

std::string read_all(int from) {
  std::string out;
  std::vector<char> piece(std::size_t{1} << 16);
  for (;;) {
    const ssize_t n = ::read(from, piece.data(), piece.size());
    if (n == 0 || (n < 0 && errno != EINTR)) return out;
    if (n > 0) out.append(piece.data(), static_cast<std::size_t>(n));
  }
}

// In the copy: no return, no destructors, nothing on the terminal.
[[noreturn]] void do_work(const std::function<std::string()>& work, unsigned seconds, int to) {
  const rlimit time{seconds, seconds}, core{0, 0};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_CORE, &core);
  for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM}) std::signal(s, SIG_DFL);
  if (const int quiet = ::open("/dev/null", O_WRONLY); quiet >= 0)
    ::dup2(quiet, STDOUT_FILENO), ::dup2(quiet, STDERR_FILENO);
  try {
    write_all(to, kDone + work());
  } catch (const Error& e) {
    write_all(to, std::string{kRefused, static_cast<char>('0' + static_cast<int>(e.kind()))} + e.what());
  } catch (const std::exception& e) {
    write_all(to, std::string{kRefused, '0'} + e.what());
  }
  ::_exit(0);
}

std::string cause_of(int status, unsigned seconds) {
  if (!WIFSIGNALED(status)) return "it ended without an answer";
  const int by = WTERMSIG(status);
  if (by == SIGXCPU || by == SIGKILL) return fmt::format("it was stopped after {} s", seconds);
  return fmt::format("it crashed ({})", ::strsignal(by));
}

}  // namespace

namespace {

struct Outcome {
  int status = 0;
  std::string answer;
  bool ended() const { return WIFEXITED(status) && !answer.empty(); }
  std::optional<Error> refusal() const {
    if (answer.size() < 2 || answer[0] != kRefused) return std::nullopt;
    return Error(static_cast<ErrorKind>(answer[1] - '0'), answer.substr(2));
  }
};

Outcome run_in_a_copy(const std::function<std::string()>& work, unsigned seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("no pipe can be had");
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]), ::close(ends[1]);
    fail("no process can be started");
  }
  if (child == 0) do_work(work, seconds, ends[1]);
  ::close(ends[1]);
  Outcome out;
  out.answer = read_all(ends[0]);
  ::close(ends[0]);
  while (::waitpid(child, &out.status, 0) < 0 && errno == EINTR) {
  }
  return out;
}

}  // namespace

std::string run_apart(const std::function<std::string()>& work, unsigned seconds) {
  const Outcome out = run_in_a_copy(work, seconds);
  if (!out.ended()) throw Error(ErrorKind::kBadInput, cause_of(out.status, seconds));
  if (const auto refusal = out.refusal()) throw Error(*refusal);
  return out.answer.substr(1);
}

Rehearsal rehearse(const std::function<void()>& work, unsigned seconds) {
  const Outcome out = run_in_a_copy(
      [&] {
        work();
        return std::string();
      },
      seconds);
  return {out.ended() ? "" : cause_of(out.status, seconds), out.refusal()};
}

}  // namespace touchstone
