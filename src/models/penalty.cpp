// Purpose: contact by springs. Every contact point pushes with a damped spring and holds with a tangential one
//   up to the Coulomb limit; the step is cut until the springs are resolved.
// Source: [yang2020, penalty], F = −d(k_p − k_d·v_n)/n_c with torque; friction in the spirit of Yamane and
//   Nakamura (stiction memory).
// Letters: d = −gap, n normal from A to B, u = velocity of B relative to A at the point, ξ tangential spring.
// Deviations: (1) F is clamped at zero: the printed damper pulls for v_n > k_p/k_d. (2) k_d follows from the
//   restitution and the speed at first touch (penalty_law.h). (3) n_c counts points that are about to touch
//   in part, falling to zero over `share_distance`, so that the force does not jump when a corner lifts off.
//   (4) Damping terms are multiplied by (1 − exp(−x))/x, x = h·β with β a bound of the damping rate of all
//   contacts of the body: the mean of a decaying velocity over the substep, stable for any damping.
// Fails: with Error (kUnstable), naming the step it needs, if more than `max_substeps` are needed.
#include "models/penalty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "models/contact_tally.h"
#include "models/penalty_law.h"
#include "models/penalty_options.h"
#include "models/penalty_points.h"
#include "models/substep_watch.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::size_t kGrain = 128;
// Semi-implicit Euler is stable for h·ω < 2; the bound of ω² that is used is at most a few times too large.
constexpr double kStablePhase = 1.0;

// What the points of a body add up to: bounds of the squared frequency and of the damping rate.
struct BodyRates {
  double spring = 0, normal_damping = 0, tangential_damping = 0;
};

template <int D>
class Penalty : public TalliedModel<D> {
 public:
  explicit Penalty(const PenaltyOptions& options) : options_(options), source_(*this) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;
  void undo() override {
    memory_ = start_memory_;
    tally_.clear();
  }
  void forget(std::uint32_t body) override {
    std::erase_if(memory_, [body](const StickMemory<D>& m) { return m.body_a == body || m.body_b == body; });
    tally_.forget(body);
  }
  void serialize(Archive& ar) override {
    ar(memory_);
    ar(tally_);
  }

 private:
  class Source : public ExternalForces<D> {
   public:
    explicit Source(Penalty& model) : model_(model) {}
    void add_contacts(int stage, double since_start, const State<D>& state, WrenchSet<D>& out) override {
      model_.add_contact_forces(*this->in_, stage, since_start, this->h_, state, out);
    }
    void evaluate(double time, int stage, double since_start, const State<D>& state, WrenchSet<D>& out) override {
      ExternalForces<D>::evaluate(time, stage, since_start, state, out);
      if (this->in_->observer) model_.watch_.add_forces(this->in_->bodies, out, this->in_->integrator, stage);
    }

   private:
    Penalty& model_;
  };

  PenaltyLaw law_of(const StepInput<D>& in, std::uint32_t a, std::uint32_t b) const;
  double accurate_substep(const StepInput<D>& in) const;
  void find_pairs(const StepInput<D>& in, const State<D>& state, double time, double h);
  bool outran_pairs(const StepInput<D>& in, const State<D>& state, double h);
  void prepare(const StepInput<D>& in, const State<D>& state);
  void match_points();
  void prepare_point(const StepInput<D>& in, const State<D>& state, std::size_t i);
  std::size_t material_pair(const StepInput<D>& in, const Contact<D>& c) const;
  double stable_substep() const;
  void push(const StepInput<D>& in, std::size_t i, double h, double advance, const State<D>& state);
  void add_contact_forces(const StepInput<D>& in, int stage, double since_start, double h, const State<D>& state,
                          WrenchSet<D>& out);
  void remember();
  void accumulate(double weight, ContactTally<D>& tally) const;
  void start_report(const StepInput<D>& in);
  [[noreturn]] void refuse_step(const StepInput<D>& in, double wanted) const;

  PenaltyOptions options_;
  Source source_;
  std::vector<StickMemory<D>> memory_, next_memory_;
  std::vector<StickMemory<D>> start_memory_;  // of the step at hand, to go back to
  using TalliedModel<D>::tally_;
  SubstepWatch<D> watch_;
  std::vector<double> damping_of_pair_;  // by pair of materials
  std::vector<double> reach_, travel_;   // how far a body may move, and has moved, since pairs were found [m]
  WrenchSet<D> start_forces_;
  std::vector<Contact<D>> contacts_;
  std::vector<PointSpring<D>> springs_;
  BodyCache<D> cache_;
  std::vector<BodyRates> rates_;
  IntegratorWorkspace<D> workspace_;
  ModelReport report_;
};

template <int D>
PenaltyLaw Penalty<D>::law_of(const StepInput<D>& in, std::uint32_t a, std::uint32_t b) const {
  const double mass = std::max(in.bodies.mass[a], in.bodies.mass[b]);
  const double gravity = in.forces.gravity.norm();
  const double stiffness =
      options_.stiffness > 0 ? options_.stiffness : mass * (gravity > 0 ? gravity : 9.81) / options_.sag;
  return make_penalty_law(stiffness, mass, gravity);
}

// Pairs that may touch while no body moves farther than its reach. The forces at the start are looked at, so that a
// body that is about to be pushed hard is not missed.
template <int D>
void Penalty<D>::find_pairs(const StepInput<D>& in, const State<D>& state, double time, double h) {
  const std::size_t n = in.bodies.size();
  start_forces_.reset(n);
  evaluate_forces(in.bodies, in.forces, time, h, state, start_forces_, Evaluation::kPreview);
  const std::vector<Wrench<D>>& wrench = start_forces_.total();
  reach_.resize(n);
  travel_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = in.bodies.radius[i];
    const double speed = state.velocity[i].norm() + state.angular_velocity[i].norm() * radius;
    const double rate = wrench[i].force.norm() * in.bodies.inv_mass[i] +
                        wrench[i].torque.norm() * in.bodies.inv_inertia[i].maxCoeff() * radius;
    reach_[i] = 2 * speed * h + rate * h * h + options_.share_distance;
  }
  in.detector.find_pairs(state.position, state.orientation, reach_, in.parallel);
}

// Whether some body has moved farther than the pairs were found for: it was struck, or a force grew.
template <int D>
bool Penalty<D>::outran_pairs(const StepInput<D>& in, const State<D>& state, double h) {
  bool outran = false;
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    travel_[i] += h * (state.velocity[i].norm() + state.angular_velocity[i].norm() * in.bodies.radius[i]);
    outran |= travel_[i] > reach_[i] - options_.share_distance;
  }
  return outran;
}

// A contact lasts π/ω: it is cut into steps_per_contact.
template <int D>
double Penalty<D>::accurate_substep(const StepInput<D>& in) const {
  double fastest = 0;
  for (const auto& [ca, cb] : in.detector.pairs()) {
    const std::uint32_t a = in.detector.colliders()[ca].body, b = in.detector.colliders()[cb].body;
    fastest = std::max(fastest, law_of(in, a, b).stiffness * (in.bodies.inv_mass[a] + in.bodies.inv_mass[b]));
  }
  return fastest > 0 ? std::numbers::pi / (options_.steps_per_contact * std::sqrt(fastest)) : in.h;
}

template <int D>
std::size_t Penalty<D>::material_pair(const StepInput<D>& in, const Contact<D>& c) const {
  const ColliderTable<D>& colliders = in.detector.colliders();
  return in.materials.index_of(c.body_a, c.body_b, colliders[c.collider_a()].material,
                               colliders[c.collider_b()].material);
}

// n_c and the memory of each point. The points of one pair of shapes stand together and count by how near they are.
template <int D>
void Penalty<D>::match_points() {
  springs_.assign(contacts_.size(), PointSpring<D>{});
  std::size_t m = 0;
  for (std::size_t begin = 0; begin < contacts_.size();) {
    std::size_t end = begin;
    double count = 0;
    for (; end < contacts_.size() && contacts_[end].key >> 16 == contacts_[begin].key >> 16; ++end)
      count += contacts_[end].gap <= 0 ? 1.0 : 1.0 - contacts_[end].gap / options_.share_distance;
    for (std::size_t i = begin; i < end; ++i) {
      while (m < memory_.size() && memory_[m].key < contacts_[i].key) ++m;
      springs_[i].shared_by = std::max(count, 1.0);
      if (m < memory_.size() && memory_[m].key == contacts_[i].key) springs_[i].memory = &memory_[m];
    }
    begin = end;
  }
}

template <int D>
void Penalty<D>::prepare_point(const StepInput<D>& in, const State<D>& state, std::size_t i) {
  const Contact<D>& c = contacts_[i];
  PointSpring<D>& s = springs_[i];
  if (c.gap >= 0) return;
  const PenaltyLaw law = law_of(in, c.body_a, c.body_b);
  s.depth = -c.gap;
  // A belt's skin moves along itself: only its tangential part counts.
  const Vec<D> skin = cache_.skin(c.body_b) - cache_.skin(c.body_a);
  s.velocity = state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point) + skin -
               c.normal * c.normal.dot(skin);
  s.stiffness = law.stiffness / s.shared_by;
  s.tangential_stiffness = options_.tangential_ratio * s.stiffness;
  s.response_a = cache_.response(in.bodies, state, c.body_a, c);
  s.response_b = cache_.response(in.bodies, state, c.body_b, c);
  s.tangential_damping = std::sqrt(s.tangential_stiffness / (s.response_a.most + s.response_b.most));
  if (s.memory) {
    s.damping = s.memory->damping;
    s.sliding = s.memory->sliding;
    s.slip = s.memory->slip;
  } else {
    s.damping = law.damping(-s.velocity.dot(c.normal), damping_of_pair_[material_pair(in, c)]);
  }
}

// Contacts at this state, with their springs and the bounds of each body's rates.
template <int D>
void Penalty<D>::prepare(const StepInput<D>& in, const State<D>& state) {
  in.detector.find_contacts(state.position, state.orientation, options_.share_distance, in.parallel, contacts_);
  cache_.update(in.bodies, state, in.parallel);
  match_points();
  in.parallel.for_ranges(contacts_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) prepare_point(in, state, i);
  });
  rates_.assign(in.bodies.size(), BodyRates{});
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact<D>& c = contacts_[i];
    const PointSpring<D>& s = springs_[i];
    if (s.depth <= 0) continue;
    // Two moving bodies may swing against each other: each sees the spring twice as stiff at most.
    const double both = in.bodies.dynamic(c.body_a) && in.bodies.dynamic(c.body_b) ? 2.0 : 1.0;
    const auto add = [&](BodyRates& rates, const Response& w) {
      rates.spring += both * w.most * s.stiffness;
      rates.normal_damping += both * w.normal * s.stiffness * s.depth * s.damping;
      rates.tangential_damping += both * w.most * s.tangential_damping;
    };
    add(rates_[c.body_a], s.response_a);
    add(rates_[c.body_b], s.response_b);
  }
}

template <int D>
double Penalty<D>::stable_substep() const {
  double most = 0;
  for (const BodyRates& r : rates_) most = std::max(most, r.spring);
  return most > 0 ? kStablePhase / std::sqrt(most) : std::numeric_limits<double>::infinity();
}

// The force of one point on B. advance: the time over which the slip grows before the force is read.
template <int D>
void Penalty<D>::push(const StepInput<D>& in, std::size_t i, double h, double advance, const State<D>& state) {
  PointSpring<D>& s = springs_[i];
  if (s.depth <= 0) return;
  const Contact<D>& c = contacts_[i];
  const BodyRates &ra = rates_[c.body_a], &rb = rates_[c.body_b];
  const double normal_rate = std::max(ra.normal_damping, rb.normal_damping);
  const double rate = normal_rate + std::max(ra.tangential_damping, rb.tangential_damping);
  const double separating = s.velocity.dot(c.normal);
  const double normal_force =
      std::max(0.0, s.stiffness * s.depth * (1 - s.damping * separating * mean_decay(h * normal_rate)));
  const Vec<D> along = s.velocity - separating * c.normal;
  const AngVec<D> spin = state.angular_velocity[c.body_a] + state.angular_velocity[c.body_b];
  s.slip = carried_slip(s.slip, c.normal, spin, advance) + advance * along;
  Vec<D> friction = -s.tangential_stiffness * s.slip - s.tangential_damping * mean_decay(h * rate) * along;
  const PairMaterial& material = in.materials.pair_at(material_pair(in, c));
  const double limit = (s.sliding ? material.dynamic_friction : material.static_friction) * normal_force;
  const double size = friction.norm();
  s.sliding = size > limit;
  if (s.sliding) {
    friction *= material.dynamic_friction * normal_force / size;
    s.slip = -friction / s.tangential_stiffness;
  }
  s.force = normal_force * c.normal + friction;
}

template <int D>
void Penalty<D>::add_contact_forces(const StepInput<D>& in, int stage, double since_start, double h,
                                    const State<D>& state, WrenchSet<D>& out) {
  constexpr double kRk4Weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const bool rk4 = in.integrator == Integrator::kRk4;
  if (stage > 0) prepare(in, state);  // stage 0 was prepared to choose the substep
  in.parallel.for_ranges(contacts_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) push(in, i, h, rk4 ? since_start : h, state);
  });
  if (!contacts_.empty()) {
    std::vector<Wrench<D>>& wrench = out.use(ForceClass::kContact);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (springs_[i].depth <= 0) continue;
      const Contact<D>& c = contacts_[i];
      const Vec<D>& f = springs_[i].force;
      wrench[c.body_b].force += f;
      wrench[c.body_b].torque += torque_of(Vec<D>(c.point - state.position[c.body_b]), f);
      wrench[c.body_a].force -= f;
      wrench[c.body_a].torque -= torque_of(Vec<D>(c.point - state.position[c.body_a]), f);
    }
  }
  const double weight = h * (rk4 ? kRk4Weight[stage] : 1.0);
  accumulate(weight, tally_);
  if (in.observer) accumulate(weight, watch_.contacts());
  if (!rk4 || stage == 3) remember();
}

template <int D>
void Penalty<D>::remember() {
  next_memory_.clear();
  report_.contact_energy = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PointSpring<D>& s = springs_[i];
    if (s.depth <= 0) continue;
    next_memory_.push_back({contacts_[i].key, contacts_[i].body_a, contacts_[i].body_b, s.slip, s.damping, s.sliding});
    report_.max_penetration = std::max(report_.max_penetration, s.depth);
    report_.contact_energy += 0.5 * (s.stiffness * s.depth * s.depth + s.tangential_stiffness * s.slip.squaredNorm());
  }
  std::swap(memory_, next_memory_);
}

template <int D>
void Penalty<D>::accumulate(double weight, ContactTally<D>& tally) const {
  tally.begin();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PointSpring<D>& s = springs_[i];
    if (s.depth <= 0) continue;
    StepContact<D>& now = tally.at(contacts_[i]);
    now.impulse += weight * s.force;
    now.relative_velocity = s.velocity;
    now.sticking = !s.sliding;
  }
  tally.end();
}

template <int D>
void Penalty<D>::start_report(const StepInput<D>& in) {
  report_ = ModelReport{};
  report_.contact_springs = true;
  report_.substeps = 0;
  start_memory_ = memory_;
  tally_.clear();
  if (damping_of_pair_.size() == in.materials.pair_count()) return;
  damping_of_pair_.clear();
  for (std::size_t i = 0; i < in.materials.pair_count(); ++i)
    damping_of_pair_.push_back(damping_of_restitution(in.materials.pair_at(i).restitution));
}

template <int D>
void Penalty<D>::refuse_step(const StepInput<D>& in, double wanted) const {
  std::size_t stiffest = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i)
    if (rates_[i].spring > rates_[stiffest].spring) stiffest = i;
  const std::string where = !rates_.empty() && rates_[stiffest].spring > 0
                                ? fmt::format(" (stiffest at body '{}')", in.bodies.name[stiffest])
                                : std::string();
  throw Error(
      ErrorKind::kUnstable,
      fmt::format("contact and scene springs need a step of at most {:.2g} s with max_substeps = {}, but the step is "
                  "{:.3g} s{}; take a smaller step, more substeps, a smaller stiffness or a larger sag",
                  0.9 * wanted * static_cast<double>(options_.max_substeps), options_.max_substeps, in.h, where));
}

template <int D>
ModelReport Penalty<D>::step(const StepInput<D>& in, State<D>& state) {
  constexpr double kSpringPhase = 0.5;  // of the scene's own springs in a substep [rad]
  start_report(in);
  find_pairs(in, state, in.time, in.h);
  double accurate = accurate_substep(in);
  const double scene_springs = std::sqrt(fastest_spring(in.bodies, in.forces).squared);
  double left = in.h;
  while (left > 0) {
    in.stop.check();
    prepare(in, state);
    double wanted = std::min(accurate, stable_substep());
    if (scene_springs > 0) wanted = std::min(wanted, kSpringPhase / scene_springs);
    const double pieces = std::max(1.0, std::ceil(left / wanted - 1e-9));
    if (static_cast<double>(report_.substeps) + pieces > static_cast<double>(options_.max_substeps))
      refuse_step(in, wanted);
    const double h = pieces == 1.0 ? left : left / pieces;
    const double time = in.time + (in.h - left);
    source_.begin(in, h);
    if (in.observer) watch_.begin(state, time, h);
    integrate(in.integrator, in.bodies, time, h, source_, state, workspace_, in.parallel, report_.work);
    if (in.observer) watch_.show(in, state);
    left = pieces == 1.0 ? 0.0 : left - h;
    ++report_.substeps;
    if (left > 0 && outran_pairs(in, state, h)) {
      find_pairs(in, state, in.time + (in.h - left), left);
      accurate = accurate_substep(in);
    }
  }
  report_.iterations = report_.substeps;
  return report_;
}

}  // namespace

ModelInfo penalty_model() {
  ModelInfo info;
  info.name = "penalty";
  info.summary = "Damped springs at every contact point, with friction springs that remember where they stuck.";
  info.source = "yang2020";
  info.capabilities = {true, true, true, true, false, {Integrator::kSemiImplicitEuler, Integrator::kRk4}};
  info.options = penalty_option_table();
  info.make2 = [](const Options& o) { return std::make_unique<Penalty<2>>(read_penalty_options(o)); };
  info.make3 = [](const Options& o) { return std::make_unique<Penalty<3>>(read_penalty_options(o)); };
  return info;
}

}  // namespace touchstone
