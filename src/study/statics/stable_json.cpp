// What `touchstone stable --json` prints.
#include <cmath>

#include "study/statics/contact_motion.h"

namespace touchstone::statics {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x + 0.0) : Json(nullptr); }

Json bound_json(const Bound& bound, double unit, bool fractions) {
  if (!bound.finite) return nullptr;
  if (fractions && bound.is_exact) return text_of(Rational(bound.exact * exact_unit(unit)));
  return number(bound.value * unit);
}

Json vector_json(const Eigen::VectorXd& v) {
  Json out = Json::array();
  for (Eigen::Index k = 0; k < v.size(); ++k) out.push_back(number(v[k]));
  return out;
}

Json exact_vector(const Values& values, int first, int count, const Rational& unit) {
  Json out = Json::array();
  for (int k = 0; k < count; ++k)
    out.push_back(text_of(Rational(values.exact[static_cast<std::size_t>(first + k)] * unit)));
  return out;
}

// By body name; fractions where they are known and asked for.
Json motion_json(const StableReport& r, const Values& motion, double linear_unit, double angular_unit,
                 const char* linear_name, const char* angular_name) {
  const Structure& s = r.scaled.structure;
  const Freedoms freedoms(s);
  Json out = Json::object();
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0) continue;
    Json& body = out[s.bodies[i].name];
    if (r.fractions && !motion.exact.empty()) {
      body[linear_name] = exact_vector(motion, at, s.linear(), exact_unit(linear_unit));
      body[angular_name] = exact_vector(motion, at + s.linear(), s.angular(), exact_unit(angular_unit));
    } else {
      body[linear_name] = vector_json(motion.rounded.segment(at, s.linear()) * linear_unit);
      body[angular_name] = vector_json(motion.rounded.segment(at + s.linear(), s.angular()) * angular_unit);
    }
  }
  return out;
}

// What a contact point is, and its force along normal and tangents.
Json point_json(const StableReport& r, std::size_t i, const Values& forces) {
  const Contact& c = r.detected.structure.contacts[i];
  const int axes = r.detected.structure.dimension;
  const double unit = r.scaled.units.force;
  Json out{{"point", vector_json(c.point.head(axes))}, {"normal", vector_json(c.frame.col(0).head(axes))}};
  out["tangents"] = Json::array();
  for (int k = 1; k < axes; ++k) out["tangents"].push_back(vector_json(c.frame.col(k).head(axes)));
  out["friction"] = c.friction;
  const auto first = static_cast<Eigen::Index>(i) * axes;
  if (r.fractions && !forces.exact.empty())
    out["force"] = exact_vector(forces, static_cast<int>(first), axes, exact_unit(unit));
  else if (forces.size() > 0)
    out["force"] = vector_json(forces.rounded.segment(first, axes) * unit);
  return out;
}

Json names_of_pair(const Structure& s, const std::vector<std::size_t>& contacts) {
  const Contact& c = s.contacts[contacts[0]];
  return {{"a", s.bodies[c.a].name}, {"b", s.bodies[c.b].name}};
}

void add_range(const ForceRange& range, const StableReport& r, Json& out) {
  out["least"] = bound_json(range.least, r.scaled.units.force, r.fractions);
  out["greatest"] = bound_json(range.greatest, r.scaled.units.force, r.fractions);
}

// Forces that balance the loads, by pair and point; empty if there are none. "least" and "greatest" are there as far as
// ranges were computed.
Json forces_json(const StableReport& r) {
  Json out = Json::array();
  if (r.assessment.forces.size() == 0) return out;
  const auto groups = contacts_by_pair(r.detected.structure);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Json pair = names_of_pair(r.detected.structure, groups[g]);
    if (g < r.pair_ranges.size()) add_range(r.pair_ranges[g], r, pair);
    pair["points"] = Json::array();
    for (const std::size_t i : groups[g]) {
      Json point = point_json(r, i, r.assessment.forces);
      if (i < r.point_ranges.size()) add_range(r.point_ranges[i], r, point);
      pair["points"].push_back(std::move(point));
    }
    out.push_back(std::move(pair));
  }
  return out;
}

// What contacts do under the accelerations, and the forces that go with these.
Json contact_motion_json(const StableReport& r, const Values& forces) {
  const std::vector<PointMotion> motion = contact_motion(r);
  Json out = Json::array();
  for (const auto& group : contacts_by_pair(r.detected.structure)) {
    Json pair = names_of_pair(r.detected.structure, group);
    ContactChange most = ContactChange::kStays;
    for (const std::size_t i : group) most = std::max(most, motion[i].change);
    pair["change"] = contact_change_word(most);
    pair["points"] = Json::array();
    for (const std::size_t i : group) {
      Json point = point_json(r, i, forces);
      point["change"] = contact_change_word(motion[i].change);
      point["opening"] = number(motion[i].opening), point["slip"] = number(motion[i].slip);
      pair["points"].push_back(std::move(point));
    }
    out.push_back(std::move(pair));
  }
  return out;
}

const char* kind_name(Margin::Kind kind) {
  switch (kind) {
    case Margin::Kind::kPush:
      return "push";
    case Margin::Kind::kTilt:
      return "tilt";
    case Margin::Kind::kLoad:
      return "load";
    case Margin::Kind::kFriction:
      break;
  }
  return "least_friction";
}

Json margin_json(const Margin& m, const StableReport& r) {
  Json out{{"kind", kind_name(m.kind)}, {"name", m.name}};
  if (m.kind == Margin::Kind::kLoad) out["body"] = m.body;
  if (m.kind != Margin::Kind::kFriction)
    out["direction"] = vector_json(m.direction.head(r.detected.structure.dimension));
  out["limit"] = bound_json(m.limit, m.kind == Margin::Kind::kLoad ? r.scaled.units.force : 1.0, r.fractions);
  if (m.kind == Margin::Kind::kTilt && m.limit.finite) out["degrees"] = number(std::atan(m.limit.value) * 180 / M_PI);
  if (m.limit.finite) out["within"] = verdict_word(m.within), out["beyond"] = verdict_word(m.beyond);
  return out;
}

// As in certificates.
const char* reason_word(Reason reason) {
  switch (reason) {
    case Reason::kNoForces:
      return "no_forces";
    case Reason::kFrictionless:
      return "frictionless";
    case Reason::kSupported:
      return "supported";
    case Reason::kModes:
      return "modes";
    case Reason::kTwoAnswers:
      return "two_answers";
    case Reason::kSectors:
      return "sectors";
    case Reason::kBudget:
      return "budget";
    case Reason::kRounding:
      return "rounding";
    case Reason::kNone:
      break;
  }
  return "none";
}

Json pairs_json(const std::vector<NearPair>& pairs) {
  Json out = Json::array();
  for (const NearPair& p : pairs) out.push_back({{"a", p.a}, {"b", p.b}, {"gap", p.gap}, {"tolerance", p.tolerance}});
  return out;
}

}  // namespace

Json stable_json(const StableReport& r) {
  const Assessment& a = r.assessment;
  const Units& u = r.scaled.units;
  const Structure& s = r.detected.structure;
  Json out{{"name", r.name}, {"verdict", verdict_word(a.verdict)}, {"exact", a.exact}, {"marginal", a.marginal}};
  out["reason"] = reason_word(a.reason), out["sentence"] = reason_text(r), out["proof"] = proof_text(r);
  out["marginal_exact"] = a.marginal_exact;
  if (!a.detail.empty()) out["detail"] = a.detail;
  out["bodies"] = s.bodies.size(), out["contacts"] = s.contacts.size(), out["joint_rows"] = s.holds.size();
  out["forces"] = forces_json(r);
  const Values& mechanism = a.verdict == Verdict::kFalls ? a.mechanism : a.neutral;
  out["mechanism"] =
      mechanism.size() > 0 ? motion_json(r, mechanism, 1, 1 / u.length, "velocity", "angular_velocity") : Json(nullptr);
  out["margins"] = Json::array();
  for (const Margin& m : r.margins) out["margins"].push_back(margin_json(m, r));
  out["accelerations"] = out["contact_motion"] = nullptr;
  if (r.motion) {
    Values values{r.motion->acceleration, {}}, forces{r.motion->forces, {}};
    if (a.verdict == Verdict::kMayStand) values = a.modes.acceleration, forces = a.modes.forces;
    out["accelerations"] =
        motion_json(r, values, u.acceleration(), u.angular_acceleration(), "acceleration", "angular_acceleration");
    out["accelerations_converged"] = r.motion->converged;
    out["contact_motion"] = contact_motion_json(r, forces);
  }
  if (a.modes.nodes > 0) out["nodes"] = a.modes.nodes;
  out["floating"] = r.detected.floating, out["gaps"] = pairs_json(r.detected.gaps);
  out["corners"] = pairs_json(r.detected.corners), out["notes"] = r.detected.notes;
  return out;
}

}  // namespace touchstone::statics
