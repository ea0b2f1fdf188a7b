#include "io/mesh_folder.h"

#include <algorithm>

namespace touchstone {

namespace fs = std::filesystem;

MeshFolder::MeshFolder(const std::string& mesh, std::shared_ptr<std::string> refused)
    : mesh_(mesh), refused_(std::move(refused)) {
  std::error_code error;
  folder_ = fs::canonical(mesh_.has_parent_path() ? mesh_.parent_path() : fs::path("."), error);
}

// The mesh itself may be a link that leads anywhere: its user has named it.
bool MeshFolder::allows(const char* name) const {
  std::error_code error;
  if (fs::path(name) == mesh_) return true;
  const fs::path real = fs::canonical(name, error);
  if (error || folder_.empty() || !fs::is_regular_file(real, error)) return false;
  return std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end()).first == folder_.end();
}

bool MeshFolder::Exists(const char* name) const { return allows(name) && DefaultIOSystem::Exists(name); }

Assimp::IOStream* MeshFolder::Open(const char* name, const char* mode) {
  if (mode[0] == 'r' && allows(name)) return DefaultIOSystem::Open(name, mode);
  if (refused_->empty()) *refused_ = name;
  return nullptr;
}

}  // namespace touchstone
