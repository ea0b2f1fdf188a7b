#pragma once
// The sections of a pack (docs/viewer.md has their bytes). Each is encoded on its own from the kept frames.
#include <cstdint>
#include <string>
#include <vector>

#include "io/replay/event_finder.h"
#include "io/replay/frame_bytes.h"
#include "recording/frame.h"

namespace touchstone {

// A frame as far as packs need it.
struct PackFrame {
  std::uint64_t step = 0;
  double time = 0;
  std::uint32_t flags = 0, slots = 0, contacts_total = 0;
  std::vector<std::uint8_t> alive;
  std::vector<double> report;
  std::vector<float> velocities;        // as in a frame's bytes, or empty
  std::vector<double> poses;            // slots × x y z angle in 2D, x y z qw qx qy qz in 3D; or empty
  std::vector<ReplayContact> contacts;  // by key
  std::vector<ReplayEvent> events;
  std::vector<ReplayJoint> joints;
};

struct PackQuanta {
  double position = 1e-4, velocity = 1e-3, angular_velocity = 1.0 / 256;  // [m], [m/s], [rad/s]
  // Components of quaternions are counted in 1/kTurns. One of them, at least kLeastDropped, is left out and follows
  // from the others: the rotation is then right to kRotation [rad]; in 2D the angle is right to half of its quantum.
  static constexpr std::int32_t kTurns = 16384;
  static constexpr double kLeastDropped = 0.35;
  static constexpr double kRotation = 6.0 / kTurns;
  static constexpr double kAngle = 1.0 / 16384;
};
// Relative speeds below it are written as 0 [m/s]: the noise of contacts that stick does not compress.
constexpr float kLeastSpeed = 1e-6f;

std::string pack_times(const std::vector<PackFrame>& frames);
std::string pack_report(const std::vector<PackFrame>& frames);
std::string pack_alive(const std::vector<PackFrame>& frames, std::size_t slots);
std::string pack_positions(const std::vector<PackFrame>& frames, std::size_t slots, int dimension, const PackQuanta& q);
std::string pack_rotations(const std::vector<PackFrame>& frames, std::size_t slots, int dimension);
std::string pack_velocities(const std::vector<PackFrame>& frames, std::size_t slots, int dimension,
                            const PackQuanta& q);
std::string pack_events(const std::vector<PackFrame>& frames);
// "" if no frame has any.
std::string pack_joints(const std::vector<PackFrame>& frames);
// At most `most` contacts a frame.
std::string pack_contacts(const std::vector<PackFrame>& frames, std::size_t most, const PackQuanta& q);

// Which contacts stay: all if there are at most `most`, else those with the greatest impulse, natural map and
// penetration in turn. Indices, ascending.
std::vector<std::uint32_t> weightiest(const std::vector<ReplayContact>& contacts, std::size_t most);

}  // namespace touchstone
