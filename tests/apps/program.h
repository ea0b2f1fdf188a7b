#pragma once
// Runs the real program, as a user does.
#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace touchstone::testing {

struct Result {
  int code = -1;
  std::string out, err;
};

// A folder of its own for every test, gone at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path root_;
};

// One box on another; the lower one has this velocity.
inline std::string two_boxes(const std::string& model, const std::string& velocity = "[0, 0, 0]") {
  return R"(touchstone = 1
name = "two boxes"
dimension = 3
[simulation]
step = 0.002
duration = 0.1
[model]
name = ")" +
         model + R"("
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "lower"
position = [0, 0, 0.1]
velocity = )" +
         velocity + R"(
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
[[body]]
name = "upper"
position = [0, 0, 0.3]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
)";
}

// `limit`: greatest file size in bytes (a full disk), 0 for none.
Result run_program(const std::vector<std::string>& arguments, const std::string& folder, std::uint64_t limit = 0);

// Starts it and leaves it running; stdout and stderr go to files in the folder.
pid_t start_program(const std::vector<std::string>& arguments, const std::string& folder);
int wait_for(pid_t process);  // exit code, or 128 + signal

}  // namespace touchstone::testing
