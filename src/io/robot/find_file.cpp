#include "io/robot/find_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace touchstone {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

void add_folders(const char* variable, std::vector<fs::path>& out) {
  const char* value = std::getenv(variable);
  std::string list = value ? value : "";
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t colon = std::min(list.find(':', from), list.size());
    if (colon > from) out.emplace_back(list.substr(from, colon - from));
    from = colon + 1;
  }
}

std::vector<fs::path> folders_above(const std::string& file) {
  std::error_code error;
  fs::path folder = fs::absolute(file, error).lexically_normal().parent_path();
  std::vector<fs::path> out;
  for (; !folder.empty(); folder = folder.parent_path()) {
    out.push_back(folder);
    if (folder == folder.parent_path()) break;
  }
  return out;
}

// The longest tail first, and of each the nearest folder.
FoundFile find_tail(const fs::path& whole, const std::vector<fs::path>& above) {
  const std::vector<fs::path> parts(whole.begin(), whole.end());
  for (std::size_t first = 1; first + 2 <= parts.size(); ++first) {
    fs::path tail;
    for (std::size_t i = first; i < parts.size(); ++i) tail /= parts[i];
    for (const fs::path& folder : above)
      if (is_file(folder / tail))
        return {(folder / tail).string(),
                fmt::format("there is no folder of the package '{}'; {} is taken, whose path ends in {}",
                            parts[0].string(), (folder / tail).string(), tail.string()),
                ""};
  }
  return {};
}

FoundFile find_in_packages(const std::string& rest, const std::string& from, const std::vector<std::string>& roots) {
  const fs::path whole = fs::path(rest).lexically_normal();
  if (whole.empty() || whole.is_absolute() || *whole.begin() == "..") return {"", "", "it is no path in a package"};
  std::vector<fs::path> folders(roots.begin(), roots.end());
  add_folders("TOUCHSTONE_PACKAGES", folders);
  add_folders("ROS_PACKAGE_PATH", folders);
  const std::vector<fs::path> above = folders_above(from);
  folders.insert(folders.end(), above.begin(), above.end());
  const fs::path package = *whole.begin();
  const fs::path inside = whole.lexically_relative(package);
  for (const fs::path& folder : folders) {
    if (is_file(folder / whole)) return {(folder / whole).string(), "", ""};
    if (folder.filename() == package && is_file(folder / inside)) return {(folder / inside).string(), "", ""};
  }
  FoundFile found = find_tail(whole, above);
  if (found.path.empty())
    found.tried = fmt::format(
        "the package '{}' was sought in the folders of --packages, $TOUCHSTONE_PACKAGES and $ROS_PACKAGE_PATH, and in "
        "those above {}",
        package.string(), from);
  return found;
}

}  // namespace

FoundFile find_robot_file(const std::string& address, const std::string& from, const std::vector<std::string>& roots) {
  for (const char* scheme : {"package://", "model://"})
    if (address.starts_with(scheme)) return find_in_packages(address.substr(std::string(scheme).size()), from, roots);
  const std::string plain = address.starts_with("file://") ? address.substr(7) : address;
  const fs::path path = (fs::path(from).parent_path() / plain).lexically_normal();
  if (is_file(path)) return {path.string(), "", ""};
  return {"", "", fmt::format("there is no file {}", path.string())};
}

}  // namespace touchstone
