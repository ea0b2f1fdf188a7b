// A force by callback: a planet on its orbit, with the energy balance as the judge of the integrator.
#include <touchstone/touchstone.h>
#include <cmath>
#include <cstdio>

int main() {
  using namespace touchstone;
  SceneDescription scene;
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.model.name = "free";
  scene.integrator = Integrator::kRk4;
  scene.step = 0.01;
  BodyDescription planet;
  planet.name = "planet";
  planet.mass = 1;
  planet.inertia = Eigen::Matrix3d::Identity();
  planet.placement.position = {1, 0, 0};
  planet.velocity = {0, 1, 0};
  scene.bodies = {planet};

  Simulation sim(scene);
  const BodyId id = sim.find_body("planet");
  sim.set_force_callback([id](ForceContext& context) {
    const Eigen::Vector3d r = context.state(id).center_of_mass;
    context.add_force(id, -r / std::pow(r.norm(), 3));
  });
  for (int i = 0; i < 628; ++i) sim.step();  // one revolution of 2π s
  const BodyState s = sim.state(id);
  std::printf("after one revolution: (%.5f, %.5f) m, energy balance %.2e J\n", s.center_of_mass.x(),
              s.center_of_mass.y(), sim.report().energy_balance);
  return std::abs(s.center_of_mass.norm() - 1) < 1e-6 && std::abs(sim.report().energy_balance) < 1e-8 ? 0 : 1;
}
