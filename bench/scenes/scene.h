#pragma once
// The benchmark scenes as plain numbers, from which every engine is filled alike. z is up; lengths in m, SI throughout.
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::bench {

using Vec3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>;  // w, x, y, z; unit

struct Pose {
  Vec3 position{0, 0, 0};
  Quaternion orientation{1, 0, 0, 0};
};

// Rectangles and disks are of planar scenes: they lie in the plane of x and z, and the rest of `half` and of their pose
// says nothing.
enum class Form { kBox, kSphere, kRectangle, kDisk };

struct Item {
  Form form = Form::kBox;
  Vec3 half{0.5, 0.5, 0.5};  // half extents of a box; a sphere's radius, three times
  Pose pose;
  Vec3 velocity{0, 0, 0};  // at the start [m/s]
};

struct Bounds {
  Vec3 low{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
           -std::numeric_limits<double>::infinity()};
  Vec3 high{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
};

struct Scene {
  std::string name;
  std::vector<Item> bodies;   // dynamic: cubes or spheres, at rest at the start; of planar scenes rectangles or disks
  std::vector<Item> statics;  // boxes; the ground is the first
  Bounds room;                // a body whose centre is outside is lost
  double step = 1.0 / 60;     // of a frame [s]
  int steps = 300;
  double friction = 0.5, restitution = 0;
  double gravity = 9.81, density = 1000;  // density per area in planar scenes [kg/m²]
  bool stands = false;                    // built at rest: sag and drift mean something
  bool planar = false;
  bool conserves = false;  // nothing takes energy
};

// Its mass [kg], and its moment of inertia [kg·m²], which is the same about every axis (in planar scenes: of the
// plane's normal).
double mass_of(const Item& body, double density);
double inertia_of(const Item& body, double density);

const std::vector<std::string>& scene_names();
Scene make_scene(std::string_view name);  // throws std::invalid_argument for a name that is not among them

// Planar scenes.
const std::vector<std::string>& planar_scene_names();
Scene make_planar_scene(std::string_view name);  // as make_scene

// Kinetic energy at the start [J].
double start_energy(const Scene& scene);

}  // namespace touchstone::bench
