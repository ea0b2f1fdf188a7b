#include "study/compare/words.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace touchstone::compare {
namespace {

const MeasureSummary* measure(const ModelRun& run, const char* name) {
  return run.numbers.yardstick ? &run.numbers.yardstick->of(name) : nullptr;
}
double worst(const ModelRun& run, const char* name) {
  const MeasureSummary* m = measure(run, name);
  return m ? m->worst : 0;
}

std::string at_time(double time) { return fmt::format("at t = {:.3f} s", time); }

// "between cube_17 and floor at t = 1.200 s"
std::string where(const MeasureSummary& m) {
  if (m.body_a.empty() && m.body_b.empty()) return at_time(m.time);
  if (m.body_a.empty() || m.body_b.empty()) return fmt::format("of {} {}", m.body_a + m.body_b, at_time(m.time));
  return fmt::format("between {} and {} {}", m.body_a, m.body_b, at_time(m.time));
}

double over_speed(const Comparison& c, double speed) { return c.facts.speed() > 0 ? speed / c.facts.speed() : 0; }

std::string say_failed(const Comparison&, const ModelRun& run) {
  if (run.outcome == Outcome::kFinished) return "";
  std::string when = run.failed_step > 0     ? fmt::format(" in step {} ({})", run.failed_step,
                                                           at_time(static_cast<double>(run.failed_step) * run.step))
                     : run.numbers.steps > 0 ? " " + at_time(run.numbers.time)
                                             : "";
  return fmt::format("{}{}: {}", run.outcome == Outcome::kInterrupted ? "was interrupted" : "did not get to the end",
                     run.outcome == Outcome::kWaiting ? "" : when, run.failure);
}

std::string say_penetration(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "penetration_ratio") > kPenetrationRatio)) return "";
  const MeasureSummary &ratio = *measure(run, "penetration_ratio"), &depth = *measure(run, "penetration");
  const char* what = ratio.worst > kThrough ? "let bodies go through each other" : "let bodies sink into each other";
  const bool same = ratio.step == depth.step && ratio.body_a == depth.body_a && ratio.body_b == depth.body_b;
  if (same)
    return fmt::format("{} by up to {} ({} of the smaller body), {}", what, with_unit(depth.worst, "m"),
                       percent(ratio.worst), where(depth));
  return fmt::format("{} by up to {} of the smaller body, {}; the deepest is {}, {}", what, percent(ratio.worst),
                     where(ratio), with_unit(depth.worst, "m"), where(depth));
}

std::string say_creep(const Comparison& c, const ModelRun& run) {
  const Creep& creep = run.numbers.creep;
  if (!creep.known || creep.resting == 0) return "";
  if (!(creep.worst > kCreep * std::sqrt(c.facts.gravity * creep.body_size))) return "";
  return fmt::format(
      "bodies that should rest creep at up to {} ({}, t = {:.3f} s to {:.3f} s; {} on "
      "average over {} resting {})",
      with_unit(creep.worst, "m/s"), creep.body, creep.from, creep.to, with_unit(creep.mean, "m/s"), creep.resting,
      creep.resting == 1 ? "body" : "bodies");
}

std::string say_laws(const Comparison&, const ModelRun& run) {
  const MeasureSummary* m = measure(run, "natural_map");
  if (!m || !(m->mean > kNaturalMap)) return "";
  return fmt::format("was off the laws of contact by {} of the speed at hand on average, {} at worst, {}",
                     percent(m->mean), percent(m->worst), where(*m));
}

std::string say_cone(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "cone") > kCone)) return "";
  const MeasureSummary& m = *measure(run, "cone");
  return fmt::format("friction went beyond Coulomb's limit by up to {} of it, {}", percent(m.worst), where(m));
}

std::string say_direction(const Comparison&, const ModelRun& run) {
  const MeasureSummary* m = measure(run, "friction_angle");
  if (!m || !(m->mean > kFrictionAngle)) return "";
  return fmt::format(
      "friction pointed {:.2g} rad away from the direction against the sliding on average, {:.2g} rad at worst, {}",
      m->mean, m->worst, where(*m));
}

std::string say_pulling(const Comparison& c, const ModelRun& run) {
  const double weight = c.facts.lightest * c.facts.gravity * run.step;
  if (!(weight > 0 && worst(run, "pulling") > kPulling * weight)) return "";
  const MeasureSummary& m = *measure(run, "pulling");
  return fmt::format("contacts pulled: up to {} ({} of what the lightest body weighs over a step), {}",
                     with_unit(m.worst, "N·s"), percent(m.worst / weight), where(m));
}

std::string say_pushed_out(const Comparison& c, const ModelRun& run) {
  if (!(over_speed(c, worst(run, "correction")) > kCorrection)) return "";
  const MeasureSummary& m = *measure(run, "correction");
  return fmt::format("pushed overlapping bodies apart with up to {}, {}", with_unit(m.worst, "m/s"), where(m));
}

std::string say_energy_made(const Comparison&, const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  if (!(n.energy_scale > 0 && n.energy_made > kEnergyMade * n.energy_scale)) return "";
  return fmt::format("made energy: up to {} more than there can be ({} of the energy in motion), {}",
                     with_unit(n.energy_made, "J"), percent(n.energy_made / n.energy_scale),
                     at_time(n.energy_made_time));
}

std::string say_drift(const Comparison&, const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  if (!(n.energy_scale > 0 && n.energy_drift > kEnergyDrift * n.energy_scale)) return "";
  return fmt::format(
      "lost count of energy in the time integration: the balance is off by up to {} ({} of the energy in "
      "motion), {}",
      with_unit(n.energy_drift, "J"), percent(n.energy_drift / n.energy_scale), at_time(n.energy_drift_time));
}

std::string say_impact_gain(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "impact_gain") > kImpactGain)) return "";
  const MeasureSummary& m = *measure(run, "impact_gain");
  return fmt::format("an impact gained {} of the kinetic energy, {}", percent(m.worst), where(m));
}

std::string say_momentum(const Comparison&, const ModelRun& run) {
  if (!(worst(run, "momentum_error") > kMomentum)) return "";
  const MeasureSummary& m = *measure(run, "momentum_error");
  return fmt::format("momentum changed without a cause: by up to {} of what the body has, {}", percent(m.worst),
                     where(m));
}

std::string say_joints(const Comparison& c, const ModelRun& run) {
  const bool apart = c.facts.size > 0 && worst(run, "joint_position") > kJointPosition * c.facts.size;
  const bool bent = worst(run, "joint_angle") > kJointAngle;
  if (!apart && !bent) return "";
  const MeasureSummary& m = *measure(run, apart ? "joint_position" : "joint_angle");
  return fmt::format("joints came apart by up to {}, {}", with_unit(m.worst, m.info->unit), where(m));
}

std::string say_not_converged(const Comparison&, const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  if (n.not_converged == 0) return "";
  return fmt::format("its solver gave up before its tolerance in {} of {} steps, first {}", n.not_converged, n.steps,
                     at_time(n.not_converged_time));
}

std::string say_elsewhere(const Comparison& c, const ModelRun& run) {
  const std::optional<StateDistance>& d = run.numbers.distance;
  if (!d || run.label == c.reference || !(d->mean > kElsewhere * c.facts.size)) return "";
  return fmt::format(
      "ended elsewhere than {}: bodies are {} away at t = {:.3f} s (root mean square; {} for {}); where several "
      "ends obey the laws, as when many bodies collide at once or small differences grow, that is no fault",
      c.reference, with_unit(d->mean, "m"), run.numbers.time, with_unit(d->worst, "m"), d->body);
}

std::string say_slow(const Comparison& c, const ModelRun& run) {
  const ModelRun* fastest = nullptr;
  for (const ModelRun& other : c.runs)
    if (other.compared && other.numbers.step_time_mean > 0 &&
        (!fastest || other.numbers.step_time_mean < fastest->numbers.step_time_mean))
      fastest = &other;
  if (!fastest || !(run.numbers.step_time_mean > kSlow * fastest->numbers.step_time_mean)) return "";
  return fmt::format("was slow: {} a step on average, {:.2g} times as long as {}",
                     with_unit(run.numbers.step_time_mean, "s"),
                     run.numbers.step_time_mean / fastest->numbers.step_time_mean, fastest->label);
}

constexpr std::array kRules{
    Rule{"failed", "the run did not reach its end", say_failed},
    Rule{"penetration", "penetration_ratio above 0.001: 0.1 % of the smaller body", say_penetration},
    Rule{"creep", "creep above 1e-6·√(g·size of the body)", say_creep},
    Rule{"energy_made", "energy_made above 1 % of the energy in motion", say_energy_made},
    Rule{"impact_gain", "impact_gain above 0.001", say_impact_gain},
    Rule{"laws", "mean of natural_map above 0.001", say_laws},
    Rule{"cone", "cone above 0.001: friction 0.1 % beyond its limit", say_cone},
    Rule{"direction", "mean of friction_angle above 0.05 rad", say_direction},
    Rule{"pulling", "pulling above 0.001 of the lightest body's weight over a step", say_pulling},
    Rule{"pushed_out", "correction above 0.1·√(g·size)", say_pushed_out},
    Rule{"momentum", "momentum_error above 1e-6", say_momentum},
    Rule{"joints", "joint_position above 0.001·size, or joint_angle above 0.001 rad", say_joints},
    Rule{"drift", "energy_drift above 5 % of the energy in motion", say_drift},
    Rule{"not_converged", "any step that did not converge", say_not_converged},
    Rule{"elsewhere", "distance above 0.1·size", say_elsewhere, false},
    Rule{"slow", "step_time_mean more than 10 times that of the fastest", say_slow, false},
};

std::string say_held(const ModelRun& run) {
  const MeasureSummary *depth = measure(run, "penetration"), *laws = measure(run, "natural_map");
  std::string text = "gave up nothing that shows on this scene";
  if (!depth || !laws) return text;
  if (laws->worst > 0)
    text += fmt::format(
        ": penetration is at most {}, the laws of contact hold to {:.2g} on average and {:.2g} at worst ({})",
        with_unit(depth->worst, "m"), laws->mean, laws->worst, where(*laws));
  return text;
}

std::string verdict_of(const ModelRun& run, bool silent) {
  if (run.outcome != Outcome::kFinished) return run.outcome == Outcome::kInterrupted ? "gave up" : "failed";
  return silent ? "held" : "gave up";
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

std::vector<Word> words_of(const Comparison& c) {
  std::vector<Word> out;
  for (std::size_t i = 0; i < c.runs.size(); ++i) {
    const ModelRun& run = c.runs[i];
    if (!run.compared) continue;
    std::vector<Word> said;
    bool fault = false;
    for (const Rule& rule : kRules)
      if (std::string text = rule.say(c, run); !text.empty())
        said.push_back({i, rule.name, "", std::move(text)}), fault = fault || rule.fault;
    if (!fault) said.insert(said.begin(), {i, "", "", say_held(run)});
    for (Word& word : said) word.verdict = verdict_of(run, !fault), out.push_back(std::move(word));
  }
  return out;
}

std::string with_unit(double value, const std::string& unit) {
  struct Prefix {
    double factor;
    const char* text;
  };
  constexpr std::array kPrefixes{Prefix{1e-9, "n"}, Prefix{1e-6, "µ"}, Prefix{1e-3, "m"}, Prefix{1, ""},
                                 Prefix{1e3, "k"}};
  const double size = std::abs(value);
  const bool takes_prefix =
      unit == "m" || unit == "m/s" || unit == "s" || unit == "J" || unit == "N·s" || unit == "rad";
  if (!takes_prefix || !(size >= 1e-12) || size >= 1e6) return fmt::format("{:.3g} {}", value, unit);
  const Prefix* fits = &kPrefixes[0];
  for (const Prefix& p : kPrefixes)
    if (size >= p.factor * 0.9995 && !(p.factor > 1 && unit[0] != 'J')) fits = &p;
  return fmt::format("{:.3g} {}{}", value / fits->factor, fits->text, unit);
}

std::string percent(double fraction) {
  return fraction >= 0.0995 ? fmt::format("{:.0f} %", 100 * fraction) : fmt::format("{:.2g} %", 100 * fraction);
}

}  // namespace touchstone::compare
