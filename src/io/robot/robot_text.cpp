#include "io/robot/robot_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/text.h"

namespace touchstone {
namespace {

std::string range_text(const RobotJoint& j) {
  const char* const unit = j.kind == RobotJointKind::kPrismatic ? "m" : "rad";
  if (j.lower && j.upper) return fmt::format("{:.4g} to {:.4g} {}", *j.lower, *j.upper, unit);
  if (j.upper) return fmt::format("up to {:.4g} {}", *j.upper, unit);
  return "-";
}

std::string axis_text(const RobotJoint& j) {
  if (rates_of(j.kind) == 0 || rates_of(j.kind) > 3 || j.kind == RobotJointKind::kSpherical) return "-";
  return fmt::format("{:.3g} {:.3g} {:.3g}", j.axis.x() + 0.0, j.axis.y() + 0.0, j.axis.z() + 0.0);
}

std::string head(const RobotDescription& r) {
  std::map<std::string, std::size_t> kinds;
  for (const RobotJoint& joint : r.joints) ++kinds[name_of(joint.kind)];
  std::string joints;
  for (const auto& [kind, n] : kinds) joints += fmt::format("{}{} {}", joints.empty() ? "" : ", ", n, kind);
  std::size_t shapes = r.world.shapes.size(), visuals = r.world.visuals.size();
  for (const RobotLink& link : r.links) shapes += link.shapes.size(), visuals += link.visuals.size();
  std::string out = fmt::format("{} ({}, {})\n", valid_utf8(r.name), r.report.format,
                                r.report.files.empty() ? "no file" : valid_utf8(r.report.files.front()));
  out += fmt::format("mass        {:.6g} kg in {}\n", r.mass(), counted(r.links.size(), "link"));
  out += fmt::format("joints      {}{}; {} and {}\n", r.joints.size(), joints.empty() ? "" : " (" + joints + ")",
                     counted(r.coordinates(), "coordinate"), counted(r.rates(), "rate"));
  out += fmt::format("shapes      {} for contacts, {} for drawing\n", shapes, visuals);
  out += fmt::format("contacts    {} excluded, {} added\n", counted(r.exclusions.size(), "pair"), r.pairs.size());
  out += fmt::format("constraints {}\n", r.equalities.size());
  out += fmt::format("tendons     {}\n", r.tendons.size());
  if (r.gravity)
    out += fmt::format("gravity     {:g} {:g} {:g} m/s²\n", r.gravity->x(), r.gravity->y(), r.gravity->z());
  if (r.step) out += fmt::format("step        {:g} s\n", *r.step);
  std::string keys;
  for (const RobotKeyframe& key : r.keyframes) keys += " " + (key.name.empty() ? "(unnamed)" : valid_utf8(key.name));
  if (!keys.empty()) out += fmt::format("keyframes  {}\n", keys);
  return out;
}

std::string link_table(const RobotDescription& r) {
  std::string out = fmt::format("\n{:<28} {:>12}  {:<28} {}\n", "link", "mass [kg]", "parent", "centre of mass [m]");
  for (const RobotLink& link : r.links) {
    const std::string parent = link.parent == RobotLink::kWorld ? "world" : r.links[link.parent].name;
    out += fmt::format("{:<28} {:>12.6g}  {:<28} {:.4g} {:.4g} {:.4g}\n", valid_utf8(link.name), link.mass,
                       valid_utf8(parent), link.center_of_mass.x(), link.center_of_mass.y(), link.center_of_mass.z());
  }
  return out;
}

std::string joint_table(const RobotDescription& r) {
  if (r.joints.empty()) return "";
  std::string out = fmt::format("\n{:<28} {:<11} {:<28} {:<18} {}\n", "joint", "kind", "moves", "axis", "range");
  for (const RobotJoint& j : r.joints)
    out += fmt::format("{:<28} {:<11} {:<28} {:<18} {}{}\n", valid_utf8(j.name), name_of(j.kind),
                       valid_utf8(r.links[j.link].name), axis_text(j), range_text(j),
                       j.mimic ? fmt::format("; = {:g} · {} + {:g}", j.mimic->multiplier,
                                             valid_utf8(r.joints[j.mimic->joint].name), j.mimic->offset)
                               : "");
  return out;
}

std::string target_of(const RobotDescription& r, const RobotActuator& a) {
  return a.target_kind == RobotActuator::Target::kJoint ? r.joints[a.target].name
                                                        : "tendon " + r.tendons[a.target].name;
}

std::string actuator_table(const RobotDescription& r) {
  if (r.actuators.empty()) return "";
  std::string out = fmt::format("\n{:<28} {:<10} {:<28} {:<26} {}\n", "actuator", "kind", "drives",
                                "force on its length", "clamped to");
  for (const RobotActuator& a : r.actuators) {
    const std::string law = fmt::format("{:.4g}·u {:+.4g} {:+.4g}·l {:+.4g}·l'", a.gain_terms[0], a.bias_terms[0],
                                        a.bias_terms[1], a.bias_terms[2]);
    out += fmt::format("{:<28} {:<10} {:<28} {:<26} {}\n", valid_utf8(a.name), a.kind, valid_utf8(target_of(r, a)), law,
                       a.force_range ? fmt::format("{:g} to {:g}", (*a.force_range)[0], (*a.force_range)[1]) : "-");
  }
  return out;
}

// Lines as "3, 5-7".
std::string lines_text(const std::vector<int>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t k = i;
    while (k + 1 < lines.size() && lines[k + 1] <= lines[k] + 1) ++k;
    out += fmt::format("{}{}", out.empty() ? "" : ",", lines[i]);
    if (lines[k] > lines[i]) out += fmt::format("-{}", lines[k]);
    i = k + 1;
  }
  return out;
}

// Notes with the same words stand together, with all their lines.
std::string note_list(const RobotDescription& r, ImportNote::Kind kind, const std::string& title) {
  struct Group {
    const ImportNote* first;
    std::vector<int> lines;
  };
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  std::size_t number = 0;
  for (const ImportNote& note : r.report.notes) {
    if (note.kind != kind) continue;
    ++number;
    const auto [place, added] = places.emplace(std::tuple(note.source.file, note.thing, note.reason), groups.size());
    if (added) groups.push_back({&note, {}});
    groups[place->second].lines.push_back(note.source.line);
  }
  if (groups.empty()) return "";
  std::string out = fmt::format("\n{} ({}):\n", title, number);
  for (const Group& g : groups)
    out +=
        fmt::format("  {}:{}: {}: {}{}\n", valid_utf8(std::filesystem::path(g.first->source.file).filename().string()),
                    lines_text(g.lines), g.first->thing, g.first->reason,
                    kind == ImportNote::Kind::kIgnored && g.first->affects_motion ? " [affects motion]" : "");
  return out;
}

std::string read_list(const ImportReport& report) {
  std::string out = "\nread: ";
  for (std::size_t i = 0; i < report.read.size(); ++i)
    out += fmt::format("{}{} <{}>", i ? ", " : "", report.read[i].number, report.read[i].element);
  return out + "\n";
}

using Json = nlohmann::ordered_json;

Json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json link_json(const RobotDescription& r, const RobotLink& link) {
  const Eigen::Matrix3d& i = link.inertia;
  return {
      {"name", link.name},
      {"parent", link.parent == RobotLink::kWorld ? "world" : r.links[link.parent].name},
      {"position", vector_json(link.pose.position)},
      {"orientation",
       {link.pose.orientation.w(), link.pose.orientation.x(), link.pose.orientation.y(), link.pose.orientation.z()}},
      {"mass", link.mass},
      {"center_of_mass", vector_json(link.center_of_mass)},
      {"inertia", {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)}},
      {"shapes", link.shapes.size()},
      {"visuals", link.visuals.size()},
      {"sites", link.sites.size()},
      {"line", link.source.line}};
}

Json joint_json(const RobotDescription& r, const RobotJoint& j) {
  Json out{{"name", j.name},
           {"kind", name_of(j.kind)},
           {"link", r.links[j.link].name},
           {"point", vector_json(j.point)},
           {"axis", vector_json(j.axis)},
           {"reference", j.reference},
           {"lower", optional_json(j.lower)},
           {"upper", optional_json(j.upper)},
           {"max_speed", optional_json(j.max_speed)},
           {"max_effort", optional_json(j.max_effort)},
           {"damping", j.damping},
           {"friction", j.friction},
           {"armature", j.armature},
           {"stiffness", j.stiffness},
           {"spring_reference", j.spring_reference},
           {"line", j.source.line}};
  if (j.mimic)
    out["mimic"] = {
        {"joint", r.joints[j.mimic->joint].name}, {"multiplier", j.mimic->multiplier}, {"offset", j.mimic->offset}};
  return out;
}

}  // namespace

const char* name_of(RobotJointKind kind) {
  static const char* const names[] = {"fixed",     "revolute", "continuous", "prismatic",
                                      "universal", "planar",   "spherical",  "floating"};
  return names[static_cast<std::size_t>(kind)];
}

const char* name_of(ImportNote::Kind kind) {
  return kind == ImportNote::Kind::kApproximated ? "approximated"
         : kind == ImportNote::Kind::kIgnored    ? "ignored"
                                                 : "unused";
}

std::string robot_text(const RobotDescription& robot) {
  return head(robot) + link_table(robot) + joint_table(robot) + actuator_table(robot) + read_list(robot.report) +
         note_list(robot, ImportNote::Kind::kApproximated, "approximated") +
         note_list(robot, ImportNote::Kind::kIgnored, "ignored") +
         note_list(robot, ImportNote::Kind::kUnused, "without effect");
}

Json robot_json(const RobotDescription& robot) {
  Json out{{"name", robot.name}, {"format", robot.report.format}, {"files", robot.report.files}};
  out["mass"] = robot.mass();
  out["coordinates"] = robot.coordinates();
  out["rates"] = robot.rates();
  out["gravity"] = robot.gravity ? vector_json(*robot.gravity) : Json(nullptr);
  out["step"] = optional_json(robot.step);
  for (const char* list : {"links", "joints", "actuators", "tendons", "keyframes", "read", "notes"})
    out[list] = Json::array();
  for (const RobotLink& link : robot.links) out["links"].push_back(link_json(robot, link));
  for (const RobotJoint& joint : robot.joints) out["joints"].push_back(joint_json(robot, joint));
  for (const RobotActuator& a : robot.actuators)
    out["actuators"].push_back({{"name", a.name},
                                {"kind", a.kind},
                                {"drives", target_of(robot, a)},
                                {"gear", a.gear},
                                {"gain", a.gain_terms},
                                {"bias", a.bias_terms},
                                {"control_range", optional_json(a.control_range)},
                                {"force_range", optional_json(a.force_range)},
                                {"line", a.source.line}});
  for (const RobotTendon& t : robot.tendons) {
    Json terms = Json::array();
    for (const RobotTendon::Term& term : t.terms)
      terms.push_back({{"joint", robot.joints[term.joint].name}, {"coefficient", term.coefficient}});
    out["tendons"].push_back({{"name", t.name}, {"terms", terms}, {"line", t.source.line}});
  }
  for (const RobotKeyframe& key : robot.keyframes)
    out["keyframes"].push_back({{"name", key.name}, {"q", key.q}, {"v", key.v}, {"control", key.control}});
  out["exclusions"] = robot.exclusions.size();
  out["equalities"] = robot.equalities.size();
  for (const ImportReport::Count& count : robot.report.read)
    out["read"].push_back({{"element", count.element}, {"number", count.number}, {"first_line", count.first_line}});
  for (const ImportNote& note : robot.report.notes)
    out["notes"].push_back({{"kind", name_of(note.kind)},
                            {"file", note.source.file},
                            {"line", note.source.line},
                            {"thing", note.thing},
                            {"reason", note.reason},
                            {"affects_motion", note.affects_motion}});
  return out;
}

}  // namespace touchstone
