// Purpose: whether an acceleration other than zero obeys the laws of contact, by branch and bound.
// Source: strong and weak stability, J.-S. Pang and J. Trinkle, Stability characterizations of rigid body contact
//   problems with Coulomb friction, ZAMM 80 (2000).
// Method: a law-abiding acceleration from rest has aᵀM·a <= W·a. So zero is the only one if W·a <= 0 for all that the
//   laws admit. At a node the modes of some contacts are known, and complementarity of the others is left out: a linear
//   program whose maximum of W·a, if it is zero, closes the node. Otherwise the contact that breaks its law most is
//   split: whether it opens, or whether it sticks or slides within a sector, which is halved in turn. Contacts of a
//   face slide together (slip_groups.h). What a closed node did not need of its branch closes all of it (mode_core.h).
// Letters: a accelerations, f forces, W loads.
// Fails: exponentially in the contacts, if sliding mechanisms on which the loads do work are many; the budget of nodes
//   ends it. A circular cone whose finest sector still admits a motion is undecided unless that motion obeys the
//   circle.
#include "statics/modes.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "statics/mode_core.h"

namespace touchstone::statics {
namespace {

constexpr int kFewestModeSectors = 8;
constexpr double kTiny = 1e-9;  // of W·a against its bound, of accelerations and forces against theirs

// A node whose modes are being gone through, one after the other.
struct Branch {
  std::size_t node, contact;
  bool slips;   // whether the slip is split, or the opening
  Mode before;  // what is split
  std::vector<int> ways;
  std::vector<std::size_t> children;
  std::size_t at = 0;
  Modes core;  // of the ways so far
};

class Search {
 public:
  // `lazy`: leaves are proven in fractions when the search has come to its end, not as they are met.
  Search(const Equations& e, const FrictionCone& cone, const ModeSettings& settings, bool lazy, std::int64_t before)
      : e_(e),
        cone_(cone),
        settings_(settings),
        program_(e, cone),
        solver_(settings.program),
        order_(cone),
        cores_(e, cone, order_, program_),
        lazy_(lazy) {
    const double scale = std::sqrt(std::max(program_.scale(), 1e-300));
    tiny_ = kTiny * scale;
    out_.nodes = before;
    hint_ = Modes(e.contacts, kOpens);
    if (settings.hint.size() == e.freedoms) hint_ = guess(program_.with_acceleration(settings.hint));
  }

  Uniqueness run() {
    if (try_motion(Modes(e_.contacts, kOpens)) || try_motion(hint_)) return std::move(out_);
    out_.tree.emplace_back(), leaf_cores_.emplace_back();
    modes_ = Modes(e_.contacts);
    std::size_t node = 0;
    do {
      settings_.program.stop.check();
      if (++out_.nodes > settings_.most_nodes)
        return undecided(fmt::format("the search over contact modes was ended after {} nodes", settings_.most_nodes));
      const Visit visit = this->visit(node);
      if (visit == Visit::kEnd) return std::move(out_);
      if (visit == Visit::kClosed) go_back();
      if (!path_.empty()) node = path_.back().children[path_.back().at];
    } while (!path_.empty());
    out_.status = UniqueStatus::kOnlyRest;
    prune();
    if (settings_.program.exact && lazy_) prove_leaves();
    out_.exact = settings_.program.exact && proven_;
    return std::move(out_);
  }

  bool proofs_failed() const { return failed_; }

 private:
  enum class Visit : std::uint8_t { kClosed, kSplit, kEnd };
  struct Split {
    std::size_t contact;
    bool slips;
  };

  Uniqueness undecided(const std::string& reason) {
    out_.status = UniqueStatus::kUndecided, out_.reason = reason;
    return std::move(out_);
  }

  // Closes a node, splits it, or ends the search.
  Visit visit(std::size_t node) {
    for (std::size_t k = known_.size(); k-- > 0;)
      if (order_.within(modes_, known_[k])) {
        core_ = leaf_cores_[node] = known_[k];
        return Visit::kClosed;
      }
    const LpAnswer answer = solver_.solve_rounded(program_.rounded_at(modes_));
    if (is_closed(answer) && close(node, answer)) return Visit::kClosed;
    if (answer.x.size() == 0) return end("a program of a contact mode could not be solved");
    std::optional<Split> split = worst_split(answer.x);
    if (!split && take_motion(modes_, answer)) return Visit::kEnd;
    if (out_.nodes < 100 && try_motion(guess(answer.x))) return Visit::kEnd;
    if (!split) split = first_split();
    if (!split) return end("a motion remains in the finest sectors that does not obey the circular cone to rounding");
    branch(node, *split);
    return Visit::kSplit;
  }

  Visit end(const std::string& reason) {
    out_.status = UniqueStatus::kUndecided, out_.reason = reason;
    return Visit::kEnd;
  }

  bool is_closed(const LpAnswer& answer) const {
    if (answer.status == LpStatus::kInfeasible) return true;
    return answer.status == LpStatus::kOptimal && -answer.objective <= kTiny * program_.scale();
  }

  bool close(std::size_t node, const LpAnswer& answer) {
    core_ = cores_.of(modes_, program_.multipliers_of(answer));
    if (settings_.program.exact && !lazy_ && !prove(node, core_)) {
      core_ = modes_;
      if (!prove(node, core_)) return false;
    }
    leaf_cores_[node] = core_;
    known_.push_back(core_);
    return true;
  }

  // Without fractions rounding has decided; with them the multipliers must prove it.
  bool prove(std::size_t node, const Modes& modes) {
    ProgramSolver solver(settings_.program);
    const Solved solved = solver.solve(program_.exact_at(modes));
    if (!solved.exact) {  // the budget of exact pivots
      proven_ = false;
      return true;
    }
    const bool empty = solved.status == LpStatus::kInfeasible;
    if (!empty && (solved.status != LpStatus::kOptimal || solved.exact_objective < 0)) return false;
    const std::vector<Rational>& y = empty ? solved.ray.exact : solved.multipliers.exact;
    ModeNode& leaf = out_.tree[node];
    leaf.empty = empty;
    leaf.momentum.assign(y.begin(), y.begin() + e_.freedoms);
    leaf.rates = program_.rates_of(y);
    return true;
  }

  // From a closed node to the next one that is open. What did not need the mode of its branch closes all of it.
  void go_back() {
    while (!path_.empty()) {
      Branch& b = path_.back();
      const std::size_t child = b.children[b.at];
      if (!is_needed(b)) {
        out_.tree[b.node] = std::move(out_.tree[child]);
        leaf_cores_[b.node] = std::move(leaf_cores_[child]);
      } else {
        set(core_, b, b.slips ? b.before.slip : b.before.opening);
        for (std::size_t i = 0; i < e_.contacts; ++i) b.core[i] = order_.both(b.core[i], core_[i]);
        if (++b.at < b.ways.size()) return set(modes_, b, b.ways[b.at]);
        core_ = std::move(b.core);
      }
      set(modes_, b, b.slips ? b.before.slip : b.before.opening);
      path_.pop_back();
    }
  }

  const std::vector<std::size_t>& group_of(std::size_t contact) const {
    return program_.groups().members[program_.groups().leader[contact]];
  }
  // Contacts of a group slide together, and open one by one.
  void set(Modes& modes, const Branch& b, int way) const {
    if (!b.slips) return void(modes[b.contact].opening = way);
    for (const std::size_t i : group_of(b.contact)) modes[i].slip = way;
  }
  bool is_needed(const Branch& b) const {
    const int way = b.ways[b.at];
    if (!b.slips) return core_[b.contact].opening == way;
    const std::vector<std::size_t>& group = group_of(b.contact);
    return std::any_of(group.begin(), group.end(), [&](std::size_t i) { return core_[i].slip == way; });
  }

  void branch(std::size_t node, const Split& split) {
    Branch b{node, split.contact, split.slips, modes_[split.contact], {}, {}, 0, Modes(e_.contacts)};
    if (!b.slips)
      b.ways = {kOpens, kTouches};
    else if (b.before.slip >= 0)
      b.ways = cone_.modes[static_cast<std::size_t>(b.before.slip)].children;
    else
      b.ways = cone_.top, b.ways.push_back(group_of(split.contact).size() > 1 ? kStill : kSticks);
    out_.tree[node].contact = static_cast<int>(split.contact);
    for (const int way : b.ways) {
      b.children.push_back(out_.tree.size());
      out_.tree[node].children.emplace_back(way, out_.tree.size());
      out_.tree.emplace_back(), leaf_cores_.emplace_back();
    }
    set(modes_, b, b.ways[0]);
    path_.push_back(std::move(b));
  }

  // The nodes that the root still has.
  void prune() {
    std::vector<ModeNode> tree;
    std::vector<Modes> cores;
    std::vector<std::size_t> from{0};
    for (std::size_t i = 0; i < from.size(); ++i) {
      tree.push_back(std::move(out_.tree[from[i]])), cores.push_back(std::move(leaf_cores_[from[i]]));
      for (auto& [mode, child] : tree.back().children) {
        from.push_back(child);
        child = from.size() - 1;
      }
    }
    out_.tree = std::move(tree), leaf_cores_ = std::move(cores);
  }

  void prove_leaves() {
    std::map<Modes, std::size_t> proven;
    for (std::size_t i = 0; i < out_.tree.size() && !failed_; ++i) {
      ModeNode& leaf = out_.tree[i];
      if (leaf.contact >= 0) continue;
      const auto [at, fresh] = proven.try_emplace(leaf_cores_[i], i);
      if (fresh)
        failed_ = !prove(i, leaf_cores_[i]);
      else
        leaf = out_.tree[at->second];
    }
  }

  bool opens(const ContactState& s) const { return s.opening > tiny_; }
  double slip(const ContactState& s) const { return std::hypot(s.slip_x, s.slip_y); }

  // How much a contact breaks its laws in a solution: power that is missing or too much.
  double opening_violation(const ContactState& s) const { return opens(s) ? s.opening * s.force : 0; }
  double slip_violation(const ContactState& s, std::size_t i) const {
    if (slip(s) <= tiny_) return 0;
    const double mu = rounded(e_.friction[i]);
    return mu * s.force * slip(s) + s.friction_x * s.slip_x + s.friction_y * s.slip_y;
  }

  bool can_split_opening(std::size_t i) const { return modes_[i].opening == kUnknown && modes_[i].slip != kSticks; }
  bool can_split_slip(std::size_t i) const {
    const Mode& m = modes_[i];
    if (e_.friction[i] == 0 || m.opens()) return false;
    return m.slip == kUnknown || (m.slip >= 0 && !cone_.modes[static_cast<std::size_t>(m.slip)].children.empty());
  }
  // In the pyramid's law the corner is right for its whole sector.
  bool is_settled(int slip) const { return slip >= 0 && (e_.axes == 2 || settings_.law == FrictionLaw::kPyramid); }

  std::optional<Split> worst_split(const Eigen::VectorXd& x) const {
    std::optional<Split> worst;
    double most = kTiny * program_.scale();
    for (std::size_t i = 0; i < e_.contacts; ++i) {
      const double opening = can_split_opening(i) ? opening_violation(program_.state_of(x, i)) : 0;
      if (opening > most) most = opening, worst = Split{i, false};
      double slip = 0;
      for (const std::size_t k : program_.groups().members[i])
        if (can_split_slip(k) && !is_settled(modes_[k].slip)) slip += slip_violation(program_.state_of(x, k), k);
      if (slip > most) most = slip, worst = Split{i, true};
    }
    return worst;
  }

  std::optional<Split> first_split() const {
    for (std::size_t i = 0; i < e_.contacts; ++i)
      if (can_split_opening(i) || can_split_slip(i)) return Split{i, !can_split_opening(i)};
    return std::nullopt;
  }

  // The modes that a solution comes nearest to.
  Modes guess(const Eigen::VectorXd& x) const {
    Modes modes(e_.contacts, kOpens);
    for (std::size_t i = 0; i < e_.contacts; ++i) {
      const ContactState s = program_.state_of(x, i);
      if (opens(s)) continue;
      if (e_.friction[i] == 0)
        modes[i] = kTouches;
      else
        modes[i] = slip(s) <= tiny_ ? static_cast<int>(kSticks) : mode_of(s);
    }
    return modes;
  }

  int mode_of(const ContactState& s) const {
    for (std::size_t m = 0; m < cone_.modes.size(); ++m) {
      if (!cone_.modes[m].children.empty()) continue;
      bool fits = true;
      for (const ModeSide& side : cone_.modes[m].sides) {
        const Direction& d = cone_.rows[static_cast<std::size_t>(side.row)];
        const double value = rounded(d.x) * s.slip_x + rounded(d.y) * s.slip_y;
        fits &= side.sign == 0 ? std::abs(value) <= tiny_ : side.sign * value >= -tiny_;
      }
      if (fits) return static_cast<int>(m);
    }
    return kSticks;
  }

  // True if a motion with these modes obeys all laws; the search is then over.
  bool try_motion(const Modes& modes) {
    const LpAnswer answer = solver_.solve_rounded(program_.rounded_at(modes));
    if (answer.status != LpStatus::kOptimal || -answer.objective <= kTiny * program_.scale()) return false;
    return take_motion(modes, answer);
  }

  bool take_motion(const Modes& modes, const LpAnswer& answer) {
    if (answer.status != LpStatus::kOptimal || -answer.objective <= kTiny * program_.scale()) return false;
    Values x;
    x.rounded = answer.x;
    if (settings_.program.exact) {
      ProgramSolver solver(settings_.program);
      const Solved solved = solver.solve(program_.exact_at(modes));
      if (solved.exact && solved.status == LpStatus::kOptimal && solved.exact_objective < 0) x = solved.x;
    }
    double left = program_.limit_violation(x.rounded);
    for (std::size_t i = 0; i < e_.contacts; ++i) {
      const ContactState s = program_.state_of(x.rounded, i);
      left = std::max(left, opening_violation(s));
      if (!is_settled(modes[i].slip)) left = std::max(left, slip_violation(s, i));
    }
    if (left > kTiny * program_.scale()) return false;
    out_.status = UniqueStatus::kMotion;
    out_.acceleration = program_.acceleration_of(x), out_.forces = program_.forces_of(x);
    out_.exact = !x.exact.empty() && obeys_exactly();
    return true;
  }

  // The motion's own numbers decide: modes that are not known may be broken by less than rounding shows, and sums of
  // corners of a circle are rarely opposite to a slip.
  bool obeys_exactly() const {
    const std::vector<Rational>&a = out_.acceleration.exact, &f = out_.forces.exact;
    const auto axes = static_cast<std::size_t>(e_.axes);
    for (std::size_t i = 0; i < e_.holds; ++i)
      if (e_.one_sided[i] && f[e_.contacts * axes + i] * dot(e_.hold(i), a) != 0) return false;
    for (std::size_t i = 0; i < e_.contacts; ++i) {
      const Rational& fn = f[axes * i];
      if (fn == 0) continue;
      if (dot(e_.row(i, 0), a) != 0) return false;
      const Rational limit = e_.friction[i] * fn, x = dot(e_.row(i, 1), a), &fx = f[axes * i + 1];
      const Rational y = axes == 3 ? dot(e_.row(i, 2), a) : Rational(0), fy = axes == 3 ? f[axes * i + 2] : Rational(0);
      const Rational work = fx * x + fy * y;
      if (axes == 3 && settings_.law == FrictionLaw::kPyramid) {
        if (-work != limit * std::max(Rational(abs(x)), Rational(abs(y)))) return false;
      } else if (fx * fx + fy * fy > limit * limit || work > 0 || work * work != limit * limit * (x * x + y * y)) {
        return false;
      }
    }
    return true;
  }

  const Equations& e_;
  const FrictionCone& cone_;
  const ModeSettings& settings_;
  ModeProgram program_;
  ProgramSolver solver_;
  ModeOrder order_;
  ModeCore cores_;
  bool lazy_;
  double tiny_ = 0;
  Modes hint_, modes_, core_;  // core_: of the node that was closed last
  std::vector<Branch> path_;
  std::vector<Modes> leaf_cores_, known_;  // by node; all of them
  bool proven_ = true, failed_ = false;
  Uniqueness out_;
};

}  // namespace

Uniqueness search_modes(const Equations& e, const ModeSettings& settings) {
  Uniqueness out;
  for (int sectors = kFewestModeSectors; sectors <= kMostSectors; sectors *= 4) {
    const FrictionCone cone = friction_cone(e.axes, settings.law, sectors);
    Search search(e, cone, settings, true, out.nodes);
    out = search.run();
    if (search.proofs_failed()) out = Search(e, cone, settings, false, out.nodes).run();
    out.sectors = sectors;
    if (out.status != UniqueStatus::kUndecided || out.nodes > settings.most_nodes) return out;
    if (e.axes == 2 || settings.law == FrictionLaw::kPyramid) return out;
  }
  return out;
}

}  // namespace touchstone::statics
