#include "models/substep_watch.h"

namespace touchstone {

template <int D>
void SubstepWatch<D>::begin(const State<D>& state, double time, double h) {
  time_ = time;
  h_ = h;
  start_ = state;
  contacts_.clear();
  before_.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) before_[i] = {state.velocity[i], state.angular_velocity[i]};
  free_ = before_;
}

template <int D>
void SubstepWatch<D>::add_forces(const Bodies<D>& bodies, const WrenchSet<D>& forces, Integrator method, int stage) {
  constexpr double kRk4Weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double weight = h_ * (method == Integrator::kRk4 ? kRk4Weight[stage] : 1.0);
  for (std::size_t c = 0; c < kForceClasses; ++c) {
    const auto kind = static_cast<ForceClass>(c);
    if (kind == ForceClass::kContact || !forces.used(kind)) continue;
    const std::vector<Wrench<D>>& wrench = forces.of(kind);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies.dynamic(i)) continue;
      free_[i].linear += (weight * bodies.inv_mass[i]) * wrench[i].force;
      free_[i].angular +=
          weight * apply_moments(frame_of(start_.orientation[i]), bodies.inv_inertia[i], wrench[i].torque);
    }
  }
}

template <int D>
void SubstepWatch<D>::show(const StepInput<D>& in, const State<D>& after, std::span<const BodyImpulse<D>> joints) {
  const Bodies<D>& bodies = in.bodies;
  after_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    after_[i] = {after.velocity[i], after.angular_velocity[i]};
    if (!bodies.dynamic(i)) {
      free_[i] = after_[i];  // a prescribed motion goes on whatever happens
      continue;
    }
    const AngVec<D> momentum =
        apply_moments(frame_of(after.orientation[i]), bodies.inertia[i], after.angular_velocity[i]);
    after_[i].angular = apply_moments(frame_of(start_.orientation[i]), bodies.inv_inertia[i], momentum);
  }
  solved_.clear();
  for (const StepContact<D>& s : contacts_.contacts()) {
    const Contact<D>& c = s.contact;
    const auto skin_of = [&](std::uint32_t body) -> Vec<D> {
      const Vec<D>& skin = bodies.surface_velocity[body];
      return skin.isZero(0) ? skin : Vec<D>(matrix_of(start_.orientation[body]) * skin);
    };
    const Vec<D> skin = skin_of(c.body_b) - skin_of(c.body_a);
    solved_.push_back({c, material_of(in, c), s.impulse, skin - c.normal * c.normal.dot(skin), 0.0});
  }
  in.observer->solved({false, time_, h_, bodies, start_, solved_, before_, free_, after_, joints});
}

template class SubstepWatch<2>;
template class SubstepWatch<3>;

}  // namespace touchstone
