// Purpose: stacking by impulses. Collisions with restitution first, by the old velocities; then velocities with the
//   forces of the step; then contacts, whose approach is taken away little by little; then shock propagation, from
//   below upwards, with what lies below as if it had infinite mass; positions last.
// Source: [guendelman2003, §4-8]; one impulse is coulomb_impact.cpp, levels are support_levels.cpp.
// Letters: φ gap, u velocity of a point, e restitution, h step.
// Deviations: (1) Interference of predicted positions is φ + h·u_N < 0 with the points of the start of the step; the
//   source places the bodies there and looks anew. (2) Pairs are taken in the order of their keys, forwards and
//   backwards in turn, not at random. (3) An open gap may close: the approach that is taken away is u_N + max(φ, 0)/h.
//   (4) Overlaps are pushed out after the step. (5) What is below in shock propagation gets no reaction, as in the
//   source: momentum is not kept there, and the yardstick shows it.
// Fails: what still approaches faster than `tolerance` after the last pass is reported as not converged.
#include "models/guendelman.h"

#include <algorithm>

#include "models/pairwise/pairwise_model.h"
#include "models/pairwise/support_levels.h"

namespace touchstone {
namespace {

struct GuendelmanOptions {
  PairwiseOptions pairwise;
  std::int64_t collision_passes, contact_passes, shock_passes;
  bool shock;
  double tolerance;
};

template <int D>
class Guendelman : public PairwiseModel<D> {
 public:
  explicit Guendelman(const GuendelmanOptions& options) : PairwiseModel<D>(options.pairwise), options_(options) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;

 private:
  // How a pass looks at points.
  struct Pass {
    double e;        // −1 < e <= 0: how much of the approach stays; otherwise the material's
    bool collision;  // by the restitution of the material, and gaps do not close
    bool shock;      // what lies below does not give way
    double least;    // slower approaches are left alone [m/s]
  };
  void group();
  double approach(const StepInput<D>& in, const CollisionPoint<D>& p, const Pass& pass, double& depth) const;
  bool visit(const StepInput<D>& in, const PointPair& pair, const Pass& pass);
  bool sweep(const StepInput<D>& in, const Pass& pass, bool backwards);
  void collide(const StepInput<D>& in, const State<D>& state);
  void rest(const StepInput<D>& in);
  void propagate(const StepInput<D>& in);
  void show_phase(const StepInput<D>& in, const State<D>& state, bool impact);

  const GuendelmanOptions options_;
  SupportLevels<D> levels_;
  std::vector<PointPair> pairs_;
  std::vector<std::uint8_t> visited_;
  std::vector<Vec<D>> shown_from_, impulses_;  // by contact: for the observer
};

template <int D>
void Guendelman<D>::group() {
  pairs_.clear();
  for (std::uint32_t i = 0; i < this->points_.size(); ++i) {
    if (i == 0 || this->points_[i].pair != this->points_[i - 1].pair) pairs_.push_back({i, 0});
    ++pairs_.back().count;
  }
  visited_.assign(this->points_.size(), 0);
}

// How fast a point comes nearer than it may, negative if it does; `depth` is how deep it would be after the step.
template <int D>
double Guendelman<D>::approach(const StepInput<D>& in, const CollisionPoint<D>& p, const Pass& pass,
                               double& depth) const {
  const double u = p.velocity(this->velocity_[p.a], this->velocity_[p.b])[0];
  if (!pass.collision) {
    depth = -(p.gap + in.h * u);
    return u + std::max(p.gap, 0.0) / in.h;
  }
  const double falls = (in.bodies.dynamic(p.b) ? 1 : 0) - (in.bodies.dynamic(p.a) ? 1 : 0);
  depth = -(p.gap + in.h * (u + falls * in.h * in.forces.gravity.dot(p.axes.col(0))));
  return u;
}

// Every point of a pair that interferes and approaches gets one impulse, the deepest first. Whether any did.
template <int D>
bool Guendelman<D>::visit(const StepInput<D>& in, const PointPair& pair, const Pass& pass) {
  const bool moves_a = !pass.shock || pair.moves_a, moves_b = !pass.shock || pair.moves_b;
  std::fill_n(visited_.begin() + pair.first, pair.count, std::uint8_t{0});
  for (std::uint32_t k = 0; k < pair.count; ++k) {
    std::uint32_t best = pair.first + pair.count;
    double deepest = 0;
    for (std::uint32_t i = pair.first; i < pair.first + pair.count; ++i) {
      double depth = 0;
      if (visited_[i] || approach(in, this->points_[i], pass, depth) >= -pass.least || depth <= deepest) continue;
      best = i, deepest = depth;
    }
    if (best == pair.first + pair.count) return k > 0;
    visited_[best] = 1;
    const CollisionPoint<D>& p = this->points_[best];
    double depth = 0;
    Vec<D> u = p.velocity(this->velocity_[p.a], this->velocity_[p.b]);
    u[0] = approach(in, p, pass, depth);
    const Mat<D> k_shock = pass.shock ? response_of(p, this->inertias(in), moves_a, moves_b) : p.k;
    const PointImpulse<D> given = coulomb_impact<D>(k_shock, u, pass.collision ? p.material.restitution : pass.e,
                                                    p.material.static_friction, p.material.dynamic_friction);
    push(p, this->inertias(in), given.impulse, moves_a && in.bodies.dynamic(p.a), moves_b && in.bodies.dynamic(p.b),
         this->velocity_[p.a], this->velocity_[p.b]);
    this->count(p, given, pass.collision);
  }
  return true;
}

template <int D>
bool Guendelman<D>::sweep(const StepInput<D>& in, const Pass& pass, bool backwards) {
  in.stop.check();
  ++this->report_.iterations;
  bool any = false;
  for (std::size_t i = 0; i < pairs_.size(); ++i) any |= visit(in, pairs_[backwards ? pairs_.size() - 1 - i : i], pass);
  return any;
}

template <int D>
void Guendelman<D>::collide(const StepInput<D>& in, const State<D>& state) {
  this->free_ = this->before_;
  bool any = false;
  for (std::int64_t i = 0; i < options_.collision_passes; ++i) {
    if (!sweep(in, {0, true, false, 0}, i % 2 == 1)) break;
    any = true;
  }
  if (!any) return;
  double work = 0;
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    const Twist<D>&from = this->before_[i], &to = this->velocity_[i];
    work += in.bodies.mass[i] * (to.linear - from.linear).dot(to.linear + from.linear) +
            AngVec<D>(to.angular - from.angular)
                .dot(apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i],
                                   AngVec<D>(to.angular + from.angular)));
  }
  this->report_.work[ForceClass::kContact] += 0.5 * work;
  this->report_.impact_gain += std::max(0.0, 0.5 * work);
  show_phase(in, state, true);
}

// The approach that stays goes down from nine tenths to nothing [guendelman2003, §7].
template <int D>
void Guendelman<D>::rest(const StepInput<D>& in) {
  const std::int64_t n = options_.contact_passes;
  for (std::int64_t i = 0; i < n; ++i) {
    const double stays = 1 - static_cast<double>(i + 1) / static_cast<double>(n);
    if (!sweep(in, {-stays, false, false, 0}, i % 2 == 1)) return;
  }
}

template <int D>
void Guendelman<D>::propagate(const StepInput<D>& in) {
  const double g = in.forces.gravity.norm();
  const Vec<D> up = g > 0 ? Vec<D>(-in.forces.gravity / g) : Vec<D>(Vec<D>::Zero());
  const std::span<const std::uint32_t> order = levels_.sort(this->points_, in.bodies, up, pairs_);
  const Pass pass{0, false, true, options_.tolerance};
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && pairs_[order[end]].level == pairs_[order[begin]].level) ++end;
    bool any = true;
    for (std::int64_t k = 0; any && k < options_.shock_passes; ++k) {
      any = false;
      in.stop.check();
      ++this->report_.iterations;
      for (std::size_t i = begin; i < end; ++i) any |= visit(in, pairs_[order[i]], pass);
    }
  }
}

// The impulses since the last phase that was shown.
template <int D>
void Guendelman<D>::show_phase(const StepInput<D>& in, const State<D>& state, bool impact) {
  if (!in.observer) return;
  shown_from_.resize(this->totals_.size(), Vec<D>::Zero());
  impulses_.resize(this->totals_.size());
  for (std::size_t i = 0; i < impulses_.size(); ++i) {
    impulses_[i] = this->totals_[i].impulse - shown_from_[i];
    shown_from_[i] = this->totals_[i].impulse;
  }
  this->show(in, state, impact, impulses_);
}

template <int D>
ModelReport Guendelman<D>::step(const StepInput<D>& in, State<D>& state) {
  check_spring_step(in);
  this->begin(in, state);
  group();
  shown_from_.clear();
  collide(in, state);
  this->find_accelerations(in, state);
  this->before_ = this->velocity_;
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    this->velocity_[i].linear += in.h * this->acceleration_[i].linear;
    this->velocity_[i].angular += in.h * this->acceleration_[i].angular;
  }
  this->free_ = this->velocity_;
  rest(in);
  if (options_.shock) propagate(in);
  this->count_mean_work(in, state);
  show_phase(in, state, false);
  this->gaps_.clear();
  for (const CollisionPoint<D>& p : this->points_) {
    double depth = 0;
    if (approach(in, p, {0, false, false, 0}, depth) < -options_.tolerance && depth > 0)
      this->report_.status = StepStatus::kNotConverged;
    this->gaps_.push_back(-depth);
  }
  this->finish(in, state);
  return this->report_;
}

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const GuendelmanOptions options{
      read_pairwise_options(o),          integer_option(o, "collision_passes"), integer_option(o, "contact_passes"),
      integer_option(o, "shock_passes"), std::get<bool>(o.at("shock")),         number_option(o, "tolerance")};
  return std::make_unique<Guendelman<D>>(options);
}

TableSpec option_table() {
  TableSpec t{"model = \"guendelman\"", "See docs/models/guendelman.md.", {}};
  add_option(t, "collision_passes", ValueType::kInteger, "", "5", "Greatest number of passes over colliding pairs.");
  add_option(t, "contact_passes", ValueType::kInteger, "", "10", "Greatest number of passes over touching pairs.");
  add_option(t, "shock", ValueType::kBool, "", "true", "Whether a pass of shock propagation follows.");
  add_option(t, "shock_passes", ValueType::kInteger, "", "20",
             "Greatest number of passes over each level of shock propagation.");
  add_option(t, "tolerance", ValueType::kNumber, "m/s", "1e-6",
             "Greatest closing speed at the end of a step; a step that leaves more is reported.");
  add_pairwise_options(t, true);
  return t;
}

}  // namespace

ModelInfo guendelman_model() {
  ModelInfo info;
  info.name = "guendelman";
  info.summary = "Collisions, then contacts by passes of impulses and shock propagation up the stack.";
  info.source = "guendelman2003";
  info.capabilities = {true, true, true, true, false, {Integrator::kSemiImplicitEuler}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone
