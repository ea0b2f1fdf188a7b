#pragma once
// One physics engine filled with a benchmark scene, so that several can be run and judged alike.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "judge/judge.h"

namespace touchstone::bench {

struct EngineOptions {
  int substeps = 1;                            // steps of an engine within a frame (rivals only)
  int threads = 1;                             // Touchstone only: Debian builds the others for one thread
  std::string model;                           // Touchstone only; empty: its flagship, if there is one yet
  std::map<std::string, std::string> options;  // Touchstone only: of the model
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void frame() = 0;                         // measured: the scene's step
  virtual void read(std::vector<Motion>& out) = 0;  // the dynamic bodies, in the scene's order
  virtual long contacts() = 0;                      // points, in the engine's own count
};

// Throws std::exception with a reason if the engine cannot hold the scene.
using EngineMaker = std::unique_ptr<Engine> (*)(const Scene& scene, const EngineOptions& options);

std::unique_ptr<Engine> make_touchstone(const Scene& scene, const EngineOptions& options);
std::unique_ptr<Engine> make_bullet(const Scene& scene, const EngineOptions& options);
std::unique_ptr<Engine> make_ode(const Scene& scene, const EngineOptions& options);
std::unique_ptr<Engine> make_mujoco(const Scene& scene, const EngineOptions& options);

struct EngineEntry {
  std::string name;
  std::string package;  // Debian's, for the message if it is missing
  EngineMaker make;     // null: built without it
};
const std::vector<EngineEntry>& engines();

}  // namespace touchstone::bench
