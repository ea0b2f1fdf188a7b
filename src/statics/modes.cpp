// Purpose: whether an acceleration other than zero obeys the laws of contact, by branch and bound.
// Source: strong and weak stability, J.-S. Pang and J. Trinkle, Stability characterizations of rigid body contact
//   problems with Coulomb friction, ZAMM 80 (2000).
// Method: a law-abiding acceleration from rest has aᵀM·a <= W·a. So zero is the only one if W·a <= 0 for all that the
//   laws admit. At a node the modes of some contacts are known, and complementarity of the others is left out: a linear
//   program whose maximum of W·a, if it is zero, closes the node. Otherwise the contact that breaks its law most is
//   split: it opens, sticks, or slides within a sector, which is halved in turn.
// Letters: a accelerations, f forces, W loads.
// Fails: exponentially in the contacts, if sliding mechanisms on which the loads do work are many; the budget of nodes
//   ends it. A circular cone whose finest sector still admits a motion is undecided unless that motion obeys the
//   circle.
#include "statics/modes.h"

#include <fmt/format.h>

#include <cmath>

namespace touchstone::statics {
namespace {

constexpr int kFewestModeSectors = 8;
constexpr double kTiny = 1e-9;  // of W·a against its bound, of accelerations and forces against theirs

class Search {
 public:
  Search(const Equations& e, const FrictionCone& cone, const ModeSettings& settings)
      : e_(e), cone_(cone), settings_(settings), program_(e, cone), solver_(settings.program) {
    const double scale = std::sqrt(std::max(program_.scale(), 1e-300));
    tiny_ = kTiny * scale;
    hint_ = Modes(e.contacts, kOpens);
    if (settings.hint.size() == e.freedoms) hint_ = guess(program_.with_acceleration(settings.hint));
  }

  Uniqueness run() {
    out_.tree.emplace_back();
    std::vector<Task> tasks{{0, Modes(e_.contacts, kUnknown)}};
    if (try_motion(Modes(e_.contacts, kOpens)) || try_motion(hint_)) return std::move(out_);
    while (!tasks.empty()) {
      settings_.program.stop.check();
      const Task task = std::move(tasks.back());
      tasks.pop_back();
      if (++out_.nodes > settings_.most_nodes)
        return undecided(fmt::format("the search over contact modes was ended after {} nodes", settings_.most_nodes));
      if (!visit(task, tasks)) return std::move(out_);
    }
    out_.status = UniqueStatus::kOnlyRest;
    out_.exact = settings_.program.exact && proven_;
    return std::move(out_);
  }

 private:
  struct Task {
    std::size_t node;
    Modes modes;
  };

  Uniqueness undecided(const std::string& reason) {
    out_.status = UniqueStatus::kUndecided, out_.reason = reason;
    return std::move(out_);
  }

  // Closes a node, splits it, or ends the search (false).
  bool visit(const Task& task, std::vector<Task>& tasks) {
    const LpAnswer answer = solver_.solve_rounded(program_.rounded_at(task.modes));
    if (is_closed(answer) && close(task)) return true;
    if (answer.x.size() == 0) return end("a program of a contact mode could not be solved");
    const int contact = worst_contact(task.modes, answer.x);
    if (contact < 0 && take_motion(task.modes, answer)) return false;
    if (out_.nodes < 100 && try_motion(guess(answer.x))) return false;
    const int split = contact >= 0 ? contact : first_unknown(task.modes);
    if (split < 0)
      return end("a motion remains in the finest sectors that does not obey the circular cone to rounding");
    branch(task, static_cast<std::size_t>(split), tasks);
    return true;
  }

  bool end(const std::string& reason) {
    out_.status = UniqueStatus::kUndecided, out_.reason = reason;
    return false;
  }

  bool is_closed(const LpAnswer& answer) const {
    if (answer.status == LpStatus::kInfeasible) return true;
    return answer.status == LpStatus::kOptimal && -answer.objective <= kTiny * program_.scale();
  }

  // Without fractions rounding has decided; with them the multipliers must prove it.
  bool close(const Task& task) {
    if (!settings_.program.exact) return true;
    ProgramSolver solver(settings_.program);
    const Solved solved = solver.solve(program_.exact_at(task.modes));
    if (!solved.exact) {  // the budget of exact pivots
      proven_ = false;
      return true;
    }
    const bool empty = solved.status == LpStatus::kInfeasible;
    if (!empty && (solved.status != LpStatus::kOptimal || solved.exact_objective < 0)) return false;
    const std::vector<Rational>& y = empty ? solved.ray.exact : solved.multipliers.exact;
    ModeNode& leaf = out_.tree[task.node];
    leaf.empty = empty;
    leaf.momentum.assign(y.begin(), y.begin() + e_.freedoms);
    leaf.rates = program_.rates_of(y);
    return true;
  }

  bool opens(const ContactState& s) const { return s.opening > tiny_; }
  double slip(const ContactState& s) const { return std::hypot(s.slip_x, s.slip_y); }

  // How much a contact breaks its law in a solution: power that is missing or too much.
  double violation(const ContactState& s, std::size_t i) const {
    if (opens(s)) return s.opening * s.force;
    if (slip(s) <= tiny_) return 0;
    const double mu = rounded(e_.friction[i]);
    return mu * s.force * slip(s) + s.friction_x * s.slip_x + s.friction_y * s.slip_y;
  }

  bool can_split(std::size_t contact, int mode) const {
    if (mode == kTouches) return e_.friction[contact] > 0;
    return mode == kUnknown || (mode >= 0 && !cone_.modes[static_cast<std::size_t>(mode)].children.empty());
  }
  // In the pyramid's law the corner is right for its whole sector.
  bool is_settled(int mode) const { return mode >= 0 && (e_.axes == 2 || settings_.law == FrictionLaw::kPyramid); }

  int worst_contact(const Modes& modes, const Eigen::VectorXd& x) const {
    int worst = -1;
    double most = kTiny * program_.scale();
    for (std::size_t i = 0; i < e_.contacts; ++i) {
      if (!can_split(i, modes[i]) || is_settled(modes[i])) continue;
      const double v = violation(program_.state_of(x, i), i);
      if (v > most) most = v, worst = static_cast<int>(i);
    }
    return worst;
  }

  int first_unknown(const Modes& modes) const {
    for (std::size_t i = 0; i < e_.contacts; ++i)
      if (can_split(i, modes[i])) return static_cast<int>(i);
    return -1;
  }

  void branch(const Task& task, std::size_t contact, std::vector<Task>& tasks) {
    const int mode = task.modes[contact];
    std::vector<int> ways;
    if (mode >= 0) {
      ways = cone_.modes[static_cast<std::size_t>(mode)].children;
    } else if (mode == kUnknown) {
      ways = {kTouches, kOpens};
    } else {
      ways = {kSticks};
      ways.insert(ways.end(), cone_.top.begin(), cone_.top.end());
    }
    out_.tree[task.node].contact = static_cast<int>(contact);
    for (const int way : ways) {
      const std::size_t node = out_.tree.size();
      out_.tree.emplace_back();
      out_.tree[task.node].children.emplace_back(way, node);
      Task next{node, task.modes};
      next.modes[contact] = way;
      tasks.push_back(std::move(next));
    }
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
    for (std::size_t i = 0; i < e_.contacts; ++i)
      if (!is_settled(modes[i])) left = std::max(left, violation(program_.state_of(x.rounded, i), i));
    if (left > kTiny * program_.scale()) return false;
    out_.status = UniqueStatus::kMotion;
    out_.acceleration = program_.acceleration_of(x), out_.forces = program_.forces_of(x);
    out_.exact = !x.exact.empty() && obeys_exactly();
    return true;
  }

  // With circles the motion's own numbers decide; sums of corners are rarely opposite to a slip.
  bool obeys_exactly() const {
    if (e_.axes == 2 || settings_.law == FrictionLaw::kPyramid) return true;
    for (std::size_t i = 0; i < e_.contacts; ++i) {
      const Rational x = dot(e_.row(i, 1), out_.acceleration.exact), y = dot(e_.row(i, 2), out_.acceleration.exact);
      const Rational &fn = out_.forces.exact[3 * i], &fx = out_.forces.exact[3 * i + 1],
                     &fy = out_.forces.exact[3 * i + 2];
      const Rational limit = e_.friction[i] * fn;
      if (fn == 0) continue;
      if (dot(e_.row(i, 0), out_.acceleration.exact) != 0) return false;
      const bool slides = x != 0 || y != 0;
      if (fx * fx + fy * fy > limit * limit) return false;
      if (slides && (fx * y != fy * x || fx * x + fy * y > 0 || fx * fx + fy * fy != limit * limit)) return false;
    }
    return true;
  }

  const Equations& e_;
  const FrictionCone& cone_;
  const ModeSettings& settings_;
  ModeProgram program_;
  ProgramSolver solver_;
  double tiny_ = 0;
  Modes hint_;
  bool proven_ = true;
  Uniqueness out_;
};

}  // namespace

Uniqueness search_modes(const Equations& e, const ModeSettings& settings) {
  Uniqueness out;
  for (int sectors = kFewestModeSectors; sectors <= kMostSectors; sectors *= 4) {
    const FrictionCone cone = friction_cone(e.axes, settings.law, sectors);
    out = Search(e, cone, settings).run();
    out.sectors = sectors;
    if (out.status != UniqueStatus::kUndecided || out.nodes > settings.most_nodes) return out;
    if (e.axes == 2 || settings.law == FrictionLaw::kPyramid) return out;
  }
  return out;
}

}  // namespace touchstone::statics
