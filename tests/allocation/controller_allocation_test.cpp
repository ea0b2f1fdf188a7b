// A steady step with controllers allocates nothing: senses fill lists that are kept, and the state is saved into a
// buffer that is kept.
#include <gtest/gtest.h>

#include "allocation/counter.h"
#include "touchstone/touchstone.h"

namespace touchstone::testing {
namespace {

// The robots have brought their cans home and wait at their starts, looking out for others.
TEST(ControllerAllocation, ASteadyStepAllocatesNothing) {
  Simulation sim(load_scene(TOUCHSTONE_SOURCE_DIR "/scenes/papers/thompson2003/robots.toml"));
  for (int i = 0; i < 4500; ++i) sim.step();
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
}

// On the way to a can, with contacts to sense: the can is pushed along.
TEST(ControllerAllocation, NorDoSensingAndForces) {
  ControllerKind kind;
  kind.name = "pusher";
  kind.needs_body = true;
  kind.make = [](const ControllerSetup&) {
    class Pusher final : public Controller {
     public:
      void act(ControllerContext& world) override {
        touches_ += static_cast<std::int64_t>(world.contacts(world.body()).size());
        for (const Sighting& seen : world.visible(all_)) world.apply_force(world.body(), 0.01 * (seen.position));
        world.apply_torque(world.body(), {0, 0, 0.01 * world.random()});
      }
      void serialize(ControllerState& state) override { state(touches_); }
      std::int64_t touches_ = 0;
      Sight all_;
    };
    return std::make_unique<Pusher>();
  };
  register_controller(kind);
  Simulation sim(parse_scene(R"(touchstone = 1
dimension = 2
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "box"
position = [0, 0.1]
shape = { kind = "box", size = [0.2, 0.2] }
repeat = { count = [5, 1], spacing = [0.5, 1] }
[[controller]]
each = "box"
body = "box"
kind = "pusher"
)",
                             "s"));
  for (int i = 0; i < 300; ++i) sim.step();
  ASSERT_GE(sim.report().contacts, 5);
  const CountAllocations allocations;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(allocations.count(), 0);
}

}  // namespace
}  // namespace touchstone::testing
