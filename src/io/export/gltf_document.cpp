#include "io/export/gltf_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "io/export/base64.h"
#include "io/export/file.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using nlohmann::json;

// Numbers that the specification assigns.
constexpr int kFloat = 5126, kUnsignedInt = 5125, kArrayBuffer = 34962, kElementArrayBuffer = 34963;
constexpr std::uint32_t kMagic = 0x46546c67, kVersion = 2, kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;

void put32(std::string& out, std::uint64_t v) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((v >> shift) & 255);
}

}  // namespace

GltfDocument::GltfDocument() {
  content_["asset"] = {{"version", "2.0"}, {"generator", "touchstone " TOUCHSTONE_VERSION}};
}

std::size_t GltfDocument::add(const char* list, json item) {
  json& items = content_[list];
  items.push_back(std::move(item));
  return items.size() - 1;
}

std::size_t GltfDocument::add_view(const void* data, std::size_t size, int target) {
  json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
  if (target != 0) view["target"] = target;
  bytes_.append(static_cast<const char*>(data),
                size);  // all parts are of 4-byte numbers: what follows stays aligned
  return add("bufferViews", std::move(view));
}

std::size_t GltfDocument::add_floats(const std::vector<float>& values, std::size_t width, bool bounds, bool vertices) {
  static const char* const kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  json accessor = {{"componentType", kFloat}, {"type", kTypes[width]}, {"count", values.size() / width}};
  accessor["bufferView"] = add_view(values.data(), values.size() * sizeof(float), vertices ? kArrayBuffer : 0);
  if (bounds) {
    std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width)), high = low;
    for (std::size_t i = 0; i < values.size(); ++i) {
      low[i % width] = std::min(low[i % width], values[i]);
      high[i % width] = std::max(high[i % width], values[i]);
    }
    accessor["min"] = low, accessor["max"] = high;
  }
  return add("accessors", std::move(accessor));
}

std::size_t GltfDocument::add_indices(const std::vector<std::uint32_t>& indices) {
  const std::size_t view = add_view(indices.data(), indices.size() * sizeof(std::uint32_t), kElementArrayBuffer);
  return add("accessors",
             {{"componentType", kUnsignedInt}, {"type", "SCALAR"}, {"count", indices.size()}, {"bufferView", view}});
}

json GltfDocument::add_geometry(const Mesh& mesh) {
  std::vector<float> positions, normals;
  for (const Eigen::Vector3d& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) positions.push_back(static_cast<float>(v[i]));
  for (const Eigen::Vector3d& n : mesh.normals)
    for (int i = 0; i < 3; ++i) normals.push_back(static_cast<float>(n[i]));
  std::vector<std::uint32_t> indices;
  for (const MeshFace& face : mesh.faces)
    for (std::size_t i = 2; i < face.corners.size(); ++i)
      indices.insert(indices.end(), {face.corners[0], face.corners[i - 1], face.corners[i]});
  json attributes = {{"POSITION", add_floats(positions, 3, true, true)},
                     {"NORMAL", add_floats(normals, 3, false, true)}};
  return {{"attributes", std::move(attributes)}, {"indices", add_indices(indices)}};
}

void GltfDocument::write(const std::string& path) {
  const bool binary = extension_of(path) == "glb";
  OutputFile file(path);
  if (!bytes_.empty()) content_["buffers"] = json::array({json{{"byteLength", bytes_.size()}}});
  if (!binary) {
    if (!bytes_.empty()) content_["buffers"][0]["uri"] = "data:application/octet-stream;base64," + to_base64(bytes_);
    file.write(json_text(content_));
    file.commit();
    return;
  }
  std::string text = json_text(content_), header;
  text.append((4 - text.size() % 4) % 4, ' ');
  const std::uint64_t total =
      12 + 8 + std::uint64_t{text.size()} + (bytes_.empty() ? 0 : 8 + std::uint64_t{bytes_.size()});
  if (total > 0xffffffffull)
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("{}: would be larger than the 4 GB that a .glb holds; record fewer frames ([record] every)", path));
  for (const std::uint64_t word : {std::uint64_t{kMagic}, std::uint64_t{kVersion}, total}) put32(header, word);
  put32(header, text.size());
  put32(header, kJsonChunk);
  file.write(header);
  file.write(text);
  if (!bytes_.empty()) {
    std::string chunk;
    put32(chunk, bytes_.size());
    put32(chunk, kBinaryChunk);
    file.write(chunk);
    file.write(bytes_);
  }
  file.commit();
}

}  // namespace touchstone
