// What `touchstone stable --json` prints.
#include <cmath>

#include "study/statics/stable.h"

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

Json forces_json(const StableReport& r) {
  const Structure& s = r.detected.structure;
  const double unit = r.scaled.units.force;
  Json out = Json::array();
  for (const ForceRange& range : r.pair_ranges) {
    const Contact& c = s.contacts[range.contacts[0]];
    Json pair{{"a", s.bodies[c.a].name}, {"b", s.bodies[c.b].name}};
    pair["least"] = bound_json(range.least, unit, r.fractions);
    pair["greatest"] = bound_json(range.greatest, unit, r.fractions);
    pair["points"] = Json::array();
    for (const std::size_t i : range.contacts) {
      Json point{{"point", vector_json(s.contacts[i].point.head(s.dimension))},
                 {"normal", vector_json(s.contacts[i].frame.col(0).head(s.dimension))},
                 {"friction", s.contacts[i].friction}};
      if (i < r.point_ranges.size()) {
        point["least"] = bound_json(r.point_ranges[i].least, unit, r.fractions);
        point["greatest"] = bound_json(r.point_ranges[i].greatest, unit, r.fractions);
      }
      const auto first = static_cast<Eigen::Index>(i) * s.dimension;
      const Forces& f = r.assessment.forces;
      if (r.fractions && !f.exact.empty())
        point["force"] = exact_vector(f, static_cast<int>(first), s.dimension, exact_unit(unit));
      else if (f.size() > 0)
        point["force"] = vector_json(f.rounded.segment(first, s.dimension) * unit);
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
  if (!a.detail.empty()) out["detail"] = a.detail;
  out["bodies"] = s.bodies.size(), out["contacts"] = s.contacts.size(), out["joint_rows"] = s.holds.size();
  out["forces"] = forces_json(r);
  const Values& mechanism = a.verdict == Verdict::kFalls ? a.mechanism : a.neutral;
  out["mechanism"] =
      mechanism.size() > 0 ? motion_json(r, mechanism, 1, 1 / u.length, "velocity", "angular_velocity") : Json(nullptr);
  out["margins"] = Json::array();
  for (const Margin& m : r.margins) out["margins"].push_back(margin_json(m, r));
  out["accelerations"] = nullptr;
  if (r.motion) {
    Values values{r.motion->acceleration, {}};
    if (a.verdict == Verdict::kMayStand) values = a.modes.acceleration;
    out["accelerations"] =
        motion_json(r, values, u.acceleration(), u.angular_acceleration(), "acceleration", "angular_acceleration");
    out["accelerations_converged"] = r.motion->converged;
  }
  if (a.modes.nodes > 0) out["nodes"] = a.modes.nodes;
  out["floating"] = r.detected.floating, out["gaps"] = pairs_json(r.detected.gaps);
  out["corners"] = pairs_json(r.detected.corners), out["notes"] = r.detected.notes;
  return out;
}

}  // namespace touchstone::statics
