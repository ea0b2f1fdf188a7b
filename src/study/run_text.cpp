#include "study/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "models/registry.h"
#include "study/run_findings.h"

namespace touchstone {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNamedOverlaps = 5;

bool looks_for_contacts(const Simulation& simulation) {
  return find_model(simulation.model_name()).capabilities.contacts;
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string contacts_line(const RunSummary& s, const Simulation& simulation) {
  if (!looks_for_contacts(simulation)) return "contacts    not detected by this model\n";
  return fmt::format(
      "contacts    {:.1f} on average, {} at most, {} at the end ({} sticking), by the model's own account\n",
      s.mean_contacts, s.most_contacts, s.last.contacts, s.last.sticking);
}

double time_of(const Measure& m, const Simulation& simulation) {
  return static_cast<double>(m.step) * simulation.step_size();
}

std::string yardstick_line(const RunSummary& s, const Simulation& simulation) {
  if (!s.measures.measured)
    return s.steps == 0 ? "yardstick   no step to measure\n"
                        : "yardstick   penetration not measured: [record] yardstick = false\n";
  const Measure& depth = s.measures.penetration;
  std::string text = fmt::format("yardstick   deepest penetration {:.3g} m", depth.worst);
  if (depth.worst > 0)
    text += fmt::format(" ({} and {}, t = {:.6g} s)", name_of_slot(simulation, depth.body_a),
                        name_of_slot(simulation, depth.body_b), time_of(depth, simulation));
  return text + fmt::format("; natural map {:.3g} at worst\n", s.measures.natural_map.worst);
}

std::string findings_lines(const RunSummary& s, const std::vector<Finding>& findings) {
  if (!s.measures.measured) return "";
  if (findings.empty()) return "findings    none: every measure is within its usual bound\n";
  std::string text;
  for (const Finding& f : findings) text += fmt::format("finding     {}\n", f.text);
  return text;
}

// "contacts -1.2 J, motors 42.1 J": contacts always, the other classes where they did more than rounding of `energy`.
std::string work_text(const StepReport& r, double energy) {
  constexpr double kRounding = 1e-12;
  std::string text;
  const auto add = [&](const char* who, double work, bool always = false) {
    if (std::abs(work) <= kRounding * energy) work = 0;
    if (work != 0 || always) text += fmt::format("{}{} {:.6g} J", text.empty() ? "" : ", ", who, work);
  };
  add("contacts", r.contact_work, true);
  add("motors", r.motor_work);
  add("joints", r.joint_work);
  add("prescribed bodies and belts", r.driven_work);
  add("applied forces", r.external_work);
  add("drag", r.drag_work);
  add("position correction", r.correction_work);
  return text;
}

std::string energy_lines(const RunSummary& s) {
  const double scale = std::max(std::abs(s.start_energy), std::max(s.last.kinetic_energy, std::abs(s.last.energy())));
  const std::string part = scale > 0 ? fmt::format(" ({:.2g} % of the energy)", 100 * s.largest_balance / scale) : "";
  return fmt::format(
      "energy      {:.6g} J at the start, {:.6g} J at the end (kinetic {:.3g} J); momentum {:.3g} kg·m/s\n"
      "work        {}, by the model's own account\n"
      "            the energy of the bodies differs from that account by at most {:.3g} J{}\n",
      s.start_energy, s.last.energy(), s.last.kinetic_energy, s.last.momentum.norm(), work_text(s.last, scale),
      s.largest_balance, part);
}

std::string pair_text(const Simulation& simulation, const BodyOverlap& o) {
  return fmt::format("{} and {} by {:.3g} m", simulation.body_name(o.body_a), simulation.body_name(o.body_b), o.depth);
}

// The first of them by name; a wall of mortar joints may break in hundreds.
std::string broken_lines(const RunSummary& s) {
  constexpr std::size_t kNamed = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(kNamed, s.broken.size()); ++i)
    out += fmt::format("broken      joint '{}' at t = {:.6g} s, with {:.4g} N and {:.4g} N·m\n", s.broken[i].name,
                       s.broken[i].time, s.broken[i].force, s.broken[i].torque);
  if (s.broken.size() > kNamed) out += fmt::format("            and {} more\n", s.broken.size() - kNamed);
  return out;
}

}  // namespace

std::string summary_text(const RunSummary& s, const Simulation& simulation, const SceneDescription& scene) {
  const double rate = s.wall_time > 0 ? static_cast<double>(s.steps) * simulation.step_size() / s.wall_time : 0;
  std::string out;
  out +=
      fmt::format("simulated   {:.6g} s in {} of {:g} s ({}, model {})\n", s.simulated_time, counted(s.steps, "step"),
                  simulation.step_size(), counted(simulation.bodies().size(), "body"), simulation.model_name());
  out += fmt::format("wall time   {:.3f} s ({:.3g} simulated seconds a second, {:.3g} ms a step)\n", s.wall_time, rate,
                     s.steps ? 1e3 * s.wall_time / static_cast<double>(s.steps) : 0.0);
  out += contacts_line(s, simulation);
  out += broken_lines(s);
  if (s.not_converged > 0)
    out += fmt::format("solver      not converged in {} of {}, first at t = {:.6g} s{}\n", s.not_converged,
                       counted(s.steps, "step"), s.first_not_converged,
                       s.not_converged_reason.empty() ? "" : ": " + s.not_converged_reason);
  out += yardstick_line(s, simulation) + energy_lines(s) + findings_lines(s, findings_of_run(s, simulation, scene));
  return out + fmt::format("state hash  {}\n", hex(s.state_hash));
}

Json summary_json(const RunSummary& s, const Simulation& simulation, const SceneDescription& scene) {
  Json j;
  j["finished"] = s.finished;
  if (s.failure) j["failure"] = s.failure->what();
  j["model"] = simulation.model_name();
  j["bodies"] = simulation.bodies().size();
  j["steps"] = s.steps;
  j["step_size"] = simulation.step_size();
  j["simulated_time"] = s.simulated_time;
  j["wall_time"] = s.wall_time;
  j["contacts_mean"] = s.mean_contacts;
  j["contacts_max"] = s.most_contacts;
  j["substeps_max"] = s.most_substeps;
  const bool measured = s.measures.measured;
  const Measure& depth = s.measures.penetration;
  j["yardstick"] = measured;
  j["penetration_max"] = measured ? Json(depth.worst) : Json(nullptr);
  if (depth.worst > 0)
    j["deepest"] = {{"bodies", {name_of_slot(simulation, depth.body_a), name_of_slot(simulation, depth.body_b)}},
                    {"time", time_of(depth, simulation)}};
  j["natural_map_max"] = measured ? Json(s.measures.natural_map.worst) : Json(nullptr);
  j["findings"] = measured ? findings_json(findings_of_run(s, simulation, scene)) : Json(nullptr);
  j["broken_joints"] = Json::array();
  for (const BrokenJoint& b : s.broken)
    j["broken_joints"].push_back({{"name", b.name}, {"time", b.time}, {"force", b.force}, {"torque", b.torque}});
  j["not_converged_steps"] = s.not_converged;
  if (s.not_converged > 0)
    j["first_not_converged"] = {{"time", s.first_not_converged}, {"reason", s.not_converged_reason}};
  j["energy_start"] = s.start_energy;
  j["energy_balance_max"] = s.largest_balance;
  Json report;
  for (const ReportField& field : report_fields()) report[field.name] = field.get(s.last);
  j["report"] = report;
  j["state_hash"] = hex(s.state_hash);
  return j;
}

std::string overlaps_text(const Simulation& simulation, const std::vector<BodyOverlap>& overlaps) {
  if (overlaps.empty()) return "";
  const std::size_t named = std::min(kNamedOverlaps, overlaps.size());
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < named; ++i) pairs.push_back(pair_text(simulation, overlaps[i]));
  const std::string rest = overlaps.size() > named ? fmt::format(" and {} more", overlaps.size() - named) : "";
  return fmt::format(
      "{} of bodies {} at the start: {}{}. Contact models push such bodies apart. Move them apart, or let them ignore "
      "each other (groups, ignores)",
      counted(overlaps.size(), "pair"), overlaps.size() == 1 ? "overlaps" : "overlap", fmt::join(pairs, ", "), rest);
}

Json overlaps_json(const Simulation& simulation, const std::vector<BodyOverlap>& overlaps) {
  Json deepest = Json::array();
  for (std::size_t i = 0; i < std::min(kNamedOverlaps, overlaps.size()); ++i)
    deepest.push_back({{"bodies", {simulation.body_name(overlaps[i].body_a), simulation.body_name(overlaps[i].body_b)}},
                       {"depth", overlaps[i].depth}});
  return {{"pairs", overlaps.size()}, {"deepest", deepest}};
}

}  // namespace touchstone
