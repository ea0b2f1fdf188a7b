#pragma once
// A glTF 2.0 document in the making: its JSON and its one binary buffer.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/shape_mesh.h"

namespace touchstone {

class GltfDocument {
 public:
  GltfDocument();
  nlohmann::json& content() { return content_; }
  // Appends to one of the document's lists ("nodes", "meshes", ...); returns the index.
  std::size_t add(const char* list, nlohmann::json item);

  // Floats, `width` a vector; returns the accessor. bounds: with min and max, which positions and times must
  // have.
  std::size_t add_floats(const std::vector<float>& values, std::size_t width, bool bounds, bool vertices = false);
  std::size_t add_indices(const std::vector<std::uint32_t>& indices);
  // The attributes and indices of a mesh's primitive, with polygons cut into triangles.
  nlohmann::json add_geometry(const Mesh& mesh);

  // Binary if the path ends in .glb; with the buffer as text inside the JSON if in .gltf.
  void write(const std::string& path);

 private:
  std::size_t add_view(const void* data, std::size_t size, int target);

  nlohmann::json content_;
  std::string bytes_;
};

}  // namespace touchstone
