#include "study/statics/stable_page.h"

#include <limits>

#include "io/replay/html.h"
#include "io/replay/manifest.h"

namespace touchstone::statics {
namespace {

Eigen::Quaterniond rotation_of(const Placement& p, int dimension) {
  if (dimension == 2) return Eigen::Quaterniond(Eigen::AngleAxisd(p.angle, Eigen::Vector3d::UnitZ()));
  return p.orientation.normalized();
}

ReplayWorld world_at_rest(const SceneDescription& scene, const Structure& s) {
  ReplayWorld world;
  world.scene = scene;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const Body& b = s.bodies[i];
    const Placement& p = scene.bodies[i].placement;
    const Eigen::Matrix3d R = rotation_of(p, scene.dimension).toRotationMatrix();
    world.scene.bodies[i].name = b.name;
    world.masses.push_back(b.held ? std::numeric_limits<double>::infinity() : b.mass);
    world.centers.push_back(R.transpose() * (b.center - p.position));
    world.inertias.push_back(R.transpose() * b.inertia * R);
  }
  return world;
}

// x y z qw qx qy qz, as in frames.
ReplayJson poses_of(const SceneDescription& scene) {
  ReplayJson out = ReplayJson::array();
  for (const BodyDescription& b : scene.bodies) {
    const Eigen::Vector3d x = b.placement.position;
    const Eigen::Quaterniond q = rotation_of(b.placement, scene.dimension);
    out.push_back({x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()});
  }
  return out;
}

}  // namespace

std::string stable_page(const SceneDescription& scene, const StableReport& report, std::string_view page) {
  const ReplayJson statics{{"manifest", replay_manifest(world_at_rest(scene, report.detected.structure))},
                           {"poses", poses_of(scene)},
                           {"result", stable_json(report)}};
  return page_with(page, page_block("statics", report.name, 0, nullptr, statics));
}

}  // namespace touchstone::statics
