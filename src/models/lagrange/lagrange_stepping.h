#pragma once
// A step of constrained dynamics: from collision to collision, with constraint forces in every stage of the integrator.
#include "contact/solvers/bordered_impact.h"
#include "models/lagrange/impact_search.h"
#include "models/lagrange/stage_problem.h"
#include "models/substep_watch.h"
#include "models/velocity_stepping.h"

namespace touchstone {

struct LagrangeOptions {
  SteppingOptions stepping;
  StageOptions stage;
  double tolerance;           // of impacts [m/s]
  bool pairwise;              // impacts, as the paper has them
  bool binary_search;         // for times of impact
  double energy_tolerance;    // of a substep of RK4, relative to the kinetic energy
  std::int64_t max_substeps;  // of a step
};

template <int D>
class Lagrange : public VelocityStepping<D> {
 public:
  explicit Lagrange(const LagrangeOptions& options)
      : VelocityStepping<D>(options.stepping),
        options_(options),
        stage_(options.stage),
        search_({options.stage.touching, options.stepping.margin, options.binary_search}) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;

 private:
  // All forces at a stage: external ones, and then those of constraints.
  class Forces : public ExternalForces<D> {
   public:
    explicit Forces(Lagrange& model) : model_(model) {}
    void evaluate(double time, int stage, double since_start, const State<D>& state, WrenchSet<D>& out) override;
    void hold(State<D>& state) override;
    bool repeat = false;  // a callback's last forces go on: it has been asked about later times already

   private:
    Lagrange& model_;
  };
  // What a substep does, until it is known that no collision cuts it short.
  struct Trial {
    WorkByClass work{};
    double joint_work = 0, motor_work = 0;
    double open = 0;     // the greatest error left of a joint [m or rad]
    bool smooth = true;  // no contact, limit or motor took part
    ContactTally<D> contacts;
    std::vector<JointImpulse<D>> joints;
    std::vector<BodyImpulse<D>> joint_shares;
    const char* failure = "";
    std::int64_t iterations = 0;
  };

  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override;
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override;

  bool approaches(const StepInput<D>& in, const State<D>& state);
  bool solve_impact(const ContactProblem& problem, double slow);
  void collide(const StepInput<D>& in, State<D>& state);
  void choose_resting(const StepInput<D>& in, const State<D>& state);
  double advance(const StepInput<D>& in, bool search, State<D>& state);
  void fly(const StepInput<D>& in, double h, State<D>& state);
  void constrain(double time, int stage, const State<D>& state, WrenchSet<D>& out);
  void split_work(const StepInput<D>& in, double h, const State<D>& state);
  void accept(const StepInput<D>& in, double h, const State<D>& state);
  void keep_forces(double h);
  void aim_at_joints_end(const StepInput<D>& in, State<D>& state);
  void hold_joints(const StepInput<D>& in, State<D>& state);
  double energy_error(const StepInput<D>& in, const State<D>& state) const;
  double adapt(const StepInput<D>& in, State<D>& state);
  void correct_overlaps(const StepInput<D>& in, State<D>& state);
  double bounce_speed(const StepInput<D>& in) const;

  const LagrangeOptions options_;
  NewtonContact impacts_solver_;
  BorderedImpact pair_solver_;
  StageProblem<D> stage_;
  StageContacts<D> resting_;
  ImpactSearch<D> search_;
  Forces source_{*this};
  IntegratorWorkspace<D> workspace_;
  SubstepWatch<D> watch_;
  Trial trial_;
  State<D> start_, mean_;
  bool adapts_ = true;                  // whether shorter substeps have kept the energy better in this step
  const StepInput<D>* part_ = nullptr;  // of the substep at hand
  double part_h_ = 0, part_step_ = 0, part_energy_ = 0, part_kinetic_ = 0;
  std::vector<Contact<D>> closed_, found_;
  std::vector<std::uint64_t> resting_keys_;
  std::vector<std::uint32_t> pairs_;
  std::vector<std::uint8_t> sticking_none_;  // contacts at rest stick by force here, not by memory
};

}  // namespace touchstone
