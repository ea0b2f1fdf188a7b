// The step, as a table of contents.
#include <algorithm>
#include <chrono>

#include "sim/world.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

// The time that judging takes is not the model's.
template <int D>
class TimedObserver : public SolveObserver<D> {
 public:
  TimedObserver(SolveObserver<D>* judge, SolveObserver<D>* watcher) : judge_(judge), watcher_(watcher) {}
  void solved(const SolveView<D>& view) override {
    const auto begin = Clock::now();
    if (judge_) judge_->solved(view);
    if (watcher_) watcher_->solved(view);
    seconds_ += seconds_since(begin);
  }
  bool wanted() const { return judge_ || watcher_; }
  double seconds() const { return seconds_; }

 private:
  SolveObserver<D>*const judge_, *const watcher_;
  double seconds_ = 0;
};

}  // namespace

template <int D>
const StepReport& World<D>::step() {
  refuse_in_step("stepping");
  for (const auto& [body, motion] : motions_)
    if (motion.needs_callback)
      throw Error(ErrorKind::kBadInput,
                  "body '" + bodies_.name[body] +
                      "' was moved by a callback when the snapshot was taken; give it one with set_motion");
  const auto begin = Clock::now();
  TimedObserver<D> judge(measuring_ ? &yardstick_ : nullptr, watcher_);
  last_good_ = state_;
  detector_.keep_memory();
  in_step_ = true;
  ModelReport model;
  try {
    if (measuring_) yardstick_.begin(forces_.gravity.norm(), parallel_);
    const StepInput<D> in{bodies_,   materials_,  forces_, motions_, detector_,
                          parallel_, integrator_, time(),  h_,       judge.wanted() ? &judge : nullptr,
                          joints_};
    model = model_->step(in, state_);
    check_state();
  } catch (...) {
    state_ = last_good_;
    model_->undo();
    detector_.restore_memory();
    in_step_ = false;
    throw;
  }
  in_step_ = false;
  ++step_count_;
  queries_.invalidate();
  events_.update(contacts(), detector_.colliders(), [this](std::uint32_t slot) { return id_of(slot); });
  if (forces_.any_applied) {
    std::fill(forces_.applied.begin(), forces_.applied.end(), Wrench<D>{});
    forces_.any_applied = false;
  }
  fill_report(model);
  report_.wall_time = std::max(0.0, seconds_since(begin) - judge.seconds());
  measure();
  return report_;
}

template <int D>
void World<D>::measure() {
  if (!measuring_) {
    yardstick_.forget_contacts();
    report_.measures = {};
    return;
  }
  yardstick_.measure_penetration(bodies_, state_, detector_.colliders(), detector_.ignored_pairs());
  for (const Joint<D>& j : joints_) {
    const JointErrors e = joint_errors(j, state_);
    yardstick_.joint(bodies_, j.body_a, j.body_b, e.position, e.angle, std::max(e.velocity, e.angular_velocity));
  }
  report_.measures = yardstick_.finish();
  report_.measures.steps = 1;
  for (const MeasureInfo& info : measure_infos()) (report_.measures.*info.value).step = step_count_;
  merge_measures(gathered_, report_.measures);
}

template <int D>
void World<D>::fill_report(const ModelReport& model) {
  const BodyMeasures m = measure_bodies(bodies_, state_, forces_.gravity);
  for (std::size_t c = 0; c < kForceClasses; ++c) work_[c] += model.work[c];
  report_.step = step_count_;
  report_.time = time();
  report_.status = model.status;
  report_.reason = model.reason;
  report_.kinetic_energy = m.kinetic_energy;
  report_.gravity_energy = m.gravity_energy;
  report_.spring_energy = spring_energy(forces_, state_);
  report_.contact_energy = model.contact_energy;
  report_.external_work = work_[static_cast<std::size_t>(ForceClass::kExternal)];
  report_.drag_work = work_[static_cast<std::size_t>(ForceClass::kDrag)];
  report_.contact_work = work_[static_cast<std::size_t>(ForceClass::kContact)];
  report_.energy_balance =
      report_.energy() - start_energy_ - report_.external_work - report_.drag_work - report_.contact_work;
  report_.momentum = m.momentum;
  report_.angular_momentum = m.angular_momentum;
  report_.max_penetration = model.max_penetration;
  report_.max_speed = m.max_speed;
  report_.collisions = model.collisions;
  report_.resting = model.resting;
  report_.substeps = model.substeps;
  report_.iterations = model.iterations;
  report_.contacts = static_cast<std::int64_t>(contacts().size());
  report_.sticking = 0;
  for (const ReportedContact<D> c : contacts()) report_.sticking += c.sticking;
}

template const StepReport& World<2>::step();
template const StepReport& World<3>::step();
template void World<2>::measure();
template void World<3>::measure();
template void World<2>::fill_report(const ModelReport&);
template void World<3>::fill_report(const ModelReport&);

}  // namespace touchstone
