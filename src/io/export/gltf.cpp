#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "io/export/export.h"
#include "io/export/file.h"
#include "io/export/gltf_document.h"
#include "io/picture/palette.h"

namespace touchstone {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using nlohmann::json;

constexpr int kSegments = 32;        // around a round shape
constexpr double kPatchReach = 3.0;  // half side of a half-space's patch, in scene radii

json list(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
json list(const Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

// A frame in the world or in a body, in either dimension.
struct Pose {
  Vector3d position = Vector3d::Zero();
  Quaterniond rotation = Quaterniond::Identity();
};

Quaterniond turn(double angle) { return Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())); }

Pose pose_of(const Placement& p, int dimension) {
  return {p.position, dimension == 2 ? turn(p.angle) : p.orientation.normalized()};
}

// False if the slot is empty or its numbers are not finite.
bool read_pose(const Frame& frame, std::size_t slot, int dimension, Pose& pose) {
  if (slot >= frame.slots || !frame.alive[slot]) return false;
  const double* p = frame.poses.data() + slot * static_cast<std::size_t>(pose_width(dimension));
  if (!std::all_of(p, p + pose_width(dimension), [](double v) { return std::isfinite(v); })) return false;
  if (dimension == 2)
    pose = {{p[0], p[1], 0}, turn(p[2])};
  else
    pose = {{p[0], p[1], p[2]}, Quaterniond(p[3], p[4], p[5], p[6]).normalized()};
  return true;
}

// How large the world is at the start: for half-spaces, which have no size, and the depth of 2D plates.
struct Extent {
  Vector3d center = Vector3d::Zero();
  double radius = 1.0, depth = 0.1;
};

Extent extent_of(const std::vector<BodyDescription>& bodies, const std::vector<Pose>& poses) {
  Vector3d lower = Vector3d::Constant(1e300), upper = -lower;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const ShapeDescription& shape : bodies[i].shapes) {
      const double size = drawn_size(shape);
      if (size == 0) continue;
      sizes.push_back(size);
      const Vector3d at = poses[i].position + poses[i].rotation * shape.placement.position;
      lower = lower.cwiseMin((at.array() - size).matrix());
      upper = upper.cwiseMax((at.array() + size).matrix());
    }
  }
  if (sizes.empty()) return {};
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  return {0.5 * (lower + upper), 0.5 * (upper - lower).norm(), 0.5 * sizes[sizes.size() / 2]};
}

// Meshes and materials, each made once: equal shapes share their geometry, and of equal colour their mesh.
class MeshLibrary {
 public:
  MeshLibrary(GltfDocument& document, int dimension, const Extent& extent)
      : document_(document), dimension_(dimension), extent_(extent) {}

  // world: where the shape's frame is, which decides what part of a half-space is drawn.
  std::size_t mesh(const ShapeDescription& shape, const Color& color, const Pose& world) {
    std::string key = shape_key(shape);
    if (shape.kind == ShapeKind::kHalfSpace) {
      const Vector3d at = patch_center(shape, world);
      key.append(reinterpret_cast<const char*>(at.data()), 3 * sizeof(double));
    }
    auto found = geometries_.find(key);
    if (found == geometries_.end()) found = geometries_.emplace(key, document_.add_geometry(make(shape, world))).first;
    const std::size_t paint = material(color);
    const auto [entry, is_new] = meshes_.try_emplace({key, paint}, 0);
    if (is_new) {
      json primitive = found->second;
      primitive["material"] = paint;
      entry->second = document_.add("meshes", {{"primitives", json::array({std::move(primitive)})}});
    }
    return entry->second;
  }

 private:
  // In the shape's frame: the point of its plane nearest to the scene's middle.
  Vector3d patch_center(const ShapeDescription& shape, const Pose& world) const {
    const Vector3d n = shape.normal.normalized(), middle = world.rotation.inverse() * (extent_.center - world.position);
    return middle - n * n.dot(middle);
  }

  Mesh make(const ShapeDescription& shape, const Pose& world) const {
    const bool half_space = shape.kind == ShapeKind::kHalfSpace;
    const double half = kPatchReach * extent_.radius;
    if (dimension_ == 3)
      return half_space ? patch(patch_center(shape, world), shape.normal.normalized(), half)
                        : shape_mesh(shape, kSegments);
    const bool round =
        shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kEllipsoid;
    // Neither caps of a concave outline nor the sides of a line can be had by extruding.
    if (shape.kind == ShapeKind::kMesh || shape.kind == ShapeKind::kHeightField)
      return band(shape_outline(shape, kSegments), !is_open_line(shape), extent_.depth);
    if (!half_space) return extrude(shape_outline(shape, kSegments), extent_.depth, round);
    const Eigen::Vector2d n = shape.normal.head<2>().normalized(), t(-n.y(), n.x());
    const Eigen::Vector2d c = patch_center(shape, world).head<2>(), below = c - 0.5 * extent_.depth * n;
    return extrude({c + half * t, below + half * t, below - half * t, c - half * t}, 4 * extent_.depth, false);
  }

  std::size_t material(const Color& color) {
    const auto [entry, is_new] = materials_.try_emplace({color.r, color.g, color.b}, 0);
    if (!is_new) return entry->second;
    // The palette is sRGB, glTF's factors are linear.
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const json factor = {linear(color.r), linear(color.g), linear(color.b), 1.0};
    return entry->second = document_.add(
               "materials", {{"pbrMetallicRoughness",
                              {{"baseColorFactor", factor}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.65}}},
                             {"doubleSided", true}});
  }

  GltfDocument& document_;
  int dimension_;
  Extent extent_;
  std::map<std::string, json> geometries_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> meshes_;
  std::map<std::array<double, 3>, std::size_t> materials_;
};

// One body's keys over the frames. While it is not there it keeps its pose and has no size.
struct Track {
  std::vector<float> translation, rotation, scale;
  bool gone = false;  // in some frame
  Quaterniond last = Quaterniond::Identity();

  void add(const Pose& pose, bool there) {
    Quaterniond q = pose.rotation;
    if (q.dot(last) < 0) q.coeffs() *= -1;  // the short way round between two keys
    last = q;
    for (int i = 0; i < 3; ++i) translation.push_back(static_cast<float>(pose.position[i]));
    for (const double c : {q.x(), q.y(), q.z(), q.w()}) rotation.push_back(static_cast<float>(c));
    scale.insert(scale.end(), 3, there ? 1.0f : 0.0f);
    gone = gone || !there;
  }
};

// Frames whose times differ as floats; glTF wants times that grow.
std::vector<std::size_t> keyed_frames(const Recording& recording, std::vector<float>& times) {
  std::vector<std::size_t> frames;
  for (std::size_t f = 0; f < recording.frame_count(); ++f) {
    const auto time = static_cast<float>(recording.frames()[f].time);
    if (!times.empty() && !(time > times.back())) continue;
    times.push_back(time);
    frames.push_back(f);
  }
  return frames;
}

void add_channel(json& animation, std::size_t node, const char* path, std::size_t input, std::size_t output,
                 const char* how) {
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
  animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", how}});
}

void add_animation(GltfDocument& document, const Recording& recording, const std::vector<BodyDescription>& bodies,
                   std::vector<Pose> poses, const std::vector<std::size_t>& nodes) {
  const int dimension = recording.info().dimension;
  std::vector<float> times;
  std::vector<Track> tracks(bodies.size());
  for (const std::size_t f : keyed_frames(recording, times)) {
    const Frame frame = recording.read_frame(f);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].kind != BodyKind::kStatic) {
        const bool there = read_pose(frame, i, dimension, poses[i]);
        tracks[i].add(poses[i], there);
      }
  }
  if (times.empty() || std::none_of(tracks.begin(), tracks.end(), [](const Track& t) { return !t.scale.empty(); }))
    return;
  const std::size_t input = document.add_floats(times, 1, true);
  json animation = {{"name", recording.info().scene_name}, {"channels", json::array()}, {"samplers", json::array()}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (tracks[i].scale.empty()) continue;
    add_channel(animation, nodes[i], "translation", input, document.add_floats(tracks[i].translation, 3, false),
                "LINEAR");
    add_channel(animation, nodes[i], "rotation", input, document.add_floats(tracks[i].rotation, 4, false), "LINEAR");
    if (tracks[i].gone)
      add_channel(animation, nodes[i], "scale", input, document.add_floats(tracks[i].scale, 3, false), "STEP");
  }
  document.add("animations", std::move(animation));
}

std::size_t add_body(GltfDocument& document, MeshLibrary& library, const BodyDescription& body, const Pose& pose,
                     const Color& color, int dimension) {
  json children = json::array();
  for (const ShapeDescription& shape : body.shapes) {
    const Pose local = pose_of(shape.placement, dimension);
    const Pose world{pose.position + pose.rotation * local.position, pose.rotation * local.rotation};
    children.push_back(document.add("nodes", {{"mesh", library.mesh(shape, color, world)},
                                              {"translation", list(local.position)},
                                              {"rotation", list(local.rotation)}}));
  }
  json node = {{"name", body.name}, {"translation", list(pose.position)}, {"rotation", list(pose.rotation)}};
  if (!children.empty()) node["children"] = std::move(children);
  return document.add("nodes", std::move(node));
}

// Where bodies are in the first frame; where the scene put them if it is not in it.
std::vector<Pose> first_poses(const Recording& recording, const std::vector<BodyDescription>& bodies) {
  const int dimension = recording.info().dimension;
  const Frame frame = recording.frame_count() > 0 ? recording.read_frame(0) : Frame{};
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    poses.push_back(pose_of(bodies[i].placement, dimension));
    read_pose(frame, i, dimension, poses.back());
  }
  return poses;
}

void check(const Recording& recording, const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension != "glb" && extension != "gltf")
    throw Error(ErrorKind::kBadInput, fmt::format("{}: the name of a glTF file must end in .glb or .gltf", path));
  if (!recording.info().record.poses)
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: cannot be made, the recording {} holds no poses", path, recording.path()));
}

}  // namespace

void export_gltf(const Recording& recording, const std::vector<BodyDescription>& bodies, const std::string& path) {
  check(recording, path);
  const RecordingInfo& info = recording.info();
  const std::vector<Pose> poses = first_poses(recording, bodies);
  const std::vector<Color> colors = body_colors(bodies);
  GltfDocument document;
  MeshLibrary library(document, info.dimension, extent_of(bodies, poses));
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    nodes.push_back(add_body(document, library, bodies[i], poses[i], colors[i], info.dimension));
  json root = {{"name", info.scene_name}};
  if (!nodes.empty()) root["children"] = nodes;
  // glTF's y is up; ours is z in 3D.
  if (info.dimension == 3)
    root["rotation"] = list(Quaterniond(Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vector3d::UnitX())));
  document.content()["scene"] = 0;
  document.add("scenes", {{"nodes", json::array({document.add("nodes", std::move(root))})}});
  add_animation(document, recording, bodies, poses, nodes);
  document.write(path);
}

}  // namespace touchstone
