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
//   (4) Smooth shapes use the geometric point of contact, not a material one, which would sink by R(ωh)²/2: the
//       centre of curvature moves with the material, the point stays at its distance from there along the normal.
//   (5) The prediction of §3.2 is linear in the velocities within the sweeps. With `accurate` gaps and slips are
//       evaluated exactly outside of them, at the predicted poses, and iterated, by Newton's method where the paper has
//       eq 8; with `default` once, where bodies turn fast. Gaps are along the normal as it turns with its face or
//       edges; impulses act along the normal, and with an ellipsoid's curvature, of the start of the step.
//   (6) A contact with an open gap takes part: it may close its gap within the substep, not more (u_n ≥ −gap/h). With
//       e = 0 that is all there is to a collision, and no loop is needed before the step.
//   (7) A penetration is taken back by moving bodies, from below upwards, no faster than `push_speed`.
//   (8) Friction on accumulated sums with the 2×2 block of K; see contact_sweeps.cpp and impact.cpp.
//   (9) A step may be cut into substeps with one detection: cheaper than iterating one long step to the same depth.
//   (10) With scheme "verlet" half of the forces act before and half after the motion, and a second solve at the end
//       makes the velocities of closed contacts and joints right: the paper's ballistic ½gh² without its −½gh.
//   (11) With slip_speed > 0 friction grows with the slip, and nothing sticks.
//   (12) With shock_propagation velocities are made right from below upwards after the sweeps: contact_levels.cpp.
//   (13) With sleep islands that rest are left alone: sleepers.cpp.
//   (14) In steps shorter than short_substep (`default`, `fast`) it is looked again where fast bodies would end
//       up, and what they would touch there joins the contacts: first_touch.cpp. Contacts that are jammed deeper than a
//       part of the tolerance are left with a velocity outwards, and are swept for longer.
//   (15) With two coefficients the points of a face are held or let go together: contact_groups.cpp.
//   (16) Islands that have gained energy from sweeps that do not end are brought back to where they have the least, and
//       swept again; in those short steps, and between events, they start anew: energy_gains.cpp.
//   (17) In those short steps, pairs that stay apart are left out until the velocities found bring them together:
//       idle_contacts.cpp.
//   (18) With timing "fixed" collisions come before the motion, so that who turns round or is thrown by another has the
//       whole step to fly. Pairs are looked for on all sides of who moves far; what is thrown out of the bounds of that
//       search meets what lies on its new way: first_touch.cpp. What sweeps leave flying through what cannot move is
//       stopped: last_stop.cpp.
// Fails: substeps that need more than max_iterations sweeps are reported as not converged. Error (kUnstable) if bodies
// are
//   thrown about by more than a million times their size.
#include "models/impulse/impulse.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/free_turn.h"
#include "models/impulse/impulse_model.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256, kContactGrain = 512;

// How many times its radius, and by which angle, a body moves in a second [1/s]. One without a shape has no radius.
template <int D>
double relative_speed(const Bodies<D>& bodies, std::size_t i, const State<D>& state) {
  const double radius = bodies.radius[i];
  return (radius > 0 ? state.velocity[i].norm() / radius : 0.0) + state.angular_velocity[i].norm();
}

}  // namespace

// What undo() goes back to. Nothing that may fail comes before it.
template <int D>
void Impulse<D>::keep() {
  report_ = ModelReport{};
  report_.substeps = 0;
  anew_ = taken_back_ = false;  // a step that failed may have left them
  list_.keep_memory();
  start_pause_ = newton_.pause, start_pieces_ = pieces_;
  joints_.keep();
  list_.start_report();
}

template <int D>
void Impulse<D>::begin(const StepInput<D>& in) {
  const std::size_t n = in.bodies.size();
  joints_.begin(in);
  velocity_.resize(n + 1);
  set_velocity(velocity_[n], Vec<D>::Zero(), AngVec<D>::Zero());
  inv_inertia_.resize(n + 1);
  inv_inertia_[n].setZero();
  displacement_.resize(n + 1);
  displacement_[n] = Displacement<D>{};
  touching_.resize(n + 1);
}

// Contacts from here, and what they are measured from.
template <int D>
void Impulse<D>::find_contacts(const StepInput<D>& in, const State<D>& state, double time, double length,
                               double substep) {
  list_.find(in, state, time, length, substep, options_.margin, reuse(length), leaves_idle(length), scratch_,
             groups_.room());
  still_ = true;
  std::fill(touching_.begin(), touching_.end(), 0);
  const std::span<const ContactRecord<D>> records = list_.records();
  in.parallel.for_ranges(records.size(), kContactGrain, [&](std::size_t begin, std::size_t end) {
    const auto mark = [&](std::uint32_t body) {  // several may do so at once
      std::atomic_ref(touching_[body]).store(1, std::memory_order_relaxed);
    };
    for (std::size_t i = begin; i < end; ++i) mark(records[i].contact->body_a), mark(records[i].contact->body_b);
  });
  for (const Joint<D>& j : in.joints) {
    if (j.body_a != kWorldBody) touching_[j.body_a] = 1;
    if (j.body_b != kWorldBody) touching_[j.body_b] = 1;
  }
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (touching_[i]) start_body(in, state, i);
  });
}

// Where a body that impulses may push starts from. The others need nothing of it.
template <int D>
void Impulse<D>::start_body(const StepInput<D>& in, const State<D>& state, std::size_t i) {
  displacement_[i] = Displacement<D>{};
  inv_inertia_[i] = rotate_moments(state.orientation[i], in.bodies.inv_inertia[i]);
}

// How far every body that touches something has come since the start of the step, and its inertia.
template <int D>
void Impulse<D>::displace(const StepInput<D>& in, const State<D>& state) {
  still_ = false;
  const std::span<const Mat<D>> rotation = in.detector.rotations();
  const std::span<const Vec<D>> start = in.detector.positions();
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!touching_[i]) continue;
      displacement_[i].dx = state.position[i] - start[i];
      displacement_[i].material = matrix_of(state.orientation[i]) * rotation[i].transpose() - Mat<D>::Identity();
      inv_inertia_[i] = rotate_moments(state.orientation[i], in.bodies.inv_inertia[i]);
    }
  });
}

template <int D>
void Impulse<D>::collide(const StepInput<D>& in, double time, double h, double reach_time, State<D>& state) {
  const double gravity = in.forces.gravity.norm();
  const double threshold = std::max(std::sqrt(2 * gravity * options_.tolerance), gravity * h);
  // Where times of impact are not met exactly either, a hundredth of what counts as rest will do, and a few passes.
  constexpr std::int64_t kPasses = 4, kSweeps = 10;
  const bool rough = reach_time > 0 && !options_.verlet;
  const ImpactReport impacts = impacts_.resolve(
      {in, time, h, rough ? 0.01 * threshold : 0.0, rough ? kPasses : 0, kSweeps, threshold, options_.tolerance,
       reach_time, in.detector.positions(), displacement_, still_, inv_inertia_, joints_, velocity_, options_.law},
      list_.records(), state);
  report_.iterations += impacts.sweeps, report_.collisions += impacts.collisions;
  report_.work[ForceClass::kContact] += impacts.work;
  report_.work[WorkClass::kJoint] += impacts.joint_work, report_.work[WorkClass::kMotor] += impacts.motor_work;
  report_.impact_gain += std::max(0.0, impacts.gain);
  if (!impacts.converged) report_.status = StepStatus::kNotConverged;
}

// v ← v + h·M⁻¹·F. The work of the forces is that of a body which nothing stops; solve() makes it right.
template <int D>
void Impulse<D>::kick(const StepInput<D>& in, double time, double h, State<D>& state, bool trial) {
  wrenches_.reset(in.bodies.size());
  forces_.begin(in, h);
  forces_.evaluate_as(trial ? Evaluation::kPreview : Evaluation::kStage, time, 0, 0.0, state, wrenches_);
  const std::vector<Wrench<D>>& wrench = wrenches_.total();
  kicked_ = h;
  report_.work[ForceClass::kExternal] += h * wrenches_.prescribed_power;
  for (std::size_t c = 1; c < kForceClasses; ++c) {
    if (!wrenches_.used(static_cast<ForceClass>(c))) continue;
    const std::vector<Wrench<D>>& part = wrenches_.of(static_cast<ForceClass>(c));
    double sum = 0;
    for (std::size_t i = 0; i < in.bodies.size(); ++i) {
      const Vec<D> dv = h * in.bodies.inv_mass[i] * wrench[i].force;
      const AngVec<D> dw =
          h * apply_moments(frame_of(state.orientation[i]), in.bodies.inv_inertia[i], wrench[i].torque);
      sum += part[i].force.dot(state.velocity[i] + 0.5 * dv) + part[i].torque.dot(state.angular_velocity[i] + 0.5 * dw);
    }
    report_.work[c] += h * sum;
  }
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!in.bodies.dynamic(i)) continue;
      state.velocity[i] += h * in.bodies.inv_mass[i] * wrench[i].force;
      if (wrench[i].torque.isZero(0)) continue;
      state.angular_velocity[i] +=
          h * apply_moments(frame_of(state.orientation[i]), in.bodies.inv_inertia[i], wrench[i].torque);
    }
  });
}

template <int D>
AngVec<D> Impulse<D>::turn_of(const StepInput<D>& in, std::size_t i, double h, const AngVec<D>& w,
                              const State<D>& state) const {
  if (!in.bodies.dynamic(i)) return h * w;
  return free_turn(state.orientation[i], in.bodies.inertia[i], in.bodies.inv_inertia[i], w, h);
}

// Normals are kept since contacts were found. Where bodies have turned many times since, they say nothing any more, and
// what collides is thrown farther and farther: better an end than numbers that are none.
template <int D>
void Impulse<D>::refuse_wild(const StepInput<D>& in, double h, const State<D>& state) const {
  std::size_t wildest = 0;
  // What cannot move comes last, and a speed that is no number any more first.
  const auto wild = [&](std::size_t i) {
    if (!touching_[i] || !in.bodies.dynamic(i)) return -1.0;
    const double speed = h * relative_speed(in.bodies, i, state);
    return std::isnan(speed) ? std::numeric_limits<double>::infinity() : speed;
  };
  for (std::size_t i = 0; i < in.bodies.size(); ++i)
    if (wild(i) > wild(wildest)) wildest = i;
  throw Error(
      ErrorKind::kUnstable,
      fmt::format("body '{}' is thrown about at {:.3g} m/s, {:.1g} times its size within {:.3g} s: contacts are "
                  "found too seldom in a step of {:.3g} s; take a smaller step",
                  in.bodies.name[wildest], state.velocity[wildest].norm(), wild(wildest), h, in.h));
}

template <int D>
void Impulse<D>::advance(const StepInput<D>& in, double time, double h, State<D>& state) {
  constexpr double kFar = 0.05;  // of a body's radius, or an angle [rad]: so much changes K by a few per cent
  constexpr double kWild = 1e6;  // the same: a ball of 1 cm at 1000 m/s comes to 2000 in 1/60 s
  farthest_.assign((in.bodies.size() + kBodyGrain - 1) / kBodyGrain, 0.0);
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    double& most = farthest_[begin / kBodyGrain];
    for (std::size_t i = begin; i < end; ++i) {
      if (!in.bodies.dynamic(i) && touching_[i]) displacement_[i].turned += h * state.angular_velocity[i];
      if (!in.bodies.dynamic(i) || !touching_[i]) continue;
      displacement_[i].turned += turn_of(in, i, h, state.angular_velocity[i], state);
      most = std::max(most, relative_speed(in.bodies, i, state));
    }
  });
  const double farthest = h * (farthest_.empty() ? 0.0 : *std::max_element(farthest_.begin(), farthest_.end()));
  if (farthest > kWild) refuse_wild(in, h, state);
  moved_ += farthest;
  if (!(moved_ <= kFar)) new_masses_ = true;
  semi_implicit_euler(in.bodies, {}, h, state, in.parallel);
  forces_.set_kinematic(time + h, state);
}

template <int D>
void Impulse<D>::substep(const StepInput<D>& in, double time, double h, double elapsed, State<D>& state) {
  if (in.observer) note_twists(state, twist_before_);
  kick(in, time, options_.verlet ? 0.5 * h : h, state);
  if (leaves_idle(h)) {
    constexpr double kNear = 10;  // times the tolerance
    list_.set_idle(state, h, kNear * options_.tolerance);
    load_contacts(in);
  }
  solve(in, time, h, elapsed, true, state);
  advance(in, time, h, state);
  displace(in, state);
  ++report_.substeps;
  if (!options_.verlet && !joints_.empty() && !sleepers_.all()) project_joints(in, h, state);
  if (!options_.verlet) return;
  if (in.observer) note_twists(state, twist_before_);
  kick(in, time + h, 0.5 * h, state);
  solve(in, time + h, h, elapsed + h, false, state);
}

// How often contacts are found in a step: normals are kept in between, so that nothing that touches should move far.
// They are found here for the first time: for a part of the step if the last one was cut, since what is farther away
// need not be laid out, and then this one is cut into as many parts at least.
template <int D>
std::int64_t Impulse<D>::pieces_of(const StepInput<D>& in, const State<D>& state) {
  constexpr double kFar = 0.15;  // of the smaller body's radius
  constexpr double kMost = 4;
  if (options_.substeps == 1) return 1;
  const std::int64_t least = std::exchange(pieces_, 1);
  find_contacts(in, state, in.time, in.h / static_cast<double>(least), in.h);
  double fastest = 0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    fastest = std::max(fastest, state.velocity[i].norm() + state.angular_velocity[i].norm() * in.bodies.radius[i]);
    if (in.bodies.dynamic(i)) smallest = std::min(smallest, in.bodies.radius[i]);
  }
  if (2 * in.h * fastest <= kFar * smallest) return least;
  const std::span<const ContactRecord<D>> records = list_.records();
  const auto moves = [&](const Contact<D>& c) {
    const std::uint32_t a = c.body_a, b = c.body_b;
    if (!in.bodies.dynamic(a) && !in.bodies.dynamic(b)) return 0.0;
    const Vec<D> u = in.h * (state.point_velocity(b, c.point) - state.point_velocity(a, c.point));
    if (c.gap + c.normal.dot(u) > options_.margin) return 0.0;
    const double radius = std::min(in.bodies.dynamic(a) ? in.bodies.radius[a] : in.bodies.radius[b],
                                   in.bodies.dynamic(b) ? in.bodies.radius[b] : in.bodies.radius[a]);
    return u.norm() / radius;
  };
  farthest_.assign((records.size() + kContactGrain - 1) / kContactGrain, 0.0);
  in.parallel.for_ranges(records.size(), kContactGrain, [&](std::size_t begin, std::size_t end) {
    double& most = farthest_[begin / kContactGrain];
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, moves(*records[i].contact));
  });
  const double farthest = farthest_.empty() ? 0.0 : *std::max_element(farthest_.begin(), farthest_.end());
  pieces_ = static_cast<std::int64_t>(std::clamp(std::ceil(farthest / kFar), 1.0, kMost));
  return std::max(least, pieces_);
}

// What something awake is about to touch wakes, and then more contacts matter.
template <int D>
void Impulse<D>::wake(const StepInput<D>& in, double time, double length, double substep, const State<D>& state) {
  if (!options_.sleep) return;
  while (sleepers_.wake_touched(list_.records(), list_.known(), in.forces.gravity, length, near(), state))
    find_contacts(in, state, time, length, substep);
}

// What was found, laid out for the solver.
template <int D>
void Impulse<D>::load_contacts(const StepInput<D>& in) {
  list_.release_memory();
  groups_.pack(in.bodies, list_.records(), in.detector.positions(), in.parallel);
  if (single())
    single_sweeps_.begin(groups_, in.bodies.size(), scratch_, in.parallel);
  else
    double_sweeps_.begin(groups_, in.bodies.size(), scratch_, in.parallel);
  new_masses_ = true, new_islands_ = true;
}

// Corrects positions, reports, and keeps what the next piece starts from. h: of the last substep.
template <int D>
void Impulse<D>::store_contacts(const StepInput<D>& in, double h, double length, State<D>& state) {
  groups_.prepare(displacement_, inv_inertia_, h, length, options_.rest_gap, false, true, in.parallel);
  correct(in, h, length, state);
  groups_.unpack(list_.records(), list_.gaps(), in.parallel);
  if (options_.sleep) list_.hold_still(in.bodies, length / h);
  report_.max_penetration = std::max(report_.max_penetration, list_.penetration());
  list_.note_loads();
  list_.remember(h, in.detector.positions(), in.detector.rotations(), in.parallel);
  report_.resting = list_.resting();
}

// A part of the step with one detection. found: the contacts are there already.
template <int D>
void Impulse<D>::piece(const StepInput<D>& in, double time, double length, bool found, State<D>& state) {
  const double longest = (length < in.h ? options_.longer_if_cut : 1.0) * options_.max_substep;
  const std::int64_t substeps = options_.substeps > 0 ? options_.substeps : substeps_of(length, longest);
  const double h = length / static_cast<double>(substeps);
  if (found)  // from here, where the step began
    list_.rescale(h / in.h, in.parallel);
  else
    find_contacts(in, state, time, length, h);
  wake(in, time, length, h, state);
  if (!leaves_idle(h)) load_contacts(in);
  const bool bounces =
      in.materials.bounces() && std::any_of(list_.records().begin(), list_.records().end(),
                                            [](const auto& r) { return r.sides->material->restitution > 0; });
  for (std::int64_t k = 0; k < substeps; ++k) {
    in.stop.check();
    const double since = static_cast<double>(k) * h;
    if (bounces) bounce(in, time + since, h, since, state);
    substep(in, time + since, h, since, state);
  }
  store_contacts(in, h, length, state);
}

template <int D>
void Impulse<D>::run(const StepInput<D>& in, State<D>& state) {
  check_spring_step(in);
  begin(in);
  if (options_.timing == ImpulseTiming::kEvents) return step_by_events(in, state);
  const std::int64_t pieces = pieces_of(in, state);
  const double length = in.h / static_cast<double>(pieces);
  for (std::int64_t k = 0; k < pieces; ++k)
    piece(in, in.time + static_cast<double>(k) * length, length, k == 0 && options_.substeps != 1, state);
}

template <int D>
ModelReport Impulse<D>::step(const StepInput<D>& in, State<D>& state) {
  keep();
  if (!options_.sleep) {
    run(in, state);
    list_.finish_report(in.parallel);
    return report_;
  }
  sleepers_.begin(in, state);
  const StepInput<D> awake{sleepers_.bodies(), in.materials, in.forces, in.motions,  in.detector, in.parallel,
                           in.integrator,      in.time,      in.h,      in.observer, in.joints,   in.stop};
  run(awake, state);
  report_.work[ForceClass::kContact] -= sleepers_.end(in, list_.records(), list_.gaps(), near(), state);
  list_.finish_report(in.parallel);
  return report_;
}

ModelInfo impulse_model() {
  ModelInfo info;
  info.name = "impulse";
  info.summary = "Impulses at every contact, iterated until penetration and slip are below a tolerance.";
  info.source = "bender2006";
  info.capabilities = {true, true, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.options = impulse_option_table();
  info.presets = impulse_presets();
  info.make2 = [](const Options& o) { return std::make_unique<Impulse<2>>(read_impulse_options(o)); };
  info.make3 = [](const Options& o) { return std::make_unique<Impulse<3>>(read_impulse_options(o)); };
  return info;
}

template class Impulse<2>;
template class Impulse<3>;

}  // namespace touchstone
