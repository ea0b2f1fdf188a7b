// A controller of one's own: a collector flies to the nearest lamp, switches it off by touching it, and goes to the
// next.
#include <touchstone/touchstone.h>

#include <cstdio>

namespace {

using namespace touchstone;

class Collector final : public Controller {
 public:
  explicit Collector(const ControllerSetup& setup) : thrust_(setup.number("thrust")), lamps_{{setup.text("tag")}} {}

  void act(ControllerContext& world) override {
    for (const ContactReport& touch : world.contacts(world.body())) {  // of the last step
      const BodyId other = touch.body_a == world.body() ? touch.body_b : touch.body_a;
      if (!world.has_tag(other, lamps_.tags.front())) continue;
      world.set_tag(other, lamps_.tags.front(), false);
      ++collected_;
    }
    const BodyState me = world.own();
    const auto seen = world.visible(lamps_);  // nearest first
    if (seen.empty()) return world.apply_force(world.body(), -2.0 * me.velocity);
    const Eigen::Vector3d way = (seen.front().position - me.center_of_mass).normalized();
    world.apply_force(world.body(), thrust_ * way - 2.0 * me.velocity);
  }

  // What later calls depend on. The same function saves and restores.
  void serialize(ControllerState& state) override { state(collected_); }

 private:
  double thrust_;
  Sight lamps_;
  std::int64_t collected_ = 0;
};

void make_known() {
  ControllerKind kind;
  kind.name = "collector";
  kind.help = "Flies to the nearest tagged body, takes the tag off by touching it, and goes to the next.";
  kind.parameters = {{"tag", ParameterType::kText, "", "Tag of the bodies that it wants.", "lamp"},
                     {"thrust", ParameterType::kNumber, "N", "Force towards them.", 1.0, 0.0, 100.0}};
  kind.make = [](const ControllerSetup& setup) { return std::make_unique<Collector>(setup); };
  register_controller(kind);
}

const char* kScene = R"(
touchstone = 1
dimension = 2
[simulation]
gravity = [0, 0]
step = 0.01

[[body]]
name = "ship"
mass = 1
shape = { kind = "circle", radius = 0.1 }

[[body]]
name = "lamp"
kind = "static"
tags = ["lamp"]
shape = { kind = "circle", radius = 0.05 }
scatter = { count = 5, from = [-3, -3], to = [3, 3], gap = 0.5 }

[[controller]]
kind = "collector"
body = "ship"
parameters = { thrust = 2 }
)";

int lamps_left(const Simulation& sim) {
  int left = 0;
  for (const BodyId body : sim.bodies()) left += sim.has_tag(body, "lamp");
  return left;
}

}  // namespace

int main() {
  make_known();
  const SceneDescription scene = parse_scene(kScene, "agent.toml");
  Simulation sim(scene);
  while (lamps_left(sim) > 2 && sim.time() < 60) sim.step();
  const std::vector<std::byte> snapshot = sim.snapshot();  // holds the controller's state, too
  while (lamps_left(sim) > 0 && sim.time() < 60) sim.step();
  std::printf("all lamps are off after %.2f s\n", sim.time());

  Simulation again(scene);
  again.restore(snapshot);
  while (again.step_count() < sim.step_count()) again.step();
  const bool same = again.state_hash() == sim.state_hash();
  std::printf("from the snapshot: %s\n", same ? "the same bits" : "another end");
  return lamps_left(sim) == 0 && same ? 0 : 1;
}
