#pragma once
// Structures and scenes of known verdicts.
#include <cmath>
#include <string>
#include <vector>

#include "contact/contact_frame.h"
#include "statics/margins.h"
#include "statics/verdict.h"
#include "study/statics/stable.h"

namespace touchstone::statics::testing {

inline constexpr double kGravity = 9.81;

// 2D unless the third coordinate is used.
class Maker {
 public:
  explicit Maker(int dimension = 2) { s.dimension = dimension; }
  std::uint32_t held(const std::string& name) {
    Body b;
    b.name = name, b.held = true;
    s.bodies.push_back(b);
    return last();
  }
  std::uint32_t free(const std::string& name, double mass, const Eigen::Vector3d& center) {
    Body b;
    b.name = name, b.mass = mass, b.center = center;
    b.inertia = Eigen::Matrix3d::Identity() * mass;
    b.weight[s.dimension - 1] = -mass * kGravity;
    s.bodies.push_back(b);
    return last();
  }
  void touch(std::uint32_t a, std::uint32_t b, const Eigen::Vector3d& point, const Eigen::Vector3d& normal, double mu) {
    Contact c;
    c.a = a, c.b = b, c.point = point, c.friction = mu;
    c.frame.setZero();
    if (s.dimension == 2)
      c.frame.topLeftCorner<2, 2>() = frame_of_normal(Vec<2>(normal.head<2>()));
    else
      c.frame = frame_of_normal(Vec<3>(normal));
    s.contacts.push_back(c);
  }
  Structure s;

 private:
  std::uint32_t last() const { return static_cast<std::uint32_t>(s.bodies.size() - 1); }
};

inline StableSettings exactly(std::int64_t nodes = 4000) {
  StableSettings settings;
  settings.program.exact = true;
  settings.most_nodes = nodes;
  return settings;
}

struct Judged {
  Scaled scaled;
  Equations equations;
  Assessment assessment;
};
inline Judged judge_structure(const Structure& s, const StableSettings& settings = exactly()) {
  Judged out;
  out.scaled = nondimensional(s);
  out.equations = equations_of(out.scaled.structure);
  out.assessment = assess(out.scaled.structure, out.equations, settings);
  return out;
}
inline Verdict verdict_of(const Structure& s, const StableSettings& settings = exactly()) {
  return judge_structure(s, settings).assessment.verdict;
}

// A scene of boxes in the plane; ground below 0 with its edge at `edge`.
class Bricks {
 public:
  explicit Bricks(double friction = 0, double edge = 100) {
    scene.name = "bricks", scene.dimension = 2, scene.gravity = {0, -kGravity, 0};
    MaterialDescription m;
    m.static_friction = m.dynamic_friction = friction, m.density = 4;
    scene.materials = {m};
    BodyDescription ground;
    ground.name = "ground", ground.kind = BodyKind::kStatic;
    ground.shapes = {ShapeDescription::box(200, 1)};
    ground.placement.position = {edge - 100, -0.5, 0};
    scene.bodies.push_back(ground);
  }
  void add(double x, int row, double width = 1, double height = 0.25) {
    add_at(x, (row + 0.5) * 0.25 + 0.5 * (height - 0.25), width, height);
  }
  void add_at(double x, double y, double width, double height) {
    BodyDescription b;
    b.name = "brick_" + std::to_string(scene.bodies.size());
    b.shapes = {ShapeDescription::box(width, height)};
    b.placement.position = {x, y, 0};
    scene.bodies.push_back(b);
  }
  SceneDescription scene;
};

inline StableRequest request(bool exact = true) {
  StableRequest r;
  r.exact = exact, r.margins = r.ranges = false, r.most_nodes = 4000;
  return r;
}
inline Verdict verdict_of(const SceneDescription& scene, bool exact = true) {
  return judge(scene, request(exact)).assessment.verdict;
}

// A wedge between two faces that lean over it (or, upside down, under it) by the angle whose tangent is 3/4.
inline Structure wedge(double mu, bool groove) {
  Maker m;
  const std::uint32_t left = m.held("left"), right = m.held("right"), block = m.free("wedge", 1, {0, 0.5, 0});
  const double up = groove ? 0.6 : -0.6;  // of the normal: (±0.8, ±0.6)
  for (const double y : {0.25, 0.75}) {
    const double x = groove ? 1 + 0.75 * y : 2 - 0.75 * y;
    m.touch(left, block, {-x, y, 0}, {0.8, up, 0}, mu);
    m.touch(right, block, {x, y, 0}, {-0.8, up, 0}, mu);
  }
  return m.s;
}

}  // namespace touchstone::statics::testing
