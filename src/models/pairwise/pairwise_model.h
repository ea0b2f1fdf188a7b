#pragma once
// What the models have in common that handle contact by impulses at one point after the other: contact points with
// their responses, forces, reports, work, push-out and memory. They have no joints.
#include <vector>

#include "models/contact_tally.h"
#include "models/pairwise/collision_point.h"
#include "models/pairwise/coulomb_impact.h"
#include "models/pairwise/push_out.h"
#include "models/stepping_contacts.h"
#include "models/stepping_options.h"

namespace touchstone {

struct PairwiseOptions {
  double margin;  // contacts are found at this distance [m]
  bool push_out;  // whether penetrations are pushed out
  PushOptions push;
};
void add_pairwise_options(TableSpec& table, bool push_out);
PairwiseOptions read_pairwise_options(const Options& options);

template <int D>
class PairwiseModel : public TalliedModel<D> {
 public:
  explicit PairwiseModel(const PairwiseOptions& options) : pairwise_(options) {}
  void undo() override { tally_.clear(); }
  void forget(std::uint32_t body) override { tally_.forget(body); }
  void serialize(Archive& ar) override { ar(tally_); }

 protected:
  struct Total {
    Vec<D> impulse = Vec<D>::Zero();  // on B, world axes
    bool sticking = false;
  };
  // Finds contacts, makes their points, and sets `before_` and `velocity_` to the velocities of the state.
  void begin(const StepInput<D>& in, const State<D>& state);
  // Forces at the state with the velocities so far, as accelerations.
  void find_accelerations(const StepInput<D>& in, State<D>& state);
  Inertias<D> inertias(const StepInput<D>& in) const { return {in.bodies.inv_mass, inv_inertia_}; }
  // An impulse in the axes of the point was given.
  void count(const CollisionPoint<D>& point, const PointImpulse<D>& given, bool collision);
  // Work of contacts between free_ and velocity_, and of the forces over h; both along the mean of before_ and
  // velocity_: what rests takes no work.
  void count_mean_work(const StepInput<D>& in, const State<D>& state);
  // Shows a solve with these impulses, one a contact of the list, between before_, free_ and velocity_.
  void show(const StepInput<D>& in, const State<D>& state, bool impact, std::span<const Vec<D>> impulses);
  void write_velocities(const StepInput<D>& in, State<D>& state) const;
  // Moves bodies by h·velocity_ plus what `shift_` says, pushes out, and reports the contacts. gaps_: after the step.
  void finish(const StepInput<D>& in, State<D>& state);

  const PairwiseOptions pairwise_;
  SteppingContacts<D> contacts_;
  std::vector<CollisionPoint<D>> points_;
  std::vector<double> gaps_;  // of the points after the step
  std::vector<AngMat<D>> inv_inertia_;
  std::vector<Twist<D>> before_, free_, velocity_, acceleration_;
  std::vector<Twist<D>> shift_;  // by body, on top of h·velocity_; empty: nothing
  std::vector<Total> totals_;    // by contact
  WrenchSet<D> wrenches_;
  ModelReport report_;

 private:
  void report_contacts(const State<D>& state);

  ExternalForces<D> forces_;
  std::vector<Wrench<D>> no_wrench_;
  std::vector<SolvedContact<D>> shown_;
  PushOut<D> push_out_;
  using TalliedModel<D>::tally_;
};

}  // namespace touchstone
