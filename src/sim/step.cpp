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
  last_guard_ = guard_;
  detector_.keep_memory();
  control();
  drive_motors();
  begin_pushes();
  if (user_forces_) user_forces_->begin_step(time(), time_of(step_count_ + 1));
  in_step_ = true;
  ModelReport model;
  WorkByClass work = work_;
  StepReport after;
  try {
    if (measuring_) yardstick_.begin(forces_.gravity.norm(), parallel_);
    const StepInput<D> in{bodies_,   materials_,  forces_, motions_, detector_,
                          parallel_, integrator_, time(),  h_,       judge.wanted() ? &judge : nullptr,
                          joints_,   stop_,       trees_};
    model = model_->step(in, state_);
    check_state();
    check_joints();
    work += work_of(model);
    after = report_of(model, work);
    check_energy(after, model.impact_gain);
  } catch (...) {
    state_ = last_good_;
    guard_ = last_guard_;
    model_->undo();
    detector_.restore_memory();
    in_step_ = false;
    undo_control();
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
  work_ = work;
  report_ = after;
  report_.step = step_count_;
  report_.time = time();
  end_pushes();
  break_joints();
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
    if (j.broken) continue;
    const JointErrors e = joint_errors(j, state_);
    yardstick_.joint(bodies_, j.body_a, j.body_b, e.position, e.angle, std::max(e.velocity, e.angular_velocity));
  }
  report_.measures = yardstick_.finish();
  report_.measures.steps = 1;
  for (const MeasureInfo& info : measure_infos()) (report_.measures.*info.value).step = step_count_;
  merge_measures(gathered_, report_.measures);
}

// Work put in by prescribed bodies and belts through the contacts of the step: what B received over the step, along the
// velocity of the side that does not move by forces, as the mean over the step.
template <int D>
double World<D>::driven_by_contacts() const {
  if (motions_.empty() && bodies_.surface_velocity.all_are(Vec<D>::Zero())) return 0;
  const auto of_side = [&](std::uint32_t body, const Contact<D>& c) -> Vec<D> {
    Vec<D> u = Vec<D>::Zero();
    if (bodies_.kind[body] == BodyKind::kKinematic)
      u = 0.5 * (last_good_.point_velocity(body, c.point) + state_.point_velocity(body, c.point));
    const Vec<D>& skin = bodies_.surface_velocity[body];
    if (skin.isZero(0)) return u;
    const Vec<D> moves = matrix_of(state_.orientation[body]) * skin;
    return u + moves - c.normal * c.normal.dot(moves);
  };
  double work = 0;
  for (const ReportedContact<D> c : contacts())
    work += c.impulse.dot(of_side(c.contact.body_a, c.contact) - of_side(c.contact.body_b, c.contact));
  return work;
}

// The same through joints.
template <int D>
double World<D>::driven_by_joints() const {
  const std::span<const JointImpulse<D>> impulses = model_->joint_impulses();
  if (motions_.empty() || impulses.size() != joints_.size()) return 0;
  double work = 0;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const auto of_side = [&](std::uint32_t body) {
      if (body == kWorldBody || bodies_.kind[body] != BodyKind::kKinematic) return 0.0;
      const Vec<D> point = joint_point_b(joints_[k], state_);
      return 0.5 *
             (impulses[k].linear.dot(last_good_.point_velocity(body, point) + state_.point_velocity(body, point)) +
              impulses[k].angular.dot(last_good_.angular_velocity[body] + state_.angular_velocity[body]));
    };
    // The housing of a gear takes what is missing to equal and opposite torques.
    const double on_a = joints_[k].kind == JointKind::kGear ? joints_[k].ratio : 1.0;
    work += on_a * of_side(joints_[k].body_a) - of_side(joints_[k].body_b);
  }
  return work;
}

template <int D>
WorkByClass World<D>::work_of(const ModelReport& model) const {
  WorkByClass work = model.work;
  const double contacts = driven_by_contacts(), joints = driven_by_joints();
  work[ForceClass::kContact] -= contacts;
  work[WorkClass::kJoint] -= joints;
  work[WorkClass::kDriven] += contacts + joints;
  if (step_count_ > 0 || !model.contact_springs) return work;
  // Contact springs that are pressed at the start hold energy that nothing in the run put there: overlaps.
  const double stored = std::max(0.0, model.contact_energy + model.work[ForceClass::kContact]);
  work[ForceClass::kContact] -= stored;
  work[WorkClass::kCorrection] += stored;
  return work;
}

template <int D>
StepReport World<D>::report_of(const ModelReport& model, const WorkByClass& work) const {
  const BodyMeasures m = measure_bodies(bodies_, state_, forces_.gravity);
  StepReport r;
  r.step = step_count_;
  r.time = time();
  r.status = model.status;
  r.reason = model.reason;
  r.kinetic_energy = m.kinetic_energy;
  if constexpr (D == 3)
    for (const TreeBody& tree : trees_) {
      r.kinetic_energy += armature_energy(tree, state_);
      r.spring_energy += tree_spring_energy(tree, state_);
    }
  r.gravity_energy = m.gravity_energy;
  r.spring_energy += spring_energy(forces_, state_);
  r.contact_energy = model.contact_energy;
  r.external_work = work[ForceClass::kExternal];
  r.drag_work = work[ForceClass::kDrag];
  r.contact_work = work[ForceClass::kContact];
  r.joint_work = work[WorkClass::kJoint];
  r.motor_work = work[WorkClass::kMotor] + work[ForceClass::kMotor];
  r.driven_work = work[WorkClass::kDriven];
  r.correction_work = work[WorkClass::kCorrection];
  r.energy_balance = r.energy() - start_energy_ - work.sum();
  r.momentum = m.momentum;
  r.angular_momentum = m.angular_momentum;
  r.max_penetration = model.max_penetration;
  r.max_speed = m.max_speed;
  r.collisions = model.collisions;
  r.resting = model.resting;
  r.substeps = model.substeps;
  r.iterations = model.iterations;
  r.certificate = model.certificate;
  r.contacts = static_cast<std::int64_t>(contacts().size());
  for (const ReportedContact<D> c : contacts()) r.sticking += c.sticking;
  return r;
}

template const StepReport& World<2>::step();
template const StepReport& World<3>::step();
template void World<2>::measure();
template void World<3>::measure();
template StepReport World<2>::report_of(const ModelReport&, const WorkByClass&) const;
template StepReport World<3>::report_of(const ModelReport&, const WorkByClass&) const;

}  // namespace touchstone
