// Semicircular arches of n voussoirs: B32, B33.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;
using Eigen::Vector2d;

// With mean radius 1, standing on the floor. A voussoir is a quadrilateral to its neighbours; its mass and its centre
// are those of the piece of a ring that the catalogue has in mind: with them the least thickness and the least friction
// by statics (a line of thrust within all joints) are the catalogue's to all digits, with those of the quadrilateral
// 0.09570 in place of 0.09625.
SceneDescription arch(int n, double thickness, double friction) {
  SceneDescription scene = floor_scene(2, material(friction));
  const double inner = 1 - 0.5 * thickness, outer = 1 + 0.5 * thickness, half = 0.5 * M_PI / n;
  const double area = (outer * outer - inner * inner) * half;
  const double centre =
      2.0 / 3 * (std::pow(outer, 3) - std::pow(inner, 3)) / (outer * outer - inner * inner) * std::sin(half) / half;
  const double wide = 2 * half, inertia = area * (wide * wide + thickness * thickness) / 12;  // as of a rectangle
  const auto corner = [&](double r, int i) {
    const double a = M_PI * i / n;
    return Vector2d(r * std::cos(a), i == 0 || i == n ? 0.0 : r * std::sin(a));
  };
  for (int i = 0; i < n; ++i) {
    BodyDescription v =
        body("v" + std::to_string(i),
             prism(2, {corner(inner, i), corner(outer, i), corner(outer, i + 1), corner(inner, i + 1)}, 0));
    const double a = M_PI * (i + 0.5) / n;
    v.center_of_mass = Eigen::Vector3d(centre * std::cos(a), centre * std::sin(a), 0);
    set_inertia(v, 1000 * area, 1000 * inertia);
    scene.bodies.push_back(v);
  }
  return scene;
}

constexpr double kSeconds = 0.3, kFalls = 1e-3;  // [s], [m]

void least_thickness(Bench& b) {
  struct Row {
    int n;
    double thickness;
  };
  for (const Row& row :
       b.full() ? std::vector<Row>{{7, 0.09625}, {11, 0.10491}, {25, 0.10703}} : std::vector<Row>{{7, 0.09625}}) {
    const std::string of = ", n = " + std::to_string(row.n);
    b.still("moved 3 % thicker" + of, b.moved(arch(row.n, 1.03 * row.thickness, 10), kSeconds));
    b.happens("falls 3 % thinner" + of, b.moved(arch(row.n, 0.97 * row.thickness, 10), kSeconds) > kFalls);
  }
}

void least_friction(Bench& b) {
  struct Row {
    int n;
    double thickness, friction;
  };
  for (const Row& row : b.full() ? std::vector<Row>{{7, 0.2, 0.29816}, {7, 0.15, 0.33404}, {11, 0.2, 0.30703}}
                                 : std::vector<Row>{{7, 0.2, 0.29816}}) {
    const std::string of = ", n = " + std::to_string(row.n) + ", t = " + std::to_string(row.thickness).substr(0, 4);
    b.still("moved with 3 % more" + of, b.moved(arch(row.n, row.thickness, 1.03 * row.friction), kSeconds));
    b.happens("slips with 3 % less" + of, b.moved(arch(row.n, row.thickness, 0.97 * row.friction), kSeconds) > kFalls);
  }
}

}  // namespace

std::vector<Case> arch_cases() {
  return {{"B32", "arch of 7 voussoirs that do not slip, thickness bracketed by 3 %", {2}, least_thickness, true},
          {"B33", "arch of 7 voussoirs, friction bracketed by 3 %", {2}, least_friction, true}};
}

}  // namespace touchstone::conformance
