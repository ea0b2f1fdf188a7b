// Purpose: an independent check of a verdict of statics, by multiplication and comparison of fractions.
// Letters: a accelerations, f forces, J rows of contacts and joints, M masses, W loads; y a mechanism; p, q
// multipliers. What is verified, for the contact points, normals, masses and loads that the certificate states:
//   forces        Jᵀ·f = −W, f in the cone of friction
//   no_forces     y·J in the dual cone of every contact, and W·y > 0: no forces balance the loads (Farkas)
//   frictionless  no contact has friction: W·a = −f·J·a <= 0 for every admissible a, and aᵀM·a <= W·a
//   supported     the same with forces that are normal everywhere
//   modes         a tree of contact modes that leaves nothing out; each leaf proves W·a <= 0 in its modes, or that
//                 nothing obeys them
//   two_answers   forces, and an acceleration with forces of its own that obeys all laws and is not zero
// With friction law "circle" the cone is Coulomb's own circle, whatever polygons the solver used.
#include "statics/certificate_check.h"

#include "statics/certificate_equations.h"
#include "statics/certificate_sectors.h"

namespace touchstone::statics {
namespace {

using certificate::fail, certificate::Fraction, certificate::Mode, certificate::Node, certificate::Triple;
using certificate::Vector, certificate::Plane, certificate::turn, certificate::dot;

class Checker : certificate::Equations {
 public:
  explicit Checker(certificate::Certificate c) : Equations(std::move(c)) {}

  CheckResult run() {
    result_.verdict = c_.verdict, result_.reason = c_.reason;
    result_.bodies = c_.bodies.size(), result_.contacts = c_.contacts.size();
    const std::string wanted = c_.reason == "no_forces" ? "falls" : c_.reason == "two_answers" ? "may_stand" : "stands";
    if (c_.verdict != wanted) fail("reason '" + c_.reason + "' does not prove '" + c_.verdict + "'");
    if (c_.reason == "no_forces") {
      check_mechanism();
    } else {
      check_balance(c_.values["force"], "force");
      if (c_.reason == "frictionless")
        check_no_friction();
      else if (c_.reason == "supported")
        check_support();
      else if (c_.reason == "two_answers")
        check_motion();
      else if (c_.reason == "modes")
        check_tree();
      else
        fail("reason '" + c_.reason + "' is not known");
    }
    result_.holds = true;
    return result_;
  }

  CheckResult result_;

 private:
  // Of contact i: normal, and the tangential pair.
  Fraction normal(const Vector& x, std::size_t i) const { return x[i * c_.dimension]; }
  Plane tangential(const Vector& x, std::size_t i) const {
    return {x[i * c_.dimension + 1], c_.dimension == 3 ? x[i * c_.dimension + 2] : Fraction(0)};
  }
  std::size_t hold_row(std::size_t i) const { return c_.contacts.size() * c_.dimension + i; }
  static std::string place(std::size_t i) { return "contact " + std::to_string(i); }

  bool in_cone(const Fraction& n, const Plane& t, const Fraction& mu) const {
    if (n < 0) return false;
    if (c_.pyramid && c_.dimension == 3) return abs(t[0]) + abs(t[1]) <= mu * n;
    return dot(t, t) <= mu * mu * n * n;
  }
  // n + μ·d·t >= 0 for every friction direction d.
  bool in_dual_cone(const Fraction& n, const Plane& t, const Fraction& mu) const {
    if (n < 0) return false;
    if (c_.pyramid && c_.dimension == 3) return n >= mu * abs(t[0]) && n >= mu * abs(t[1]);
    return n * n >= mu * mu * dot(t, t);
  }

  void check_equal(const Vector& left, const Vector& right, const std::string& what) const {
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i] != right[i]) fail(what + " does not hold at freedom " + std::to_string(i));
  }
  void check_cones(const Vector& f, const std::string& what) const {
    for (std::size_t i = 0; i < c_.contacts.size(); ++i)
      if (!in_cone(normal(f, i), tangential(f, i), c_.contacts[i].friction))
        fail("the " + what + " of " + place(i) + " is outside its cone");
    for (std::size_t i = 0; i < c_.limits.size(); ++i)
      if (c_.limits[i] && f[hold_row(i)] < 0) fail("a limit of a joint pulls");
  }
  Vector opposite(const Vector& x) const {
    Vector out;
    for (const Fraction& v : x) out.push_back(-v);
    return out;
  }

  // Proofs.
  void check_balance(const std::map<std::size_t, Fraction>& forces, const std::string& what) {
    const Vector f = dense(forces, rows_.size(), "a force");
    check_cones(f, what);
    check_equal(transposed(f), opposite(load_), "the balance of every body (" + what + ")");
  }

  void check_mechanism() {
    const Vector y = dense(c_.values["mechanism"], freedoms_, "the mechanism"), rate = rates(y);
    for (std::size_t i = 0; i < c_.contacts.size(); ++i)
      if (!in_dual_cone(normal(rate, i), tangential(rate, i), c_.contacts[i].friction))
        fail(place(i) + " resists the mechanism");
    for (std::size_t i = 0; i < c_.limits.size(); ++i)
      if (c_.limits[i] ? rate[hold_row(i)] < 0 : rate[hold_row(i)] != 0) fail("a joint resists the mechanism");
    if (product(load_, y) <= 0) fail("the loads do no work on the mechanism");
  }

  void check_no_friction() const {
    for (std::size_t i = 0; i < c_.contacts.size(); ++i)
      if (c_.contacts[i].friction != 0) fail(place(i) + " has friction");
  }

  void check_support() {
    const Vector f = dense(c_.values["smooth_force"], rows_.size(), "a force");
    for (std::size_t i = 0; i < c_.contacts.size(); ++i)
      if (dot(tangential(f, i), tangential(f, i)) != 0) fail("a smooth force has a tangential part at " + place(i));
    check_balance(c_.values["smooth_force"], "normal force");
  }

  void check_motion() {
    const Vector a = dense(c_.values["acceleration"], freedoms_, "the acceleration");
    const Vector f = dense(c_.values["motion_force"], rows_.size(), "a force of the motion");
    Vector right = transposed(f);
    for (std::size_t i = 0; i < freedoms_; ++i) right[i] += load_[i];
    check_equal(momentum(a), right, "M·a = W + Jᵀ·f");
    check_cones(f, "force of the motion");
    const Vector rate = rates(a);
    for (std::size_t i = 0; i < c_.contacts.size(); ++i) check_law(i, rate, f);
    for (std::size_t i = 0; i < c_.limits.size(); ++i) {
      const Fraction &r = rate[hold_row(i)], &force = f[hold_row(i)];
      if (c_.limits[i] ? (r < 0 || r * force != 0) : r != 0) fail("the motion breaks a joint");
    }
    if (product(load_, a) <= 0) fail("the motion is none");
  }

  void check_law(std::size_t i, const Vector& rate, const Vector& f) const {
    const Fraction n = normal(rate, i), fn = normal(f, i);
    if (n < 0) fail("the motion closes " + place(i));
    if (n > 0 && fn != 0) fail(place(i) + " opens and carries a force");
    if (n > 0 || fn == 0) return;
    const Plane t = tangential(rate, i), ft = tangential(f, i);
    const Fraction mu = c_.contacts[i].friction, work = dot(t, ft);
    // Friction does the least work that the cone allows.
    bool least;
    if (c_.pyramid && c_.dimension == 3)
      least = -work == mu * fn * std::max(Fraction(abs(t[0])), Fraction(abs(t[1])));
    else
      least = work <= 0 && work * work == mu * mu * fn * fn * dot(t, t);
    if (!least) fail("friction at " + place(i) + " does not oppose its sliding");
  }

  // What a branch of the tree knows of a contact. kStill and kSlide say nothing of opening.
  struct Known {
    const Mode *opening = &unknown(), *slip = &unknown();
    bool closed() const { return opening->kind == Mode::Kind::kTouch || slip->kind == Mode::Kind::kStick; }
  };
  static const Mode& unknown() {
    static const Mode nothing;
    return nothing;
  }
  struct Step {
    std::size_t node, next = 0;
    std::vector<std::pair<std::size_t, Known>> before;  // what the child at work has changed
  };

  void check_tree() {
    if (c_.nodes.empty()) fail("the tree of modes is missing");
    group_slips();
    known_.resize(c_.contacts.size()), seen_.resize(c_.nodes.size());
    std::vector<Step> path;
    if (enter(0)) path.push_back({0, 0, {}});
    while (!path.empty()) {
      Step& step = path.back();
      const Node& node = c_.nodes[step.node];
      for (const auto& [i, known] : step.before) known_[i] = known;
      step.before.clear();
      if (step.next < node.children.size()) {
        const auto& [child, mode] = node.children[step.next++];
        learn(node.contact, mode, step.before);
        if (enter(child)) path.push_back({child, 0, {}});
      } else {
        path.pop_back();
      }
    }
  }

  // Whether it is a branch.
  bool enter(std::size_t at) {
    if (at >= c_.nodes.size()) fail("a child is missing");
    if (seen_[at]) fail("a node of the tree is used twice");
    seen_[at] = 1;
    const Node& node = c_.nodes[at];
    const bool branch = node.kind == Node::Kind::kBranch;
    branch ? check_cover(node, known_[node.contact]) : check_leaf(at);
    result_.leaves += !branch;
    return branch;
  }

  // Contacts with a common leader must have the same slip, to the last digit.
  void group_slips() {
    shear_.assign(c_.contacts.size(), 0), groups_.resize(c_.contacts.size());
    for (std::size_t i = 0; i < c_.contacts.size(); ++i) groups_[i] = {i};
    for (const auto& [i, slip] : c_.slips) {
      if (c_.dimension != 2) fail("only contacts in the plane slide together");
      shear_[i] = slip.shear;
      const auto leader = c_.slips.find(slip.leader);
      if (leader == c_.slips.end() || leader->second.leader != slip.leader) fail("a group of slips has no leader");
      if (i != slip.leader) groups_[slip.leader].push_back(i), groups_[i].clear();
    }
    for (const auto& [i, slip] : c_.slips) {
      if (slip_row(i) != slip_row(slip.leader)) fail(place(i) + " does not slide as its leader");
      if (i != slip.leader) groups_[i] = groups_[slip.leader];
    }
  }
  std::map<std::size_t, Fraction> slip_row(std::size_t i) const {
    std::map<std::size_t, Fraction> out;
    for (const auto& [freedom, value] : rows_[i * c_.dimension + 1]) out[freedom] += value;
    for (const auto& [freedom, value] : rows_[i * c_.dimension]) out[freedom] -= shear_[i] * value;
    std::erase_if(out, [](const auto& entry) { return entry.second == 0; });
    return out;
  }

  void learn(std::size_t contact, const Mode& mode, std::vector<std::pair<std::size_t, Known>>& before) {
    if (mode.kind == Mode::Kind::kOpen || mode.kind == Mode::Kind::kTouch) {
      before.emplace_back(contact, known_[contact]);
      known_[contact].opening = &mode;
      return;
    }
    for (const std::size_t i : groups_[contact]) before.emplace_back(i, known_[i]), known_[i].slip = &mode;
  }

  // The children of a node leave nothing out. Of the opening: open and touch. Of the slip: sectors that fill the turn,
  // and no slip. An open contact has no force, and its slip is in some sector; in a group with another contact that is
  // closed and does not slide it may be zero, so that `still` must not say that it is closed, as `stick` does.
  void check_cover(const Node& node, const Known& before) const {
    bool open = false, touch = false, rest = false;
    std::vector<Mode> slides;
    for (const auto& [child, mode] : node.children) {
      open |= mode.kind == Mode::Kind::kOpen, touch |= mode.kind == Mode::Kind::kTouch;
      rest |= mode.kind == Mode::Kind::kStill || mode.kind == Mode::Kind::kStick;
      if (mode.kind == Mode::Kind::kStick && groups_[node.contact].size() > 1) fail("a group of contacts sticks");
      if (mode.kind == Mode::Kind::kSlide) slides.push_back(mode);
    }
    if ((open || touch) == (rest || !slides.empty())) fail("a branch splits opening and slip at once, or nothing");
    if (open || touch) {
      if (!open || !touch || before.opening->kind != Mode::Kind::kUnknown) fail("a branch leaves out a mode");
    } else if (before.slip->kind == Mode::Kind::kUnknown) {
      if (!rest) fail("a branch leaves out sticking");
      certificate::check_sectors(slides, nullptr, c_.dimension, c_.pyramid);
    } else if (before.slip->kind == Mode::Kind::kSlide) {
      certificate::check_sectors(slides, before.slip, c_.dimension, c_.pyramid);
    } else {
      fail("a contact is split whose mode is known");
    }
  }

  void check_leaf(std::size_t at) const {
    const Node& node = c_.nodes[at];
    const std::string where = "leaf " + std::to_string(at);
    const Vector p = dense(node.p, freedoms_, "a multiplier"), q = dense(node.q, rows_.size(), "a multiplier");
    Vector sum = momentum(p);
    const Vector back = transposed(q);
    const bool empty = node.kind == Node::Kind::kEmpty;
    for (std::size_t i = 0; i < freedoms_; ++i)
      if (sum[i] + back[i] + (empty ? Fraction(0) : load_[i]) != 0) fail(where + ": its equation does not hold");
    const Fraction work = product(load_, p);
    if (empty ? work <= 0 : work < 0) fail(where + ": it does not bound the work of the loads");
    const Vector rate = rates(p);
    for (std::size_t i = 0; i < c_.contacts.size(); ++i) {
      const Plane slip = tangential(q, i);
      check_rate_factors(where, i, known_[i], normal(q, i) + shear_[i] * slip[0], slip);
      check_force_side(where, i, known_[i], normal(rate, i), tangential(rate, i));
    }
    for (std::size_t i = 0; i < c_.limits.size(); ++i) {
      if (c_.limits[i] && q[hold_row(i)] < 0) fail(where + ": a limit has a negative factor");
      if (c_.limits[i] ? rate[hold_row(i)] < 0 : rate[hold_row(i)] != 0)
        fail(where + ": a joint's force is not covered");
    }
  }

  // q·(J·a) >= 0 for every acceleration that is known so; n and t are factors of the opening and of the slip.
  void check_rate_factors(const std::string& where, std::size_t i, const Known& known, const Fraction& n,
                          const Plane& t) const {
    if (!known.closed() && n < 0) fail(where + ": a factor of " + place(i) + " is negative");
    const Mode& m = *known.slip;
    if (m.kind == Mode::Kind::kStick || m.kind == Mode::Kind::kStill) return;
    if (m.kind == Mode::Kind::kSlide) {
      if (dot(t, m.from) < 0 || dot(t, m.to) < 0) fail(where + ": a slip of " + place(i) + " is not covered");
    } else if (dot(t, t) != 0) {
      fail(where + ": a slip of " + place(i) + " has a factor and no sign");
    }
  }

  // (J·p)·f >= 0 for every force that is known so; for sliding, friction −μ·d with d in the sector.
  void check_force_side(const std::string& where, std::size_t i, const Known& known, const Fraction& n,
                        const Plane& t) const {
    if (known.opening->kind == Mode::Kind::kOpen) return;
    const Mode& m = *known.slip;
    const Fraction& mu = c_.contacts[i].friction;
    const std::string what = where + ": a force of " + place(i) + " is not covered";
    if (m.kind != Mode::Kind::kSlide) {
      if (!in_dual_cone(n, t, mu)) fail(what);
      return;
    }
    if (c_.dimension == 3 && c_.pyramid) return check_corners(what, m, n, t, mu);
    // The friction that helps least is −μ·t/|t| if that direction is within the sector, else at one of its ends.
    const bool inside =
        c_.dimension == 3 && turn(m.from, t) >= 0 && turn(t, m.to) >= 0 && dot(t, m.from) + dot(t, m.to) > 0;
    if (inside && (n < 0 || n * n < mu * mu * dot(t, t))) fail(what);
    for (const Plane* end : {&m.from, &m.to}) {
      if (dot(*end, *end) != 1) fail(where + ": a ray is not of length 1");
      if (n < mu * dot(t, *end)) fail(what);
    }
  }

  // Corners of the pyramid that oppose some slip of the sector most: those of its ends, as a sector is at most a
  // quarter.
  void check_corners(const std::string& what, const Mode& m, const Fraction& n, const Plane& t,
                     const Fraction& mu) const {
    if (dot(m.from, m.to) < 0) fail("a sector of the pyramid is more than a quarter");
    for (const Plane& slip : {m.from, m.to, Plane{m.from[0] + m.to[0], m.from[1] + m.to[1]}})
      for (const Plane& corner : {Plane{1, 0}, Plane{0, 1}, Plane{-1, 0}, Plane{0, -1}}) {
        const bool active = -dot(slip, corner) == std::max(Fraction(abs(slip[0])), Fraction(abs(slip[1])));
        if (active && !is_edge_only(m, corner) && n + mu * dot(t, corner) < 0) fail(what);
      }
  }
  // A corner that only opposes the very ends of a sector is covered by the sectors of those rays.
  static bool is_edge_only(const Mode& m, const Plane& corner) {
    if (turn(m.from, m.to) == 0) return false;
    const Plane middle{m.from[0] + m.to[0], m.from[1] + m.to[1]};
    return -dot(middle, corner) != std::max(Fraction(abs(middle[0])), Fraction(abs(middle[1])));
  }

  std::vector<Fraction> shear_;                   // by contact
  std::vector<std::vector<std::size_t>> groups_;  // of contacts that slide together, by contact
  std::vector<Known> known_;                      // by contact, at the node at work
  std::vector<std::uint8_t> seen_;                // by node
};

}  // namespace

CheckResult check_certificate(const std::string& text) {
  CheckResult out;
  try {
    Checker checker(certificate::read(text));
    out.holds = false;
    try {
      return checker.run();
    } catch (const std::runtime_error& e) {
      out = checker.result_;
      out.failure = e.what();
    }
  } catch (const std::runtime_error& e) {
    out.failure = e.what();
  }
  out.holds = false;
  return out;
}

}  // namespace touchstone::statics
