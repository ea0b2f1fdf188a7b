#include "peers/cross_check.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "collision/narrow/narrow.h"
#include "peers/judge.h"
#include "peers/outside_view.h"

namespace touchstone::testing {
namespace {

template <int D>
struct Routine {
  std::string name;
  ClosestRoutine<D> run;
  std::function<bool(ShapeKind a, ShapeKind b)> supports;
};

template <int D>
class Checker {
 public:
  Checker(Family family, std::vector<std::string>& complaints) : family_(family), complaints_(complaints) {
    for (const NarrowRoutine<D>& r : narrow_routines<D>())
      routines_.push_back({r.name, r.closest, [&r](ShapeKind a, ShapeKind b) { return r.supports(a, b); }});
    routines_.push_back({"table", closest_of<D>, narrow_supports<D>});
  }

  void check(std::uint64_t number, bool ask_outsiders) {
    number_ = number;
    const PairCase<D> pair = make_pair_case<D>(family_, number);
    polyhedral_ = is_polyhedral(pair.a.kind) && is_polyhedral(pair.b.kind);
    tolerance_ = (polyhedral_ ? kPolyhedral : kCurved) * pair.length();
    ++tallies.pairs;
    truth_known_ = false;
    for (const Routine<D>& routine : routines_)
      if (routine.supports(pair.a.kind, pair.b.kind)) check_routine(pair, routine);
    if (D == 3 && ask_outsiders && truth_known_) check_outsiders(pair);
  }
  Tallies tallies;

 private:
  void check_routine(const PairCase<D>& pair, const Routine<D>& routine) {
    Tally& tally = tallies.routines[routine.name];
    ++tally.answers;
    PairMemory memory;
    Closest<D> out;
    const double infinity = std::numeric_limits<double>::infinity();
    if (!routine.run(pair.placed_a(), pair.placed_b(), infinity, memory, out))
      return complain(pair, routine.name, "no answer at an infinite margin", out);
    tally.most_iterations = std::max(tally.most_iterations, out.iterations);
    if (!out.converged) ++tally.unconverged, note(pair, routine.name, "iteration cap", out);
    if (!confirmed(pair, routine.name, out, tally)) return;
    truth_known_ = true, truth_ = out;
    check_again(pair, routine, memory, out);
  }

  // Every rule for one answer. Separated: a plane and two points of the shapes prove the gap from both sides. Overlap:
  // the plane proves one side, and that the sweep finds nothing better the other.
  bool confirmed(const PairCase<D>& pair, const std::string& name, const Closest<D>& out, Tally& tally) {
    const auto fail = [&](const std::string& what) { return complain(pair, name, what, out), false; };
    if (!std::isfinite(out.gap) || !out.normal.allFinite() || !out.on_a.allFinite() || !out.on_b.allFinite())
      return fail("not a number");
    if (std::abs(out.normal.norm() - 1) > 1e-12) return fail("normal is not a unit vector");
    const double along = separation(pair, out.normal);
    // Points are in world coordinates, which round at a distance from the origin.
    const double rounding = 8e-16 * (pair.pa.norm() + pair.pb.norm());
    const double loose = tolerance_ + rounding;
    const Vec<D> apart = out.on_b - out.on_a;
    const double a_outside = outside_by(pair.a, Vec<D>(pair.Ra.transpose() * (out.on_a - pair.pa)));
    const double b_outside = outside_by(pair.b, Vec<D>(pair.Rb.transpose() * (out.on_b - pair.pb)));
    double error = std::abs(along - out.gap);
    const bool proven = apart.norm() - along < loose && a_outside < loose && b_outside < loose && out.gap > tolerance_;
    if (!proven || number_ % 16 == 0) {
      const Sweep<D> best = sweep(pair, out.normal, out.gap <= tolerance_);
      error = std::max(error, best.gap - out.gap);
    }
    double& worst = polyhedral_ ? tally.polyhedral_error : tally.curved_error;
    worst = std::max(worst, error / pair.length());
    if (std::abs(along - out.gap) > tolerance_)
      return fail(fmt::format("gap is not the separation along the normal, {:.17g}", along));
    if (error > tolerance_) return fail(fmt::format("the sweep finds more by {:.17g} m", error));
    // Where shapes nearly touch, the normal is known to the rounding of the shapes over their smallest feature only,
    // and the points carry its error. What counts, the gap and the plane, is held to the tolerance above.
    const double points = std::max(loose, 1e-7 * pair.length());
    if (a_outside > points || b_outside > points)
      return fail(fmt::format("points outside the shapes by {:.3g} and {:.3g} m", a_outside, b_outside));
    if ((apart - out.gap * out.normal).norm() > 4 * points)
      return fail(
          fmt::format("points are not gap·normal apart: off by {:.3g} m", (apart - out.gap * out.normal).norm()));
    return true;
  }

  // With the memory of the first call, and with margins around the gap; and with A and B exchanged.
  void check_again(const PairCase<D>& pair, const Routine<D>& routine, PairMemory memory, const Closest<D>& first) {
    Closest<D> out;
    const double infinity = std::numeric_limits<double>::infinity();
    if (!routine.run(pair.placed_a(), pair.placed_b(), infinity, memory, out) ||
        !(std::abs(out.gap - first.gap) <= tolerance_))
      return complain(pair, routine.name, "another gap with memory than without", out);
    PairMemory none;
    if (!routine.run(pair.placed_b(), pair.placed_a(), infinity, none, out) ||
        !(std::abs(out.gap - first.gap) <= tolerance_))
      return complain(pair, routine.name, "another gap with A and B exchanged", out);
    for (const double margin :
         {first.gap - 2 * tolerance_, first.gap + 2 * tolerance_, 0.5 * first.gap, 2 * first.gap}) {
      if (margin < 0 || std::abs(margin - first.gap) < 1.5 * tolerance_) continue;  // nobody asks below zero
      none = PairMemory{};
      const bool found = routine.run(pair.placed_a(), pair.placed_b(), margin, none, out);
      if (found != (margin > first.gap))
        return complain(pair, routine.name, fmt::format("margin {:.17g}: {}", margin, found ? "found" : "not found"),
                        first);
      if (found && !(std::abs(out.gap - first.gap) <= tolerance_))
        return complain(pair, routine.name, fmt::format("another gap at margin {:.17g}", margin), out);
    }
  }

  void check_outsiders(const PairCase<D>& pair) {
    for (const auto& [name, answer] : outside_views(pair)) {
      OutsideTally& tally = tallies.outsiders[name];
      ++tally.answers;
      if (answer.threw) {
        ++tally.threw;
        continue;
      }
      const double bound = kOutside * pair.length(), error = std::abs(answer.gap - truth_.gap);
      if (std::abs(truth_.gap) > bound && answer.touching != (truth_.gap < 0)) ++tally.wrong_verdicts;
      if (!answer.has_gap || error <= bound) {
        if (answer.has_gap) tally.error = std::max(tally.error, error / pair.length());
        continue;
      }
      // Ours is proven from both sides, or the sweep was tried; look harder before FCL is called wrong.
      const Sweep<D> best = sweep(pair, truth_.normal, true);
      if (best.gap - truth_.gap > tolerance_)
        ++tally.against_us, complain(pair, name, fmt::format("{} is right with {:.17g}", name, answer.gap), truth_);
      else
        ++tally.wrong_gaps;
    }
  }

  void complain(const PairCase<D>& pair, const std::string& name, const std::string& what, const Closest<D>& out) {
    ++tallies.routines[name].failures;
    note(pair, name, what, out);
  }
  void note(const PairCase<D>& pair, const std::string& name, const std::string& what, const Closest<D>& out) {
    const std::string kind =
        fmt::format("{} {} {} {}", name, static_cast<int>(pair.a.kind), static_cast<int>(pair.b.kind),
                    what.substr(0, what.find_first_of("0123456789")));
    if (!seen_.insert(kind).second) return;
    complaints_.push_back(
        fmt::format("{}: {}D {} number {}: {} / {}: {}\n  gap {:.17g}, length {:.3g}, iterations {}\n{}", name, D,
                    family_name(family_), number_, shape_name(pair.a.kind, D), shape_name(pair.b.kind, D), what,
                    out.gap, pair.length(), out.iterations, describe(pair)));
  }

  Family family_;
  std::vector<std::string>& complaints_;
  std::vector<Routine<D>> routines_;
  std::set<std::string> seen_;
  std::uint64_t number_ = 0;
  bool polyhedral_ = false, truth_known_ = false;
  double tolerance_ = 0;
  Closest<D> truth_;
};

}  // namespace

void Tally::add(const Tally& other) {
  answers += other.answers;
  polyhedral_error = std::max(polyhedral_error, other.polyhedral_error);
  curved_error = std::max(curved_error, other.curved_error);
  failures += other.failures;
  unconverged += other.unconverged;
  most_iterations = std::max(most_iterations, other.most_iterations);
}

template <int D>
Tallies cross_check(Family family, std::uint64_t begin, std::uint64_t end, bool ask_outsiders,
                    std::vector<std::string>& complaints) {
  Checker<D> checker(family, complaints);
  for (std::uint64_t number = begin; number < end; ++number) checker.check(number, ask_outsiders);
  return checker.tallies;
}

std::string table_of(const std::map<std::string, Tallies>& families) {
  std::string out = fmt::format("{:<16} {:>9} {:<14} {:>9} {:>10} {:>10} {:>8} {:>8} {:>6}\n", "family", "pairs",
                                "routine", "answers", "polytopes", "curved", "failed", "capped", "iter");
  for (const auto& [family, t] : families)
    for (const auto& [name, r] : t.routines)
      out += fmt::format("{:<16} {:>9} {:<14} {:>9} {:>10.1e} {:>10.1e} {:>8} {:>8} {:>6}\n", family, t.pairs, name,
                         r.answers, r.polyhedral_error, r.curved_error, r.failures, r.unconverged, r.most_iterations);
  out += fmt::format("\n{:<16} {:<14} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9}\n", "family", "outsider", "answers", "threw",
                     "verdict", "gap off", "error else", "against us");
  for (const auto& [family, t] : families)
    for (const auto& [name, o] : t.outsiders)
      out += fmt::format("{:<16} {:<14} {:>9} {:>9} {:>9} {:>9} {:>10.1e} {:>9}\n", family, name, o.answers, o.threw,
                         o.wrong_verdicts, o.wrong_gaps, o.error, o.against_us);
  return out;
}

template Tallies cross_check<2>(Family, std::uint64_t, std::uint64_t, bool, std::vector<std::string>&);
template Tallies cross_check<3>(Family, std::uint64_t, std::uint64_t, bool, std::vector<std::string>&);

}  // namespace touchstone::testing
