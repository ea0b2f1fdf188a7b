#include "study/compare/workplace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "touchstone/error.h"

namespace touchstone::compare {

namespace fs = std::filesystem;

Workplace::Workplace(const std::string& keep) : kept_(!keep.empty()) {
  std::error_code error;
  if (kept_) {
    fs::create_directories(keep, error);
    if (error) throw Error(ErrorKind::kIo, fmt::format("{}: the folder cannot be made: {}", keep, error.message()));
    path_ = keep;
    return;
  }
  std::string pattern = (fs::temp_directory_path() / "touchstone-compare-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw Error(ErrorKind::kIo, fmt::format("{}: no temporary folder can be made", pattern));
  path_ = pattern;
}

Workplace::~Workplace() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

}  // namespace touchstone::compare
