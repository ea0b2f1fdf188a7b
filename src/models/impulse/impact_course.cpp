// Purpose: the collisions of an instant of the impulse model under a law of restitution that follows their course.
// Source: impact_law.cpp. As under Newton's law, a pass has the pairs that collide now, and not all that touch.
#include "models/impulse/impact.h"

namespace touchstone {

template <int D>
SolvedContact<D> Impacts<D>::solved(const Colliding& c, std::span<const ContactRecord<D>> records,
                                    const State<D>& state) const {
  const ContactRecord<D>& r = records[c.record];
  Contact<D> contact = *r.contact;
  contact.point = state.position[contact.body_a] + c.arm_a;
  return {contact, *r.sides->material, c.axes * c.p, r.sides->skin, r.sides->material->restitution};
}

// Velocities go on from before_; impulses are those of the pass, of joints, too. Whether everything was solved.
template <int D>
bool Impacts<D>::follow(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, double tolerance,
                        State<D>& state, ImpactReport& report) {
  constexpr std::int64_t kMostIterations = 20000;  // as ncp
  shown_.clear();
  for (const Colliding& c : colliding_) shown_.push_back(solved(c, records, state));
  builder_.set_stop(in.step.stop);
  const ContactProblem problem =
      builder_.build({in.step.bodies, state, before_, before_, shown_, in.step.joints, {}, in.h, true});
  const auto compress = [&](const ContactProblem& p, std::span<const double> guess, ContactSolution& out) {
    compress_.solve(p, {tolerance, kMostIterations}, guess, out);
  };
  law_.resolve(problem, {in.law, in.threshold, tolerance, true}, compress, solution_);
  report.sweeps += solution_.iterations;
  after_ = before_;
  builder_.read_velocities(solution_.velocities, after_);
  for (std::size_t i = 0; i < after_.size(); ++i)
    if (in.step.bodies.dynamic(i)) state.velocity[i] = after_[i].linear, state.angular_velocity[i] = after_[i].angular;
  for (std::size_t i = 0; i < colliding_.size(); ++i)
    colliding_[i].p = colliding_[i].axes.transpose() * builder_.contact_impulse(i, solution_.impulses);
  in.joints.set_impulses(builder_.joint_impulses(solution_.impulses));
  return solution_.status == SolveStatus::kConverged;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                    \
  template SolvedContact<D> Impacts<D>::solved(const Colliding&, std::span<const ContactRecord<D>>, const State<D>&) \
      const;                                                                                                         \
  template bool Impacts<D>::follow(const ImpactInput<D>&, std::span<const ContactRecord<D>>, double, State<D>&,      \
                                   ImpactReport&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
