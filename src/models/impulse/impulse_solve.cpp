// Purpose: the impulses of a substep of the impulse model, iterated to the tolerance; what is left of penetration and
//   slip is taken back by moving bodies.
// Source: [bender2006, §3.2]; the order of the step and the deviations are in impulse.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/impulse/impulse_model.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256;

}  // namespace

// Sweeps until nothing changes by more than the tolerance. Plain sweeps need thousands in a tall stack; so each is
// taken for a step of descent, and steps are made conjugate to each other by Fletcher and Reeves' rule [M. Silcowitz,
// S. Niebe, K. Erleben: A nonsmooth nonlinear conjugate gradient method for interactive contact force problems, 2010].
template <int D>
template <class Sweeps>
std::int64_t Impulse<D>::sweep_to_tolerance(const StepInput<D>& in, double h, std::int64_t most, Sweeps& sweeps,
                                            double& change) {
  // In shorter substeps the same velocity is less of a distance.
  constexpr double kJammed = 0.01;  // of what is enough else
  const double enough =
      options_.tolerance * std::min(1.0, 0.5 * h / options_.short_substep) * (jammed_ ? kJammed : 1.0);
  const double aim = options_.tolerance * options_.aim;
  sweeps.load(groups_, velocity_, new_masses_, body_room_, in.parallel,
              taken_back_ ? groups_.taken_back() : std::span<const std::uint8_t>());
  if (new_masses_) moved_ = 0;
  new_masses_ = options_.predict_contacts;  // which relies on them
  // What takes longer is one island or another, mostly.
  const std::int64_t all = careful(h) ? 2 * options_.max_iterations : 0;
  double last_energy = 0, factor = 0;
  std::int64_t count = 0;
  while (true) {
    in.stop.check();
    const SweepResult swept = sweeps.sweep(factor, in.parallel);
    change = swept.change;
    if constexpr (!Sweeps::kSingle)
      if (!joints_.empty()) change = std::max(change, joints_.sweep(sweeps.bodies()));
    change *= h;
    ++count;
    // A second sweep over contacts that do not know of each other would mostly find nothing.
    if (groups_.alone() && joints_.empty() && sweeps.left_alone() * h <= aim) change = 0;
    if (change == 0 || (count >= options_.min_iterations && change <= aim)) break;
    if (count >= most || (count >= options_.iterations && change <= enough)) break;
    if (count == all && joints_.empty()) {
      sweeps.store(groups_, velocity_, in.parallel);
      sweeps.load(groups_, velocity_, false, body_room_, in.parallel);
      sweeps.narrow_down(enough / h);
      last_energy = factor = 0;
      continue;
    }
    const double energy = swept.energy + joints_.change_energy();
    factor = last_energy > 0 ? energy / last_energy : 0.0;
    if (factor > 1 || anew_) factor = 0;  // no descent: start anew
    last_energy = energy;
    joints_.extrapolate(factor);
    sweeps.move_on(factor, in.parallel);
  }
  sweeps.store(groups_, velocity_, in.parallel);
  settled_ = change <= enough;
  return count;
}

// Sweeps, and Newton's method where they are not enough.
template <int D>
std::int64_t Impulse<D>::iterate(const StepInput<D>& in, double h, const State<D>& state) {
  if (sleepers_.all()) return 0;
  const double aim = options_.tolerance * options_.aim;
  const bool thorough = options_.predict_contacts && joints_.empty();
  double change = 0;
  const auto sweep = [&](std::int64_t most) {
    return single() ? sweep_to_tolerance(in, h, most, single_sweeps_, change)
                    : sweep_to_tolerance(in, h, most, double_sweeps_, change);
  };
  // In short steps few contacts need many sweeps, and those would go on to jam: a row of cubes across a funnel.
  constexpr std::int64_t kPatience = 25, kPatienceInJams = 200;
  const std::int64_t patience = !careful(h) ? 1 : jammed_ ? kPatienceInJams : kPatience;
  std::int64_t count = sweep(thorough ? options_.iterations : patience * options_.max_iterations);
  if (change <= aim) return count;
  if (thorough) {
    // What is left between very unequal masses hardly shrinks from sweep to sweep, and adds up over the steps.
    count += solve_islands(in, h, state);
    if (!newton_.left_out() && newton_.violation() * h <= aim) return count;
    count += sweep(options_.max_iterations);
    if (change <= aim) return count;
  }
  return count + finish_islands(in, h, change, state);
}

// Islands that are nearly at rest and small enough are solved at once. Returns the number of factorisations.
template <int D>
std::int64_t Impulse<D>::solve_islands(const StepInput<D>& in, double h, const State<D>& state) {
  constexpr std::uint32_t kLarge = 128;  // bodies
  // In the plane a product of blocks costs an eighth, (3/6)³, and factors fill up less: so much more for the same time.
  // Where an island is too large, position correction has to hold it up, which a tall one does not survive.
  constexpr double kMoreProducts = D == 2 ? 8 : 1;
  constexpr std::size_t kMoreBodies = D == 2 ? 4 : 1;
  if (new_islands_) newton_.begin(in.bodies, groups_, static_cast<std::size_t>(options_.newton_bodies) * kMoreBodies);
  new_islands_ = false;
  const double aim = options_.tolerance * options_.aim / h;
  const double slow = options_.newton_speed + in.forces.gravity.norm() * h;  // the forces have acted already
  newton_.solve({in.bodies, state, inv_inertia_, aim, options_.newton_target * aim, slow,
                 kMoreProducts * options_.newton_products, kLarge},
                groups_, velocity_);
  return newton_.factorisations();
}

// The end of sweeps that are not where they aim at: islands are solved, unless it is hardly worth it.
template <int D>
std::int64_t Impulse<D>::finish_islands(const StepInput<D>& in, double h, double change, const State<D>& state) {
  if (!joints_.empty()) {  // islands are of contacts only
    if (change > options_.tolerance) report_.status = StepStatus::kNotConverged;
    return 0;
  }
  constexpr double kEnough = 20;  // times what is aimed at: sweeps alone keep it there for a while
  if (change <= kEnough * options_.tolerance * options_.aim) return 0;
  const std::int64_t factorisations = solve_islands(in, h, state);
  const bool left = newton_.left_out() ? change > options_.tolerance : newton_.violation() * h > options_.tolerance;
  if (left) report_.status = StepStatus::kNotConverged;
  return factorisations;
}

// Whether contacts and joints are within the tolerance at the end of h, at the poses that the velocities lead to. If
// not, the sweeps aim at what is missing.
template <int D>
bool Impulse<D>::predicted_well(const StepInput<D>& in, double h, double elapsed, bool contacts,
                                const State<D>& state) {
  const double part = options_.predict_contacts ? 0.1 : 0.5;  // of the tolerance, for contacts
  bool well = true;
  if (!joints_.empty()) well = joints_.predict(in, state, velocity_) <= options_.tolerance * options_.aim;
  if (!contacts || groups_.size() == 0) return well;
  const std::span<Displacement<D>> predicted = body_room_.take<Displacement<D>>(displacement_.size());
  predicted.back() = Displacement<D>{};  // nobody's
  const std::span<const std::uint8_t> bent = options_.predict_contacts ? std::span<const std::uint8_t>() : bent_;
  concerned_.resize(in.bodies.size());
  groups_.find_concerned(bent, concerned_, in.parallel);
  const std::span<const Mat<D>> rotation = in.detector.rotations();
  const std::span<const Vec<D>> start = in.detector.positions();
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!concerned_[i]) continue;
      Vec<D> v;
      AngVec<D> w;
      get_velocity(velocity_[i], v, w);
      const AngVec<D> turn = turn_of(in, i, h, w, state);
      const Rotation<D> turned = rotate_by(turn, state.orientation[i]);
      predicted[i] = {state.position[i] + h * v - start[i],
                      matrix_of(turned) * rotation[i].transpose() - Mat<D>::Identity(), displacement_[i].turned + turn};
    }
  });
  return groups_.predict(predicted, velocity_, h, elapsed, options_.rest_gap, bent, in.parallel) <=
             part * options_.tolerance &&
         well;
}

// Finds the bodies that turn so fast that the paths of their points are bent by more than a part of the tolerance.
// False if there is none.
template <int D>
bool Impulse<D>::find_bent(const StepInput<D>& in, double h, const State<D>& state) {
  constexpr double kPart = 0.1;
  bent_.resize(in.bodies.size());
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      // ½(ωh)²·r, and ωh·vh: by how much the normal of one that slides turns.
      const double w = h * state.angular_velocity[i].norm();
      bent_[i] = w * (0.5 * w * in.bodies.radius[i] + h * state.velocity[i].norm()) > kPart * options_.tolerance;
    }
  });
  return std::find(bent_.begin(), bent_.end(), 1) != bent_.end();
}

// A unit vector against gravity; zero without it.
template <int D>
static Vec<D> up_of(const StepInput<D>& in) {
  const double gravity = in.forces.gravity.norm();
  return gravity > 0 ? Vec<D>(-in.forces.gravity / gravity) : Vec<D>(Vec<D>::Zero());
}

// From below upwards, contacts are brought to their laws by pushing the upper body alone: contact_levels.cpp. The lower
// one gets no reaction, and the impulses that are reported and remembered are those of the sweeps.
template <int D>
void Impulse<D>::propagate_shocks(const StepInput<D>& in, double h) {
  constexpr int kPasses = 10;  // over each level: a cube's corners disturb each other
  levels_.find(groups_, in.bodies, up_of(in), options_.tolerance, body_room_, in.parallel);
  const std::span<SmallMotion<D>> motion = levels_.motion();
  for (std::size_t i = 0; i < motion.size(); ++i) get_velocity(velocity_[i], motion[i].linear, motion[i].angular);
  levels_.stop(groups_, inv_inertia_, kPasses, options_.aim * options_.tolerance / h);
  for (std::size_t i = 0; i < motion.size(); ++i)
    if (in.bodies.dynamic(i)) set_velocity(velocity_[i], motion[i].linear, motion[i].angular);
}

// Where bodies are jammed, moving them makes room nowhere. Being as exact as short steps ask for takes velocities then.
template <int D>
PushOut Impulse<D>::push_out(double h) const {
  constexpr double kDepth = 0.3, kPart = 0.3;  // of the tolerance; of what is deeper, in a substep
  constexpr double kFastest = 0.1;             // of push_speed
  return {kDepth * options_.tolerance, kPart / h, kFastest * options_.push_speed};
}

// Impulses of the resting contacts and the joints over h, and the velocities that they lead to.
template <int D>
void Impulse<D>::find_impulses(const StepInput<D>& in, double h, double elapsed, bool held, const State<D>& state) {
  constexpr int kMostPredictions = 10, kUnsettled = 3;
  in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) set_velocity(velocity_[i], state.velocity[i], state.angular_velocity[i]);
  });
  groups_.set_push_out(careful(h) && held ? push_out(h) : PushOut{});
  groups_.prepare(displacement_, inv_inertia_, h, elapsed, held ? options_.rest_gap : options_.tolerance, true, held,
                  in.parallel);
  // What is deep already must not get deeper by a little in every step.
  constexpr double kDeep = 0.7;  // of the tolerance
  jammed_ = careful(h) && groups_.deepest() > kDeep * options_.tolerance;
  joints_.prepare(in, state, inv_inertia_, h, held, kicked_);
  groups_.warm_start(velocity_, in.parallel);
  joints_.warm_start(velocity_);
  // Gaps and errors of joints are not linear in the velocities: evaluated exactly at the end of h, and iterated.
  const bool contacts = held && (options_.predict_contacts || find_bent(in, h, state));
  const int repeated = careful(h) ? kMostPredictions : 1;
  int most = options_.predict_contacts || !joints_.empty() ? kMostPredictions : repeated;
  if (held) predicted_well(in, h, elapsed, contacts, state);
  int predictions = 0;
  do {
    report_.iterations += iterate(in, h, state);
    // Where sweeps alone do not get to an end, to aim better is of little use.
    if (careful(h) && joints_.empty() && !settled_) most = std::min(most, kUnsettled);
  } while (held && ++predictions < most && !predicted_well(in, h, elapsed, contacts, state));
  if (held && joints_.empty() && !settled_) take_gains_back(in, h, elapsed, state);
}

// Sweeps that do not come to an end may leave impulses behind that throw bodies about: where bodies are jammed, and
// where what they start from are the impulses of a collision that is over.
template <int D>
void Impulse<D>::take_gains_back(const StepInput<D>& in, double h, double elapsed, const State<D>& state) {
  constexpr std::int64_t kSweepsBack = 12, kSweepsAnew = 100;
  double change = 0;
  const auto sweep = [&](std::int64_t most) {
    report_.iterations += single() ? sweep_to_tolerance(in, h, most, single_sweeps_, change)
                                   : sweep_to_tolerance(in, h, most, double_sweeps_, change);
  };
  // Between events, which may follow each other at once or not for long, the impulses to start from are poor guesses.
  const bool anew = careful(h) || options_.timing == ImpulseTiming::kEvents;
  if (!anew) {
    if (!options_.no_gains) return;
    const double speed = std::max(in.forces.gravity.norm() * h, options_.tolerance / h);
    if (!groups_.take_gains_back(in.bodies, state, speed, false, velocity_, body_room_, in.parallel)) return;
    taken_back_ = true;
    sweep(kSweepsBack);
    taken_back_ = settled_ = false;  // others are as they were
    return;
  }
  // From no impulses at all, one contact after the other takes energy away and never gives any, however few sweeps
  // there are, as long as nothing is asked for that would: gaps may close, and what is closed stays so.
  if (!groups_.take_gains_back(in.bodies, state, options_.push_speed, true, velocity_, body_room_, in.parallel)) return;
  groups_.prepare(displacement_, inv_inertia_, h, elapsed, options_.rest_gap, true, true, in.parallel);
  anew_ = true;
  sweep(kSweepsAnew);
  anew_ = false;
}

// The resting contacts and the joints of a substep [§3.2]. held: over the time h, so that nothing penetrates and no
// joint is off at its end; otherwise at an instant, so that velocities are right.
template <int D>
void Impulse<D>::solve(const StepInput<D>& in, double time, double h, double elapsed, bool held, State<D>& state,
                       bool trial) {
  constexpr int kLooks = 5;
  if (in.observer) note_twists(state, twist_free_);
  newton_.pause.tick();
  find_impulses(in, h, elapsed, held, state);
  const bool looks = held && elapsed == 0 && careful(h) && options_.timing == ImpulseTiming::kFixed;
  for (int look = 0; looks && look < kLooks && touches_first(in, h, state); ++look)
    find_impulses(in, h, elapsed, held, state);
  for (int look = 0; held && look < kLooks && meets_thrown(in, h, elapsed, true, state); ++look)
    find_impulses(in, h, elapsed, held, state);
  constexpr double kFar = 0.25;  // of a radius
  if (held && !settled_) groups_.stop_flights(in.bodies, h, kFar, velocity_);
  if (held && options_.shock_propagation) propagate_shocks(in, h);
  if (!trial) groups_.add_totals(list_.records(), in.parallel);
  if (!trial) joints_.add_totals(in, state);
  if (held) joints_.remember(h);
  take_velocities(in, state);
  if (in.observer) show(in, time, h, held, state);
}

// The velocities that led the joints to where they hold are not those with which they go on holding: the rest of
// RATTLE, at the end of h. No force acts, and no motor.
template <int D>
void Impulse<D>::project_joints(const StepInput<D>& in, double h, State<D>& state) {
  constexpr std::int64_t kMost = 200;  // sweeps: a long chain takes that many and is then left to the next step
  constexpr double kEnough = 1e-10;    // of a row's velocity [m/s, rad/s]
  for (std::size_t i = 0; i < in.bodies.size(); ++i)
    set_velocity(velocity_[i], state.velocity[i], state.angular_velocity[i]);
  kicked_ = 0;
  joints_.prepare(in, state, inv_inertia_, h, false, 0.0);
  report_.iterations += joints_.sweep_to(kEnough, kMost, velocity_);
  joints_.add_totals(in, state);
  take_velocities(in, state);
}

template <int D>
void Impulse<D>::note_twists(const State<D>& state, std::vector<Twist<D>>& out) const {
  out.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) out[i] = {state.velocity[i], state.angular_velocity[i]};
}

template <int D>
void Impulse<D>::show(const StepInput<D>& in, double time, double h, bool held, const State<D>& state) {
  shown_.clear();
  groups_.describe(list_.records(), state.position, held ? std::numeric_limits<double>::infinity() : options_.tolerance,
                   shown_);
  joint_push_.assign(joints_.empty() ? 0 : in.bodies.size(), BodyImpulse<D>{});
  if (!joints_.empty()) joints_.body_impulses(joint_push_);
  note_twists(state, twist_after_);
  in.observer->solved(
      {false, time, h, in.bodies, state, shown_, twist_before_, twist_free_, twist_after_, joint_push_});
}

// Positions only: see position_kernels.cpp. h: of the last substep; length: of all since contacts were found.
template <int D>
void Impulse<D>::correct(const StepInput<D>& in, double h, double length, State<D>& state) {
  constexpr double kSlipPart = 0.05;  // of the tolerance: slips add up over time
  const int passes = careful(h) ? 2 : static_cast<int>(options_.lift_passes);
  if (lift<D>(groups_, in.bodies, inv_inertia_, up_of(in), options_.slack * options_.tolerance,
              options_.push_speed * length, passes, levels_, body_room_, in.parallel)) {
    const std::span<const SmallMotion<D>> motion = levels_.motion();
    const CorrectionWork<D> correction(in.bodies, in.forces, state);
    in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (!touching_[i] || !in.bodies.dynamic(i)) continue;
        state.position[i] += motion[i].linear;
        state.orientation[i] = rotate_by(motion[i].angular, state.orientation[i]);
      }
    });
    correction.end(state, report_.work);
  }
  const auto move = [&](auto& sweeps) {
    const std::int64_t count = sweeps.take_back(
        groups_, options_.slack * options_.tolerance, kSlipPart * options_.tolerance, options_.push_speed * length,
        length * length / h, (careful(h) ? 4 : 1) * options_.correction_sweeps, body_room_, in.parallel);
    if (count == 0) return;
    report_.iterations += count;
    const CorrectionWork<D> correction(in.bodies, in.forces, state);
    in.parallel.for_ranges(in.bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (!touching_[i] || !in.bodies.dynamic(i)) continue;
        Vec<D> dx;
        AngVec<D> turn;
        get_velocity(sweeps.bodies()[i], dx, turn);
        state.position[i] += dx;
        state.orientation[i] = rotate_by(turn, state.orientation[i]);
      }
    });
    correction.end(state, report_.work);
  };
  if (single())
    move(single_sweeps_);
  else
    move(double_sweeps_);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                      \
  template void Impulse<D>::solve(const StepInput<D>&, double, double, double, bool, State<D>&, bool); \
  template void Impulse<D>::project_joints(const StepInput<D>&, double, State<D>&);                    \
  template void Impulse<D>::note_twists(const State<D>&, std::vector<Twist<D>>&) const;                \
  template void Impulse<D>::correct(const StepInput<D>&, double, double, State<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
