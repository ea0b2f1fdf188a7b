#include "study/audit_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/compare/findings.h"

namespace touchstone::audit {

using compare::kCreep, compare::kEnergyDrift, compare::kEnergyMade, compare::kJointAngle, compare::kJointPosition,
    compare::kPenetrationRatio;

class AuditedRun::Checker {
 public:
  explicit Checker(const AuditedRun& of)
      : a_(of), numbers_(of.run.numbers), touching_(*of.touching_), ledger_(of.ledger_) {}

  std::vector<std::string> check() {
    energies();
    if (numbers_.yardstick) depths(), joints(), slip(), momentum();
    made();
    drift();
    creep();
    for (const Finding& f : a_.verify_findings) time_and_bodies(f);
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

  void energies() {
    const Recording recording = Recording::open(a_.run.recording);
    const std::vector<Instant> frames = a_.frames();
    if (frames.size() != recording.frame_count() || frames.back().step != recording.frames().back().step)
      return say("{} frames were expected, {} are there", frames.size(), recording.frame_count());
    const std::vector<double> kinetic = recording.series("kinetic_energy"), gravity = recording.series("gravity_energy"),
                              springs = recording.series("spring_energy");
    double worst = 0;
    for (std::size_t k = 0; k < frames.size(); ++k)
      worst = std::max({worst, std::abs(kinetic[k] - a_.scene.kinetic(frames[k])),
                        std::abs(gravity[k] - a_.scene.gravity(frames[k])),
                        std::abs(springs[k] - a_.scene.springs(frames[k]))});
    same("an energy", worst, 0, 1e-9 * (a_.scale_ + std::abs(gravity[0])));
  }

  void depths() {
    const Worst depth = a_.scene.deepest(a_.instants, false, a_.sight.every);
    const Worst ratio = a_.scene.deepest(a_.instants, true, a_.sight.every);
    const auto tolerance = [&](double value) { return a_.sight.depth_part * value + a_.sight.depth_rest; };
    const MeasureSummary &said = measure("penetration"), &said_ratio = measure("penetration_ratio");
    const bool all = a_.sight.every == 1;
    if (all || depth.value > said.worst) same("penetration", said.worst, depth.value, tolerance(depth.value));
    const double size = smallest();
    if (all || ratio.value > said_ratio.worst)
      same("penetration_ratio", said_ratio.worst, ratio.value, tolerance(ratio.value) / std::min(1.0, size));
    at_worst(said, 1, tolerance(said.worst));
    const double audited = all ? ratio.value : std::max(ratio.value, said_ratio.worst);
    decided(a_.compare_findings, "penetration", audited, kPenetrationRatio, tolerance(audited) / std::min(1.0, size));
    decided(a_.verify_findings, "penetration_ratio", audited, 1e-3, tolerance(audited) / std::min(1.0, size));
  }
  double smallest() const {
    double size = 1e9;
    for (std::size_t i = 0; i < a_.scene.subjects().size(); ++i)
      if (a_.scene.subjects()[i].dynamic) size = std::min(size, 2 * a_.scene.subjects()[i].radius);
    return size;
  }
  // The bodies and the time that a measure names.
  void at_worst(const MeasureSummary& m, double part, double tolerance) {
    if (!(m.worst > tolerance) || m.body_a.empty() || m.body_b.empty()) return;
    const Instant* at = at_time(m.time);
    if (!at) return say("{} is at t = {}, where no step ends", m.info->name, m.time);
    const auto a = static_cast<std::size_t>(a_.scene.slot(m.body_a)), b = static_cast<std::size_t>(a_.scene.slot(m.body_b));
    const double depth = a_.scene.depth(std::min(a, b), std::max(a, b), *at);
    same(fmt::format("{} of {} and {} at t = {}", m.info->name, m.body_a, m.body_b, m.time).c_str(), m.worst,
         part * depth, tolerance);
  }

  void joints() {
    const Worst wide = a_.scene.widest(a_.instants, false), ratio = a_.scene.widest(a_.instants, true),
                bent = a_.scene.most_bent(a_.instants);
    constexpr double kExact = 1e-9;  // of poses as they are recorded [m, rad]
    same("joint_position", measure("joint_position").worst, wide.value, kExact);
    same("joint_position_ratio", measure("joint_position_ratio").worst, ratio.value, 100 * kExact);
    same("joint_angle", measure("joint_angle").worst, bent.value, kExact);
    decided(a_.verify_findings, "joint_position_ratio", ratio.value, 1e-3, 100 * kExact);
    const Finding* f = find(a_.compare_findings, "joints");
    const bool open = ratio.value > 1e-3 || bent.value > kJointAngle;
    if (open != (f != nullptr)) say("joints are {}open by {:.3g}, {:.3g} rad", open ? "" : "not ", ratio.value, bent.value);
  }

  // Corners that the auditor follows: a part of all contacts.
  void slip() {
    const Worst slip = gathered_slip(a_.scene, a_.instants, touching_);
    const double said = measure("gathered_slip").worst;
    if (slip.value > 1.05 * said + 1e-7 && measure("gathered_slip").worst > 0)
      say("gathered_slip is said to be {:.6g} m, and {} moved by {:.6g} m at t = {}", said, slip.b, slip.value, slip.time);
    const double part = slip.value > 0 ? slip.value / a_.scene.smaller(a_.scene.slot(slip.a), a_.scene.slot(slip.b)) : 0;
    if (part > 1.05e-3 && said > 0 && !find(a_.verify_findings, "gathered_slip_ratio"))
      say("no finding of slip, and {} slipped by {:.6g} m at t = {}", slip.b, slip.value, slip.time);
  }

  void momentum() {
    const Worst lost = unexplained_momentum(a_.scene, a_.instants, touching_);
    const bool said = find(a_.compare_findings, "momentum") != nullptr;
    if (!said && lost.value > 2 * compare::kMomentum)
      say("no finding of momentum, and that of {} changed by {:.3g} at t = {}", lost.a, lost.value, lost.time);
  }

  void made() {
    const Worst made = ledger_.most_made(a_.instants);
    const double slack = ledger_.most_slack() + 1e-9 * (a_.scale_ + std::abs(ledger_.energy[0]));
    const double said = numbers_.energy_made;
    if (!(said >= made.value - slack && said <= made.value + slack + a_.sight.contact_springs))
      say("energy_made is said to be {:.6g} J, audited {:.6g} J at t = {} within {:.3g} J", said, made.value, made.time,
          slack + a_.sight.contact_springs);
    const bool found = find(a_.compare_findings, "energy_made") != nullptr;
    if (found && !(made.value + slack + a_.sight.contact_springs > kEnergyMade * a_.scale_))
      say("finding 'energy_made': audited {:.6g} J of {:.6g} J", made.value, a_.scale_);
    if (!found && made.value - slack > kEnergyMade * a_.scale_)
      say("no finding 'energy_made': audited {:.6g} J of {:.6g} J", made.value, a_.scale_);
    same("energy_scale", numbers_.energy_scale, a_.scale_, 1e-9 * a_.scale_);
  }

  void drift() {
    if (!a_.sight.whole_steps) return;
    const double scale = a_.scene.energy_scale(a_.frames());
    double most = 0, of_frames = 0;
    const auto every = static_cast<std::uint64_t>(a_.scene.description().record.every);
    for (std::size_t k = 0; k < a_.instants.size(); ++k) {
      const double error = std::abs(ledger_.free_error[k]);
      most = std::max(most, error);
      if (k % every == 0 || k + 1 == a_.instants.size()) of_frames = std::max(of_frames, error);
    }
    const double slack = ledger_.most_slack() + 1e-9 * (a_.scale_ + std::abs(ledger_.energy[0]));
    if (numbers_.yardstick) same("energy_error", measure("energy_error").worst, of_frames / scale, slack / scale);
    same("energy_drift", numbers_.energy_drift, most, slack);
    decided(a_.compare_findings, "drift", most, kEnergyDrift * a_.scale_, slack);
    decided(a_.verify_findings, "energy_error", of_frames / scale, 5e-2, slack / scale);
  }

  void creep() {
    const Creeping c = creep_of(a_.scene, a_.frames(), touching_);
    if (!numbers_.creep.known) return;
    if (numbers_.creep.resting != c.resting)
      say("{} bodies are said to rest, audited {}", numbers_.creep.resting, c.resting);
    const double tolerance = 1e-12 + 1e-6 * c.worst;
    same("creep", numbers_.creep.worst, c.worst, tolerance);
    if (c.resting == 0) return;
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

  const AuditedRun& a_;
  const compare::RunNumbers& numbers_;
  const Touching& touching_;
  const Ledger& ledger_;
  std::vector<std::string> out_;
};

AuditedRun::AuditedRun(const compare::ModelRun& of, const SceneDescription& description,
                       const std::vector<Finding>& findings, const Sight& how)
    : scene(description), run(of), sight(how) {
  instants = scene.simulate();
  for (const Finding& f : findings)
    if (f.model == of.label) compare_findings.push_back(f);
  if (of.numbers.yardstick) verify_findings = findings_above(*of.numbers.yardstick, usual_bounds(), of.label);
  look_again();
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
  ledger_ = ledger_of(scene, instants, *touching_);
  scale_ = scene.energy_scale(instants);
}

std::vector<std::string> AuditedRun::contradictions() const { return Checker(*this).check(); }

}  // namespace touchstone::audit
