#pragma once
// What happened between two frames that follow each other: impacts, contacts made and lost, stick and slip, solver
// warnings.
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "io/replay/world.h"
#include "recording/frame.h"

namespace touchstone {

enum class ReplayEventKind : std::uint32_t {
  kImpact = 0,   // value: speed of approach [m/s]
  kSlip = 1,     // a contact point that stuck slides
  kStick = 2,    // one that slid sticks
  kMade = 3,     // two shapes begin to touch
  kLost = 4,     // they end it
  kWarning = 5,  // not converged; no bodies; value: iterations
  kEdit = 6      // a person has changed something (live)
};

// As it stands in a frame's bytes.
struct ReplayEvent {
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  ReplayEventKind kind = ReplayEventKind::kImpact;
  std::uint32_t a = kNobody, b = kNobody;  // slots
  std::uint32_t key_low = 0, key_high = 0;
  std::uint32_t zero = 0;
  double value = 0;
};
static_assert(sizeof(ReplayEvent) == 32);

class EventFinder {
 public:
  explicit EventFinder(const ReplayWorld& world);

  // The events since the frame given before, ordered by kind, then by key; valid until the next call. The first frame
  // has none. Impacts need poses and velocities; without contacts there are warnings only.
  std::span<const ReplayEvent> find(const Frame& now);
  // A flag for each contact of that frame: its pair was in an impact.
  std::span<const std::uint8_t> impacts() const { return impact_; }
  // The next frame is a first one again (the run was restarted).
  void reset();

 private:
  // A contact point, ordered by key; the pair of shapes is the key without the feature.
  struct Point {
    std::uint64_t key = 0;
    std::uint32_t a = 0, b = 0;
    std::uint32_t index = 0;  // in its frame
    std::uint8_t sticking = 0;
    std::uint64_t pair() const { return key >> 16; }
  };
  void gather(const Frame& now);
  void compare_pairs(const Frame& now);
  void compare_points();
  void find_impact(const Frame& now, std::size_t first, std::size_t last, bool touched_before);
  double approach(const Frame& now, const FrameContact& contact, double& motion) const;
  void add(ReplayEventKind kind, const Point& point, std::uint64_t key, double value);

  int dimension_;
  double gravity_;
  std::vector<Eigen::Vector3d> centers_;
  bool started_ = false;
  double time_ = 0, elapsed_ = 0;                   // of the frame before; since then
  std::vector<Point> now_, before_;                 // by key
  std::vector<std::uint64_t> struck_, was_struck_;  // pairs in an impact, ascending
  Frame last_;                                      // of the frame before: slots, alive and velocities
  std::vector<ReplayEvent> events_;
  std::vector<std::uint8_t> impact_;
};

}  // namespace touchstone
