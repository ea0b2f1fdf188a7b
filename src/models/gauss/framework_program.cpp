// Purpose: Gauss' principle on points and bars, as quadratic programs.
// Source: [rote2012 §3 (Q), §4 (L1⁺) (L2⁺) (S2⁺), §5 (Q') (L') (S'), §7 (Q*), §8.3 (L''), §8.4 the penalty M].
// Letters: a, v, p of points; Δ_i = p_i^(ℓ) − p_i^(ℓ−1); p̄ = p^(ℓ) + Δ; d = p_i − p_j of a bar, n normal of a side;
//   x the unknowns.
// Deviations:
//   (1) (S') has −2·A(Δ) on its right, without the printed division by Δt: A is of degree 2, A(v·Δt) = A(v)·Δt², and
//       Theorem 5.1 holds then. In 3D the right side is that of second_order().
//   (2) α belongs to p_j in (S'), as in (S2⁺).
//   (3) M is multiplied by the masses at the ends of a bar and divided by its squared length: a number without unit.
//   (4) A penetration may be closed over several steps (`recovery`): (S') closes δ at once, with the speed δ/Δt.
// Fails: never; the program may have no solution.
#include "models/gauss/framework_program.h"

#include <limits>

namespace touchstone {
namespace {

constexpr std::uint32_t kFixed = 0xffffffffu;

}  // namespace

template <int D>
void FrameworkProgram<D>::begin(const Framework<D>& framework, const Vec<D>& target) {
  rows_.clear(), hessian_.clear();
  lower_.clear(), upper_.clear(), linear_.clear();
  variable_.assign(framework.points(), kFixed);
  for (std::size_t i = 0; i < framework.points(); ++i) {
    const double m = framework.mass[i];
    if (!(m > 0)) continue;
    variable_[i] = static_cast<std::uint32_t>(linear_.size());
    for (int k = 0; k < D; ++k) {
      const auto at = static_cast<int>(linear_.size());
      hessian_.emplace_back(at, at, m);
      linear_.push_back(-m * target[k]);
    }
  }
}

template <int D>
void FrameworkProgram<D>::add_point(std::uint32_t point, const Vec<D>& d) {
  if (variable_[point] == kFixed) return;
  for (int k = 0; k < D; ++k)
    rows_.emplace_back(static_cast<int>(lower_.size()), static_cast<int>(variable_[point]) + k, d[k]);
}

template <int D>
void FrameworkProgram<D>::add_bar(const Framework<D>& framework, const Bar& bar, const Vec<D>& d, double right) {
  if (options_.form == BarForm::kEquations) {
    add_point(bar.i, d);
    add_point(bar.j, -d);
    lower_.push_back(right), upper_.push_back(right);
    return;
  }
  const double weight = options_.penalty * (framework.mass[bar.i] + framework.mass[bar.j]) / d.squaredNorm();
  const std::uint32_t ends[2] = {variable_[bar.i], variable_[bar.j]};
  for (int a = 0; a < 2; ++a) {
    if (ends[a] == kFixed) continue;
    const double sign = a == 0 ? 1 : -1;
    for (int k = 0; k < D; ++k) {
      const int row = static_cast<int>(ends[a]) + k;
      linear_[static_cast<std::size_t>(row)] -= weight * right * sign * d[k];
      for (int b = 0; b < 2; ++b)
        for (int l = 0; l < D && ends[b] != kFixed; ++l)
          hessian_.emplace_back(row, static_cast<int>(ends[b]) + l, (a == b ? weight : -weight) * d[k] * d[l]);
    }
  }
}

template <int D>
void FrameworkProgram<D>::add_side(const Sidedness<D>& s, const SideFrame<D>& frame, double right) {
  add_point(s[D], frame.normal);
  for (std::size_t k = 0; k < D; ++k) add_point(s[k], -frame.weight[k] * frame.normal);
  lower_.push_back(right), upper_.push_back(std::numeric_limits<double>::infinity());
}

template <int D>
const QuadraticProgram& FrameworkProgram<D>::finish() {
  const auto variables = static_cast<Eigen::Index>(linear_.size()), rows = static_cast<Eigen::Index>(lower_.size());
  program_.q.resize(variables, variables);
  program_.q.setFromTriplets(hessian_.begin(), hessian_.end());
  program_.a.resize(rows, variables);
  program_.a.setFromTriplets(rows_.begin(), rows_.end());
  program_.c = Eigen::Map<const Eigen::VectorXd>(linear_.data(), variables);
  program_.lower = Eigen::Map<const Eigen::VectorXd>(lower_.data(), rows);
  program_.upper = Eigen::Map<const Eigen::VectorXd>(upper_.data(), rows);
  return program_;
}

// The vertex against its foot on the side: x_k − Σ α·x_corner.
template <int D>
static Vec<D> against_foot(const Sidedness<D>& s, const SideFrame<D>& frame, std::span<const Vec<D>> x) {
  Vec<D> out = x[s[D]];
  for (std::size_t k = 0; k < D; ++k) out -= frame.weight[k] * x[s[k]];
  return out;
}

template <int D>
const QuadraticProgram& FrameworkProgram<D>::accelerations(const Framework<D>& framework, std::span<const Vec<D>> p,
                                                           std::span<const Vec<D>> v, const Vec<D>& g,
                                                           std::span<const Sidedness<D>> sides) {
  begin(framework, g);
  for (const Bar& b : framework.bars) add_bar(framework, b, p[b.i] - p[b.j], -(v[b.i] - v[b.j]).squaredNorm());
  bar_rows_ = lower_.size();
  for (const Sidedness<D>& s : sides) add_side(s, side_frame<D>(s, p), -second_order<D>(s, p, v));
  return finish();
}

template <int D>
const QuadraticProgram& FrameworkProgram<D>::positions(const Framework<D>& framework, std::span<const Vec<D>> p,
                                                       std::span<const Vec<D>> last, const PositionStep& step,
                                                       std::span<const Sidedness<D>> sides) {
  begin(framework, step.g * (step.dt * step.dt));
  delta_.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) delta_[i] = p[i] - last[i];
  const std::span<const Vec<D>> delta = delta_;
  for (const Bar& b : framework.bars) {
    const Vec<D> d = p[b.i] - p[b.j], turn = delta[b.i] - delta[b.j];
    const double length = d.norm();
    const double rest = step.lengths == LengthForm::kLast ? -turn.squaredNorm() : length * (b.length - length);
    add_bar(framework, b, d, rest - turn.dot(d));
  }
  bar_rows_ = lower_.size();
  for (const Sidedness<D>& s : sides) {
    SideFrame<D> frame = side_frame<D>(s, p);
    double right = -second_order<D>(s, p, delta);
    if (step.sides == SideForm::kPrinted) {
      std::swap(frame.weight[0], frame.weight[1]);
      right = right / step.dt - against_foot<D>(s, frame, p).dot(frame.normal);
    } else {
      const double area = signed_volume<D>(s, p);
      right -= area < 0 ? step.recovery * area : area;
    }
    add_side(s, frame, right - against_foot<D>(s, frame, delta).dot(frame.normal));
  }
  return finish();
}

template <int D>
const QuadraticProgram& FrameworkProgram<D>::velocities(const Framework<D>& framework, std::span<const Vec<D>> p,
                                                        std::span<const Vec<D>> old,
                                                        std::span<const Sidedness<D>> sides) {
  begin(framework, Vec<D>::Zero());
  for (const Bar& b : framework.bars) {
    const Vec<D> d = p[b.i] - p[b.j];
    add_bar(framework, b, d, -d.dot(old[b.i] - old[b.j]));
  }
  bar_rows_ = lower_.size();
  for (const Sidedness<D>& s : sides) {
    const SideFrame<D> frame = side_frame<D>(s, p);
    add_side(s, frame, -against_foot<D>(s, frame, old).dot(frame.normal));
  }
  return finish();
}

template <int D>
void FrameworkProgram<D>::read(const Framework<D>& framework, const Eigen::VectorXd& x,
                               std::vector<Vec<D>>& out) const {
  out.assign(framework.points(), Vec<D>::Zero());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (variable_[i] != kFixed) out[i] = x.segment<D>(static_cast<Eigen::Index>(variable_[i]));
}

template class FrameworkProgram<2>;
template class FrameworkProgram<3>;

}  // namespace touchstone
