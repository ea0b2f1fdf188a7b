#pragma once
// A run in few bytes: what an HTML file holds of it. The manifest and the sections of pack_parts.h as one zlib stream;
// docs/viewer.md describes every byte, web/src/data/pack.ts reads it.
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/replay/manifest.h"
#include "io/replay/pack_parts.h"

namespace touchstone {

struct PackOptions {
  double frames_per_second = 30;
  bool joints_known = true;           // whether frames tell what became of their joints; those of older files do not
  std::size_t max_bytes = 9'000'000;  // of the run as base64 text
};

struct PackedRun {
  std::string bytes;                     // zlib stream
  ReplayJson manifest;                   // as it stands in the stream
  std::string rule;                      // what was left out, as sentences; also the manifest's "decimation"
  std::size_t frames = 0, contacts = 0;  // that were kept
  std::size_t contacts_total = 0;        // of the kept frames, before any was left out
};

// Takes the frames of a run in their order, from a file or a running world, and keeps what the pack needs. All frames
// count: events between the kept ones go to the next kept one, and so do the yardstick's worst values.
class RunPacker {
 public:
  RunPacker(ReplayJson manifest, const ReplayWorld& world, const PackOptions& options);
  void add(const Frame& frame);
  // Leaves out as little as the bound asks for. Throws Error (kBadInput) if it cannot be met.
  PackedRun finish(bool complete = true, const std::string& truncated = "");

 private:
  struct Plan {
    std::size_t stride = 1;  // of the frames at the wanted rate, every so many stay
    std::size_t most_contacts = 0;
    bool velocities = true;
  };
  struct Sections {
    std::string motion, velocities;
    std::size_t motion_size = 0, velocities_size = 0;  // compressed
  };
  void keep(const Frame& frame);
  void thin();
  Sections sections() const;
  std::vector<Plan> plans(std::size_t stride) const;
  std::optional<PackedRun> attempt(const Plan& plan, const Sections& sections) const;
  std::string rule(const Plan& plan) const;
  ReplayJson manifest_for(const Plan& plan) const;

  ReplayJson manifest_;
  PackOptions options_;
  int dimension_;
  bool has_poses_, has_velocities_, has_contacts_;
  PackQuanta quanta_;
  EventFinder finder_;
  std::size_t scene_joints_;
  bool joints_known_;
  std::vector<PackFrame> frames_;
  PackFrame waiting_;  // events and report gathered since the last kept frame
  std::size_t seen_ = 0, slots_ = 0;
  std::size_t most_seen_contacts_ = 0;
  double next_ = 0;  // time from which on a frame is kept
  Frame last_;       // the last frame seen, if it was not kept
  bool last_kept_ = true, events_lost_ = false;
};

PackedRun pack_recording(const Recording& recording, const PackOptions& options,
                         const std::function<void(double)>& progress = {});

// The fineness of positions that suits bodies of these sizes.
PackQuanta quanta_for(const ReplayWorld& world);

}  // namespace touchstone
