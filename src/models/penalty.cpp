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

#include "models/penalty_law.h"
#include "models/penalty_options.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::size_t kGrain = 128;
// Semi-implicit Euler is stable for h·ω < 2; the bound of ω² that is used is at most a few times too large.
constexpr double kStablePhase = 1.0;

// What a contact point keeps from one substep to the next.
template <int D>
struct Memory {
  std::uint64_t key;
  Vec<D> slip;     // ξ [m], world axes
  double damping;  // k_d/k_p [s/m]
  bool sliding;
  void serialize(Archive& ar) { ar(key), ar(slip), ar(damping), ar(sliding); }
};

template <int D>
struct PointSpring {                               // a contact point at work
  double stiffness = 0, tangential_stiffness = 0;  // of this point, shared
  double depth = 0, damping = 0, tangential_damping = 0;
  Vec<D> velocity = Vec<D>::Zero();  // u, with surface velocities
  Vec<D> slip = Vec<D>::Zero();
  Vec<D> force = Vec<D>::Zero();  // on B
  bool sliding = false;
};

// What the points of a body add up to: bounds of the squared frequency and of the damping rate.
struct BodyRates {
  double spring = 0, normal_damping = 0, tangential_damping = 0;
};

template <int D>
class Penalty : public ContactModel<D> {
 public:
  explicit Penalty(const PenaltyOptions& options) : options_(options), source_(*this) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;
  std::span<const StepContact<D>> contacts() const override { return step_contacts_; }
  void serialize(Archive& ar) override {
    ar(memory_);
    ar(step_contacts_);
  }

 private:
  class Source : public ExternalForces<D> {
   public:
    explicit Source(Penalty& model) : model_(model) {}
    void evaluate(double time, int stage, double since_start, const State<D>& state, WrenchSet<D>& out) override {
      ExternalForces<D>::evaluate(time, stage, since_start, state, out);
      model_.add_contact_forces(*this->in_, stage, since_start, this->h_, state, out);
    }

   private:
    Penalty& model_;
  };

  PenaltyLaw law_of(const StepInput<D>& in, std::uint32_t a, std::uint32_t b) const;
  double accurate_substep(const StepInput<D>& in) const;
  void find_pairs(const StepInput<D>& in, const State<D>& state);
  void prepare(const StepInput<D>& in, const State<D>& state);
  void prepare_point(const StepInput<D>& in, const State<D>& state, std::size_t i, double shared_by,
                     const Memory<D>* memory);
  double stable_substep() const;
  void push(const StepInput<D>& in, std::size_t i, double h, double advance, const State<D>& state);
  void add_contact_forces(const StepInput<D>& in, int stage, double since_start, double h, const State<D>& state,
                          WrenchSet<D>& out);
  void remember();
  void accumulate(const StepInput<D>& in, double weight);
  void start_report(const StepInput<D>& in);

  PenaltyOptions options_;
  Source source_;
  std::vector<Memory<D>> memory_, next_memory_;
  std::vector<StepContact<D>> step_contacts_, merged_;
  std::vector<double> damping_of_pair_;  // by pair of materials
  std::vector<double> reach_;
  std::vector<Contact<D>> contacts_;
  std::vector<PointSpring<D>> springs_;
  std::vector<BodyRates> rates_;
  IntegratorWorkspace<D> workspace_;
  ModelReport report_;
};

template <int D>
double largest_inverse_inertia(const Bodies<D>& bodies, std::size_t body) {
  return bodies.inv_inertia[body].maxCoeff();
}

template <int D>
PenaltyLaw Penalty<D>::law_of(const StepInput<D>& in, std::uint32_t a, std::uint32_t b) const {
  const double mass = std::max(in.bodies.mass[a], in.bodies.mass[b]);
  const double gravity = in.forces.gravity.norm();
  const double stiffness =
      options_.stiffness > 0 ? options_.stiffness : mass * (gravity > 0 ? gravity : 9.81) / options_.sag;
  return make_penalty_law(stiffness, mass, gravity);
}

template <int D>
void Penalty<D>::find_pairs(const StepInput<D>& in, const State<D>& state) {
  const std::size_t n = in.bodies.size();
  const double fall = in.forces.gravity.norm() * in.h * in.h;
  reach_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double speed = state.velocity[i].norm() + state.angular_velocity[i].norm() * in.bodies.radius[i];
    reach_[i] = 2 * speed * in.h + fall + options_.share_distance;
  }
  in.detector.find_pairs(state.position, state.orientation, reach_, in.parallel);
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

// How fast a unit impulse at the point moves it: in the worst direction at most (1/m + |r|²·‖I⁻¹‖), and exactly along
// the normal.
struct Response {
  double most = 0, normal = 0;
};
template <int D>
Response response(const Bodies<D>& bodies, const State<D>& state, std::uint32_t body, const Contact<D>& c) {
  if (!bodies.dynamic(body)) return {};
  const Vec<D> r = c.point - state.position[body];
  const AngVec<D> arm = torque_of(r, c.normal);
  const double turn = arm.dot(rotate_moments(state.orientation[body], bodies.inv_inertia[body]) * arm);
  return {bodies.inv_mass[body] + r.squaredNorm() * largest_inverse_inertia(bodies, body),
          bodies.inv_mass[body] + turn};
}

// The mean of exp(−x·t) over 0 <= t <= 1.
double mean_decay(double x) { return x > 1e-8 ? -std::expm1(-x) / x : 1.0; }

template <int D>
void Penalty<D>::prepare_point(const StepInput<D>& in, const State<D>& state, std::size_t i, double shared_by,
                               const Memory<D>* memory) {
  const Contact<D>& c = contacts_[i];
  PointSpring<D>& s = springs_[i];
  s = PointSpring<D>{};
  if (c.gap >= 0) return;
  const PenaltyLaw law = law_of(in, c.body_a, c.body_b);
  const auto skin = [&](std::uint32_t body) -> Vec<D> {
    return state.point_velocity(body, c.point) + matrix_of(state.orientation[body]) * in.bodies.surface_velocity[body];
  };
  s.depth = -c.gap;
  s.velocity = skin(c.body_b) - skin(c.body_a);
  s.stiffness = law.stiffness / shared_by;
  s.tangential_stiffness = options_.tangential_ratio * s.stiffness;
  const double ratio =
      memory ? memory->damping
             : law.damping(-s.velocity.dot(c.normal),
                           damping_of_pair_[in.materials.pair_index(in.detector.colliders()[c.collider_a].material,
                                                                    in.detector.colliders()[c.collider_b].material)]);
  s.damping = ratio;
  const double moved = response(in.bodies, state, c.body_a, c).most + response(in.bodies, state, c.body_b, c).most;
  s.tangential_damping = std::sqrt(s.tangential_stiffness / moved);
  if (memory) {
    s.sliding = memory->sliding;
    s.slip = memory->slip;
  }
}

// Contacts at this state, with their springs and the bounds of each body's rates.
template <int D>
void Penalty<D>::prepare(const StepInput<D>& in, const State<D>& state) {
  in.detector.find_contacts(state.position, state.orientation, options_.share_distance, in.parallel, contacts_);
  springs_.resize(contacts_.size());
  std::size_t m = 0;
  for (std::size_t begin = 0; begin < contacts_.size();) {
    // The points of one pair of shapes stand together; n_c counts them by how near they are.
    std::size_t end = begin;
    double count = 0;
    for (; end < contacts_.size() && contacts_[end].key >> 16 == contacts_[begin].key >> 16; ++end)
      count += contacts_[end].gap <= 0 ? 1.0 : 1.0 - contacts_[end].gap / options_.share_distance;
    for (std::size_t i = begin; i < end; ++i) {
      while (m < memory_.size() && memory_[m].key < contacts_[i].key) ++m;
      const bool known = m < memory_.size() && memory_[m].key == contacts_[i].key;
      prepare_point(in, state, i, std::max(count, 1.0), known ? &memory_[m] : nullptr);
    }
    begin = end;
  }
  rates_.assign(in.bodies.size(), BodyRates{});
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact<D>& c = contacts_[i];
    const PointSpring<D>& s = springs_[i];
    if (s.depth <= 0) continue;
    // Two moving bodies may swing against each other: each sees the spring twice as stiff at most.
    const double both = in.bodies.dynamic(c.body_a) && in.bodies.dynamic(c.body_b) ? 2.0 : 1.0;
    for (const std::uint32_t body : {c.body_a, c.body_b}) {
      const Response w = response(in.bodies, state, body, c);
      rates_[body].spring += both * w.most * s.stiffness;
      rates_[body].normal_damping += both * w.normal * s.stiffness * s.depth * s.damping;
      rates_[body].tangential_damping += both * w.most * s.tangential_damping;
    }
  }
}

template <int D>
double Penalty<D>::stable_substep() const {
  double most = 0;
  for (const BodyRates& r : rates_) most = std::max(most, r.spring);
  return most > 0 ? kStablePhase / std::sqrt(most) : std::numeric_limits<double>::infinity();
}

// The slip vector follows the contact: tilted with the normal, turned with the mean spin of both bodies about it.
Vec<2> carried(const Vec<2>& slip, const Vec<2>& normal, const AngVec<2>&, double) {
  return slip - normal * normal.dot(slip);
}
Vec<3> carried(const Vec<3>& slip, const Vec<3>& normal, const Vec<3>& spin, double h) {
  const double length = slip.norm();
  if (length == 0) return slip;
  Vec<3> turned = slip + (0.5 * h * spin.dot(normal)) * cross(normal, slip);
  turned -= normal * normal.dot(turned);
  const double left = turned.norm();
  return left > 0 ? Vec<3>(turned * (length / left)) : Vec<3>(Vec<3>::Zero());
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
  s.slip = carried(s.slip, c.normal, spin, advance) + advance * along;
  Vec<D> friction = -s.tangential_stiffness * s.slip - s.tangential_damping * mean_decay(h * rate) * along;
  const PairMaterial& material =
      in.materials.pair(in.detector.colliders()[c.collider_a].material, in.detector.colliders()[c.collider_b].material);
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
  accumulate(in, h * (rk4 ? kRk4Weight[stage] : 1.0));
  if (!rk4 || stage == 3) remember();
}

template <int D>
void Penalty<D>::remember() {
  next_memory_.clear();
  report_.contact_energy = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PointSpring<D>& s = springs_[i];
    if (s.depth <= 0) continue;
    next_memory_.push_back({contacts_[i].key, s.slip, s.damping, s.sliding});
    report_.max_penetration = std::max(report_.max_penetration, s.depth);
    report_.contact_energy += 0.5 * (s.stiffness * s.depth * s.depth + s.tangential_stiffness * s.slip.squaredNorm());
  }
  std::swap(memory_, next_memory_);
}

// Merges the points at work into the step's list, by key; both are sorted.
template <int D>
void Penalty<D>::accumulate(const StepInput<D>& in, double weight) {
  merged_.clear();
  std::size_t old = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (springs_[i].depth <= 0) continue;
    const Contact<D>& c = contacts_[i];
    while (old < step_contacts_.size() && step_contacts_[old].contact.key < c.key)
      merged_.push_back(step_contacts_[old++]);
    StepContact<D> now;
    if (old < step_contacts_.size() && step_contacts_[old].contact.key == c.key) now = step_contacts_[old++];
    now.contact = c;
    now.impulse += weight * springs_[i].force;
    now.relative_velocity = springs_[i].velocity;
    now.material = in.materials.pair(in.detector.colliders()[c.collider_a].material,
                                     in.detector.colliders()[c.collider_b].material);
    now.sticking = !springs_[i].sliding;
    merged_.push_back(now);
  }
  while (old < step_contacts_.size()) merged_.push_back(step_contacts_[old++]);
  std::swap(step_contacts_, merged_);
}

template <int D>
void Penalty<D>::start_report(const StepInput<D>& in) {
  report_ = ModelReport{};
  report_.substeps = 0;
  step_contacts_.clear();
  if (damping_of_pair_.size() == in.materials.pair_count()) return;
  damping_of_pair_.clear();
  for (std::size_t i = 0; i < in.materials.pair_count(); ++i)
    damping_of_pair_.push_back(damping_of_restitution(in.materials.pair_at(i).restitution));
}

template <int D>
ModelReport Penalty<D>::step(const StepInput<D>& in, State<D>& state) {
  start_report(in);
  find_pairs(in, state);
  const double accurate = accurate_substep(in);
  double left = in.h;
  while (left > 0) {
    prepare(in, state);
    const double wanted = std::min(accurate, stable_substep());
    const double pieces = std::max(1.0, std::ceil(left / wanted - 1e-9));
    if (static_cast<double>(report_.substeps) + pieces > static_cast<double>(options_.max_substeps))
      throw Error(
          ErrorKind::kUnstable,
          fmt::format(
              "the contact springs need a step of at most {:.3g} s to stay stable, but the step is {:.3g} s and "
              "max_substeps = {}; take a smaller step, more substeps, a smaller stiffness or a larger sag",
              wanted * static_cast<double>(options_.max_substeps), in.h, options_.max_substeps));
    const double h = pieces == 1.0 ? left : left / pieces;
    source_.begin(in, h);
    integrate(in.integrator, in.bodies, in.time + (in.h - left), h, source_, state, workspace_, in.parallel,
              report_.work);
    left = pieces == 1.0 ? 0.0 : left - h;
    ++report_.substeps;
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
