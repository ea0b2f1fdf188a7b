// What `touchstone stable` prints, for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "study/statics/contact_motion.h"

namespace touchstone::statics {
namespace {

constexpr double kAtRest = 1e-9;  // of the greatest acceleration
constexpr std::size_t kMostLines = 40;

std::string counts_text(const StableReport& r) {
  const Structure& s = r.detected.structure;
  const auto held =
      static_cast<std::size_t>(std::count_if(s.bodies.begin(), s.bodies.end(), [](const Body& b) { return b.held; }));
  double least = INFINITY, most = 0;
  for (const Contact& c : s.contacts) least = std::min(least, c.friction), most = std::max(most, c.friction);
  std::string friction = "no friction";
  if (most > 0)
    friction = least == most ? fmt::format("friction {:g}", most) : fmt::format("friction {:g} to {:g}", least, most);
  return fmt::format("{} ({} held), {} between {}{}, {}", counted(s.bodies.size(), "body"), held,
                     counted(s.contacts.size(), "contact point"), counted(contacts_by_pair(s).size(), "pair"),
                     s.holds.empty() ? "" : fmt::format(", {} of joints", counted(s.holds.size(), "row")), friction);
}

// The first few; `others` says what the rest is.
std::string notes_text(const std::vector<std::string>& notes, const char* others) {
  constexpr std::size_t kMostNotes = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i) out += "note: " + notes[i] + "\n";
  if (notes.size() > kMostNotes)
    out += fmt::format("note: and {} {}; --json has all\n", notes.size() - kMostNotes, others);
  return out;
}

std::string remarks_text(const StableReport& r) {
  const Detected& d = r.detected;
  std::vector<std::string> floating, gaps, corners;
  for (const std::string& name : d.floating)
    floating.push_back(fmt::format("'{}' touches no body and has no joint", name));
  for (const NearPair& gap : d.gaps)
    gaps.push_back(
        fmt::format("'{}' and '{}' are {:.3g} m apart and do not touch (touching: up to {:.3g} m; --tolerance)", gap.a,
                    gap.b, gap.gap, gap.tolerance));
  for (const NearPair& corner : d.corners)
    corners.push_back(fmt::format("'{}' and '{}' touch in a corner only; a corner has no normal and carries no force",
                                  corner.a, corner.b));
  return notes_text(floating, "more bodies that touch nothing") + notes_text(gaps, "more pairs with a small gap") +
         notes_text(corners, "more pairs that touch in a corner only") + notes_text(d.notes, "more notes");
}

std::string range_text(const ForceRange& range, double unit, bool fractions) {
  return fmt::format("{:>14}{:>14}", bound_text(range.least, unit, "", fractions),
                     bound_text(range.greatest, unit, "", fractions));
}

std::string forces_text(const StableReport& r) {
  if (r.pair_ranges.empty()) return "";
  const Structure& s = r.detected.structure;
  std::string out = fmt::format(
      "\nnormal forces [N]: the least and the greatest with which all loads balance\n{:<34}{:>8}{:>14}{:>14}\n", "pair",
      "points", "least", "greatest");
  std::size_t lines = 0;
  for (const ForceRange& range : r.pair_ranges) {
    if (++lines > kMostLines) break;
    const Contact& c = s.contacts[range.contacts[0]];
    out += fmt::format("{:<34}{:>8}{}\n", fmt::format("{} - {}", s.bodies[c.a].name, s.bodies[c.b].name),
                       range.contacts.size(), range_text(range, r.scaled.units.force, r.fractions));
  }
  if (lines > kMostLines) out += fmt::format("and {} more; --json has all\n", r.pair_ranges.size() - kMostLines);
  return out;
}

const char* margin_unit(Margin::Kind kind) {
  switch (kind) {
    case Margin::Kind::kPush:
      return "of its weight";
    case Margin::Kind::kLoad:
      return "N";
    case Margin::Kind::kTilt:
    case Margin::Kind::kFriction:
      break;
  }
  return "";
}

std::string margin_value(const Margin& m, const StableReport& r) {
  if (!m.limit.finite) return m.kind == Margin::Kind::kFriction ? "no friction is enough" : "without limit";
  const double unit = m.kind == Margin::Kind::kLoad ? r.scaled.units.force : 1.0;
  const std::string value = bound_text(m.limit, unit, margin_unit(m.kind), r.fractions);
  if (m.kind == Margin::Kind::kTilt)
    return fmt::format("{:.6g} deg (tangent {})", std::atan(m.limit.value) * 180 / M_PI, value);
  return value;
}

std::string margins_text(const StableReport& r) {
  if (r.margins.empty()) return "";
  std::string out = "\nmargins\n";
  for (const Margin& m : r.margins) {
    out += fmt::format("{:<34}{}", m.name, margin_value(m, r));
    if (m.limit.finite && !(m.kind == Margin::Kind::kFriction && m.limit.value == 0))
      out += fmt::format("; {} within, {} beyond", verdict_title(m.within), verdict_title(m.beyond));
    out += "\n";
  }
  return out;
}

std::string number_text(double x, double scale) {
  return fmt::format("{:.6g}", std::abs(x) < kAtRest * scale ? 0.0 : x);
}

// Numbers below the rounding of the greatest are zero.
std::string vector_text(const Eigen::VectorXd& v, double scale = 0) {
  std::string out = "(";
  for (Eigen::Index k = 0; k < v.size(); ++k) out += (k > 0 ? ", " : "") + number_text(v[k], scale);
  return out + ")";
}

std::string point_text(const Eigen::Vector3d& p, int dimension) {
  std::string out = "(" + number_text(p.x(), 0) + ", " + number_text(p.y(), 0);
  return out + (dimension == 3 ? ", " + number_text(p.z(), 0) : "") + ")";
}

// One line a body that moves.
std::string motion_table(const StableReport& r, const Eigen::VectorXd& motion, double linear_unit, double angular_unit,
                         const char* head, const Values* exact) {
  const Structure& s = r.scaled.structure;
  const Freedoms freedoms(s);
  const double most = motion.size() > 0 ? motion.cwiseAbs().maxCoeff() : 0.0;
  std::string out = head;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0 || motion.segment(at, s.freedoms()).cwiseAbs().maxCoeff() <= kAtRest * most) continue;
    if (++lines > kMostLines) continue;
    out += fmt::format("{:<24}{}", s.bodies[i].name,
                       vector_text(motion.segment(at, s.linear()) * linear_unit, most * linear_unit));
    const Eigen::VectorXd turn = motion.segment(at + s.linear(), s.angular()) * angular_unit;
    out +=
        ", " + (s.dimension == 2 ? number_text(turn[0], most * angular_unit) : vector_text(turn, most * angular_unit));
    if (exact && !exact->exact.empty()) {
      out += "  =";
      for (int k = 0; k < s.freedoms(); ++k) out += " " + value_text(*exact, at + k);
    }
    out += "\n";
  }
  if (lines > kMostLines) out += fmt::format("and {} more; --json has all\n", lines - kMostLines);
  return lines > 0 ? out : "";
}

std::string motion_text(const StableReport& r) {
  if (!r.motion) return "";
  const Units& u = r.scaled.units;
  std::string out =
      motion_table(r, r.motion->acceleration, u.acceleration(), u.angular_acceleration(),
                   r.assessment.verdict == Verdict::kMayStand
                       ? "\na motion that the laws of contact allow as well: acceleration [m/s^2], angular [rad/s^2]\n"
                       : "\nhow it begins to fall: acceleration [m/s^2], angular [rad/s^2]\n",
                   nullptr);
  if (!r.motion->converged)
    out += fmt::format("note: these accelerations did not converge ({}, residual {:.3g} m/s^2)\n", r.motion->method,
                       r.motion->residual * u.acceleration());
  return out + contact_motion_text(r);
}

std::string mechanism_text(const StableReport& r) {
  const Assessment& a = r.assessment;
  if (a.verdict == Verdict::kFalls && a.mechanism.size() > 0) {
    const double most = a.mechanism.rounded.cwiseAbs().maxCoeff();
    return motion_table(
        r, a.mechanism.rounded / (most > 0 ? most : 1), 1.0, 1.0 / r.scaled.units.length,
        "\nthe mechanism that proves the fall: no contact force resists this motion, and the loads do work on it\n"
        "velocity [m/s], angular [rad/s], at any scale\n",
        r.fractions ? &a.mechanism : nullptr);
  }
  if (!a.marginal) return "";
  const double most = a.neutral.rounded.cwiseAbs().maxCoeff();
  return motion_table(r, a.neutral.rounded / (most > 0 ? most : 1), 1.0, 1.0 / r.scaled.units.length,
                      "\na motion that no contact resists and on which the loads do no work\n"
                      "velocity [m/s], angular [rad/s], at any scale\n",
                      r.fractions ? &a.neutral : nullptr);
}

std::string exact_forces_text(const StableReport& r) {
  const Structure& s = r.scaled.structure;
  const Forces& f = r.assessment.forces;
  if (!r.fractions || f.exact.empty()) return "";
  const Rational unit = exact_unit(r.scaled.units.force);
  std::string out = "\none set of balancing forces [N], along normal and tangents\n";
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const Contact& c = s.contacts[i];
    const Eigen::Vector3d p = r.detected.structure.contacts[i].point;
    out += fmt::format("{:<30} at {:<28}", s.bodies[c.a].name + " - " + s.bodies[c.b].name, point_text(p, s.dimension));
    for (int axis = 0; axis < s.dimension; ++axis)
      out +=
          " " +
          text_of(Rational(f.exact[i * static_cast<std::size_t>(s.dimension) + static_cast<std::size_t>(axis)] * unit));
    out += "\n";
  }
  return out;
}

}  // namespace

std::string reason_text(const StableReport& r) {
  const Assessment& a = r.assessment;
  switch (a.reason) {
    case Reason::kNoForces:
      return r.detected.structure.has_friction()
                 ? "No contact forces within the friction cones balance the loads."
                 : "No contact forces balance the loads: the loads do work on a motion that no contact resists.";
    case Reason::kFrictionless:
      return "Contact forces balance the loads, and without friction that decides it.";
    case Reason::kSupported:
      return "Contact forces balance the loads, and normal forces alone would: the loads do no work on any motion that "
             "the contacts admit.";
    case Reason::kModes:
      return fmt::format(
          "Contact forces balance the loads, and no combination of contact modes (open, stick, slide) "
          "admits a motion: {} searched.",
          counted(static_cast<std::uint64_t>(a.modes.nodes), "node"));
    case Reason::kTwoAnswers:
      return "Contact forces that balance the loads exist, and so does a motion that obeys the same laws. Rigid-body "
             "mechanics allows both: which one happens depends on how hard the bodies are squeezed.";
    case Reason::kSectors:
    case Reason::kBudget:
    case Reason::kRounding:
      return "Not decided: " + a.detail + ".";
    case Reason::kNone:
      break;
  }
  return "";
}

std::string proof_text(const StableReport& r) {
  if (r.assessment.verdict == Verdict::kUndecided) return "";
  if (r.assessment.exact) return "proven in exact fractions, from the contact points as they were found";
  return "computed in floating point, not proven; --exact proves it";
}

std::string bound_text(const Bound& bound, double unit, const char* unit_name, bool fractions) {
  if (!bound.finite) return "no limit";
  const std::string tail = unit_name[0] ? std::string(" ") + unit_name : "";
  if (fractions && bound.is_exact) return text_of(Rational(bound.exact * exact_unit(unit))) + tail;
  const double value = bound.value * unit;
  return fmt::format("{:.6g}{}", std::abs(value) < 1e-12 * unit ? 0.0 : value, tail);
}

std::string stable_text(const StableReport& r) {
  const Assessment& a = r.assessment;
  std::string out = fmt::format("{}: {}{}\n", r.name, verdict_title(a.verdict), a.marginal ? ", marginal" : "");
  out += reason_text(r) + "\n";
  if (a.marginal)
    out += fmt::format("The margin is {}0: an arbitrarily small load may make it fall.\n",
                       a.marginal_exact ? "exactly " : "");
  out += counts_text(r) + "\n";
  if (const std::string proof = proof_text(r); !proof.empty()) out += proof + "\n";
  out += remarks_text(r);
  return out + motion_text(r) + mechanism_text(r) + forces_text(r) + exact_forces_text(r) + margins_text(r);
}

}  // namespace touchstone::statics
