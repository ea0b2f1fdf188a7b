#pragma once
// A simulation that can be gone back in and changed on the way, every state of which can be had again bit by bit.
// Snapshots are kept within a bound of memory; what lies between them is simulated again, with everything that a person
// did since then. Used from one thread at a time.
#include <Eigen/Core>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "touchstone/simulation.h"

namespace touchstone::viewer {

// A spring between a point of a body and a place in the world.
struct Drag {
  std::uint32_t body = 0;                            // slot
  Eigen::Vector3d local = Eigen::Vector3d::Zero();   // in the body's frame [m]
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  // in the world [m]
};

// The force of the spring now, and where it acts. Along every direction the point moves as a critically damped
// oscillator.
struct DragForce {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), point = Eigen::Vector3d::Zero();
};
DragForce drag_force(const Simulation& simulation, BodyId body, const Drag& drag);

struct TimelineOptions {
  std::size_t history_bytes = std::size_t{256} << 20;  // of snapshots
  std::uint64_t snapshot_every = 0;                    // steps; 0: as often as costs a fortieth of the time
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;  // interrupts a step (Simulation::set_stop)
};

class Timeline {
 public:
  // Throws Error as Simulation does.
  Timeline(SceneDescription scene, const TimelineOptions& options);

  const Simulation& simulation() const { return simulation_; }
  // With the model, step and materials of now.
  const SceneDescription& scene() const { return scene_; }
  const std::vector<MaterialDescription>& materials() const { return scene_.materials; }
  std::uint64_t head() const { return head_; }  // the furthest step that was reached
  // Whether a person had a hand in the state: it is not what the scene alone, with the options of now, leads to.
  bool edited() const;
  bool dragging() const { return drag_.has_value(); }
  std::size_t history_size() const { return snapshots_.size(); }
  std::size_t history_bytes() const { return bytes_; }

  // One step on. Where it has been before, what was done there is done again. Throws Error as Simulation does; the
  // state is then that before the step.
  void step();
  // To the snapshot from which `step` is fewest steps away, or stays where it is if nothing is nearer.
  void approach(std::uint64_t step);
  void restart();

  // Each forgets what lay ahead. All throw Error, and change nothing then.
  void set_model(const std::string& name);  // begins anew
  void set_step_size(double h);
  void set_material(const std::string& name, std::optional<double> static_friction,
                    std::optional<double> dynamic_friction, std::optional<double> restitution);
  void drag(const Drag& drag);
  void release();

 private:
  // What may be changed on the way.
  struct Rules {
    double step = 0;
    std::vector<MaterialDescription> materials;
  };
  // Done before the step from `step` to the next one; no drag: released.
  struct Input {
    std::uint64_t step = 0;
    std::variant<std::optional<Drag>, Rules> what;
  };
  struct Snapshot {
    std::uint64_t step = 0;
    std::vector<std::byte> bytes;  // of the state before the inputs of that step
  };

  Simulation made(const SceneDescription& scene) const;
  SceneDescription scene_with(const Rules& rules) const;
  const Rules& rules_before(std::size_t input) const;
  void change(const Rules& rules);
  void advance();
  void apply(const Input& input);
  void adopt_rules(const Rules& rules);
  void record(Input input);
  void begin(SceneDescription scene);
  void keep_snapshot();
  void thin_out();
  BodyId body_in(std::uint32_t slot) const;

  TimelineOptions options_;
  SceneDescription scene_;
  Options scene_model_options_;
  std::string scene_model_;
  Simulation simulation_;
  Rules start_rules_;
  std::vector<Input> inputs_;  // by step
  std::size_t next_input_ = 0;
  std::optional<Drag> drag_;
  std::uint64_t head_ = 0;
  std::vector<Snapshot> snapshots_;  // by step; the first is the start
  std::size_t bytes_ = 0;
  double since_snapshot_ = 0, snapshot_cost_ = 0;  // s
};

}  // namespace touchstone::viewer
