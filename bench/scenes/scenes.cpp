// Purpose: Fills the eight benchmark scenes. Same bodies in the same order, to the bit, on every machine.
// Source: the project's description of its benchmark scenes, repeated in docs/benchmarks.md.
// Letters: u draws of the generator in [-1, 1]; i, j, k places of a lattice along x, y, z.
// Deviations: none.
// Fails: throws for an unknown name.
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "scenes/generator.h"
#include "scenes/scene.h"

namespace touchstone::bench {
namespace {

constexpr std::uint64_t kJitterSeed = 12345, kHeapSeed = 777;
constexpr double kThickness = 1.0;  // of walls and panels [m]

Item box(const Vec3& half, const Vec3& position, const Quaternion& orientation = {1, 0, 0, 0}) {
  return {Form::kBox, half, {position, orientation}};
}

void add_ground(Scene& scene) {
  scene.statics.push_back(box({100, 100, 1}, {0, 0, -1}));
  scene.room.low = {-100, -100, 0};
  scene.room.high = {100, 100, std::numeric_limits<double>::infinity()};
}

// Four walls around a square of the given width.
void add_pit(Scene& scene, double width, double height) {
  const double inner = width / 2, middle = inner + kThickness / 2;
  for (const double side : {-1.0, 1.0})
    scene.statics.push_back(box({kThickness / 2, inner + kThickness, height / 2}, {side * middle, 0, height / 2}));
  for (const double side : {-1.0, 1.0})
    scene.statics.push_back(box({inner, kThickness / 2, height / 2}, {0, side * middle, height / 2}));
  for (const int axis : {0, 1})
    scene.room.low[static_cast<std::size_t>(axis)] = -inner, scene.room.high[static_cast<std::size_t>(axis)] = inner;
}

// Four panels at 45 degrees. The inner faces begin at the square opening and rise to the top; each panel is as wide as
// the funnel is there, so that its lower corners stick out behind its neighbours and never into the funnel.
void add_funnel(Scene& scene) {
  constexpr double kOpening = 3, kBottom = 10, kTop = 20;  // half width; heights [m]
  const double rise = kTop - kBottom, top = kOpening + rise, s = std::numbers::sqrt2 / 2;
  const double along = rise * std::numbers::sqrt2 / 2;  // half the length of a panel, up its slope
  const double out = kOpening + rise / 2 + s * kThickness / 2, up = kBottom + rise / 2 - s * kThickness / 2;
  const double c = std::cos(std::numbers::pi / 8), d = std::sin(std::numbers::pi / 8);
  for (const double side : {-1.0, 1.0})  // turned about y: the slope rises away from the middle
    scene.statics.push_back(box({along, top, kThickness / 2}, {side * out, 0, up}, {c, 0, -side * d, 0}));
  for (const double side : {-1.0, 1.0})  // turned about x
    scene.statics.push_back(box({top, along, kThickness / 2}, {0, side * out, up}, {c, side * d, 0, 0}));
}

struct Lattice {
  int nx = 10, ny = 10, nz = 10;
  double across = 1.1, upward = 1.1;  // spacings [m]
  double bottom = 5;                  // of the lowest bodies' lowest points, without jitter [m]
  double shift = 0.02;                // jitter of positions, per axis [m]
  double turn = 0.025;                // of the quaternion's vector part: half an angle [rad]
};

Quaternion normalised(const Quaternion& q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {q[0] / n, q[1] / n, q[2] / n, q[3] / n};
}

void add_lattice(Scene& scene, const Lattice& l, Form form = Form::kBox) {
  Generator draw(kJitterSeed);
  for (int k = 0; k < l.nz; ++k)
    for (int j = 0; j < l.ny; ++j)
      for (int i = 0; i < l.nx; ++i) {
        Item body;
        body.form = form;
        body.pose.position = {(i - 0.5 * (l.nx - 1)) * l.across, (j - 0.5 * (l.ny - 1)) * l.across,
                              l.bottom + body.half[2] + k * l.upward};
        for (double& x : body.pose.position) x += l.shift * draw.next();
        Quaternion q{1, 0, 0, 0};
        for (std::size_t axis = 1; axis < 4; ++axis) q[axis] = l.turn * draw.next();
        body.pose.orientation = normalised(q);
        scene.bodies.push_back(body);
      }
}

Scene pyramid() {
  constexpr int kBase = 30;
  constexpr double kSpacing = 1.05;
  Scene scene;
  add_ground(scene);
  for (int row = 0; row < kBase; ++row)
    for (int i = 0; i < kBase - row; ++i)
      scene.bodies.push_back(box({0.5, 0.5, 0.5}, {(i - 0.5 * (kBase - row - 1)) * kSpacing, 0, 0.5 + row}));
  scene.stands = true;
  return scene;
}

Scene towers() {
  Scene scene;
  scene.steps = 600;
  add_ground(scene);
  add_pit(scene, 14, 20);
  add_lattice(scene, {});
  return scene;
}

Scene heap() {
  constexpr int kBodies = 1000, kAcross = 7;
  constexpr double kSpacing = 1.8;
  Scene scene;
  scene.steps = 600;
  add_ground(scene);
  add_pit(scene, 14, 70);
  Generator draw(kHeapSeed);
  for (int n = 0; n < kBodies; ++n) {
    const int i = n % kAcross, j = n / kAcross % kAcross, k = n / (kAcross * kAcross);
    const double p = (1 + draw.next()) / 2, a = std::numbers::pi * draw.next(), b = std::numbers::pi * draw.next();
    const double r = std::sqrt(1 - p), s = std::sqrt(p);
    scene.bodies.push_back(box({0.5, 0.5, 0.5}, {(i - 3) * kSpacing, (j - 3) * kSpacing, 5.9 + k * kSpacing},
                               {r * std::sin(a), r * std::cos(a), s * std::sin(b), s * std::cos(b)}));
  }
  return scene;
}

Scene spheres() {
  Scene scene;
  scene.steps = 600;
  add_ground(scene);
  add_pit(scene, 20, 30);
  add_lattice(scene, {.nx = 16, .ny = 16, .nz = 16}, Form::kSphere);
  return scene;
}

Scene through_funnel(const Lattice& lattice) {
  Scene scene;
  scene.step = 0.001;
  scene.steps = 6000;
  scene.friction = 0.1;
  scene.restitution = 0.48;
  add_ground(scene);
  add_funnel(scene);
  add_lattice(scene, lattice);
  return scene;
}

Scene funnel() { return through_funnel({.bottom = 15}); }

Scene funnel_sparse() {
  return through_funnel(
      {.nx = 5, .ny = 5, .nz = 40, .across = 2.5, .upward = 5, .bottom = 14, .shift = 0.1, .turn = 0.25});
}

Scene stack() {
  Scene scene;
  scene.steps = 1200;
  add_ground(scene);
  for (int k = 0; k < 20; ++k) scene.bodies.push_back(box({0.5, 0.5, 0.5}, {0, 0, 0.5 + k}));
  scene.stands = true;
  return scene;
}

Scene large() {
  Scene scene;
  add_ground(scene);
  add_lattice(scene, {.nx = 20, .ny = 20, .nz = 25, .bottom = 1});
  return scene;
}

const std::vector<std::pair<std::string, std::function<Scene()>>>& makers() {
  static const std::vector<std::pair<std::string, std::function<Scene()>>> all{
      {"pyramid", pyramid}, {"towers", towers}, {"heap", heap},
      {"spheres", spheres}, {"funnel", funnel}, {"funnel_sparse", funnel_sparse},
      {"stack", stack},     {"large", large}};
  return all;
}

}  // namespace

double mass_of(const Item& body, double density) {
  const Vec3& h = body.half;
  if (body.form == Form::kDisk) return density * std::numbers::pi * h[0] * h[0];
  if (body.form == Form::kRectangle) return density * 4 * h[0] * h[2];
  if (body.form == Form::kSphere) return density * 4.0 / 3.0 * std::numbers::pi * h[0] * h[0] * h[0];
  return density * 8 * h[0] * h[1] * h[2];
}

double inertia_of(const Item& body, double density) {
  const double m = mass_of(body, density), h = body.half[0];
  if (body.form == Form::kDisk) return 0.5 * m * h * h;
  if (body.form == Form::kRectangle) return m * (h * h + body.half[2] * body.half[2]) / 3;
  return body.form == Form::kSphere ? 0.4 * m * h * h : m * (2 * h) * (2 * h) / 6;
}

double start_energy(const Scene& scene) {
  double sum = 0;
  for (const Item& b : scene.bodies)
    sum += 0.5 * mass_of(b, scene.density) *
           (b.velocity[0] * b.velocity[0] + b.velocity[1] * b.velocity[1] + b.velocity[2] * b.velocity[2]);
  return sum;
}

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, make] : makers()) list.push_back(name);
    return list;
  }();
  return names;
}

Scene make_scene(std::string_view name) {
  for (const auto& [known, make] : makers())
    if (known == name) {
      Scene scene = make();
      scene.name = known;
      return scene;
    }
  throw std::invalid_argument("there is no benchmark scene '" + std::string(name) + "'");
}

}  // namespace touchstone::bench
