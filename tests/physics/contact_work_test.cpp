// What contacts do is counted as work along the mean of the velocities before and after a step. What rests takes none,
// whatever pushes it, so that the energy balance does not drift; what slides takes μ·N times the way.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

struct Case {
  int dimension;
  const char *model, *preset;
};
class ContactWork : public ::testing::TestWithParam<Case> {
 protected:
  const int d = GetParam().dimension;
  // A block of 40 kg on a level floor, pushed to the right by a steady force.
  SceneDescription pushed_block(double friction, double force) const {
    SceneDescription scene = impulse_floor(d, material(friction), 1.0 / 60);
    scene.model.name = GetParam().model;
    scene.model.options.clear();
    if (*GetParam().preset) scene.model.options["preset"] = GetParam().preset;
    scene.bodies.push_back(body("block", plate(d, 0.4, 0.2, 0.5), 0.1 * up(d)));
    scene.bodies.back().mass = 40;
    SteadyForceDescription push;
    push.body = "block";
    push.force = {force, 0, 0};
    scene.forces = {push};
    return scene;
  }
};
INSTANTIATE_TEST_SUITE_P(Model, ContactWork,
                         ::testing::Values(Case{2, "impulse", "default"}, Case{3, "impulse", "default"},
                                           Case{2, "impulse", "accurate"}, Case{3, "impulse", "accurate"},
                                           Case{2, "ncp", ""}, Case{3, "ncp", ""}, Case{2, "convex", ""},
                                           Case{3, "convex", ""}),
                         [](const auto& i) {
                           return std::to_string(i.param.dimension) + "D_" + i.param.model + i.param.preset;
                         });

TEST_P(ContactWork, OfWhatRestsIsNothing) {
  Simulation sim(pushed_block(0.5, 100));  // 196 N would hold it
  run(sim, 10);
  // Counted along the velocity that forces alone would lead to, it were ½·m·(g·h)² = 0.5 J a step, 320 J in all.
  check("balance_J", sim.report().energy_balance, 0, 1e-4);
  check("contact_work_J", sim.report().contact_work, 0, 1e-4);
  check("external_work_J", sim.report().external_work, 0, 1e-4);
}

TEST_P(ContactWork, OfWhatSlidesIsThatOfFriction) {
  Simulation sim(pushed_block(0.25, 200));
  run(sim, 2);
  const BodyState block = sim.state(sim.find_body("block"));
  const double way = block.placement.position.x(), normal = 40 * kGravity;
  check_relative("friction_work", sim.report().contact_work, -0.25 * normal * way, 0.01);
  check_relative("external_work", sim.report().external_work, 200 * way, 0.01);
}

}  // namespace
}  // namespace touchstone::testing
