#include "apps/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

namespace touchstone::testing {
namespace {

std::string slurp(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

pid_t spawn(const std::vector<std::string>& arguments, const std::string& folder, std::uint64_t limit) {
  std::vector<char*> argv{const_cast<char*>(TOUCHSTONE_PROGRAM)};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const std::string out = folder + "/stdout.txt", err = folder + "/stderr.txt";
  const pid_t process = fork();
  if (process != 0) return process;
  if (chdir(folder.c_str()) != 0) _exit(99);
  dup2(open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644), STDOUT_FILENO);
  dup2(open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644), STDERR_FILENO);
  if (limit > 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit size{limit, limit};
    setrlimit(RLIMIT_FSIZE, &size);
  }
  execv(TOUCHSTONE_PROGRAM, argv.data());
  _exit(99);
}

}  // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "touchstone-XXXXXX").string();
  root_ = mkdtemp(pattern.data());
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

int wait_for(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

pid_t start_program(const std::vector<std::string>& arguments, const std::string& folder) {
  return spawn(arguments, folder, 0);
}

Result run_program(const std::vector<std::string>& arguments, const std::string& folder, std::uint64_t limit) {
  Result result;
  result.code = wait_for(spawn(arguments, folder, limit));
  result.out = slurp(folder + "/stdout.txt");
  result.err = slurp(folder + "/stderr.txt");
  return result;
}

}  // namespace touchstone::testing
