// Purpose: contact by impulses. Collisions are turned around before the step; the impulses of resting contacts are
//   iterated until, at the end of the step, no contact penetrates or slips by more than a tolerance.
// Source: [bender2006, figure 1, §§3.1-3.2].
// Letters: ours are the paper's with its first body as our B: u = u_B − u_A, n from A to B, p on B, d_n = −gap.
// Deviations:
//   (1) End-of-step form: v ← v + h·g before the solve, x ← x + h·v after it, in place of the ballistic ½gh², which
//       would leave every resting contact with a velocity of −½gh.
//   (2) The threshold below which a contact rests is max(√(2·g·ε_c), g·h).
//   (3) Static friction holds position: a marked contact keeps how far its two material points have slipped since it
//       was marked, and is brought back. The paper starts from zero in every step, and creeps.
//   (4) Smooth shapes use the geometric point of contact, not a material one, which would sink by R(ωh)²/2.
//   (5) The prediction of §3.2 is linear in the velocities within a substep and evaluated at the new poses in the next
//       one; normals are kept over a step.
//   (6) A contact with an open gap takes part: it may close its gap within the substep, not more (u_n ≥ −gap/h). With
//       e = 0 that is all there is to a collision, and no loop is needed before the step.
//   (7) A penetration is pushed out no faster than `push_speed`.
//   (8) Friction on accumulated sums with the 2×2 block of K; see contact_kernels.cpp and impact.cpp.
//   (9) A step may be cut into substeps with one detection: cheaper than iterating one long step to the same depth.
// Fails: substeps that need more than max_iterations sweeps are reported as not converged.
#include "models/impulse/impulse.h"

#include <algorithm>
#include <cmath>

#include "models/contact_tally.h"
#include "models/impulse/contact_groups.h"
#include "models/impulse/contact_list.h"
#include "models/impulse/impact.h"
#include "models/impulse/impulse_options.h"
#include "models/impulse/newton.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256;

Mat<2> skew(const AngVec<2>& w) {
  Mat<2> m;
  m << 0, -w[0], w[0], 0;
  return m;
}
Mat<3> skew(const Vec<3>& w) {
  Mat<3> m;
  m << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return m;
}

template <int D>
class Impulse : public ContactModel<D> {
 public:
  explicit Impulse(const ImpulseOptions& options) : options_(options) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;
  std::span<const StepContact<D>> contacts() const override { return tally_.contacts(); }
  void undo() override {
    list_.restore_memory();
    std::swap(tally_, start_tally_);
  }
  void forget(std::uint32_t body) override {
    list_.forget(body);
    tally_.forget(body);
  }
  void serialize(Archive& ar) override {
    ar(list_);
    ar(tally_);
  }

 private:
  void begin(const StepInput<D>& in, const State<D>& state);
  void place_start(const StepInput<D>& in, const State<D>& state);
  std::int64_t pieces_of(const StepInput<D>& in, const State<D>& state);
  void piece(const StepInput<D>& in, double time, double length, bool found, State<D>& state);
  void substep(const StepInput<D>& in, double time, double h, double elapsed, State<D>& state);
  void collide(const StepInput<D>& in, double time, double h, State<D>& state);
  void kick(const StepInput<D>& in, double time, double h, State<D>& state);
  void solve(const StepInput<D>& in, double h, double elapsed, State<D>& state);
  std::int64_t sweep_to_tolerance(const StepInput<D>& in, double h, const State<D>& state);
  std::int64_t finish_islands(const StepInput<D>& in, double h, double change, const State<D>& state);
  void extrapolate(double factor, std::size_t bodies);
  void advance(const StepInput<D>& in, double time, double h, State<D>& state);
  void correct(const StepInput<D>& in, double h, State<D>& state);
  void displace(const StepInput<D>& in, const State<D>& state);

  const ImpulseOptions options_;
  ContactList<D> list_;
  ContactGroups<D> groups_;
  Impacts<D> impacts_;
  ContactNewton<D> newton_;
  ExternalForces<D> forces_;
  WrenchSet<D> wrenches_;
  std::vector<Wrench<D>> no_wrench_;
  std::vector<BodyVelocity<D>> velocity_, before_, direction_;
  std::vector<AngMat<D>> inv_inertia_;
  std::vector<Displacement<D>> displacement_;
  std::vector<Vec<D>> start_position_;
  std::vector<Mat<D>> start_rotation_;
  std::vector<AngVec<D>> turned_;
  ContactTally<D> tally_, start_tally_;
  ModelReport report_;
  bool bounces_ = false;  // some contact has a restitution
};

template <int D>
void Impulse<D>::begin(const StepInput<D>& in, const State<D>& state) {
  const std::size_t n = in.bodies.size();
  report_ = ModelReport{};
  report_.substeps = 0;
  list_.keep_memory();
  std::swap(tally_, start_tally_);
  tally_.clear();
  no_wrench_.assign(n, Wrench<D>{});
  velocity_.resize(n + 1);
  set_velocity(velocity_[n], Vec<D>::Zero(), AngVec<D>::Zero());
  inv_inertia_.resize(n + 1);
  inv_inertia_[n].setZero();
  place_start(in, state);
}

template <int D>
void Impulse<D>::place_start(const StepInput<D>& in, const State<D>& state) {
  const std::size_t n = in.bodies.size();
  displacement_.assign(n + 1, Displacement<D>{});
  turned_.assign(n, AngVec<D>::Zero());
  start_position_ = state.position;
  start_rotation_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    start_rotation_[i] = matrix_of(state.orientation[i]);
    inv_inertia_[i] = rotate_moments(state.orientation[i], in.bodies.inv_inertia[i]);
  }
}

// How far every body has come since the start of the step, and its inertia there.
template <int D>
void Impulse<D>::displace(const StepInput<D>& in, const State<D>& state) {
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Displacement<D>& d = displacement_[i];
      d.dx = state.position[i] - start_position_[i];
      d.material = matrix_of(state.orientation[i]) * start_rotation_[i].transpose() - Mat<D>::Identity();
      d.rolling = skew(turned_[i]);
      inv_inertia_[i] = rotate_moments(state.orientation[i], in.bodies.inv_inertia[i]);
    }
  });
}

template <int D>
void Impulse<D>::collide(const StepInput<D>& in, double time, double h, State<D>& state) {
  const double gravity = in.forces.gravity.norm();
  const double threshold = std::max(std::sqrt(2 * gravity * options_.tolerance), gravity * h);
  const ImpactReport impacts = impacts_.resolve(
      {in, time, h, threshold, options_.tolerance, h, displacement_, inv_inertia_}, list_.records(), state);
  report_.iterations += impacts.sweeps;
  report_.collisions += impacts.collisions;
  report_.work[static_cast<std::size_t>(ForceClass::kContact)] += impacts.work;
  if (!impacts.converged) report_.status = StepStatus::kNotConverged;
}

// v ← v + h·M⁻¹·F.
template <int D>
void Impulse<D>::kick(const StepInput<D>& in, double time, double h, State<D>& state) {
  wrenches_.reset(in.bodies.size());
  forces_.begin(in, h);
  forces_.evaluate(time, 0, 0.0, state, wrenches_);
  const std::vector<Wrench<D>>& wrench = wrenches_.total();
  report_.work[static_cast<std::size_t>(ForceClass::kExternal)] += h * wrenches_.prescribed_power;
  for (std::size_t c = 1; c < kForceClasses; ++c) {
    if (!wrenches_.used(static_cast<ForceClass>(c))) continue;
    const std::vector<Wrench<D>>& part = wrenches_.of(static_cast<ForceClass>(c));
    double sum = 0;
    for (std::size_t i = 0; i < in.bodies.size(); ++i) {
      const Vec<D> dv = h * in.bodies.inv_mass[i] * wrench[i].force;
      const AngVec<D> dw = h * (inv_inertia_[i] * wrench[i].torque);
      sum += part[i].force.dot(state.velocity[i] + 0.5 * dv) + part[i].torque.dot(state.angular_velocity[i] + 0.5 * dw);
    }
    report_.work[c] += h * sum;
  }
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!in.bodies.dynamic(i)) continue;
      state.velocity[i] += h * in.bodies.inv_mass[i] * wrench[i].force;
      state.angular_velocity[i] += h * (inv_inertia_[i] * wrench[i].torque);
    }
  });
}

// Sweeps until nothing changes by more than the tolerance. Plain sweeps need thousands in a tall stack; so each is
// taken for a step of descent, and steps are made conjugate to each other by Fletcher and Reeves' rule [M. Silcowitz,
// S. Niebe, K. Erleben: A nonsmooth nonlinear conjugate gradient method for interactive contact force problems, 2010].
template <int D>
std::int64_t Impulse<D>::sweep_to_tolerance(const StepInput<D>& in, double h, const State<D>& state) {
  const std::size_t n = in.bodies.size();
  double last_energy = 0;
  direction_.resize(n);
  for (std::int64_t sweeps = 1;; ++sweeps) {
    before_ = velocity_;
    const double change = groups_.sweep(velocity_, in.parallel) * h;
    if (sweeps >= options_.min_iterations && change <= options_.tolerance * options_.aim) return sweeps;
    if (sweeps >= options_.max_iterations || (sweeps >= options_.iterations && change <= options_.tolerance))
      return sweeps + finish_islands(in, h, change, state);
    const double energy = groups_.change_energy();
    double factor = last_energy > 0 ? energy / last_energy : 0.0;
    if (factor > 1) factor = 0;  // no descent: start anew
    last_energy = energy;
    groups_.extrapolate(factor, in.parallel);
    extrapolate(factor, n);
  }
}

// Islands that are nearly at rest and small enough are solved at once. Returns the number of factorisations.
template <int D>
std::int64_t Impulse<D>::finish_islands(const StepInput<D>& in, double h, double change, const State<D>& state) {
  constexpr double kMostProducts = 2e6;  // of blocks, in a factorisation: a second or so
  const double aim = options_.tolerance * options_.aim / h;
  newton_.solve({in.bodies, state, inv_inertia_, aim, options_.newton_speed, kMostProducts}, groups_, velocity_);
  const bool left = newton_.left_out() ? change > options_.tolerance : newton_.violation() * h > options_.tolerance;
  if (left) report_.status = StepStatus::kNotConverged;
  return newton_.factorisations();
}

// The same step for the velocities, which depend linearly on the impulses.
template <int D>
void Impulse<D>::extrapolate(double factor, std::size_t n) {
  const Lane f = lane_of(factor);
  for (std::size_t i = 0; i < n; ++i) {
    BodyVelocity<D>&v = velocity_[i], &d = direction_[i];
    const BodyVelocity<D>& b = before_[i];
    const Lane step = factor == 0 ? Lane{} : d.v * f;
    d.v = step + (v.v - b.v);
    v.v += step;
    if constexpr (D == 3) {
      const Lane turn = factor == 0 ? Lane{} : d.w * f;
      d.w = turn + (v.w - b.w);
      v.w += turn;
    }
  }
}

// The resting contacts of a substep [§3.2].
template <int D>
void Impulse<D>::solve(const StepInput<D>& in, double h, double elapsed, State<D>& state) {
  const std::size_t n = in.bodies.size();
  in.parallel.for_ranges(n, kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) set_velocity(velocity_[i], state.velocity[i], state.angular_velocity[i]);
  });
  groups_.prepare(displacement_, inv_inertia_, h, elapsed, options_.rest_gap, true, in.parallel);
  groups_.warm_start(velocity_, in.parallel);
  const std::int64_t sweeps = sweep_to_tolerance(in, h, state);
  report_.iterations += sweeps;
  groups_.add_totals();
  double work = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!in.bodies.dynamic(i)) continue;
    Vec<D> v;
    AngVec<D> w;
    get_velocity(velocity_[i], v, w);
    const AngVec<D> dw = w - state.angular_velocity[i];
    work += in.bodies.mass[i] * (v - state.velocity[i]).dot(v + state.velocity[i]) +
            dw.dot(apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i],
                                 AngVec<D>(w + state.angular_velocity[i])));
    state.velocity[i] = v;
    state.angular_velocity[i] = w;
  }
  report_.work[static_cast<std::size_t>(ForceClass::kContact)] += 0.5 * work;
}

template <int D>
void Impulse<D>::advance(const StepInput<D>& in, double time, double h, State<D>& state) {
  for (std::size_t i = 0; i < in.bodies.size(); ++i)
    if (in.bodies.dynamic(i)) turned_[i] += h * state.angular_velocity[i];
  semi_implicit_euler(in.bodies, no_wrench_, h, state, in.parallel);
  forces_.set_kinematic(time + h, state);
}

// Positions only: see position_kernels.cpp.
template <int D>
void Impulse<D>::correct(const StepInput<D>& in, double h, State<D>& state) {
  for (BodyVelocity<D>& s : velocity_) set_velocity(s, Vec<D>::Zero(), AngVec<D>::Zero());
  const std::int64_t sweeps = groups_.correct(options_.tolerance / 20, options_.push_speed * h,
                                              options_.correction_sweeps, velocity_, in.parallel);
  if (sweeps == 0) return;
  report_.iterations += sweeps;
  groups_.settle(velocity_);
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    Vec<D> dx;
    AngVec<D> turn;
    get_velocity(velocity_[i], dx, turn);
    state.position[i] += dx;
    state.orientation[i] = rotate_by(turn, state.orientation[i]);
  }
}

template <int D>
void Impulse<D>::substep(const StepInput<D>& in, double time, double h, double elapsed, State<D>& state) {
  if (bounces_) collide(in, time, h, state);
  kick(in, time, h, state);
  solve(in, h, elapsed, state);
  advance(in, time, h, state);
  displace(in, state);
  ++report_.substeps;
}

// How often contacts are found in a step: normals are kept in between, so that nothing that touches should move far.
template <int D>
std::int64_t Impulse<D>::pieces_of(const StepInput<D>& in, const State<D>& state) {
  constexpr double kFar = 0.15;  // of the smaller body's radius
  constexpr double kMost = 4;
  if (options_.substeps == 1) return 1;
  list_.find(in, state, in.h, in.h, options_.margin, options_.reuse, start_rotation_);
  double farthest = 0;
  for (const ContactRecord<D>& r : list_.records()) {
    const std::uint32_t a = r.contact.body_a, b = r.contact.body_b;
    const Vec<D> u = in.h * (state.point_velocity(b, r.contact.point) - state.point_velocity(a, r.contact.point));
    if (r.contact.gap + r.contact.normal.dot(u) > options_.margin) continue;
    const double radius = std::min(in.bodies.dynamic(a) ? in.bodies.radius[a] : in.bodies.radius[b],
                                   in.bodies.dynamic(b) ? in.bodies.radius[b] : in.bodies.radius[a]);
    farthest = std::max(farthest, u.norm() / radius);
  }
  return static_cast<std::int64_t>(std::clamp(std::ceil(farthest / kFar), 1.0, kMost));
}

// A part of the step with one detection.
template <int D>
void Impulse<D>::piece(const StepInput<D>& in, double time, double length, bool found, State<D>& state) {
  const std::int64_t substeps =
      options_.substeps > 0 ? options_.substeps
                            : std::max<std::int64_t>(1, std::llround(std::ceil(length / options_.max_substep - 1e-9)));
  const double h = length / static_cast<double>(substeps);
  place_start(in, state);
  if (!found)
    list_.find(in, state, length, h, options_.margin, options_.reuse, start_rotation_);
  else
    list_.rescale(h / in.h);
  bounces_ = std::any_of(list_.records().begin(), list_.records().end(),
                         [](const ContactRecord<D>& r) { return r.material.restitution > 0; });
  groups_.pack(in.bodies, list_.records());
  newton_.begin(in.bodies, groups_, static_cast<std::size_t>(options_.newton_bodies));
  for (std::int64_t k = 0; k < substeps; ++k)
    substep(in, time + static_cast<double>(k) * h, h, static_cast<double>(k) * h, state);
  groups_.prepare(displacement_, inv_inertia_, h, length, options_.rest_gap, false, in.parallel);
  correct(in, length, state);
  groups_.unpack(list_.records(), list_.gaps());
  report_.max_penetration = std::max(report_.max_penetration, list_.penetration());
  report_.resting = list_.resting();
  list_.report(state, tally_);
  list_.remember(h, start_position_, start_rotation_);
}

template <int D>
ModelReport Impulse<D>::step(const StepInput<D>& in, State<D>& state) {
  check_spring_step(in);
  begin(in, state);
  const std::int64_t pieces = pieces_of(in, state);
  const double length = in.h / static_cast<double>(pieces);
  for (std::int64_t k = 0; k < pieces; ++k)
    piece(in, in.time + static_cast<double>(k) * length, length, pieces == 1 && options_.substeps != 1, state);
  return report_;
}

}  // namespace

ModelInfo impulse_model() {
  ModelInfo info;
  info.name = "impulse";
  info.summary = "Impulses at every contact, iterated until penetration and slip are below a tolerance.";
  info.source = "bender2006";
  info.capabilities = {true, true, true, true, false, {Integrator::kSemiImplicitEuler}};
  info.options = impulse_option_table();
  info.make2 = [](const Options& o) { return std::make_unique<Impulse<2>>(read_impulse_options(o)); };
  info.make3 = [](const Options& o) { return std::make_unique<Impulse<3>>(read_impulse_options(o)); };
  return info;
}

}  // namespace touchstone
