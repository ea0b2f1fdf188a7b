#include "attack/attack.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/hash.h"
#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone::attack {
namespace {

constexpr std::array kDeadly{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF};
constexpr long kSeconds = 60;  // of processor time for one case

char where[256];  // the case at work, for the handler
std::array<struct sigaction, kDeadly.size()> before;

// Says which case it was, and leaves the rest to whoever was there before (the system, or a sanitiser).
extern "C" void on_death(int signal) {
  if (write(STDERR_FILENO, where, std::strlen(where)) < 0) _exit(98);
  for (std::size_t i = 0; i < kDeadly.size(); ++i)
    if (kDeadly[i] == signal) sigaction(signal, &before[i], nullptr);
  raise(signal);
}

// As long as it lives, whoever dies names the case.
class Watch {
 public:
  Watch() {
    struct sigaction action {};
    action.sa_handler = on_death;
    for (std::size_t i = 0; i < kDeadly.size(); ++i) sigaction(kDeadly[i], &action, &before[i]);
  }
  ~Watch() {
    set_timer(0);
    for (std::size_t i = 0; i < kDeadly.size(); ++i) sigaction(kDeadly[i], &before[i], nullptr);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void begin(const std::string& text) {
    const std::string line = "\n" + text + "\n";
    std::strncpy(where, line.c_str(), sizeof where - 1);
    set_timer(kSeconds);
  }

 private:
  static void set_timer(long seconds) {
    const itimerval time{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &time, nullptr);
  }
};

std::uint64_t seed_of(const std::string& kind, std::uint64_t number) {
  Hash64 hash;
  hash.word(campaign().seed);
  hash.word(number);
  hash.bytes(reinterpret_cast<const std::byte*>(kind.data()), kind.size());
  return hash.value();
}

}  // namespace

Campaign& campaign() {
  static Campaign it;
  return it;
}

void run_cases(const std::string& kind, const std::vector<std::string>& words,
               const std::function<void(Mutator&)>& one) {
  const Campaign& c = campaign();
  Watch watch;
  for (std::uint64_t i = c.only.value_or(0); i < (c.only ? *c.only + 1 : c.count); ++i) {
    const std::string name = fmt::format("attack on {}: --attack-seed={} --attack-case={}", kind, c.seed, i);
    SCOPED_TRACE(name);
    watch.begin(name);
    Mutator mutator(seed_of(kind, i), words);
    one(mutator);
    if (::testing::Test::HasFailure()) return;  // the first is enough to look at
  }
}

void show(const std::string& input) {
  if (campaign().only) std::cout << input << std::endl;  // at once: the case may crash
}

bool survives(const std::function<void()>& work, const std::vector<std::string>& names) {
  try {
    work();
    return true;
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_FALSE(message.empty());
    EXPECT_TRUE(is_valid_utf8(message)) << message;
    for (const std::string& name : names) EXPECT_NE(message.find(name), std::string::npos) << name << "\n" << message;
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception than touchstone::Error: " << e.what();
  }
  return false;
}

Folder::Folder() {
  std::error_code error;
  const std::filesystem::path memory = "/dev/shm";
  const bool there = std::filesystem::is_directory(memory, error) && ::access(memory.c_str(), W_OK) == 0;
  std::string pattern = ((there ? memory : std::filesystem::temp_directory_path()) / "touchstone-XXXXXX").string();
  root_ = mkdtemp(pattern.data());
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(root_ / name, std::ios::binary) << bytes;
  return path(name);
}

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace touchstone::attack
