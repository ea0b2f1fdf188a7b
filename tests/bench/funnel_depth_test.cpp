// What the funnels ask of `impulse` in steps of 1 ms: nothing is deeper than 0.1 mm at any time, as the yardstick
// measures it anew. Edges touch nearly parallel there, corners come round edges, and rows of six cubes jam in an
// opening of six metres.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/describe.h"
#include "touchstone/touchstone.h"

namespace touchstone::bench {
namespace {

constexpr double kDeepest = 1e-4;  // [m]

// The greatest depth of the steps after the first so many, up to the last [m].
double deepest(const char* name, int first, int last) {
  SceneDescription scene = describe(make_scene(name));
  scene.model.name = "impulse";
  Simulation sim(scene);
  double out = 0;
  for (int i = 0; i < last; ++i) {
    if (i == first) sim.set_yardstick(true);
    sim.step();
    if (i >= first) out = std::max(out, sim.report().measures.penetration.worst);
  }
  return out;
}

// Seven pairs of cubes overlap at the start; they are apart long before 0.4 s. What touches first in the heap that
// forms then was 0.37 mm deep while normals of edges at less than three degrees did not follow them.
TEST(Funnels, FirstImpactsStayAboveATenthOfAMillimetre) { EXPECT_LT(deepest("funnel", 400, 1000), kDeepest); }

// Moved by 13 mm, a row of cubes jams in the opening, and sweeps that did not come to an end threw it apart with 1 MJ.
TEST(Funnels, AJamMakesNoEnergy) {
  SceneDescription scene = describe(make_scene("funnel_sparse"));
  scene.model.name = "impulse";
  for (BodyDescription& body : scene.bodies)
    if (body.kind == BodyKind::kDynamic) body.placement.position.x() += 0.013;
  Simulation sim(scene);
  double before = sim.step().energy(), gained = 0;
  for (int i = 0; i < 4200; ++i) {
    const double energy = sim.step().energy();
    gained = std::max(gained, energy - before);
    before = energy;
  }
  EXPECT_LT(gained, 1e3);
}

TEST(LongFunnels, TheFullFunnelStaysAboveATenthOfAMillimetre) { EXPECT_LT(deepest("funnel", 400, 6000), kDeepest); }

TEST(LongFunnels, TheSparseFunnelStaysAboveATenthOfAMillimetre) {
  EXPECT_LT(deepest("funnel_sparse", 0, 6000), kDeepest);
}

}  // namespace
}  // namespace touchstone::bench
