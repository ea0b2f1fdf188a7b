// Purpose: everything that a verdict rests on, as fractions: the structure, and forces, motions or the tree of modes.
#include "statics/certificate.h"

#include <fmt/format.h>

#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

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
    case Reason::kNone:
    case Reason::kSectors:
    case Reason::kBudget:
    case Reason::kRounding:
      break;
  }
  return "none";
}

std::string number(double decimal) { return text_of(rational_of(decimal)); }

std::string numbers(const Eigen::VectorXd& v) {
  std::string out;
  for (Eigen::Index k = 0; k < v.size(); ++k) out += " " + number(v[k]);
  return out;
}

// Names may hold anything: bytes other than letters, digits and a few signs are written as %XX.
std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out.empty() ? "%" : out;
}

std::string structure_lines(const Structure& s) {
  std::string out;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const Body& b = s.bodies[i];
    if (b.held) {
      out += fmt::format("body {} held {}\n", i, escaped(b.name));
      continue;
    }
    out += fmt::format("body {} free {} mass {} center{}", i, escaped(b.name), number(b.mass), numbers(b.center));
    Eigen::VectorXd inertia(6);
    inertia << b.inertia(0, 0), b.inertia(1, 1), b.inertia(2, 2), b.inertia(0, 1), b.inertia(0, 2), b.inertia(1, 2);
    out += fmt::format(" inertia{} weight{} force{} torque{}\n", numbers(inertia), numbers(b.weight), numbers(b.force),
                       numbers(b.torque));
  }
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const Contact& c = s.contacts[i];
    out += fmt::format("contact {} {} {} point{} normal{} tangents{}{} friction {}\n", i, c.a, c.b, numbers(c.point),
                       numbers(c.frame.col(0)), numbers(c.frame.col(1)), numbers(c.frame.col(2)), number(c.friction));
  }
  const auto side = [](std::uint32_t body) { return body == kGround ? std::string("ground") : std::to_string(body); };
  for (std::size_t i = 0; i < s.holds.size(); ++i) {
    const Hold& h = s.holds[i];
    out += fmt::format("hold {} {} {} {}{}{}{}{}\n", i, side(h.a), side(h.b), h.one_sided ? "limit" : "equality",
                       numbers(h.linear_a), numbers(h.angular_a), numbers(h.linear_b), numbers(h.angular_b));
  }
  return out;
}

std::string values_lines(const char* word, const std::vector<Rational>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 0) out += fmt::format("{} {} {}\n", word, i, text_of(values[i]));
  return out;
}

std::string mode_text(const FrictionCone& cone, int mode) {
  if (mode == kOpens) return "open";
  if (mode == kSticks) return "stick";
  if (mode == kTouches) return "touch";
  if (mode == kStill) return "still";
  const SlideMode& m = cone.modes[static_cast<std::size_t>(mode)];
  return fmt::format("slide {} {} {} {}", text_of(m.from.x), text_of(m.from.y), text_of(m.to.x), text_of(m.to.y));
}

std::string tree_lines(const Equations& e, const Uniqueness& modes, const FrictionCone& cone) {
  std::string out;
  const SlipGroups groups = slip_groups(e);
  for (std::size_t i = 0; i < e.contacts; ++i)
    if (groups.members[groups.leader[i]].size() > 1)
      out += fmt::format("slip {} {} {}\n", i, groups.leader[i], text_of(groups.shear[i]));
  for (std::size_t i = 0; i < modes.tree.size(); ++i) {
    const ModeNode& node = modes.tree[i];
    if (node.contact >= 0) {
      out += fmt::format("node {} branch {}\n", i, node.contact);
      for (const auto& [mode, child] : node.children) out += fmt::format("child {} {}\n", child, mode_text(cone, mode));
      continue;
    }
    out += fmt::format("node {} {}\n", i, node.empty ? "empty" : "leaf");
    out += values_lines("p", node.momentum) + values_lines("q", node.rates);
  }
  return out;
}

std::uint64_t hash_of(const std::string& text) {  // FNV-1a
  std::uint64_t h = 14695981039346656037ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return h;
}

}  // namespace

std::string certificate_text(const Scaled& scaled, const Equations& e, const StableSettings& settings,
                             const Assessment& a) {
  if (!a.exact)
    throw Error(ErrorKind::kBadInput,
                a.verdict == Verdict::kUndecided
                    ? "there is no certificate of an undecided verdict; raise --nodes"
                    : "the verdict was not proven in fractions, so there is no certificate; use --exact");
  const Units& u = scaled.units;
  std::string out = fmt::format("touchstone-certificate 1\nverdict {}\nreason {}\ndimension {}\nlaw {}\n",
                                verdict_word(a.verdict), reason_word(a.reason), scaled.structure.dimension,
                                settings.law == FrictionLaw::kPyramid ? "pyramid" : "circle");
  out += fmt::format("units {} {} {}\n", number(u.length), number(u.mass), number(u.force));
  out += structure_lines(scaled.structure);
  out += values_lines("force", a.forces.exact);
  out += values_lines("smooth_force", a.smooth_forces.exact);
  out += values_lines("mechanism", a.mechanism.exact);
  if (a.reason == Reason::kTwoAnswers)
    out +=
        values_lines("acceleration", a.modes.acceleration.exact) + values_lines("motion_force", a.modes.forces.exact);
  if (a.reason == Reason::kModes) out += tree_lines(e, a.modes, friction_cone(e.axes, settings.law, a.modes.sectors));
  return out + fmt::format("checksum {:016x}\n", hash_of(out));
}

}  // namespace touchstone::statics
