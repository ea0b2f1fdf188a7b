#include "programs/walls.h"

#include <cmath>

#include "programs/processor_time.h"
#include "study/statics/buildings.h"
#include "study/statics/stable.h"

namespace touchstone::bench {

WallRow judge_wall(int dimension, double friction, std::size_t bricks) {
  statics::WallOptions wall;
  wall.rows = wall.columns = static_cast<int>(std::lround(std::sqrt(static_cast<double>(bricks))));
  wall.dimension = dimension, wall.friction = friction;
  const SceneDescription scene = statics::wall_scene(wall);
  WallRow out;
  out.dimension = dimension, out.friction = friction, out.bricks = scene.bodies.size() - 1;
  double start = processor_time();
  const statics::Detected detected = statics::structure_of(scene, {});
  out.detection = processor_time() - start;
  out.contacts = detected.structure.contacts.size();
  start = processor_time();
  const statics::Scaled scaled = statics::nondimensional(detected.structure);
  const statics::Equations equations = statics::equations_of(scaled.structure);
  out.equations = processor_time() - start;
  start = processor_time();
  const statics::StableReport report = statics::judge(scene, {});
  out.total = processor_time() - start;
  out.verdict = statics::verdict_title(report.assessment.verdict);
  if (report.assessment.marginal) out.verdict += ", marginal";
  return out;
}

double exponent_of(const std::vector<WallRow>& rows) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(rows.size());
  for (const WallRow& r : rows) {
    const double lx = std::log(static_cast<double>(r.bricks)), ly = std::log(r.total);
    x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace touchstone::bench
