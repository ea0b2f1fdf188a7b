#pragma once
// What a recording holds, in memory. Quaternions are w, x, y, z here and in every file; poses are of the body's
// frame, velocities of its centre of mass (docs/conventions.md).
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "touchstone/description.h"
#include "touchstone/simulation.h"

namespace touchstone {

// Numbers a body: pose x y θ or x y z qw qx qy qz; velocity vx vy ω or vx vy vz ωx ωy ωz.
constexpr int pose_width(int dimension) { return dimension == 2 ? 3 : 7; }
constexpr int velocity_width(int dimension) { return dimension == 2 ? 3 : 6; }

struct FrameContact {
  std::uint32_t body_a = 0, body_b = 0, shape_a = 0, shape_b = 0;  // slots, and indices among a body's shapes
  std::uint64_t key = 0;
  double point[3] = {}, normal[3] = {}, impulse[3] = {}, relative_velocity[3] = {};
  double gap = 0, static_friction = 0, dynamic_friction = 0, restitution = 0;
  double natural_map = 0;  // [m/s]; NaN: the yardstick was off, or the file is older than this number
  std::uint8_t sticking = 0;
};

// A joint at the end of the step, and what it did in it (JointReport).
struct FrameJoint {
  double coordinate = 0, coordinate_rate = 0;       // hinge [rad, rad/s]; slider, distance [m, m/s]; 0 for others
  double position_error = 0, angle_error = 0;       // [m], [rad]
  double point[3] = {};                             // [m]
  double impulse[3] = {}, angular_impulse[3] = {};  // on B over the step, motor included [N·s, N·m·s]
  // From here on not in files before format 4.
  double point_a[3] = {};                            // JointReport::point_a [m]
  std::uint32_t serial = 0;                          // which joint of the run it is
  std::uint32_t kind = 0;                            // JointKind
  std::uint32_t body_a = kNoBody, body_b = kNoBody;  // slots
  std::uint64_t broken = 0;                          // 1: it holds nothing any more

  static constexpr std::uint32_t kNoBody = 0xffffffff;  // the world
};

// One recorded step.
struct Frame {
  std::uint64_t step = 0;
  double time = 0;
  std::uint64_t hash = 0;
  std::uint64_t slots = 0;             // bodies, removed ones included
  std::vector<std::uint8_t> alive;     // a flag a slot
  std::vector<double> poses;           // slots × pose_width, or empty if not recorded
  std::vector<double> velocities;      // slots × velocity_width, or empty
  std::vector<FrameContact> contacts;  // empty if not recorded
  std::vector<FrameJoint> joints;      // in the order of the scene; empty in files that are older than this
  std::vector<double> report;          // one number per report_fields()
};

// Time and hash of a simulated step; kept for every step, recorded or not.
struct StepMark {
  std::uint64_t step = 0;
  double time = 0;
  std::uint64_t hash = 0;
};

// What is known before the first step.
struct RecordingInfo {
  std::string program_version, model, scene_name;
  std::string scene_text, scene_path;              // the file as it was read; empty if the scene was made by code
  std::map<std::string, std::string> scene_files;  // meshes that the scene refers to, by their name in it, as text
  std::vector<std::pair<std::string, std::string>> overrides;  // key, value: as given on the command line
  int dimension = 3;
  double step_size = 0, duration = 0;
  std::uint64_t seed = 0;
  RecordDescription record;
  bool natural_maps = true;              // whether contacts have their natural map; older files have not
  bool joints = true;                    // whether frames have their joints; older files have not
  bool joint_states = true;              // whether joints have what follows their impulses; older files have not
  std::vector<std::string> body_names;   // by slot, as of the start
  std::vector<std::string> joint_names;  // by place, as of the start
};

// Reads the state of a simulation into a frame, re-using its memory. The measures of the yardstick are those of all
// steps since Simulation::forget_measures().
void capture_frame(const Simulation& simulation, const RecordDescription& what, Frame& frame);

}  // namespace touchstone
