#include "study/audit_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/audit_laws.h"
#include "study/compare/findings.h"
#include "study/run_findings.h"

namespace touchstone::audit {

using compare::kCreep, compare::kEnergyDrift, compare::kEnergyMade, compare::kJointAngle, compare::kJointPosition,
    compare::kPenetrationRatio;

class AuditedRun::Checker {
 public:
  explicit Checker(const AuditedRun& of)
      : a_(of), numbers_(of.run.numbers), touching_(*of.touching_), ledger_(of.ledger_) {}

  std::vector<std::string> check() {
    same_run();
    energies();
    if (numbers_.yardstick) depths(), joints(), slip(), momentum(), laws(), nothing_without_contact();
    work();
    made_and_drift();
    creep();
    for (const Finding& f : a_.verify_findings) time_and_bodies(f);
    for (const Finding& f : a_.run_findings) time_and_bodies(f);
    for (const Finding& f : a_.compare_findings) time_and_bodies(f);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    out_.push_back(fmt::format("{}: ", a_.run.label) + fmt::format(text, std::forward<Args>(args)...));
  }
  void same(const char* what, double said, double audited, double tolerance) {
    if (!(std::abs(said - audited) <= tolerance))
      say("{} is said to be {:.9g}, audited {:.9g} within {:.3g}", what, said, audited, tolerance);
  }
  static const Finding* find(const std::vector<Finding>& all, const std::string& kind) {
    for (const Finding& f : all)
      if (f.kind == kind) return &f;
    return nullptr;
  }
  // A finding is there if the audited value is above the bound, and not if it is below.
  void decided(const std::vector<Finding>& all, const char* kind, double audited, double bound, double tolerance) {
    const Finding* f = find(all, kind);
    if (f && !(audited > bound - tolerance))
      say("finding '{}' ({}): audited {:.9g}, the bound is {:.9g}", kind, f->text, audited, bound);
    if (!f && audited > bound + tolerance)
      say("no finding '{}': audited {:.9g}, the bound is {:.9g}", kind, audited, bound);
    if (f) same(kind, f->value, audited, tolerance);
  }
  const MeasureSummary& measure(const char* name) const { return numbers_.yardstick->of(name); }
  const Instant* at_time(double time) const {
    for (const Instant& at : a_.instants)
      if (std::abs(at.time - time) < 1e-9 + 1e-9 * time) return &at;
    return nullptr;
  }

  // The auditor's simulation goes through the states of the run.
  void same_run() {
    const Recording recording = Recording::open(a_.run.recording);
    if (a_.instants.back().step != a_.run.numbers.steps)
      say("{} steps were simulated, {} by the auditor", a_.run.numbers.steps, a_.instants.back().step);
    const Frame end = recording.read_frame(recording.frame_count() - 1);
    const std::vector<double> speed = recording.series("max_speed");
    if (end.step != a_.instants.back().step || speed.back() != a_.reports.back().max_speed)
      say("the recording ends with step {}, not as the auditor's run", end.step);
  }

  // Of every step, whatever is claimed of it.
  void energies() {
    double worst = 0;
    for (std::size_t k = 0; k < a_.instants.size(); ++k)
      worst = std::max({worst, std::abs(a_.reports[k].kinetic_energy - a_.scene.kinetic(a_.instants[k])),
                        std::abs(a_.reports[k].gravity_energy - a_.scene.gravity(a_.instants[k])),
                        std::abs(a_.reports[k].spring_energy - a_.scene.springs(a_.instants[k]))});
    same("an energy", worst, 0, rounding());
  }
  double rounding() const { return 1e-9 * (a_.scale_ + std::abs(ledger_.energy[0])); }

  void depths() {
    const Worst depth = touching_.deepest(false), ratio = touching_.deepest(true);
    const auto tolerance = [&](double value) { return a_.sight.depth_part * value + a_.sight.depth_rest; };
    const MeasureSummary &said = measure("penetration"), &said_ratio = measure("penetration_ratio");
    same("penetration", said.worst, depth.value, tolerance(depth.value));
    const double size = smallest();
    same("penetration_ratio", said_ratio.worst, ratio.value, tolerance(ratio.value) / std::min(1.0, size));
    at_worst(said, tolerance(said.worst));
    const double part = tolerance(ratio.value) / std::min(1.0, size);
    decided(a_.compare_findings, "penetration", ratio.value, kPenetrationRatio, part);
    for (const auto* found : {&a_.verify_findings, &a_.run_findings})
      decided(*found, "penetration_ratio", ratio.value, kPenetrationRatio, part);
  }
  double smallest() const {
    double size = 1e9;
    for (std::size_t i = 0; i < a_.scene.subjects().size(); ++i)
      if (a_.scene.subjects()[i].dynamic) size = std::min(size, 2 * a_.scene.subjects()[i].radius);
    return size;
  }
  // The bodies and the time that a measure names.
  void at_worst(const MeasureSummary& m, double tolerance) {
    if (!(m.worst > tolerance) || m.body_a.empty() || m.body_b.empty()) return;
    const Instant* at = at_time(m.time);
    if (!at) return say("{} is at t = {}, where no step ends", m.info->name, m.time);
    const auto a = static_cast<std::size_t>(a_.scene.slot(m.body_a)),
               b = static_cast<std::size_t>(a_.scene.slot(m.body_b));
    const double depth = a_.scene.depth(std::min(a, b), std::max(a, b), *at);
    same(fmt::format("{} of {} and {} at t = {}", m.info->name, m.body_a, m.body_b, m.time).c_str(), m.worst, depth,
         tolerance);
  }

  void joints() {
    const Worst wide = a_.scene.widest(a_.instants, false), ratio = a_.scene.widest(a_.instants, true),
                bent = a_.scene.most_bent(a_.instants);
    constexpr double kExact = 1e-9;  // of poses as they are recorded [m, rad]
    same("joint_position", measure("joint_position").worst, wide.value, kExact);
    same("joint_position_ratio", measure("joint_position_ratio").worst, ratio.value, 100 * kExact);
    same("joint_angle", measure("joint_angle").worst, bent.value, kExact);
    for (const auto* found : {&a_.verify_findings, &a_.run_findings})
      decided(*found, "joint_position_ratio", ratio.value, kJointPosition, 100 * kExact);
    const bool apart = ratio.value > kJointPosition;
    decided(a_.compare_findings, "joints", apart ? ratio.value : bent.value, apart ? kJointPosition : kJointAngle,
            100 * kExact);
  }

  // Corners that the auditor follows: a part of all contacts.
  void slip() {
    if (a_.sight.events) return;  // solves that are impacts are left out of it
    const Worst slip = gathered_slip(a_.scene, a_.instants, touching_);
    if (!(slip.value > 0)) return;
    const double part = slip.value / a_.scene.smaller(a_.scene.slot(slip.a), a_.scene.slot(slip.b));
    for (const auto& [found, kind] :
         {std::pair{&a_.compare_findings, "slip"}, std::pair{&a_.verify_findings, "gathered_slip_ratio"},
          std::pair{&a_.run_findings, "gathered_slip_ratio"}})
      if (part > 1.1 * compare::kGatheredSlip && !find(*found, kind))
        say("no finding '{}', and {} slipped by {:.6g} m at t = {}", kind, slip.b, slip.value, slip.time);
  }

  void momentum() {
    const Worst lost = unexplained_momentum(a_.scene, a_.instants, touching_);
    const bool said = find(a_.compare_findings, "momentum") != nullptr;
    if (!said && lost.value > 2 * compare::kMomentum)
      say("no finding of momentum, and that of {} changed by {:.3g} at t = {}", lost.a, lost.value, lost.time);
  }

  // One-sided: the auditor sees the sum of a body's contacts, not each.
  void laws() {
    const Laws laws = laws_of(a_.scene, a_.instants, touching_, ledger_);
    const auto none = [&](const char* kind, const Worst& audited, double bound) {
      if (!find(a_.compare_findings, kind) && audited.value > bound)
        say("no finding '{}': audited {:.6g} for {} at t = {:.6g}, the bound is {:.6g}", kind, audited.value, audited.a,
            audited.time, bound);
    };
    double lightest = 1e99;
    for (const Subject& s : a_.scene.subjects())
      if (s.dynamic) lightest = std::min(lightest, s.mass);
    const double weight = lightest * a_.scene.description().gravity.norm() * a_.scene.description().step;
    none("pulling", laws.pulling, 1.01 * compare::kPulling * weight);
    none("cone", laws.cone, 1.01 * compare::kCone);
    if (!springs()) none("impact_gain", laws.gain, rounding() + kGain * a_.scale_);
  }

  // Contact springs give back what they stored.
  bool springs() const {
    return std::any_of(a_.reports.begin(), a_.reports.end(), [](const StepReport& r) { return r.contact_energy != 0; });
  }

  // Contacts do nothing to bodies that touch nothing.
  void nothing_without_contact() {
    for (std::size_t k = 1; k < a_.instants.size(); ++k)
      if (!nothing_touches(k)) return;
    for (const char* name : {"natural_map", "normal_work", "pulling", "closing", "cone", "dissipation", "penetration",
                             "correction", "impact_gain", "contact_gain", "gathered_slip"})
      same(name, measure(name).worst, 0, 1e-12 * std::max(1.0, a_.scale_));
  }

  // Claims of work, each against what the motion tells.
  void work() {
    for (std::size_t k = 0; k < a_.instants.size(); ++k) {
      const StepReport& r = a_.reports[k];
      const double slack = ledger_.slack[k] + rounding();
      const auto claim = [&](const char* what, double said, double audited, double within) {
        if (std::abs(said - audited) <= within) return true;
        say("{} is said to be {:.6g} J at t = {:.6g}, audited {:.6g} J within {:.3g} J", what, said, r.time, audited,
            within);
        return false;
      };
      const bool right = claim("energy beyond all work put in", r.energy_made() - r.contact_energy + r.correction_work,
                               ledger_.beyond(k), ledger_.put_in_slack[k] + rounding()) &&
                         claim("unexplained energy", r.energy_balance + r.correction_work, ledger_.unexplained[k],
                               ledger_.slack[k] + rounding());
      if (!right) return;
      if (r.correction_work < -slack || r.correction_work > ledger_.pushed[k] + slack)
        return say("{:.6g} J are booked as moving overlaps apart at t = {:.6g}; that can be {:.6g} J at most",
                   r.correction_work, r.time, ledger_.pushed[k]);
      if (r.contact_energy != 0 && k > 0 && nothing_touches(k))
        return say("contact springs hold {:.6g} J at t = {:.6g}, where nothing touches", r.contact_energy, r.time);
    }
  }
  bool nothing_touches(std::size_t k) const {
    for (std::size_t i = 0; i < a_.scene.subjects().size(); ++i)
      if (!touching_.partners(k, i).empty()) return false;
    return true;
  }

  // The greatest of the claims, which were held against the motion above.
  void made_and_drift() {
    double made = 0, drift = 0, of_frames = 0;
    const auto every = static_cast<std::size_t>(a_.scene.description().record.every);
    for (std::size_t k = 1; k < a_.reports.size(); ++k) {
      made = std::max(made, a_.reports[k].energy_made());
      drift = std::max(drift, std::abs(a_.reports[k].energy_balance));
      if (k % every == 0 || k + 1 == a_.reports.size())
        of_frames = std::max(of_frames, std::abs(a_.reports[k].energy_balance));
    }
    same("energy_scale", numbers_.energy_scale, a_.scale_, rounding());
    same("energy_made", numbers_.energy_made, made, rounding());
    same("energy_drift", numbers_.energy_drift, drift, rounding());
    decided(a_.compare_findings, "energy_made", made, kEnergyMade * a_.scale_, rounding());
    decided(a_.compare_findings, "drift", drift, kEnergyDrift * a_.scale_, rounding());
    if (!numbers_.yardstick) return;
    const double scale = a_.scene.energy_scale(a_.frames());
    same("energy_error", measure("energy_error").worst, of_frames / scale, rounding() / scale);
    decided(a_.verify_findings, "energy_error", of_frames / scale, 5e-2, rounding() / scale);
    decided(a_.run_findings, "energy_error", drift / a_.scale_, 5e-2, rounding() / a_.scale_);
  }

  void creep() {
    const Creeping c = creep_of(a_.scene, a_.frames(), touching_);
    if (!numbers_.creep.known) return;
    if (numbers_.creep.resting != c.resting)
      say("{} bodies are said to rest, audited {}", numbers_.creep.resting, c.resting);
    const double tolerance = 1e-12 + 1e-6 * c.worst;
    same("creep", numbers_.creep.worst, c.worst, tolerance);
    if (c.resting == 0) return decided(a_.compare_findings, "creep", 0, 1, tolerance);
    const double size = a_.scene.size(static_cast<std::size_t>(a_.scene.slot(c.body)));
    decided(a_.compare_findings, "creep", c.worst, kCreep * std::sqrt(a_.scene.description().gravity.norm() * size),
            tolerance);
  }

  // A finding's fields: a step ends there, and the bodies are of the scene.
  void time_and_bodies(const Finding& f) {
    if (f.time && !at_time(*f.time)) say("finding '{}': no step ends at t = {}", f.kind, *f.time);
    for (const std::string& name : f.bodies) {
      const auto& all = a_.scene.subjects();
      if (std::none_of(all.begin(), all.end(), [&](const Subject& s) { return s.name == name; }))
        say("finding '{}': there is no body {}", f.kind, name);
    }
  }

  static constexpr double kGain = 1e-3;  // of the energy in motion

  const AuditedRun& a_;
  const compare::RunNumbers& numbers_;
  const Touching& touching_;
  const Ledger& ledger_;
  std::vector<std::string> out_;
};

AuditedRun::AuditedRun(const compare::ModelRun& of, const SceneDescription& description,
                       const std::vector<Finding>& findings, const Sight& how)
    : scene(description), run(of), sight(how) {
  simulate();
  for (const Finding& f : findings)
    if (f.model == of.label) compare_findings.push_back(f);
  if (of.numbers.yardstick) verify_findings = findings_above(*of.numbers.yardstick, usual_bounds(), of.label);
  look_again();
}

// As `run` does.
void AuditedRun::simulate() {
  Simulation sim(scene.description());
  instants = {scene.instant(sim)}, reports = {sim.report()};
  RunOptions options;
  options.each_step = [&](const StepReport& r) { instants.push_back(scene.instant(sim)), reports.push_back(r); };
  const RunSummary summary =
      run_simulation(sim, scene.description().duration, scene.description().record, nullptr, options);
  run_findings = findings_of_run(summary, sim, scene.description());
}

std::vector<Instant> AuditedRun::frames() const {
  std::vector<Instant> out;
  const auto every = static_cast<std::uint64_t>(scene.description().record.every);
  for (const Instant& at : instants)
    if (at.step % every == 0 || &at == &instants.back()) out.push_back(at);
  return out;
}

void AuditedRun::look_again() {
  touching_ = std::make_unique<Touching>(scene, instants);
  ledger_ = ledger_of(scene, instants, *touching_, sight.events);
  scale_ = scene.energy_scale(instants);
}

std::vector<std::string> AuditedRun::contradictions() const { return Checker(*this).check(); }

}  // namespace touchstone::audit
