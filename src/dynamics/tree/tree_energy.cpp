#include "dynamics/tree/tree_energy.h"

namespace touchstone {

double potential_energy(const TreeModel& model, const TreeData& data, const Vec<3>& gravity) {
  double sum = 0;
  for (std::size_t i = 0; i < model.size(); ++i)
    sum -= gravity.dot(data.inertia[i].moment + data.inertia[i].mass * data.p[i]);
  return sum;
}

double kinetic_energy(const TreeModel& model, const TreeData& data, std::span<const double> v) {
  double sum = 0;
  for (std::size_t i = 0; i < model.size(); ++i) sum += data.velocity[i].dot(data.inertia[i] * data.velocity[i]);
  for (std::size_t k = 0; k < model.nv(); ++k) sum += model.rates[k].armature * v[k] * v[k];
  return 0.5 * sum;
}

Vec<3> center_of_mass(const TreeModel& model, const TreeData& data) {
  double mass = 0;
  Vec<3> moment = Vec<3>::Zero();
  for (std::size_t i = 0; i < model.size(); ++i) {
    mass += data.inertia[i].mass;
    moment += data.inertia[i].moment + data.inertia[i].mass * data.p[i];
  }
  return moment / mass;
}

Spatial momentum(const TreeModel& model, const TreeData& data, const Vec<3>& about) {
  Spatial sum = Spatial::Zero();
  for (std::size_t i = 0; i < model.size(); ++i)
    sum += shift_force(data.inertia[i] * data.velocity[i], about - data.p[i]);
  return sum;
}

}  // namespace touchstone
