// A scene made by code, recorded to a file, and measured by the yardstick: as `touchstone run` and `touchstone verify`.
#include <touchstone/touchstone.h>

#include <cstdio>
#include <filesystem>

int main() {
  using namespace touchstone;
  SceneDescription scene;
  BodyDescription floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  floor.shapes = {ShapeDescription::half_space({0, 0, 1})};
  scene.bodies = {floor};
  for (int i = 0; i < 3; ++i) {
    BodyDescription box;
    box.name = "box " + std::to_string(i + 1);
    box.shapes = {ShapeDescription::box(0.2, 0.2, 0.2)};
    box.placement.position = {0, 0, 0.1 + 0.21 * i};
    scene.bodies.push_back(box);
  }

  Simulation sim(scene);
  const std::string path = (std::filesystem::temp_directory_path() / "touchstone_example.h5").string();
  Recorder recorder(path, sim);
  while (sim.time() < 0.5) sim.step(), recorder.record();
  recorder.finish();

  const VerifyReport report = verify(path);
  std::printf("%zu of %zu steps measured\n", report.measured_steps, report.steps);
  for (const VerifiedMeasure& m : report.measures)
    std::printf("%-24s %10.3g %s\n", m.name.c_str(), m.worst, m.unit.c_str());
  std::filesystem::remove(path);
  const double height = sim.state(sim.find_body("box 3")).center_of_mass.z();
  std::printf("the third box rests at %.4f m\n", height);
  return report.of("penetration").worst < 1e-3 && std::abs(height - 0.5) < 1e-3 ? 0 : 1;
}
