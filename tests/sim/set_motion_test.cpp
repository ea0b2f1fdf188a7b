// A kinematic body that is given another motion starts anew: what its contacts carried belongs to the old one.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"
#include "touchstone/simulation.h"

namespace touchstone::testing {
namespace {

TEST(Kinematic, AnotherMotionForgetsTheContacts) {
  for (const char* model : {"impulse", "ncp", "penalty"}) {
    SceneDescription scene = empty_scene(3, 2e-3);
    scene.model.name = model;
    BodyDescription plate = body("plate", box(2, 2, 0.2), {0, 0, -0.1});
    plate.kind = BodyKind::kKinematic;
    scene.bodies = {plate, body("cube", box(0.2, 0.2, 0.2), {0, 0, 0.1}), fixed("floor", half_space({0, 0, 1})),
                    body("other", box(0.2, 0.2, 0.2), {5, 0, 0.1})};
    Simulation sim(scene);
    for (int i = 0; i < 100; ++i) sim.step();
    const auto touches = [&](const char* name) {
      const BodyId id = sim.find_body(name);
      std::size_t count = 0;
      for (std::size_t i = 0; i < sim.contact_count(); ++i)
        count += sim.contact(i).body_a == id || sim.contact(i).body_b == id ? 1u : 0u;
      return count;
    };
    ASSERT_GT(touches("plate"), 0u) << model;
    const std::size_t others = touches("other");
    ASSERT_GT(others, 0u) << model;
    sim.set_motion(sim.find_body("plate"), [](double) {  // a metre lower, at once
      BodyState s;
      s.placement.position = {0, 0, -1.1};
      return s;
    });
    EXPECT_EQ(touches("plate"), 0u) << model;
    EXPECT_EQ(touches("other"), others) << model;
    sim.step();
    EXPECT_EQ(touches("plate"), 0u) << model;
  }
}

}  // namespace
}  // namespace touchstone::testing
