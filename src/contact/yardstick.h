#pragma once
// The yardstick: judges every solve of a step by the same laws, whatever the model (docs/yardstick.md).
#include <vector>

#include "base/archive.h"
#include "contact/contact_laws.h"
#include "contact/penetration.h"
#include "contact/slip_follower.h"
#include "contact/solve_balance.h"
#include "touchstone/measures.h"

namespace touchstone {

template <int D>
class Yardstick : public SolveObserver<D> {
 public:
  // gravity: its magnitude [m/s²].
  void begin(double gravity, const Parallel& parallel);
  void solved(const SolveView<D>& view) override;
  // A joint at the end of the step: errors of position [m], of angle [rad] and of velocity [m/s, rad/s]; a, b: its
  // bodies, one of which may be the world.
  void joint(const Bodies<D>& bodies, std::uint32_t a, std::uint32_t b, double position, double angle, double velocity);
  // At the end of the step: where bodies are in each other.
  void measure_penetration(const Bodies<D>& bodies, const State<D>& state, const ColliderTable<D>& colliders,
                           const IgnoredPairs& ignored);
  StepMeasures finish();

  // The worst natural map of a contact in the step [m/s]; 0 for one that was not judged.
  double contact_residual(std::uint64_t key) const;
  void forget_contacts() { residuals_.clear(), slips_.forget(); }
  void forget_slips() { slips_.forget(); }  // where bodies are moved by hand
  void serialize(Archive& ar) { ar(residuals_), slips_.serialize(ar); }

 private:
  struct ContactResidual {
    std::uint64_t key = 0;
    double natural_map = 0;
    void serialize(Archive& ar) { ar(key), ar(natural_map); }
  };
  void judge_contacts(const SolveView<D>& view);
  void judge_bodies(const SolveView<D>& view);
  double reference_energy(const SolveView<D>& view);
  void keep_residuals(const SolveView<D>& view);
  void merge_residuals();
  void follow_slips(const SolveView<D>& view);

  const Parallel* parallel_ = nullptr;
  double gravity_ = 0;
  StepMeasures measures_;  // the means are sums until finish()
  std::int64_t sliding_ = 0, bodies_ = 0, impacts_ = 0, joints_ = 0, pairs_ = 0, sticking_ = 0;
  double gain_ = 0;  // net, of the step [J]
  std::vector<ContactScore<D>> scores_;
  std::vector<ContactResidual> residuals_;  // by key
  std::vector<ContactResidual> fresh_;      // not among them yet, in the order of the solves
  double energy_of_all_ = 0;                // [J]
  std::int64_t energy_age_ = 0;             // solves since it was summed, in bodies
  SolveBalance<D> balance_;
  PenetrationCheck<D> penetration_;
  SlipFollower<D> slips_;
};

}  // namespace touchstone
