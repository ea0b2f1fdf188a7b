// Purpose: time of impact by false position. Where an interval ends in contact, it is cut where the line between the
//   two gaps meets the target; where both ends are free, it is cut where contact is likeliest.
// Source: [yang2020, time-step control: "faster convergence could be achieved using the regula falsi method"]; Illinois
//   variant: M. Dowell, P. Jarratt, A modified regula falsi method, BIT 11 (1971).
// Letters: f = gap − target, with the target half a tolerance above the distance so that the free end comes to lie in
//   the tolerance.
// Deviations: (1) bracketed from the left by guarded intervals, so that the root is the first one. (2) A cut that does
//   not halve the bracket within two cuts is followed by a halving. (3) Free ends: the cut is where the two bounds of
//   the gap meet, the lowest gap that there can be.
// Fails: kCapReached, with the time until which there is no contact.
#include <algorithm>
#include <cmath>

#include "collision/toi/guarded_search.h"

namespace touchstone {
namespace {

template <int D>
class FalsePosition {
 public:
  double operator()(const Sweep<D>& sweep, const Sample<D>& first, const Sample<D>& second) {
    if (second.gap() > sweep.distance) return lowest(first, second);
    return in_bracket(sweep.distance + 0.5 * sweep.tolerance, first, second);
  }

 private:
  // gap ≥ g1 − r1·(t − t1) and gap ≥ g2 − r2·(t2 − t): where the two lines meet.
  static double lowest(const Sample<D>& first, const Sample<D>& second) {
    const double span = second.t - first.t, rates = first.forward + second.backward;
    const double into = rates > 0 ? (first.gap() - second.gap() + second.backward * span) / (rates * span) : 0.5;
    return first.t + std::clamp(std::isfinite(into) ? into : 0.5, 0.25, 0.75) * span;
  }

  double in_bracket(double target, const Sample<D>& first, const Sample<D>& second) {
    const double span = second.t - first.t;
    const bool first_moved = first.t != first_t_, second_moved = second.t != second_t_;
    if (first_moved && second_moved) first_weight_ = second_weight_ = 1, before_ = kNeither;
    if (first_moved != second_moved) {
      const End moved = first_moved ? kFirst : kSecond;
      double& stays = first_moved ? second_weight_ : first_weight_;
      (first_moved ? first_weight_ : second_weight_) = 1;
      if (moved == before_) stays *= 0.5;
      before_ = moved;
    }
    first_t_ = first.t, second_t_ = second.t;
    const bool slow = span > 0.5 * span_before_last_;
    span_before_last_ = slow ? 2 * span : span_before_;  // after a halving, two free tries
    span_before_ = span;
    const double f1 = first_weight_ * (first.gap() - target), f2 = second_weight_ * (second.gap() - target);
    double into = slow ? 0.5 : f1 / (f1 - f2);
    if (!(into > 0 && into < 1)) into = 0.5;
    // Both ends must be able to move: not nearer to one than a millionth.
    return first.t + std::clamp(into, 1e-6, 1 - 1e-6) * span;
  }

  enum End { kNeither, kFirst, kSecond };
  End before_ = kNeither;
  double first_t_ = -1, second_t_ = -1, first_weight_ = 1, second_weight_ = 1;
  double span_before_ = std::numeric_limits<double>::infinity(), span_before_last_ = span_before_;
};

}  // namespace

template <int D>
Impact<D> regula_falsi(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options) {
  return guarded_search<D>(a, b, options, FalsePosition<D>());
}

template Impact<2> regula_falsi(const Moving<2>&, const Moving<2>&, const ImpactOptions<2>&);
template Impact<3> regula_falsi(const Moving<3>&, const Moving<3>&, const ImpactOptions<3>&);

}  // namespace touchstone
