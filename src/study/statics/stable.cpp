#include "study/statics/stable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

// Up to these sizes the work takes a second or so.
constexpr std::size_t kExactContacts = 80, kMarginContacts = 300, kRangePairs = 120, kNeutralContacts = 6000;
constexpr std::int64_t kMarginNodes = 20;
constexpr std::size_t kRangeContacts3D = 160;  // two programs a pair, with 64 facets a contact

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

Eigen::Vector3d direction_of(const std::string& word, const Structure& s) {
  Eigen::Vector3d down = Eigen::Vector3d::Zero();
  for (const Body& b : s.bodies) down += b.weight;
  if (!(down.norm() > 0)) down = -Eigen::Vector3d::Unit(s.dimension - 1);
  if (word == "down") return down.normalized();
  if (word == "up") return -down.normalized();
  const std::size_t axis = word.size() == 2 ? std::string("xyz").find(word[1]) : std::string::npos;
  if (axis != std::string::npos && (word[0] == '+' || word[0] == '-') && static_cast<int>(axis) < s.dimension)
    return (word[0] == '+' ? 1.0 : -1.0) * Eigen::Vector3d::Unit(static_cast<Eigen::Index>(axis));
  bad(fmt::format("direction '{}' of a load is not known; use down, up, +x, -x, +y, -y{}", word,
                  s.dimension == 3 ? ", +z, -z" : ""));
}

LoadCase load_case(const std::string& text, const Structure& s) {
  const std::size_t colon = text.rfind(':');
  const std::string name = text.substr(0, colon), word = colon == std::string::npos ? "down" : text.substr(colon + 1);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < s.bodies.size(); ++i) {
    names.push_back(s.bodies[i].name);
    if (s.bodies[i].name != name) continue;
    if (s.bodies[i].held) bad(fmt::format("the load on '{}' has no effect: the body is held", name));
    return {i, direction_of(word, s)};
  }
  bad(fmt::format("there is no body '{}'{}", name, did_you_mean(name, names)));
}

void add_margins(const StableRequest& request, StableReport& out) {
  const Structure& s = out.scaled.structure;
  // Up to 19 verdicts beside margins: without a bound of their own, each could take as long as the verdict itself.
  StableSettings settings = out.settings;
  // Beside a verdict that the search did not find, it finds none either.
  const bool searched = out.assessment.verdict != Verdict::kUndecided;
  settings.most_nodes = std::min(settings.most_nodes, searched ? kMarginNodes : 1);
  Margins margins(s, settings);
  const auto balanced = out.assessment.verdict == Verdict::kStands || out.assessment.verdict == Verdict::kMayStand;
  if (balanced)
    for (const std::string& text : request.loads) out.margins.push_back(margins.load(load_case(text, s)));
  if (!request.margins.value_or(s.contacts.size() <= kMarginContacts)) return;
  if (balanced) {
    for (const Eigen::Vector3d& d : margins.horizontal()) out.margins.push_back(margins.push(d));
    for (const Eigen::Vector3d& d : margins.horizontal()) out.margins.push_back(margins.tilt(d));
  }
  out.margins.push_back(margins.least_friction());
}

void add_ranges(const StableRequest& request, StableReport& out) {
  const auto groups = contacts_by_pair(out.scaled.structure);
  const Structure& s = out.scaled.structure;
  const bool small = groups.size() <= kRangePairs && (s.dimension == 2 || s.contacts.size() <= kRangeContacts3D);
  if (!request.ranges.value_or(small)) return;
  BalanceSettings settings{out.settings.law, out.settings.program};
  // Within a polygon that stands for the circle, fractions would prove nothing, and take minutes.
  const bool circles = s.dimension == 3 && s.has_friction() && request.law == FrictionLaw::kCircle;
  if (circles && !request.exact) settings.program.exact = false;
  out.pair_ranges = force_ranges(out.equations, settings, groups);
  if (!request.points && out.scaled.structure.contacts.size() > kRangePairs) return;
  std::vector<std::vector<std::size_t>> points;
  for (std::size_t i = 0; i < out.scaled.structure.contacts.size(); ++i) points.push_back({i});
  out.point_ranges = force_ranges(out.equations, settings, points);
}

}  // namespace

Rational exact_unit(double power_of_ten) {
  const int exponent = static_cast<int>(std::lround(std::log10(power_of_ten)));
  const Integer power = boost::multiprecision::pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent >= 0 ? Rational(power) : Rational(Integer(1), power);
}

StableReport judge(const SceneDescription& scene, const StableRequest& request) {
  StableReport out;
  out.name = scene.name;
  out.detected = structure_of(scene, request.touch);
  out.scaled = nondimensional(out.detected.structure);
  const Structure& s = out.scaled.structure;
  out.equations = equations_of(s);
  out.fractions = request.exact;
  out.settings.law = request.law;
  out.settings.most_nodes = request.most_nodes > 0 ? request.most_nodes : s.dimension == 2 ? kPlaneNodes : kSpaceNodes;
  out.settings.marginal = request.exact || s.contacts.size() <= kNeutralContacts;
  if (!out.settings.marginal)
    out.detected.notes.push_back(fmt::format(
        "whether the structure is marginal is not searched above {} contact points; --exact does", kNeutralContacts));
  out.settings.program.exact = request.exact || s.contacts.size() <= kExactContacts;
  out.settings.program.max_pivots = request.exact ? 100000 : 500;
  out.settings.program.stop = request.stop;
  for (const std::string& load : request.loads) load_case(load, s);
  out.assessment = assess(s, out.equations, out.settings);
  if (out.assessment.forces.size() > 0) add_ranges(request, out);
  add_margins(request, out);
  if (out.assessment.verdict == Verdict::kFalls) out.motion = initial_motion(s, request.stop);
  if (out.assessment.verdict == Verdict::kMayStand) {
    const Uniqueness& modes = out.assessment.modes;
    out.motion = InitialMotion{true, "contact modes", 0, modes.acceleration.rounded, modes.forces.rounded};
  }
  return out;
}

}  // namespace touchstone::statics
