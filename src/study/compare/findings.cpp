#include "study/compare/findings.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "study/compare/reference.h"

namespace touchstone::compare {
namespace {

using Found = std::optional<Finding>;

const MeasureSummary* measure(const ModelRun& run, const char* name) {
  return run.numbers.yardstick ? &run.numbers.yardstick->of(name) : nullptr;
}
double worst(const ModelRun& run, const char* name) {
  const MeasureSummary* m = measure(run, name);
  return m ? m->worst : 0;
}

std::vector<std::string> bodies_of(const MeasureSummary& m) {
  std::vector<std::string> out;
  for (const std::string& name : {m.body_a, m.body_b})
    if (!name.empty()) out.push_back(name);
  return out;
}

// "between cube_17 and floor at t = 1.200 s"
std::string place(const MeasureSummary& m) { return place_text(bodies_of(m), m.time); }

// The same of a joint, one side of which may be the world.
std::string joint_place(const MeasureSummary& m) {
  std::vector<std::string> sides = bodies_of(m);
  if (sides.size() == 1) sides.insert(sides.begin(), "the world");
  return place_text(sides, m.time);
}

Finding of_measure(const MeasureSummary& m, double value, double bound, std::string text) {
  Finding f;
  f.bodies = bodies_of(m);
  f.time = m.time;
  f.value = value, f.unit = m.info->unit, f.bound = bound;
  f.text = std::move(text);
  return f;
}

double over_speed(const Comparison& c, double speed) { return c.facts.speed() > 0 ? speed / c.facts.speed() : 0; }

Found find_failed(const Comparison& c, const ModelRun& run) {
  if (run.outcome == Outcome::kFinished) return {};
  Finding f;
  f.value = run.numbers.time, f.unit = "s", f.bound = c.duration;
  const double failed_time = static_cast<double>(run.failed_step) * run.step;
  if (run.failed_step > 0)
    f.time = failed_time;
  else if (run.numbers.steps > 0)
    f.time = run.numbers.time;
  if (run.outcome == Outcome::kCutOff)
    f.text = fmt::format(
        "The run was cut off at t = {:.3f} s of {:g} s: its {:g} s of wall time (--budget) were up, with {} a step.",
        run.numbers.time, c.duration, c.budget, with_unit(run.numbers.step_time_mean, "s"));
  else if (run.outcome == Outcome::kWaiting)
    f.text = "The run was not started: the comparison was interrupted.";
  else if (run.outcome == Outcome::kInterrupted)
    f.text = fmt::format("The run was interrupted {}.", at_time(run.numbers.time));
  else
    f.text = fmt::format(
        "The run did not reach its end{}: {}.",
        run.failed_step > 0 ? fmt::format("; step {} failed ({})", run.failed_step, at_time(failed_time)) : "",
        run.failure);
  return f;
}

Found find_penetration(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "penetration_ratio") > kPenetrationRatio)) return {};
  const MeasureSummary &ratio = *measure(run, "penetration_ratio"), &depth = *measure(run, "penetration");
  const char* how = ratio.worst > kThrough ? "Bodies go through each other" : "Bodies sink into each other";
  const bool same = ratio.step == depth.step && ratio.body_a == depth.body_a && ratio.body_b == depth.body_b;
  const std::string text =
      same ? fmt::format("{} by up to {} ({} of the smaller body), {}.", how, with_unit(depth.worst, "m"),
                         percent(ratio.worst), place(depth))
           : fmt::format("{} by up to {} of the smaller body, {}; the deepest is {}, {}.", how, percent(ratio.worst),
                         place(ratio), with_unit(depth.worst, "m"), place(depth));
  return of_measure(ratio, ratio.worst, kPenetrationRatio, text);
}

Found find_creep(const Comparison& c, const ModelRun& run) {
  const Creep& creep = run.numbers.creep;
  if (!creep.known || creep.resting == 0) return {};
  const double bound = kCreep * std::sqrt(c.facts.gravity * creep.body_size);
  if (!(creep.worst > bound)) return {};
  Finding f;
  f.bodies = {creep.body};
  f.time = creep.from;
  f.value = creep.worst, f.unit = "m/s", f.bound = bound;
  f.text =
      fmt::format("Resting bodies creep at up to {} ({}, t = {:.3f} s to {:.3f} s; {} on average over {} resting {}).",
                  with_unit(creep.worst, "m/s"), creep.body, creep.from, creep.to, with_unit(creep.mean, "m/s"),
                  creep.resting, creep.resting == 1 ? "body" : "bodies");
  return f;
}

Found find_laws(const Comparison&, const ModelRun& run) {
  const MeasureSummary* m = measure(run, "natural_map");
  if (!m || !(m->mean > kNaturalMap)) return {};
  return of_measure(*m, m->mean, kNaturalMap,
                    fmt::format("Contacts are off their laws by {} of the speed at hand on average, {} at worst, {}.",
                                percent(m->mean), percent(m->worst), place(*m)));
}

Found find_cone(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "cone") > kCone)) return {};
  const MeasureSummary& m = *measure(run, "cone");
  return of_measure(m, m.worst, kCone,
                    fmt::format("Friction exceeds Coulomb's limit by up to {} of it, {}.", percent(m.worst), place(m)));
}

Found find_direction(const Comparison&, const ModelRun& run) {
  const MeasureSummary* m = measure(run, "friction_angle");
  if (!m || !(m->mean > kFrictionAngle)) return {};
  return of_measure(*m, m->mean, kFrictionAngle,
                    fmt::format("Friction points {:.2g} rad away from the direction against the sliding on average, "
                                "{:.2g} rad at worst, {}.",
                                m->mean, m->worst, place(*m)));
}

Found find_pulling(const Comparison& c, const ModelRun& run) {
  const double weight = c.facts.lightest * c.facts.gravity * run.step;
  if (!(weight > 0 && worst(run, "pulling") > kPulling * weight)) return {};
  const MeasureSummary& m = *measure(run, "pulling");
  return of_measure(m, m.worst, kPulling * weight,
                    fmt::format("Contacts pull with up to {} ({} of what the lightest body weighs over a step), {}.",
                                with_unit(m.worst, "N·s"), percent(m.worst / weight), place(m)));
}

Found find_pushed_out(const Comparison& c, const ModelRun& run) {
  if (!(over_speed(c, worst(run, "correction")) > kCorrection)) return {};
  const MeasureSummary& m = *measure(run, "correction");
  return of_measure(
      m, m.worst, kCorrection * c.facts.speed(),
      fmt::format("Overlapping bodies are pushed apart with up to {}, {}.", with_unit(m.worst, "m/s"), place(m)));
}

Finding of_energy(double value, double bound, double time) {
  Finding f;
  f.time = time;
  f.value = value, f.unit = "J", f.bound = bound;
  return f;
}

Found find_energy_made(const Comparison&, const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  if (!(n.energy_scale > 0 && n.energy_made > kEnergyMade * n.energy_scale)) return {};
  Finding f = of_energy(n.energy_made, kEnergyMade * n.energy_scale, n.energy_made_time);
  f.text =
      fmt::format("Energy came from nothing: up to {} more than there can be ({} of the energy in motion), {}.",
                  with_unit(n.energy_made, "J"), percent(n.energy_made / n.energy_scale), at_time(n.energy_made_time));
  return f;
}

Found find_drift(const Comparison&, const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  if (!(n.energy_scale > 0 && n.energy_drift > kEnergyDrift * n.energy_scale)) return {};
  Finding f = of_energy(n.energy_drift, kEnergyDrift * n.energy_scale, n.energy_drift_time);
  f.text = fmt::format(
      "The time integration changes the energy: the balance is off by up to {} ({} of the energy in motion), {}.",
      with_unit(n.energy_drift, "J"), percent(n.energy_drift / n.energy_scale), at_time(n.energy_drift_time));
  return f;
}

Found find_impact_gain(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "impact_gain") > kImpactGain)) return {};
  const MeasureSummary& m = *measure(run, "impact_gain");
  return of_measure(m, m.worst, kImpactGain,
                    fmt::format("An impact gained {} of the kinetic energy, {}.", percent(m.worst), place(m)));
}

Found find_momentum(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "momentum_error") > kMomentum)) return {};
  const MeasureSummary& m = *measure(run, "momentum_error");
  return of_measure(m, m.worst, kMomentum,
                    fmt::format("Momentum changed without a cause, by up to {} of the body's momentum, {}.",
                                percent(m.worst), place(m)));
}

Found find_joints(const Comparison&, const ModelRun& run) {
  if (worst(run, "joint_position_ratio") > kJointPosition) {
    const MeasureSummary& m = *measure(run, "joint_position_ratio");
    return of_measure(
        m, m.worst, kJointPosition,
        fmt::format("Joints came apart by up to {} of the smaller body, {}.", percent(m.worst), joint_place(m)));
  }
  if (!(worst(run, "joint_angle") > kJointAngle)) return {};
  const MeasureSummary& m = *measure(run, "joint_angle");
  return of_measure(m, m.worst, kJointAngle,
                    fmt::format("Joints bent by up to {}, {}.", with_unit(m.worst, "rad"), joint_place(m)));
}

Found find_slip(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "gathered_slip_ratio") > kGatheredSlip)) return {};
  const MeasureSummary &ratio = *measure(run, "gathered_slip_ratio"), &slip = *measure(run, "gathered_slip");
  return of_measure(ratio, ratio.worst, kGatheredSlip,
                    fmt::format("Contacts that stick by the laws have slipped by up to {} of the smaller body, {}; the "
                                "farthest by {}, {}.",
                                percent(ratio.worst), place(ratio), with_unit(slip.worst, "m"), place(slip)));
}

Found find_not_converged(const Comparison&, const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  if (n.not_converged == 0) return {};
  Finding f;
  f.time = n.not_converged_time;
  f.value = static_cast<double>(n.not_converged), f.unit = "steps", f.bound = 0;
  f.text = fmt::format("The solver stopped before its tolerance in {} of {} steps, first {}.", n.not_converged, n.steps,
                       at_time(n.not_converged_time));
  return f;
}

Finding of_distance(const Comparison& c, const ModelRun& run, double bound) {
  const StateDistance& d = *run.numbers.distance;
  Finding f;
  if (!d.body.empty()) f.bodies = {d.body};
  f.time = run.numbers.time;
  f.value = d.mean, f.unit = "m", f.bound = bound * c.facts.size;
  f.text = fmt::format("The end is {} from that of the reference {} (root mean square; {} for {})",
                       with_unit(d.mean, "m"), at_time(run.numbers.time), with_unit(d.worst, "m"), d.body);
  return f;
}

// The reference's own error counts, too.
bool step_explains(const Comparison& c, const ModelRun& run) {
  const double reference = std::isnan(c.reference.error) ? 0 : c.reference.error;
  return run.numbers.distance && run.numbers.distance->mean <= 1.5 * (run.numbers.step_error + reference);
}

bool is_reference(const Comparison& c, const ModelRun& run) {
  return run.label == c.reference.label && run.step == c.reference.step;
}

Found find_step_error(const Comparison& c, const ModelRun& run) {
  if (!run.numbers.distance || is_reference(c, run) || !(run.numbers.distance->mean > kStepError * c.facts.size) ||
      !step_explains(c, run))
    return {};
  Finding f = of_distance(c, run, kStepError);
  f.text += fmt::format("; its own step explains that: with h/{} it ends {} from here.",
                        1 << (run.halving.steps.size() - 1), with_unit(run.numbers.step_error, "m"));
  return f;
}

// What is known of the difference, beside its size.
std::string why_elsewhere(const ModelRun& run, bool kept) {
  if (!run.parting) return "; where the two runs part is not known.";
  const Parting& p = *run.parting;
  const std::string where =
      fmt::format("; the two part {} ({}{})", at_time(p.time), p.bodies[0],
                  p.bodies.size() > 1 ? fmt::format(" and {} more", p.bodies.size() - 1) : std::string());
  if (!p.event) return where + ", where no impact with several contacts was.";
  const std::string event = fmt::format("{}, after an impact with {} contacts at once of {} {}", where, p.event->points,
                                        fmt::join(p.event->bodies, ", "), at_time(p.event->time));
  if (!kept) return event + "; the laws allow several answers there, but this run did not keep the laws.";
  return event + ": the laws allow several answers there, and this run kept them, so that is no fault.";
}

Found find_elsewhere(const Comparison& c, const ModelRun& run) {
  if (!ended_elsewhere(c, run) || step_explains(c, run)) return {};
  const MeasureSummary* laws = measure(run, "natural_map");
  const bool kept = laws && laws->mean <= kNaturalMap && worst(run, "penetration_ratio") <= kPenetrationRatio;
  Finding f = of_distance(c, run, kElsewhere);
  f.text += why_elsewhere(run, kept);
  if (run.parting) f.time = run.parting->event ? run.parting->event->time : run.parting->time;
  if (run.parting) f.bodies = run.parting->event ? run.parting->event->bodies : run.parting->bodies;
  return f;
}

Found find_slow(const Comparison& c, const ModelRun& run) {
  const ModelRun* fastest = nullptr;
  for (const ModelRun& other : c.runs)
    if (other.compared && other.numbers.step_time_mean > 0 &&
        (!fastest || other.numbers.step_time_mean < fastest->numbers.step_time_mean))
      fastest = &other;
  if (!fastest || !(run.numbers.step_time_mean > kSlow * fastest->numbers.step_time_mean)) return {};
  Finding f;
  f.value = run.numbers.step_time_mean, f.unit = "s", f.bound = kSlow * fastest->numbers.step_time_mean;
  f.text = fmt::format("A step takes {} on average, {:.2g} times as long as with {}.",
                       with_unit(run.numbers.step_time_mean, "s"),
                       run.numbers.step_time_mean / fastest->numbers.step_time_mean, fastest->label);
  return f;
}

constexpr std::array kRules{
    Rule{"failed", "the run did not reach its end", find_failed},
    Rule{"penetration", "penetration_ratio above 0.001: 0.1 % of the smaller body", find_penetration},
    Rule{"creep", "creep above 1e-6·√(g·size of the body)", find_creep},
    Rule{"energy_made", "energy_made above 1 % of the energy in motion", find_energy_made},
    Rule{"impact_gain", "impact_gain above 0.001", find_impact_gain},
    Rule{"laws", "mean of natural_map above 0.001", find_laws},
    Rule{"cone", "cone above 0.001: friction 0.1 % beyond its limit", find_cone},
    Rule{"direction", "mean of friction_angle above 0.05 rad", find_direction},
    Rule{"pulling", "pulling above 0.001 of the lightest body's weight over a step", find_pulling},
    Rule{"pushed_out", "correction above 0.1·√(g·size)", find_pushed_out},
    Rule{"momentum", "momentum_error above 1e-6", find_momentum},
    Rule{"joints", "joint_position_ratio above 0.001: 0.1 % of the smaller body; or joint_angle above 0.001 rad",
         find_joints},
    Rule{"slip", "gathered_slip_ratio above 0.001: 0.1 % of the smaller body", find_slip},
    Rule{"drift", "energy_drift above 5 % of the energy in motion", find_drift},
    Rule{"not_converged", "any step that did not converge", find_not_converged, false},
    Rule{"step_error", "distance above 0.01·size, and not above 1.5 times the step error", find_step_error, false},
    Rule{"elsewhere", "distance above 0.1·size, and above 1.5 times the step error", find_elsewhere, false},
    Rule{"slow", "step_time_mean more than 10 times that of the fastest", find_slow, false},
};

Finding kept(const ModelRun& run) {
  Finding f;
  f.kind = "kept", f.fault = false;
  const MeasureSummary *depth = measure(run, "penetration"), *laws = measure(run, "natural_map");
  f.text = "No measure is above its threshold";
  if (depth && laws && laws->worst > 0) {
    f.bodies = bodies_of(*laws);
    f.time = laws->time;
    f.value = laws->mean, f.bound = kNaturalMap;
    f.text += fmt::format(
        ": penetration is at most {}, the laws of contact hold to {:.2g} on average and {:.2g} at worst ({})",
        with_unit(depth->worst, "m"), laws->mean, laws->worst, place(*laws));
  }
  f.text += ".";
  return f;
}

Verdict verdict_of(const ModelRun& run, bool fault) {
  switch (run.outcome) {
    case Outcome::kFinished:
      return fault ? Verdict::kBroke : Verdict::kKept;
    case Outcome::kCutOff:
      return Verdict::kCutOff;
    case Outcome::kInterrupted:
    case Outcome::kWaiting:
      return Verdict::kInterrupted;
    default:
      return Verdict::kFailed;
  }
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

bool ended_elsewhere(const Comparison& c, const ModelRun& run) {
  return run.numbers.distance && !is_reference(c, run) && run.numbers.distance->mean > kElsewhere * c.facts.size;
}

std::vector<Finding> find_all(Comparison& c) {
  std::vector<Finding> out;
  for (ModelRun& run : c.runs) {
    if (!run.compared) continue;
    std::vector<Finding> found;
    bool fault = false;
    for (const Rule& rule : kRules)
      if (Found each = rule.find(c, run)) {
        each->kind = rule.kind, each->fault = rule.fault;
        fault = fault || rule.fault;
        found.push_back(std::move(*each));
      }
    if (!fault) found.insert(found.begin(), kept(run));
    run.verdict = verdict_of(run, fault);
    for (Finding& each : found) each.model = run.label, out.push_back(std::move(each));
  }
  return out;
}

std::string cut_off_text(const Comparison& c) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  for (const ModelRun& run : c.runs) {
    if (run.outcome == Outcome::kCutOff)
      add(fmt::format("{} at t = {:.3g} s of {:g} s ({} a step)", run.label, run.numbers.time, c.duration,
                      with_unit(run.numbers.step_time_mean, "s")));
    else if (run.halving.cut_off)
      add(fmt::format("halving of {} ({})", run.label, run.halving.ended));
  }
  return out.empty() ? "" : fmt::format("cut off by --budget {:g} s: {}", c.budget, out);
}

}  // namespace touchstone::compare
