// What the impulses of a solve did: velocities of the bodies, and work by class.
#include "models/impulse/impulse_model.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256;

}  // namespace

// What was found becomes the state's velocities. Forces F and impulses p act over the same time, along the mean of the
// velocities before and after both, so that what rests takes no work: ΔT = (h·F + p)·(v₀ + v₁)/2. With v the velocity
// that F alone led to, p·(v₀ + v₁)/2 = p·(v + v₁)/2 − h·F·(v₁ − v)/2, and the last term is what F did more than kick()
// counted.
template <int D>
void Impulse<D>::take_velocities(const StepInput<D>& in, State<D>& state) {
  constexpr auto kContact = static_cast<std::size_t>(ForceClass::kContact);
  const std::size_t n = in.bodies.size();
  if (!joints_.empty()) count_joint_work(in, state);
  const std::vector<Wrench<D>>& wrench = wrenches_.total();
  work_.resize((n + kBodyGrain - 1) / kBodyGrain);
  in.parallel.for_ranges(n, kBodyGrain, [&](std::size_t begin, std::size_t end) {
    StepWork& work = work_[begin / kBodyGrain];
    work = StepWork{};
    for (std::size_t i = begin; i < end; ++i) {
      if (!touching_[i] || !in.bodies.dynamic(i)) continue;
      Vec<D> v;
      AngVec<D> w;
      get_velocity(velocity_[i], v, w);
      const Vec<D> dv = v - state.velocity[i];
      const AngVec<D> dw = w - state.angular_velocity[i];
      const auto share = [&](const Wrench<D>& f) { return 0.5 * kicked_ * (f.force.dot(dv) + f.torque.dot(dw)); };
      work[kContact] += 0.5 * (in.bodies.mass[i] * dv.dot(v + state.velocity[i]) +
                               dw.dot(apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i],
                                                    AngVec<D>(w + state.angular_velocity[i])))) -
                        share(wrench[i]);
      for (std::size_t c = 1; c < kForceClasses; ++c)
        if (wrenches_.used(static_cast<ForceClass>(c))) work[c] += share(wrenches_.of(static_cast<ForceClass>(c))[i]);
      state.velocity[i] = v;
      state.angular_velocity[i] = w;
    }
  });
  for (const StepWork& work : work_)
    for (std::size_t c = 0; c < kForceClasses; ++c) report_.work[c] += work[c];
}

// Of the joints' impulses in the solve at hand, along the same mean (v₀ + v₁)/2; take_velocities() counts them among
// the contacts' at first.
template <int D>
void Impulse<D>::count_joint_work(const StepInput<D>& in, const State<D>& state) {
  const std::vector<Wrench<D>>& wrench = wrenches_.total();
  const auto mean = [&](std::uint32_t i) {
    Twist<D> out{state.velocity[i], state.angular_velocity[i]};
    if (!in.bodies.dynamic(i)) return out;
    Vec<D> v;
    AngVec<D> w;
    get_velocity(velocity_[i], v, w);
    out.linear = 0.5 * (v + state.velocity[i] - kicked_ * in.bodies.inv_mass[i] * wrench[i].force);
    out.angular =
        0.5 * (w + state.angular_velocity[i] -
               kicked_ * apply_moments(frame_of(state.orientation[i]), in.bodies.inv_inertia[i], wrench[i].torque));
    return out;
  };
  double all = 0, motors = 0;
  joints_.add_work(in.bodies, mean, all, motors);
  report_.work[ForceClass::kContact] -= all;
  report_.work[WorkClass::kJoint] += all - motors;
  report_.work[WorkClass::kMotor] += motors;
}

#define TOUCHSTONE_INSTANTIATE(D)                                            \
  template void Impulse<D>::take_velocities(const StepInput<D>&, State<D>&); \
  template void Impulse<D>::count_joint_work(const StepInput<D>&, const State<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
