#include "models/free_motion.h"

#include "models/contact_tally.h"
#include "models/substep_watch.h"

namespace touchstone {
namespace {

template <int D>
class FreeMotion : public TalliedModel<D> {
 public:
  ModelReport step(const StepInput<D>& in, State<D>& state) override {
    ModelReport report;
    check_spring_step(in);
    forces_.begin(in, in.h);
    if (in.observer) watch_.begin(state, in.time, in.h);
    integrate(in.integrator, in.bodies, in.time, in.h, forces_, state, workspace_, in.parallel, report.work);
    if (in.observer) watch_.show(in, state);
    return report;
  }
  void undo() override {}
  void forget(std::uint32_t) override {}
  void serialize(Archive&) override {}

 private:
  class Source : public ExternalForces<D> {
   public:
    explicit Source(FreeMotion& model) : model_(model) {}
    void evaluate(double time, int stage, double since_start, const State<D>& state, WrenchSet<D>& out) override {
      ExternalForces<D>::evaluate(time, stage, since_start, state, out);
      if (this->in_->observer) model_.watch_.add_forces(this->in_->bodies, out, this->in_->integrator, stage);
    }

   private:
    FreeMotion& model_;
  };

  Source forces_{*this};
  SubstepWatch<D> watch_;
  IntegratorWorkspace<D> workspace_;
};

}  // namespace

ModelInfo free_motion_model() {
  ModelInfo info;
  info.name = "free";
  info.summary = "Smooth motion only: no contact is detected, and bodies pass through each other.";
  info.capabilities.integrators = {Integrator::kExplicitEuler, Integrator::kSemiImplicitEuler, Integrator::kRk4};
  info.options = {"model = \"free\"", "No options.", {}};
  info.make2 = [](const Options&) { return std::make_unique<FreeMotion<2>>(); };
  info.make3 = [](const Options&) { return std::make_unique<FreeMotion<3>>(); };
  return info;
}

}  // namespace touchstone
