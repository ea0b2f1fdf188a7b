#pragma once
// A scene that was judged, run by the simulator's model ncp.
#include <algorithm>
#include <string>

#include "statics/structures.h"
#include "touchstone/simulation.h"

namespace touchstone::statics::testing {

// How far bodies have moved, in the order of the freedoms: centres of mass [m], then turns [rad].
inline Eigen::VectorXd displacement(const Simulation& simulation, const std::vector<BodyState>& from,
                                    const Structure& s) {
  const Freedoms freedoms(s);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(freedoms.count);
  const std::vector<BodyId> ids = simulation.bodies();
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (freedoms.first[i] < 0) continue;
    const BodyState now = simulation.state(ids[i]);
    const Eigen::Vector3d moved = now.center_of_mass - from[i].center_of_mass;
    for (int k = 0; k < s.linear(); ++k) out[freedoms.first[i] + k] = moved[k];
    if (s.dimension == 2) {
      out[freedoms.first[i] + 2] = now.placement.angle - from[i].placement.angle;
      continue;
    }
    const Eigen::Quaterniond turn = now.placement.orientation * from[i].placement.orientation.conjugate();
    out.segment<3>(freedoms.first[i] + 3) = 2 * (turn.w() < 0 ? -1.0 : 1.0) * turn.vec();
  }
  return out;
}

inline std::vector<BodyState> states(const Simulation& simulation) {
  std::vector<BodyState> out;
  for (const BodyId id : simulation.bodies()) out.push_back(simulation.state(id));
  return out;
}

// The greatest displacement of any body in `seconds` [m, rad].
inline double greatest_move(SceneDescription scene, const Structure& s, double seconds, double step) {
  scene.model = {"ncp", {}}, scene.step = step;
  Simulation simulation(scene);
  const std::vector<BodyState> from = states(simulation);
  double most = 0;
  for (std::int64_t i = 0; i < std::llround(seconds / step); ++i) {
    simulation.step();
    most = std::max(most, displacement(simulation, from, s).lpNorm<Eigen::Infinity>());
  }
  return most;
}

// Accelerations in SI units.
inline Eigen::VectorXd accelerations_of(const StableReport& r) {
  Eigen::VectorXd a = r.motion->acceleration;
  const Structure& s = r.scaled.structure;
  for (Eigen::Index k = 0; k < a.size(); ++k)
    a[k] *= k % s.freedoms() < s.linear() ? r.scaled.units.acceleration() : r.scaled.units.angular_acceleration();
  return a;
}

// How much the displacement of the first 10 ms differs from a·t²/2: of each body in the norm of its masses and moments,
// relative to the larger of its own and `floor` of the greatest of all bodies. The worst is returned.
inline double departure(SceneDescription scene, const Structure& s, const Eigen::VectorXd& a, double floor) {
  constexpr int kSteps = 1000;
  constexpr double kTime = 0.01;
  scene.model = {"ncp", {}}, scene.step = kTime / kSteps;
  Simulation simulation(scene);
  const std::vector<BodyState> from = states(simulation);
  for (int i = 0; i < kSteps; ++i) simulation.step();
  const Eigen::VectorXd moved = displacement(simulation, from, s), expected = a * (0.5 * kTime * kTime);
  const Freedoms freedoms(s);
  std::vector<double> own, error;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0) continue;
    const Eigen::MatrixXd moments = s.bodies[i].inertia.bottomRightCorner(s.angular(), s.angular());
    const auto norm = [&](const Eigen::VectorXd& x) {
      const Eigen::VectorXd move = x.segment(at, s.linear()), turn = x.segment(at + s.linear(), s.angular());
      return std::sqrt(move.squaredNorm() + turn.dot(moments * turn) / s.bodies[i].mass);
    };
    own.push_back(norm(expected)), error.push_back(norm(moved - expected));
  }
  double worst = 0;
  const double most = *std::max_element(own.begin(), own.end());
  for (std::size_t i = 0; i < own.size(); ++i) worst = std::max(worst, error[i] / std::max(own[i], floor * most));
  return worst;
}

}  // namespace touchstone::statics::testing
