#pragma once
// Mesh files as bytes, written by hand from a description.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "touchstone/description.h"

namespace touchstone {

// `before`: vertices that the file had already.
inline std::string obj_text(const ShapeDescription& s, std::uint32_t before) {
  std::string out;
  for (const auto& v : s.vertices) out += fmt::format("v {} {} {}\n", v.x(), v.y(), v.z());
  for (const auto& t : s.triangles)
    out += fmt::format("f {} {} {}\n", before + t[0] + 1, before + t[1] + 1, before + t[2] + 1);
  return out;
}

inline std::string stl_text(const ShapeDescription& s) {
  std::string out = "solid cube\n";
  for (const auto& t : s.triangles) {
    const Eigen::Vector3d n =
        (s.vertices[t[1]] - s.vertices[t[0]]).cross(s.vertices[t[2]] - s.vertices[t[0]]).normalized();
    out += fmt::format("facet normal {} {} {}\n outer loop\n", n.x(), n.y(), n.z());
    for (const std::uint32_t v : t)
      out += fmt::format("  vertex {} {} {}\n", s.vertices[v].x(), s.vertices[v].y(), s.vertices[v].z());
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid cube\n";
}

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void append_floats(std::string& out, const Eigen::Vector3d& v) {
  for (int i = 0; i < 3; ++i) append(out, static_cast<float>(v[i]));
}

inline std::string stl_binary(const ShapeDescription& s) {
  std::string out(80, ' ');
  append(out, static_cast<std::uint32_t>(s.triangles.size()));
  for (const auto& t : s.triangles) {
    append_floats(out, Eigen::Vector3d::Zero());
    for (const std::uint32_t v : t) append_floats(out, s.vertices[v]);
    append(out, std::uint16_t{0});
  }
  return out;
}

inline std::string ply_text(const ShapeDescription& s) {
  std::string out = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nelement face "
      "{}\n"
      "property list uchar int vertex_indices\nend_header\n",
      s.vertices.size(), s.triangles.size());
  for (const auto& v : s.vertices) out += fmt::format("{} {} {}\n", v.x(), v.y(), v.z());
  for (const auto& t : s.triangles) out += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  return out;
}

inline std::string base64(const std::string& bytes) {
  static const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[word >> (18 - 6 * k) & 63];
  }
  return out;
}

// `node`: further keys of the one node, such as its translation. `uri`: of the buffer; empty: none, as in a GLB.
inline std::string gltf_json(const ShapeDescription& s, const std::string& node, const std::string& uri,
                             std::string& buffer) {
  Eigen::Vector3d lower = s.vertices[0], upper = lower;
  for (const auto& v : s.vertices) append_floats(buffer, v), lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  const std::size_t first = buffer.size();
  for (const auto& t : s.triangles)
    for (const std::uint32_t v : t) append(buffer, static_cast<std::uint16_t>(v));
  while (buffer.size() % 4) buffer += '\0';
  const std::size_t indices = 3 * s.triangles.size();
  const std::string data = uri == "embedded" ? "data:application/octet-stream;base64," + base64(buffer) : uri;
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"cube","mesh":0{}{}}}],)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"accessors":[)"
      R"({{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[{},{},{}],"max":[{},{},{}]}},)"
      R"({{"bufferView":1,"componentType":5123,"count":{},"type":"SCALAR"}}],"bufferViews":[)"
      R"({{"buffer":0,"byteOffset":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],)"
      R"("buffers":[{{"byteLength":{}{}}}]}})",
      node.empty() ? "" : ",", node, s.vertices.size(), lower.x(), lower.y(), lower.z(), upper.x(), upper.y(),
      upper.z(), indices, first, first, 2 * indices, buffer.size(),
      data.empty() ? "" : fmt::format(R"(,"uri":"{}")", data));
}

inline std::string gltf_text(const ShapeDescription& s, const std::string& node = "") {
  std::string buffer;
  return gltf_json(s, node, "embedded", buffer);
}

inline std::string glb_bytes(const ShapeDescription& s) {
  std::string buffer, json = gltf_json(s, "", "", buffer), out = "glTF";
  while (json.size() % 4) json += ' ';
  append(out, std::uint32_t{2});
  append(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + buffer.size()));
  append(out, static_cast<std::uint32_t>(json.size()));
  append(out, std::uint32_t{0x4E4F534A});
  out += json;
  append(out, static_cast<std::uint32_t>(buffer.size()));
  append(out, std::uint32_t{0x004E4942});
  return out + buffer;
}

inline std::vector<std::pair<std::string, std::string>> sample_files(const ShapeDescription& s) {
  return {{"text.obj", obj_text(s, 0)}, {"text.stl", stl_text(s)},   {"binary.stl", stl_binary(s)},
          {"text.ply", ply_text(s)},    {"text.gltf", gltf_text(s)}, {"binary.glb", glb_bytes(s)}};
}

}  // namespace touchstone
