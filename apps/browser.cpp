#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "command.h"

namespace touchstone::app {

bool open_in_browser(const std::string& file_or_url) {
  const auto set = [](const char* name) { return std::getenv(name) && *std::getenv(name); };
  if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) return false;
  std::string program = "xdg-open", what = file_or_url;
  char* arguments[] = {program.data(), what.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  if (started) std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  return started;
}

}  // namespace touchstone::app
