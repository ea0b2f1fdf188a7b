#include "command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/json_text.h"
#include "base/text.h"

namespace touchstone::app {
namespace {

std::atomic<bool> stop_asked{false}, told_to_stop{false};

// A terminal that goes away may send SIGHUP twice, and service managers send it with SIGTERM: only a second SIGINT or
// SIGTERM means "at once".
extern "C" void on_interrupt(int signal) {
  stop_asked = true;
  if (signal == SIGHUP || !told_to_stop.exchange(true)) return;
  const char said[] = "touchstone: stopped at once; the recording is a journal that `touchstone resume` continues\n";
  if (write(STDERR_FILENO, said, sizeof said - 1) < 0) _exit(kFileFailed);
  _exit(kInterrupted);
}

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

// As the shell wants it.
std::string quoted(const std::string& text) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("/._-+,:@%=", c); };
  if (std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction old {};
  if (sigaction(SIGHUP, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)  // nohup wants it ignored
    sigaction(SIGHUP, &action, nullptr);
}
bool interrupted() { return stop_asked; }
const std::atomic<bool>* interrupt_flag() { return &stop_asked; }

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the least number that is free: this one
}

void write_error(const std::string& text) {
  const std::string readable = valid_utf8(text);
  std::fwrite(readable.data(), 1, readable.size(), stderr);
}

bool write_output(const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

void Output::add_to(CLI::App& word) {
  word.add_flag("--json", json, "Print one JSON object instead of text");
  word.add_flag("--quiet,-q", quiet, "Print errors only");
}

void Output::print(const Json& object, const std::string& text) const {
  if (quiet) return;
  if (!write_output(json ? json_text(object, 2) + "\n" : text))
    throw Error(ErrorKind::kIo,
                fmt::format("standard output cannot be written ({}); send it elsewhere, or print nothing with --quiet",
                            std::strerror(errno)));
}

std::string beside(const std::string& recording, const std::string& ending) {
  return std::filesystem::path(recording).replace_extension("").string() + ending;
}

CLI::Option* add_output_option(CLI::App& word, const std::string& names, std::string& path, const std::string& help) {
  return word.add_option(names, path, help)->check([names](const std::string& given) {
    if (given.empty())
      throw Error(ErrorKind::kBadInput, fmt::format("{} \"\": the name is empty; give one, or leave the option out",
                                                    names.substr(0, names.find(','))));
    return std::string();
  });
}

void check_not_input(const std::string& output, const std::string& input) {
  std::error_code error;
  if (std::filesystem::equivalent(output, input, error) && !error)
    throw Error(ErrorKind::kBadInput, fmt::format("{} is the input file; write to another file", output));
}

std::string scene_or_example(const std::string& given) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (given.empty() || given.find('/') != std::string::npos || fs::exists(given, ignored)) return given;
  std::vector<std::string> names;
  for (const std::string& path : example_scenes()) {
    names.push_back(fs::path(path).stem().string());
    if (names.back() == given) return path;
  }
  if (!fs::path(given).extension().empty()) return given;  // meant as a file
  throw Error(ErrorKind::kBadInput,
              fmt::format("{}: there is no such file, and no example of that name{}; `touchstone examples` lists them",
                          given, did_you_mean(given, names)));
}

void add_scene_argument(CLI::App& word, std::string& scene) {
  word.add_option("scene", scene, "Scene file (TOML, see docs/scene-format.md), or the name of an example")
      ->required()
      ->transform([](const std::string& given) { return scene_or_example(given); });
}

void SceneArguments::add_to(CLI::App& word) {
  add_scene_argument(word, scene);
  word.add_option("--model,-m", model, "Contact model instead of the scene's (see `touchstone models`)");
  word.add_option("--dt", dt, "Step size [s] instead of the scene's");
  word.add_option("--duration,-t", duration, "Simulated time [s] instead of the scene's");
  word.add_option("--seed", seed, "Seed of the jitter instead of the scene's");
  word.add_option("--set", sets, "Any key of the scene, e.g. --set model.tolerance=1e-5 (may be repeated)")
      ->allow_extra_args(false);
}

SceneOverride parse_set(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(ErrorKind::kBadInput,
                fmt::format("--set {}: expected key=value, such as --set model.tolerance=1e-5", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<SceneOverride> SceneArguments::overrides() const {
  std::vector<SceneOverride> out;
  if (!model.empty()) out.push_back({"model.name", model});
  if (dt) out.push_back({"simulation.step", fmt::format("{}", *dt)});
  if (duration) out.push_back({"simulation.duration", fmt::format("{}", *duration)});
  if (seed) out.push_back({"simulation.seed", fmt::format("{}", *seed)});
  for (const std::string& set : sets) out.push_back(parse_set(set));
  return out;
}

Progress::Progress(std::string label, bool wanted)
    : label_(std::move(label)), active_(wanted && isatty(STDERR_FILENO)) {}

void Progress::show(double fraction, const std::string& detail) {
  if (!active_) return;
  width_ = std::min(terminal_width(), 110);
  const std::string tail = fmt::format(" {:3.0f} %  {}", 100 * fraction, detail);
  const int bar = std::max(10, width_ - static_cast<int>(label_.size() + tail.size()) - 4);
  const int full = static_cast<int>(fraction * bar);
  std::string blocks;
  for (int i = 0; i < bar; ++i) blocks += i < full ? "█" : "░";
  tell("\r\033[K{} {}{}", label_, blocks, tail);
  std::fflush(stderr);
}

void Progress::end() {
  if (active_) tell("\r\033[K");
}

std::string command_name() {
  const char* given = std::getenv("TOUCHSTONE_COMMAND");  // the script ./touchstone says how it was called
  return quoted(given && *given ? given : program_invocation_name);
}

std::string pasteable(const std::string& path) {
  std::error_code error;
  const std::string near = std::filesystem::proximate(path, error).string();
  return quoted(!error && !near.empty() && near.size() < path.size() ? near : path);
}

std::string scene_folder() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / TOUCHSTONE_INSTALLED_SCENES;
  return fs::is_directory(installed, ignored) ? installed.string() : TOUCHSTONE_SCENE_DIR;
}

std::vector<std::string> scenes_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> paper_folders() {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(scene_folder() + "/papers", error))
    if (entry.is_directory(error)) folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::string> example_scenes() {
  std::vector<std::string> paths = scenes_in(scene_folder());
  for (const std::string& folder : paper_folders())
    for (std::string& path : scenes_in(folder)) paths.push_back(std::move(path));
  return paths;
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace touchstone::app
