#pragma once
// The outer seam: a contact model owns a whole step. It gets the bodies, their state, the forces, the
// collision service and the step size, advances the state and says what it did.
#include <cstdint>
#include <span>
#include <vector>

#include "base/archive.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "collision/detector.h"
#include "contact/body_measures.h"
#include "contact/materials.h"
#include "contact/solve_view.h"
#include "dynamics/forces.h"
#include "dynamics/integrators.h"
#include "dynamics/joints/joint.h"
#include "dynamics/motion.h"
#include "dynamics/tree/tree_body.h"
#include "touchstone/step_report.h"

namespace touchstone {

template <int D>
struct StepInput {
  const Bodies<D>& bodies;
  const MaterialTable& materials;
  const ForceModel<D>& forces;
  std::span<const std::pair<std::uint32_t, Motion<D>>> motions;  // kinematic bodies
  Detector<D>& detector;
  const Parallel& parallel;
  Integrator integrator;
  double time, h;
  SolveObserver<D>* observer = nullptr;  // is shown every solve, if there is one
  std::span<const Joint<D>> joints{};    // empty unless the model's capabilities have joints
  StopFlag stop{};                       // to be checked once a substep and once an iteration
  std::span<const TreeBody> trees{};     // empty unless the model's capabilities have trees; 3D only
};

// The material of a contact: of its shapes' materials, or as it was set for the two bodies.
template <int D>
const PairMaterial& material_of(const StepInput<D>& in, const Contact<D>& c) {
  const ColliderTable<D>& colliders = in.detector.colliders();
  return in.materials.of(c.body_a, c.body_b, colliders[c.collider_a()].material, colliders[c.collider_b()].material);
}

struct ModelReport {
  StepStatus status = StepStatus::kOk;
  const char* reason = "";  // as in StepReport: a text that lasts
  std::int64_t substeps = 1, iterations = 0;
  std::int64_t collisions = 0, resting = 0;  // as in StepReport
  // The model's own account of itself: shown as such, never as measured.
  double max_penetration = 0;
  double contact_energy = 0;     // stored in the contacts
  bool contact_springs = false;  // whether they store energy
  // Of this step. kDriven is filled in by the world: contacts and joints count their work on dynamic bodies whole.
  WorkByClass work{};
  double certificate = 0;  // of the worst program that was solved, as in StepReport
  double impact_gain = 0;  // of kContact, what impacts gave under their law of restitution [J]
};

// Moving bodies without a force: what it adds to the potential energy is work of its own class. Made before, ended
// after.
template <int D>
class CorrectionWork {
 public:
  CorrectionWork(const Bodies<D>& bodies, const ForceModel<D>& forces, const State<D>& state)
      : bodies_(bodies), forces_(forces), before_(potential_energy(bodies, state, forces)) {}
  void end(const State<D>& state, WorkByClass& work) const {
    work[WorkClass::kCorrection] += potential_energy(bodies_, state, forces_) - before_;
  }

 private:
  const Bodies<D>& bodies_;
  const ForceModel<D>& forces_;
  const double before_;
};

// A contact of the step as a model reports it. The impulse is what B received over the whole step.
template <int D>
struct StepContact {
  Contact<D> contact;
  Vec<D> impulse = Vec<D>::Zero();
  Vec<D> relative_velocity = Vec<D>::Zero();
  bool sticking = false;

  void serialize(Archive& ar) {
    Contact<D>& c = contact;
    ar(c.body_a), ar(c.body_b), ar(c.key), ar(c.point), ar(c.normal), ar(c.gap);
    ar(impulse), ar(relative_velocity), ar(sticking);
  }
};

// A contact of the last step where the model holds it.
template <int D>
struct ReportedContact {
  const Contact<D>& contact;
  const Vec<D>& impulse;  // that B received over the whole step
  bool sticking;
};

template <int D>
class ContactModel {
 public:
  virtual ~ContactModel() = default;
  // Throws Error (kUnstable) if the step is too large for the model.
  virtual ModelReport step(const StepInput<D>& in, State<D>& state) = 0;
  // Contacts that carried force in the last step, ordered by key; none after undo(). They stay where they are until the
  // next call that is not const.
  virtual std::size_t contact_count() const = 0;
  virtual ReportedContact<D> contact(std::size_t i) const = 0;
  // The velocity of B relative to A at its point. state: as the step left it, but for bodies that are forgotten.
  virtual Vec<D> contact_velocity(std::size_t i, const State<D>& state) const = 0;
  // Of the last step, one a joint in the order of StepInput::joints; empty before the first step.
  virtual std::span<const JointImpulse<D>> joint_impulses() const { return {}; }
  // The last step failed or was refused: back to what the model remembered before it.
  virtual void undo() = 0;
  // The body in this slot is gone, was replaced or was put elsewhere: what was remembered of its contacts is void.
  virtual void forget(std::uint32_t body) = 0;
  // Something that drives the body changed: a motor, a joint. What sleeps there wakes; contacts are remembered.
  virtual void disturb(std::uint32_t) {}
  // A joint was added or removed: what was remembered of joints is void.
  virtual void forget_joints() {}
  // Everything that the next step depends on.
  virtual void serialize(Archive& ar) = 0;
  // Throws Error (kUnsupported), naming the body or joint, for a scene that the model does not take: when it is loaded.
  virtual void check_bodies(const Bodies<D>&, const ColliderTable<D>&, std::span<const Joint<D>>) {}
  // The same for an articulated tree.
  virtual void check_tree(const TreeBody&) {}
};

// All of them, to go through.
template <int D>
class ReportedContacts {
 public:
  explicit ReportedContacts(const ContactModel<D>& model) : model_(&model) {}
  struct Iterator {
    const ContactModel<D>* model;
    std::size_t i;
    ReportedContact<D> operator*() const { return model->contact(i); }
    Iterator& operator++() { return ++i, *this; }
    bool operator==(const Iterator&) const = default;
  };
  Iterator begin() const { return {model_, 0}; }
  Iterator end() const { return {model_, size()}; }
  std::size_t size() const { return model_->contact_count(); }
  ReportedContact<D> operator[](std::size_t i) const { return model_->contact(i); }

 private:
  const ContactModel<D>* model_;
};

// Throws Error (kUnstable), naming the step it needs, if a spring of the scene swings too fast for the step.
template <int D>
void check_spring_step(const StepInput<D>& in);

// Forces without contacts, as an integrator wants them; a model that adds contact forces derives from it.
template <int D>
class ExternalForces : public ForceSource<D> {
 public:
  void begin(const StepInput<D>& in, double h) {
    in_ = &in;
    h_ = h;
  }
  void set_kinematic(double time, State<D>& state) override {
    for (const auto& [body, motion] : in_->motions) {
      const MotionSample<D> s = motion.at(time);
      state.position[body] = s.pose.p;
      state.orientation[body] = s.pose.R;
      state.velocity[body] = s.velocity;
      state.angular_velocity[body] = s.angular_velocity;
    }
  }
  void evaluate(double time, int stage, double since_start, const State<D>& state, WrenchSet<D>& out) override {
    evaluate_as(Evaluation::kStage, time, stage, since_start, state, out);
  }
  // kPreview: for a trial, after which the same time is evaluated again.
  void evaluate_as(Evaluation evaluation, double time, int stage, double since_start, const State<D>& state,
                   WrenchSet<D>& out) {
    const bool held = in_->integrator != Integrator::kRk4;  // the Euler methods hold a force over the step
    evaluate_forces(in_->bodies, in_->forces, time, held ? h_ : 0.0, state, out, evaluation);
    add_contacts(stage, since_start, state, out);
    if (in_->forces.table) add_table_friction(in_->bodies, *in_->forces.table, h_, state, out);
  }

 protected:
  // Contact forces, for models that have them.
  virtual void add_contacts(int, double, const State<D>&, WrenchSet<D>&) {}
  const StepInput<D>* in_ = nullptr;
  double h_ = 0;
};

}  // namespace touchstone
