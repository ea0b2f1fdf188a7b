// What stands, and what falls just beyond: B25-B29.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;
using Eigen::Vector3d;

constexpr double kFalls = 1e-3;   // [m, rad]: has moved more
constexpr double kSeconds = 1.0;  // in which what should fall has moved by centimetres

void name_materials(SceneDescription& scene, const std::vector<std::string>& names, double friction) {
  for (const std::string& name : names) {
    scene.materials.push_back(material(friction));
    scene.materials.back().name = name;
  }
}

SceneDescription ladder(int d, double degrees, double floor_friction, double wall_friction) {
  SceneDescription scene = empty_scene(d);
  name_materials(scene, {"default", "floor", "wall"}, 0);
  scene.material_pairs = {{"default", "floor", floor_friction, floor_friction, 0},
                          {"default", "wall", wall_friction, wall_friction, 0}};
  const double length = 4, r = 1e-3, a = radians(degrees);  // thin: the catalogue's has no thickness
  BodyDescription floor = fixed("floor", half_space(up(d))), wall = fixed("wall", half_space({-1, 0, 0}));
  floor.material = "floor", wall.material = "wall";
  BodyDescription rod = body("rod", capsule(r, length));
  set_inertia(rod, 10, 10 * length * length / 12);
  rod.placement =
      turned(d, a - 0.5 * M_PI, in_plane(d, -0.5 * length * std::cos(a) - r, 0.5 * length * std::sin(a) + r));
  scene.bodies = {floor, wall, rod};
  return scene;
}

void ladders(Bench& b) {
  const int d = b.dimension();
  b.still("moved 0.3° above, smooth wall", b.moved(ladder(d, 51.3402 + 0.3, 0.4, 0), kSeconds));
  b.happens("falls 0.3° below, smooth wall", b.moved(ladder(d, 51.3402 - 0.3, 0.4, 0), kSeconds) > kFalls);
  b.still("moved 0.3° above, rough wall", b.moved(ladder(d, 47.7263 + 0.3, 0.4, 0.3), kSeconds));
  b.happens("falls 0.3° below, rough wall", b.moved(ladder(d, 47.7263 - 0.3, 0.4, 0.3), kSeconds) > kFalls);
}

struct Fate {
  double way, tilt;
};
Fate fate(Bench& b, const SceneDescription& scene, double seconds) {
  Simulation sim = b.simulate(scene);
  const BodyId id = sim.find_body("box");
  const Vector3d start = sim.state(id).center_of_mass;
  b.run(sim, seconds);
  const BodyState s = sim.state(id);
  return {(s.center_of_mass - start).norm(), std::abs(turn_of(sim.dimension(), s))};
}

// A box 0.4 by 1 on a slope.
Fate on_slope(Bench& b, double degrees, double friction) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(friction), 1e-3, degrees);
  scene.bodies.push_back(body("box", plate(d, 0.4, 1, 0.4), 0.5 * up(d)));
  return fate(b, scene, kSeconds);
}

void tips_or_slides(Bench& b) {
  b.still("moved 0.1° before tipping", on_slope(b, 21.8014 - 0.1, 0.6).way);
  b.happens("tips 0.1° beyond", on_slope(b, 21.8014 + 0.1, 0.6).tilt > kFalls);
  b.still("moved 0.1° before sliding", on_slope(b, 16.6992 - 0.1, 0.3).way);
  const Fate slides = on_slope(b, 16.6992 + 0.1, 0.3);
  b.happens("slides 0.1° beyond", slides.way > kFalls);
  b.still("tilt while sliding", slides.tilt);
}

// Pushed a little harder than friction holds. The box is as high as twice the critical height, so that what is more
// than friction hardly turns it.
Fate pushed(Bench& b, double at) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(0.6));
  const double height = 2 * 0.416667;
  BodyDescription box = body("box", plate(d, 0.5, height, 0.4), 0.5 * height * up(d));
  box.mass = 1;
  scene.bodies.push_back(box);
  SteadyForceDescription push;
  push.body = "box", push.force = {1.01 * 0.6 * kGravity, 0, 0};
  push.point = in_plane(d, 0, at - 0.5 * height);
  scene.forces = {push};
  return fate(b, scene, kSeconds);
}

void pushed_box(Bench& b) {
  const Fate low = pushed(b, 0.416667 - 0.005), high = pushed(b, 0.416667 + 0.005);
  b.happens("slides, pushed 5 mm below", low.way > kFalls);
  b.still("tilt, pushed 5 mm below", low.tilt);
  b.happens("tips, pushed 5 mm above", high.tilt > kFalls);
}

SceneDescription two_frictions(int d, double between, double floor) {
  SceneDescription scene = empty_scene(d);
  name_materials(scene, {"default", "floor"}, between);
  scene.material_pairs = {{"default", "floor", floor, floor, 0}};
  scene.bodies = {fixed("floor", half_space(up(d)))};
  scene.bodies[0].material = "floor";
  return scene;
}

// Two cylinders of radius 0.1 on the floor and one on top of them; in 3D they lie on lines of contact.
SceneDescription cylinders(int d, double between, double floor) {
  SceneDescription scene = two_frictions(d, between, floor);
  const double r = 0.1;
  for (const Eigen::Vector2d& at : {Eigen::Vector2d(-r, r), {r, r}, {0, r + std::sqrt(3.0) * r}}) {
    BodyDescription b = body("c" + std::to_string(scene.bodies.size()), d == 2 ? sphere(r) : cylinder(r, 0.3));
    b.placement.position = in_plane(d, at.x(), at.y());
    b.placement.orientation = Eigen::AngleAxisd(radians(90), Vector3d::UnitX());
    scene.bodies.push_back(b);
  }
  return scene;
}

// Three balls and one on top of them.
SceneDescription balls(int d, double between, double floor) {
  SceneDescription scene = two_frictions(d, between, floor);
  const double r = 0.1, away = 2 * r / std::sqrt(3.0);
  for (int i = 0; i < 3; ++i) {
    const double a = 2 * M_PI * i / 3;
    scene.bodies.push_back(body("b" + std::to_string(i), sphere(r), {away * std::cos(a), away * std::sin(a), r}));
  }
  scene.bodies.push_back(body("top", sphere(r), {0, 0, r + 2 * r * std::sqrt(2.0 / 3)}));
  return scene;
}

void both_needed(Bench& b, SceneDescription (*scene)(int, double, double), double between, double floor) {
  const int d = b.dimension();
  b.still("moved with 2 % more", b.moved(scene(d, 1.02 * between, 1.02 * floor), kSeconds));
  b.happens("falls with 2 % less between", b.moved(scene(d, 0.98 * between, 1.02 * floor), kSeconds) > kFalls);
  b.happens("falls with 2 % less below", b.moved(scene(d, 1.02 * between, 0.98 * floor), kSeconds) > kFalls);
}
void three_cylinders(Bench& b) { both_needed(b, cylinders, 0.267949, 0.089316); }
void four_balls(Bench& b) { both_needed(b, balls, 0.317837, 0.079459); }

}  // namespace

std::vector<Case> statics_cases() {
  return {{"B25", "ladder on a smooth and a rough wall, angle bracketed by 0.3°", {2, 3}, ladders},
          {"B26", "box on a slope tips or slides, angle bracketed by 0.1°", {2, 3}, tips_or_slides},
          {"B27", "pushed box slides or tips, height bracketed by 5 mm", {2, 3}, pushed_box},
          {"B28", "cylinder on two, friction bracketed by 2 %", {2, 3}, three_cylinders},
          {"B29", "sphere on three, friction bracketed by 2 %", {3}, four_balls}};
}

}  // namespace touchstone::conformance
