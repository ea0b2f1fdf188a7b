#pragma once
// The files that assimp may open while it reads a mesh: those in the mesh's own folder and below.
#include <assimp/DefaultIOSystem.h>

#include <filesystem>
#include <memory>
#include <string>

namespace touchstone {

// A mesh file names others (buffers of glTF, materials of OBJ), by any path. What lies outside the mesh's folder, also
// by a symbolic link, and what is no regular file (reading a pipe may never end) is not there for assimp.
class MeshFolder : public Assimp::DefaultIOSystem {
 public:
  // `refused` gets the first name that was not opened.
  MeshFolder(const std::string& mesh, std::shared_ptr<std::string> refused);

  bool Exists(const char* name) const override;
  Assimp::IOStream* Open(const char* name, const char* mode) override;

 private:
  bool allows(const char* name) const;

  std::filesystem::path mesh_, folder_;
  std::shared_ptr<std::string> refused_;
};

}  // namespace touchstone
