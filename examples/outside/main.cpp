#include <touchstone/touchstone.h>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    touchstone::Simulation sim(touchstone::load_scene(argv[1]));
    while (sim.time() < 0.2) sim.step();
    const touchstone::BodyState s = sim.state(sim.bodies().back());
    std::printf("%s: t = %.3f s, last body at z = %.4f m\n", argv[1], sim.time(), s.center_of_mass.z());
  } catch (const touchstone::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
