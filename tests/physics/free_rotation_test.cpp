// A body that tumbles without any force, under every model: it turns over at the right times (B46, B47) and keeps its
// energy and angular momentum.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "physics/scene_builders.h"
#include "physics/turning_over.h"

namespace touchstone::testing {
namespace {

std::vector<std::string> all_models() {
  std::vector<std::string> names;
  for (const ModelInfo& model : registered_models()) names.push_back(model.name);
  names.emplace_back("impulse:accurate");
  names.emplace_back("lcp:acceleration");
  return names;
}

class FreeRotationUnder : public ::testing::TestWithParam<std::string> {
 protected:
  SceneDescription tumbling(const Eigen::Vector3d& omega, double h) const {
    SceneDescription scene = empty_scene(3, h);
    scene.gravity.setZero();
    const std::string name = GetParam();
    scene.model.name = name.substr(0, name.find(':'));
    if (name == "impulse:accurate") scene.model.options["preset"] = "accurate";
    if (name == "lcp:acceleration") scene.model.options["level"] = "acceleration";
    BodyDescription b = body("body", sphere(0.1));
    b.mass = 1;
    b.inertia = Eigen::Vector3d(1, 2, 3).asDiagonal();
    b.angular_velocity = omega;
    scene.bodies = {b};
    return scene;
  }
};
INSTANTIATE_TEST_SUITE_P(Model, FreeRotationUnder, ::testing::ValuesIn(all_models()), [](const auto& i) {
  std::string name = i.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
});

// The references have six decimals; the issue of accuracy is the integrator's: 0.01 % of the period.
TEST_P(FreeRotationUnder, B46TurnsOverAtTheRightTimes) {
  Simulation sim(tumbling({0.01, 5, 0.01}, 1e-3));
  const std::vector<double> zeros = zeros_of_second(sim, 13);
  ASSERT_EQ(zeros.size(), 3u);
  check("first_s", zeros[0], 2.741068, 1e-5);
  check("period_s", zeros[2] - zeros[0], 10.051858, 1e-5);
}

TEST_P(FreeRotationUnder, B47TurnsOverAtTheRightTimes) {
  Simulation sim(tumbling({0.1, 1, 0}, 1e-3));
  const std::vector<double> zeros = zeros_of_second(sim, 20);
  ASSERT_EQ(zeros.size(), 2u);
  check("first_s", zeros[0], 6.377744, 1e-5);
  check("second_s", zeros[1], 19.133233, 1e-5);
}

TEST_P(FreeRotationUnder, KeepsEnergyAndMomentumForAMinute) {
  for (const double h : {1e-3, 1e-2}) {
    Simulation sim(tumbling({0.01, 5, 0.01}, h));
    const double energy = sim.report().kinetic_energy;
    const Eigen::Vector3d momentum = sim.report().angular_momentum;
    double most = 0;
    while (sim.time() < 60) most = std::max(most, std::abs(sim.step().kinetic_energy - energy));
    EXPECT_LT(most, 1e-8 * energy) << "h = " << h;
    EXPECT_LT((sim.report().angular_momentum - momentum).norm(), 1e-10 * momentum.norm()) << "h = " << h;
  }
}

}  // namespace
}  // namespace touchstone::testing
