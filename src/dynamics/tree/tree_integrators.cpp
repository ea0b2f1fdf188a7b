#include "dynamics/tree/tree_integrators.h"

#include <algorithm>
#include <array>

#include "dynamics/tree/aba.h"
#include "dynamics/tree/coordinates.h"
#include "dynamics/tree/kinematics.h"

namespace touchstone {

TreeStepper::TreeStepper(const TreeModel& model) {
  for (auto* list : {&force_, &a_, &added_, &stage_v_, &increment_, &rate_, &sum_v_, &sum_a_})
    list->assign(model.nv(), 0.0);
  stage_q_.assign(model.nq(), 0.0);
}

void TreeStepper::accelerations(const TreeModel& model, TreeData& data, const Vec<3>& gravity, double since_start,
                                const TreeForceLaw& law, std::span<const double> q, std::span<const double> v,
                                std::span<double> out, std::span<const double> added) {
  for (std::size_t i = 0; i < model.nv(); ++i) force_[i] = -model.rates[i].damping * v[i];
  if (law) law(since_start, q, v, force_);
  place_links(model, q, data);
  move_links(model, v, data);
  factor_tree(model, data, added);
  forward_dynamics(model, data, gravity, force_, {}, out);
}

void TreeStepper::step(const TreeModel& model, TreeData& data, TreeIntegrator integrator, const Vec<3>& gravity,
                       double h, const TreeForceLaw& law, std::span<double> q, std::span<double> v) {
  if (integrator == TreeIntegrator::kRk4) return runge_kutta(model, data, gravity, h, law, q, v);
  const bool implicit = integrator == TreeIntegrator::kImplicitDamping;
  for (std::size_t i = 0; i < model.nv(); ++i) added_[i] = implicit ? h * model.rates[i].damping : 0.0;
  accelerations(model, data, gravity, 0.0, law, q, v, a_, added_);
  if (integrator == TreeIntegrator::kExplicitEuler) move_coordinates(model, q, v, h, q);
  for (std::size_t i = 0; i < model.nv(); ++i) v[i] += h * a_[i];
  if (integrator != TreeIntegrator::kExplicitEuler) move_coordinates(model, q, v, h, q);
}

void TreeStepper::runge_kutta(const TreeModel& model, TreeData& data, const Vec<3>& gravity, double h,
                              const TreeForceLaw& law, std::span<double> q, std::span<double> v) {
  constexpr std::array<double, 4> kPlace{0, 0.5, 0.5, 1}, kWeight{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  std::fill(sum_v_.begin(), sum_v_.end(), 0.0), std::fill(sum_a_.begin(), sum_a_.end(), 0.0);
  std::fill(rate_.begin(), rate_.end(), 0.0), std::fill(a_.begin(), a_.end(), 0.0);
  for (std::size_t stage = 0; stage < 4; ++stage) {
    const double part = h * kPlace[stage];
    for (std::size_t i = 0; i < model.nv(); ++i) increment_[i] = part * rate_[i], stage_v_[i] = v[i] + part * a_[i];
    move_coordinates(model, q, increment_, 1.0, stage_q_);
    accelerations(model, data, gravity, part, law, stage_q_, stage_v_, a_);
    increment_rates(model, increment_, stage_v_, rate_);
    for (std::size_t i = 0; i < model.nv(); ++i)
      sum_v_[i] += h * kWeight[stage] * rate_[i], sum_a_[i] += h * kWeight[stage] * a_[i];
  }
  move_coordinates(model, q, sum_v_, 1.0, q);
  for (std::size_t i = 0; i < model.nv(); ++i) v[i] += sum_a_[i];
}

}  // namespace touchstone
