#pragma once
// The impulse model as a class: what a step holds on to. The physics is in impulse.cpp, impulse_solve.cpp and
// impulse_events.cpp.
#include <array>

#include "models/impulse/contact_list.h"
#include "models/impulse/contact_sweeps.h"
#include "models/impulse/first_touch.h"
#include "models/impulse/impact.h"
#include "models/impulse/impulse_options.h"
#include "models/impulse/joint_solver.h"
#include "models/impulse/newton.h"
#include "models/impulse/sleepers.h"

namespace touchstone {

using StepWork = std::array<double, kForceClasses>;  // by class of force [J]

template <int D>
class Impulse : public ContactModel<D> {
 public:
  explicit Impulse(const ImpulseOptions& options) : options_(options) {
    single_sweeps_.set_slip_speed(options.slip_speed);
    double_sweeps_.set_slip_speed(options.slip_speed);
    sleepers_.set_limits(options.sleep_time, options.sleep_speed);
  }
  ModelReport step(const StepInput<D>& in, State<D>& state) override;
  std::size_t contact_count() const override { return list_.reported_count(); }
  ReportedContact<D> contact(std::size_t i) const override { return list_.reported(i); }
  Vec<D> contact_velocity(std::size_t i, const State<D>& state) const override {
    return list_.reported_velocity(i, state);
  }
  std::span<const JointImpulse<D>> joint_impulses() const override { return joints_.totals(); }
  void undo() override {
    list_.restore_memory();
    joints_.restore();
    newton_.pause = start_pause_, pieces_ = start_pieces_;
    if (options_.sleep) sleepers_.restore();
    list_.start_report();
  }
  void forget(std::uint32_t body) override {
    if (options_.sleep) sleepers_.disturb(body, list_.memory());
    list_.forget(body);
  }
  void disturb(std::uint32_t body) override {
    if (options_.sleep) sleepers_.disturb(body, list_.memory());
  }
  void forget_joints() override {
    joints_.forget();
    if (options_.sleep) sleepers_.forget_joints();
  }
  void serialize(Archive& ar) override {
    ar(list_);
    ar(joints_);
    ar(newton_.pause), ar(pieces_);
    list_.serialize_report(ar);
    if (options_.sleep) ar(sleepers_);
  }

 private:
  // impulse.cpp: the order of a step.
  void keep();
  void run(const StepInput<D>& in, State<D>& state);
  void begin(const StepInput<D>& in);
  void find_contacts(const StepInput<D>& in, const State<D>& state, double time, double length, double substep);
  void start_body(const StepInput<D>& in, const State<D>& state, std::size_t body);
  std::int64_t pieces_of(const StepInput<D>& in, const State<D>& state);
  void piece(const StepInput<D>& in, double time, double length, bool found, State<D>& state);
  void wake(const StepInput<D>& in, double time, double length, double substep, const State<D>& state);
  void load_contacts(const StepInput<D>& in);
  void store_contacts(const StepInput<D>& in, double h, double length, State<D>& state);
  void substep(const StepInput<D>& in, double time, double h, double elapsed, State<D>& state);
  void collide(const StepInput<D>& in, double time, double h, double reach_time, State<D>& state);
  // trial: the same time is kicked again.
  void kick(const StepInput<D>& in, double time, double h, State<D>& state, bool trial = false);
  void advance(const StepInput<D>& in, double time, double h, State<D>& state);
  [[noreturn]] void refuse_wild(const StepInput<D>& in, double h, const State<D>& state) const;
  // The rotation vector of body i over h if its angular velocity is w at the start.
  AngVec<D> turn_of(const StepInput<D>& in, std::size_t i, double h, const AngVec<D>& w, const State<D>& state) const;
  void displace(const StepInput<D>& in, const State<D>& state);

  // impulse_events.cpp: steps that stop at times of impact.
  void step_by_events(const StepInput<D>& in, State<D>& state);
  double time_to_impact(const StepInput<D>& in, double length, const State<D>& state);

  // impulse_joining.cpp: contacts that join within a substep.
  bool touches_first(const StepInput<D>& in, double h, const State<D>& state);
  bool meets_thrown(const StepInput<D>& in, double h, double elapsed, bool loaded, const State<D>& state);
  void take_in(const StepInput<D>& in, double elapsed, const State<D>& state);
  void bounce(const StepInput<D>& in, double time, double h, double elapsed, State<D>& state);

  // impulse_solve.cpp: the resting contacts and the joints of a substep.
  // trial: its impulses do not count.
  void solve(const StepInput<D>& in, double time, double h, double elapsed, bool held, State<D>& state,
             bool trial = false);
  void find_impulses(const StepInput<D>& in, double h, double elapsed, bool held, const State<D>& state);
  void take_gains_back(const StepInput<D>& in, double h, double elapsed, const State<D>& state);
  void take_velocities(const StepInput<D>& in, State<D>& state);
  void count_joint_work(const StepInput<D>& in, const State<D>& state);
  void project_joints(const StepInput<D>& in, double h, State<D>& state);
  PushOut push_out(double h) const;
  bool predicted_well(const StepInput<D>& in, double h, double elapsed, bool contacts, const State<D>& state);
  bool find_bent(const StepInput<D>& in, double h, const State<D>& state);
  std::int64_t iterate(const StepInput<D>& in, double h, const State<D>& state);
  template <class Sweeps>
  std::int64_t sweep_to_tolerance(const StepInput<D>& in, double h, std::int64_t most, Sweeps& sweeps, double& change);
  std::int64_t solve_islands(const StepInput<D>& in, double h, const State<D>& state);
  std::int64_t finish_islands(const StepInput<D>& in, double h, double change, const State<D>& state);
  void propagate_shocks(const StepInput<D>& in, double h);
  void correct(const StepInput<D>& in, double h, double length, State<D>& state);
  void note_twists(const State<D>& state, std::vector<Twist<D>>& out) const;
  void show(const StepInput<D>& in, double time, double h, bool held, const State<D>& state);

  const ImpulseOptions options_;
  ContactList<D> list_;
  // Who takes steps that are much shorter than the preset asks for wants to have it more exactly.
  bool careful(double h) const { return !options_.predict_contacts && h <= options_.short_substep; }
  // Parts of a step between events are of any length; what is carried along is forgotten where this changes.
  double reuse(double h) const {
    return careful(h) || options_.timing == ImpulseTiming::kEvents ? options_.short_reuse : options_.reuse;
  }
  // In such steps contacts are laid out right before the solve, those of pairs that stay apart are not.
  bool leaves_idle(double h) const {
    return careful(h) && options_.timing == ImpulseTiming::kFixed && !options_.verlet && options_.substeps <= 1;
  }
  // Joints are solved in double precision, with the contacts.
  bool single() const { return options_.single && joints_.empty(); }
  // Gaps at which bodies are of one island, and wake each other [m]: they count as closed.
  double near() const { return std::max(options_.rest_gap, 0.1 * options_.tolerance); }

  Scratch scratch_;    // for one after the other: finding contacts, sweeps
  Scratch body_room_;  // the same: predicted places, what sweeps keep by body, work of islands, levels
  ContactGroups<D> groups_;
  ContactSweeps<D, Lane> double_sweeps_;
  ContactSweeps<D, SingleLane> single_sweeps_;
  bool new_masses_ = true;   // contacts were found anew, or have moved far
  bool new_islands_ = true;  // contacts were found anew
  double moved_ = 0;         // since the masses were worked out: no body by more than this part of its radius
  JointSolver<D> joints_;
  Impacts<D> impacts_;
  FirstTouches<D> first_touches_;
  ContactLevels<D> levels_;
  ContactNewton<D> newton_;
  NewtonPause start_pause_;
  std::int64_t pieces_ = 1, start_pieces_ = 1;  // that the last step needed: see pieces_of()
  Sleepers<D> sleepers_;                        // not used unless options_.sleep
  ExternalForces<D> forces_;
  WrenchSet<D> wrenches_;
  std::vector<BodyVelocity<D>> velocity_;
  // By body: turns fast; has contacts or joints; shares a group of contacts with one that turns fast.
  std::vector<std::uint8_t> bent_, touching_, concerned_;
  bool still_ = true;             // nothing has moved since contacts were found
  std::vector<StepWork> work_;    // by range of bodies
  std::vector<double> farthest_;  // by range of bodies or contacts
  double kicked_ = 0;             // how long the forces of the last kick acted [s]
  std::vector<AngMat<D>> inv_inertia_;
  std::vector<Displacement<D>> displacement_;
  State<D> trial_;                       // of a step that may be cut short
  std::vector<SolvedContact<D>> shown_;  // these four only for an observer
  std::vector<Twist<D>> twist_before_, twist_free_, twist_after_;
  std::vector<BodyImpulse<D>> joint_push_;
  ModelReport report_;
  bool settled_ = true;      // the last sweeps came to an end
  bool anew_ = false;        // sweeps are plain, from no impulses
  bool taken_back_ = false;  // sweeps are of islands whose impulses were taken back
  bool jammed_ = false;      // in a short step something is too deep: wedged in, or about to be
};

}  // namespace touchstone
