#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "command.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* name) { return std::getenv(name) && *std::getenv(name); }
bool has_desktop() { return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"); }

// Of this user alone where there is one; a folder for everybody otherwise, in which ours is closed to others.
fs::path runtime_folder() {
  std::error_code error;
  if (is_set("XDG_RUNTIME_DIR") && fs::is_directory(std::getenv("XDG_RUNTIME_DIR"), error))
    return std::getenv("XDG_RUNTIME_DIR");
  return fs::temp_directory_path(error);
}

std::string redirection_to(const std::string& url) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Touchstone</title>"
      "<meta name=\"referrer\" content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0;url={0}\">"
      "<a href=\"{0}\">Touchstone</a></html>\n",
      url);
}

bool write_private(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return close(file) == 0 && written;
}

}  // namespace

bool open_in_browser(const std::string& file) {
  if (!has_desktop()) return false;
  std::string program = "xdg-open", what = file;
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

SecretDoor::SecretDoor(const std::string& url) {
  if (!has_desktop()) return;
  std::string pattern = (runtime_folder() / "touchstone-XXXXXX").string();
  if (!mkdtemp(pattern.data())) return;  // for this user alone
  folder_ = pattern;
  const std::string file = (fs::path(folder_) / "view.html").string();
  if (write_private(file, redirection_to(url))) open_in_browser(file);
}

SecretDoor::~SecretDoor() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace touchstone::app
