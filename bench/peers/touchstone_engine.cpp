// Touchstone through its public face. Model options come as words and get the type that the model declares.
#include <algorithm>
#include <cmath>

#include "models/registry.h"
#include "peers/engine.h"
#include "scenes/describe.h"
#include "touchstone/simulation.h"

namespace touchstone::bench {
namespace {

std::string default_model() {
  const auto& models = registered_models();
  const bool impulse =
      std::any_of(models.begin(), models.end(), [](const ModelInfo& m) { return m.name == "impulse"; });
  return impulse ? "impulse" : "penalty";
}

// true, false, an integer, a number, or else a word.
OptionValue option_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  std::size_t used = 0;
  try {
    const long long integer = std::stoll(text, &used);
    if (used == text.size()) return static_cast<std::int64_t>(integer);
    const double number = std::stod(text, &used);
    if (used == text.size()) return number;
  } catch (const std::exception&) {  // not a number
  }
  return text;
}

class TouchstoneEngine : public Engine {
 public:
  explicit TouchstoneEngine(const SceneDescription& scene, std::size_t count, int threads)
      : simulation_(scene), planar_(scene.dimension == 2) {
    simulation_.set_threads(threads);
    const std::vector<BodyId> all = simulation_.bodies();
    bodies_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  }
  void frame() override { simulation_.step(); }
  void read(std::vector<Motion>& out) override {
    out.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyState s = simulation_.state(bodies_[i]);
      const Eigen::Quaterniond& q = s.placement.orientation;
      out[i].pose.position = vector(s.placement.position);
      out[i].pose.orientation = {q.w(), q.x(), q.y(), q.z()};
      out[i].velocity = vector(s.velocity);
      out[i].angular_velocity = vector(s.angular_velocity);
      if (!planar_) continue;
      Motion& m = out[i];  // the world's y is the scene's z
      m.pose.position = {m.pose.position[0], 0, m.pose.position[1]};
      m.pose.orientation = {std::cos(0.5 * s.placement.angle), 0, -std::sin(0.5 * s.placement.angle), 0};
      m.velocity = {m.velocity[0], 0, m.velocity[1]};
      m.angular_velocity = {0, -m.angular_velocity[2], 0};
    }
  }
  long contacts() override { return static_cast<long>(simulation_.contact_count()); }

 private:
  static Vec3 vector(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

  Simulation simulation_;
  bool planar_;
  std::vector<BodyId> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_touchstone(const Scene& scene, const EngineOptions& options) {
  SceneDescription description = describe(scene);
  description.model.name = options.model.empty() ? default_model() : options.model;
  for (const auto& [name, text] : options.options) description.model.options[name] = option_value(text);
  return std::make_unique<TouchstoneEngine>(description, scene.bodies.size(), options.threads);
}

}  // namespace touchstone::bench
