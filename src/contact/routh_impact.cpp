// Purpose: follows a collision over its normal impulse p: du/dp = K·(1, −μ·slip direction) while the point slides, and
// a
//   straight line once it sticks. It compresses until u_N = 0. Then it expands: by Stronge's law until e² of that work
//   is done again, the other way; by Poisson's until e times the impulse of compression is given again.
// Source: [mirtich1996, §3.2-3.4], after Routh (1897) and Keller (1986); restitution by work after Stronge (1990).
// Letters: K response, u relative velocity, p normal impulse, W = ∫u_N dp work of the normal impulse.
// Deviations: (1) The independent variable is p throughout, where the source takes u_N and then W: p grows also where
//   u_N does not (friction that presses, Painlevé). (2) Slip that cannot stick starts where K pushes it to, and the
//   equation itself turns it to the one direction that it can slide along. (3) In 2D every piece is exact. (4) Friction
//   may press bodies together again during restitution; it goes on until the work that is due has been done. By
//   Poisson's law the impulse that is due may end in such an approach: the point is then compressed once more.
// Fails: after kMostSteps the rest is done without slip being followed; `finished` tells. Not met by any K so far.
#include "contact/routh_impact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr int kMostSteps = 5000;
constexpr double kTurn = 0.1;    // of the slip that a step of the integration may change: errors of 1e-7 in 3D
constexpr double kStill = 1e-9;  // of the speed of the collision: less slip is none
constexpr double kDone = 1e-13;  // of the speed, and of the work, at which a phase ends: a few roundings
constexpr double kFirst = 1e-7;  // of the impulse: the first step of a slip that starts from rest

template <int D>
class Course {
 public:
  Course(const Mat<D>& k, const Vec<D>& u, const PointLaw& law) : k_(k), start_(u), u_(u), law_(law) {
    const Vec<D - 1> normal_pull = k.template block<D - 1, 1>(1, 0);
    sticking_push_ = -k.template bottomRightCorner<D - 1, D - 1>().inverse() * normal_pull;
    can_stick_ = sticking_push_.norm() <= law.static_friction;
    const double pull = normal_pull.norm();
    if (pull > 0) heading_ = normal_pull / pull;
    speed_ = u.norm();
    unit_ = speed_ / k(0, 0);
  }

  RouthImpact<D> run() {
    RouthImpact<D> out;
    out.finished = follow(true, 0);
    out.compression = std::min(work_, 0.0);
    const bool by_impulse = law_.law == RestitutionLaw::kPoisson;
    const double e = law_.restitution;
    work_ = 0;
    expanded_ = (1 + e) * p_[0];
    out.finished &= follow(false, by_impulse ? 0.0 : e * e * -out.compression);
    out.restitution = work_;
    if (by_impulse && u_[0] < -kDone * speed_) out.finished &= follow(true, 0);
    out.impulse = p_;
    out.sticking = sticks_;
    return out;
  }

 private:
  double slip() const { return u_.template tail<D - 1>().norm(); }
  bool still() const { return slip() <= kStill * speed_; }
  Vec<D> sliding_push(const Vec<D>& u, bool from_rest) const {
    Vec<D> push = Vec<D>::Unit(0);
    const Vec<D - 1> slip = u.template tail<D - 1>();
    const double size = slip.norm();
    const Vec<D - 1> along = from_rest || !(size > 0) ? heading_ : Vec<D - 1>(slip / size);
    push.template tail<D - 1>() = -law_.dynamic_friction * along;
    return push;
  }
  // How much impulse the phase still takes if u_N goes on growing at this rate; infinite if it never ends so. Negative
  // if a step of the integration went too far.
  double to_end(bool compressing, double target, double rate) const {
    const double never = std::numeric_limits<double>::infinity();
    if (compressing) return rate > 0 ? -u_[0] / rate : never;
    if (law_.law == RestitutionLaw::kPoisson) return expanded_ - p_[0];
    const double left = target - work_, root = u_[0] * u_[0] + 2 * rate * left;
    return root > 0 && u_[0] + std::sqrt(root) > 0 ? 2 * left / (u_[0] + std::sqrt(root)) : never;
  }
  bool done(bool compressing, double target) const {
    if (compressing) return std::abs(u_[0]) <= kDone * speed_;
    if (law_.law == RestitutionLaw::kPoisson) return std::abs(expanded_ - p_[0]) <= kDone * unit_;
    return std::abs(work_ - target) <= kDone * speed_ * unit_;
  }
  void move(const Vec<D>& push, double length, double mean_speed) {
    p_ += length * push;
    u_ = start_ + k_ * p_;
    work_ += length * mean_speed;
  }
  void go_straight(const Vec<D>& push, double length) {
    const double rate = k_.row(0).dot(push);
    move(push, length, u_[0] + 0.5 * length * rate);
  }
  // Runge and Kutta's classical method; the work by Simpson's rule.
  void slide(double length, bool from_rest) {
    const Vec<D> s1 = sliding_push(u_, from_rest);
    const Vec<D> s2 = sliding_push(Vec<D>(u_ + 0.5 * length * (k_ * s1)), from_rest);
    const Vec<D> middle = u_ + 0.5 * length * (k_ * s2);
    const Vec<D> s3 = sliding_push(middle, from_rest);
    const Vec<D> s4 = sliding_push(Vec<D>(u_ + length * (k_ * s3)), from_rest);
    const Vec<D> push = (s1 + 2 * s2 + 2 * s3 + s4) / 6;
    const double end = u_[0] + length * k_.row(0).dot(push);
    move(push, length, (u_[0] + 4 * middle[0] + end) / 6);
  }
  // How far the slip can be followed in one step: where it keeps its direction, up to its end.
  double to_turn(const Vec<D>& rate, bool& straight) const {
    const Vec<D - 1> slip = u_.template tail<D - 1>(), change = rate.template tail<D - 1>();
    const double size = slip.norm(), falls = -slip.dot(change) / size;
    straight = (change + slip * (falls / size)).norm() <= 1e-13 * change.norm();
    const double end = falls > 0 ? size / falls : std::numeric_limits<double>::infinity();
    return straight ? end : std::min(end, kTurn * size / change.norm());
  }
  void stick(bool compressing, double target) {
    Vec<D> push = Vec<D>::Unit(0);
    push.template tail<D - 1>() = sticking_push_;
    const double length = to_end(compressing, target, k_.row(0).dot(push));  // the rate is 1/(K⁻¹)_NN > 0
    if (std::isfinite(length)) go_straight(push, length);
    sticks_ = true;
  }

  bool follow(bool compressing, double target) {
    for (int i = 0; i < kMostSteps; ++i) {
      if (done(compressing, target)) return true;
      const bool rests = still();
      if (rests && can_stick_) return stick(compressing, target), true;
      sticks_ = false;
      if (law_.dynamic_friction == 0) {
        go_straight(Vec<D>::Unit(0), to_end(compressing, target, k_(0, 0)));
        return true;
      }
      const Vec<D> push = sliding_push(u_, rests), rate = k_ * push;
      double length = to_end(compressing, target, rate[0]);
      bool straight = D == 2;
      if (!rests) length = std::min(length, to_turn(rate, straight));
      if (rests && D == 3) length = std::min(length, kFirst * unit_);
      length = std::min(length, unit_);
      straight ? go_straight(push, length) : slide(length, rests);
    }
    stick(compressing, target);
    return false;
  }

  const Mat<D> k_;
  const Vec<D> start_;
  Vec<D> u_, p_ = Vec<D>::Zero();
  const PointLaw law_;
  Vec<D - 1> sticking_push_, heading_ = Vec<D - 1>::Unit(0);
  double work_ = 0, speed_ = 0, unit_ = 0;
  double expanded_ = 0;  // normal impulse at the end of expansion, by Poisson's law
  bool can_stick_ = false, sticks_ = false;
};

}  // namespace

template <int D>
RouthImpact<D> routh_impact(const Mat<D>& k, const Vec<D>& u, const PointLaw& law) {
  if (!(u[0] < 0)) return {};
  return Course<D>(k, u, law).run();
}

template RouthImpact<2> routh_impact(const Mat<2>&, const Vec<2>&, const PointLaw&);
template RouthImpact<3> routh_impact(const Mat<3>&, const Vec<3>&, const PointLaw&);

}  // namespace touchstone
