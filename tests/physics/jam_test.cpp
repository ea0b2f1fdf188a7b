// A box in a slot that is too narrow for it: nothing can be put right, and no model may make it worse.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

struct Case {
  std::string name, model;
  Options options;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

// Models that hold contact by collisions creep along it, by up to so much in a second (their pages say so).
double creep_of(const std::string& model) {
  return model == "guendelman" || model == "hahn" || model == "mirtich" ? 0.02 : 0.0;
}

std::vector<Case> models_with_contacts() {
  std::vector<Case> cases;
  for (const ModelInfo& model : registered_models())
    if (model.capabilities.contacts) cases.push_back({model.name, model.name, {}});
  cases.push_back({"ncp_by_sweeps", "ncp", {{"solver", std::string("nsgs")}}});
  cases.push_back({"lcp_acceleration", "lcp", {{"level", std::string("acceleration")}}});
  cases.push_back({"lcp_ode", "lcp", {{"level", std::string("acceleration")}, {"regularisation", 1e-8}}});
  return cases;
}

class JamUnder : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Model, JamUnder, ::testing::ValuesIn(models_with_contacts()),
                         [](const auto& i) { return i.param.name; });

TEST_P(JamUnder, StaysWhereItIs) {
  for (const int d : {2, 3}) {
    for (const double tight : {1e-4, 1e-3}) {
      SceneDescription scene = empty_scene(d, 5e-3);
      scene.model.name = GetParam().model;
      scene.model.options = GetParam().options;
      scene.materials = {material(0.5)};
      scene.bodies = {fixed("floor", half_space(up(d))), fixed("ceiling", half_space(-up(d)), (0.2 - tight) * up(d)),
                      body("box", plate(d, 0.2, 0.2, 0.2), 0.1 * up(d))};
      Simulation sim(scene);
      const Eigen::Vector3d start = sim.state(sim.find_body("box")).center_of_mass;
      for (int i = 0; i < 200; ++i) sim.step();
      const BodyState s = sim.state(sim.find_body("box"));
      const double creep = creep_of(GetParam().model);
      const Eigen::Vector3d moved = s.center_of_mass - start;
      EXPECT_LT(std::abs(moved.dot(up(d))), 2 * tight) << d << "D, " << tight;
      EXPECT_LT(moved.norm(), 2 * tight + creep) << d << "D, " << tight;
      EXPECT_LT(std::abs(turn_of(d, s)), 5 * tight / 0.2) << d << "D, " << tight;
      EXPECT_LT(s.velocity.norm(), creep > 0 ? 0.1 : 0.02) << d << "D, " << tight;
    }
  }
}

}  // namespace
}  // namespace touchstone::testing
