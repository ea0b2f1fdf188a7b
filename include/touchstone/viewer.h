#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "touchstone/simulation.h"

namespace touchstone {

struct ServeOptions {
  std::string address = "127.0.0.1";  ///< in digits; the default is for this machine only
  std::uint16_t port = 0;             ///< 0: a free one
  bool obey_pause = true;             ///< whether update() waits while somebody has paused the run in the browser
};

/// The viewer of a simulation that a program runs. Whoever opens url() in a browser sees it live; the page can pause it
/// and step on, everything else is up to the program.
///
///     Viewer viewer = serve(simulation, scene);
///     std::puts(viewer.url().c_str());
///     while (simulation.time() < 10) simulation.step(), viewer.update();
class Viewer {
 public:
  ~Viewer();
  Viewer(Viewer&&) noexcept;
  Viewer& operator=(Viewer&&) noexcept;

  /// To be called after every step, and after changes between steps, by the thread that uses the simulation. Costs
  /// nothing while nobody watches. Waits while the run is paused, unless the options say otherwise.
  void update();
  /// Ends a wait in update() and lets it wait no more; any thread may call it.
  void release();
  const std::string& url() const;  ///< with a secret: whoever has it may look and pause
  std::uint16_t port() const;
  std::size_t viewers() const;  ///< pages that are open now

 private:
  friend Viewer serve(Simulation&, const SceneDescription&, const ServeOptions&);
  struct Impl;
  explicit Viewer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Serves a simulation from here on. The simulation must outlive the viewer. scene: what the simulation was made from;
/// its name, springs and joints are drawn. Throws Error (kBadInput) for an address or a port that cannot be used,
/// (kUnsupported) if this build has no viewer page.
Viewer serve(Simulation& simulation, const SceneDescription& scene, const ServeOptions& options = {});
/// The same without a scene: bodies and contacts are shown.
Viewer serve(Simulation& simulation, const ServeOptions& options = {});

}  // namespace touchstone
