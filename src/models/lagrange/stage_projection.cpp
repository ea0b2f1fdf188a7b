// Purpose: bodies and velocities back to where joints hold.
// Method: Newton steps on C along the rows, least in the masses' norm: Δx = −W·Jᵀ·(J·W·Jᵀ)⁻¹·C, and likewise for J·v.
// Letters: as in stage_problem.cpp.
// Deviations: the paper has feedback instead; see `stabilisation`.
// Fails: an error that is left is returned.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/lagrange/stage_problem.h"

namespace touchstone {

// Equations; and, `limits`, those limits that are passed.
template <int D>
void StageProblem<D>::add_equalities(const StepInput<D>& in, const State<D>& state, bool limits) {
  begin(in, state);
  prescribed_.clear();
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  for (std::uint32_t k = 0; k < in.joints.size(); ++k) {
    const std::size_t count = static_cast<std::size_t>(joint_rows<D>(in.joints[k], state, rows));
    for (std::size_t i = 0; i < count;) {
      std::size_t end = i + 1;
      const RowKind kind = rows[i].kind;
      while (kind == RowKind::kEquality && end < count && end < i + 3 && rows[end].kind == kind) ++end;
      const bool passed = limits && (kind == RowKind::kLower || kind == RowKind::kUpper) && rows[i].error < 0;
      if (kind == RowKind::kEquality || passed)
        add_rows(in, k, std::span(rows).subspan(i, end - i), BlockKind::kEquality);
      i = end;
    }
  }
}

template <int D>
double StageProblem<D>::correct_positions(const StepInput<D>& in, double tolerance, State<D>& state) {
  constexpr int kMost = 10;  // Newton steps: 1 or 2 after a step, a few more after an impact
  double worst = 0;
  for (int k = 0; k < kMost; ++k) {
    add_equalities(in, state, true);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    worst = 0;
    for (const OneRow& one : rows_) {
      right_[one.at] = -one.row.error;
      worst = std::max(worst, std::abs(one.row.error));
    }
    if (worst <= tolerance || rows_.empty()) return worst;
    projection_.load(data_.view(), options_.method);
    projection_.solve(right_, options_.tolerance, lambda_);
    projection_.respond(lambda_, response_);
    for (std::size_t c = 0; c < body_of_.size(); ++c) {
      const Twist<D> t = twist_at<D>(&response_[data_.cliques[c].first]);
      state.position[body_of_[c]] += t.linear;
      state.orientation[body_of_[c]] = rotate_by(t.angular, state.orientation[body_of_[c]]);
    }
  }
  return worst;
}

template <int D>
void StageProblem<D>::correct_velocities(const StepInput<D>& in, State<D>& state) {
  add_equalities(in, state, false);
  if (rows_.empty()) return;
  right_.resize(static_cast<Eigen::Index>(rows_.size()));
  for (const OneRow& one : rows_) {
    const Joint<D>& joint = in.joints[one.joint];
    right_[one.at] = -row_rate(one.row, motion_of_body(state, joint.body_a), motion_of_body(state, joint.body_b));
  }
  projection_.load(data_.view(), options_.method);
  projection_.solve(right_, options_.tolerance, lambda_);
  projection_.respond(lambda_, response_);
  for (std::size_t c = 0; c < body_of_.size(); ++c) {
    const Twist<D> t = twist_at<D>(&response_[data_.cliques[c].first]);
    state.velocity[body_of_[c]] += t.linear;
    state.angular_velocity[body_of_[c]] += t.angular;
  }
}

// C of equations at the end, over h, is the velocity that is missing; the rows are those of the start (simplified
// Newton).
template <int D>
void StageProblem<D>::aim(const StepInput<D>& in, double h, double tolerance, const State<D>& start,
                          std::span<Twist<D>> twists, const Move& move, std::span<JointImpulse<D>> impulses,
                          std::span<BodyImpulse<D>> shares) {
  constexpr int kMost = 12;
  add_equalities(in, start, false);
  if (rows_.empty()) return;
  projection_.load(data_.view(), options_.method);
  right_.resize(static_cast<Eigen::Index>(rows_.size()));
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  const State<D>* at = nullptr;
  for (int k = 0; k < kMost; ++k) {
    at = &move();
    double worst = 0;
    std::size_t i = 0;
    for (std::uint32_t j = 0; j < in.joints.size(); ++j) {
      const std::size_t count = static_cast<std::size_t>(joint_rows<D>(in.joints[j], *at, rows));
      for (std::size_t r = 0; r < count; ++r) {
        if (rows[r].kind != RowKind::kEquality) continue;
        right_[rows_[i++].at] = -rows[r].error / h;
        worst = std::max(worst, std::abs(rows[r].error));
      }
    }
    if (worst <= tolerance) return;
    projection_.solve(right_, options_.tolerance, lambda_);
    projection_.respond(lambda_, response_);
    for (std::size_t c = 0; c < body_of_.size(); ++c) {
      const Twist<D> t = twist_at<D>(&response_[data_.cliques[c].first]);
      twists[body_of_[c]].linear += t.linear, twists[body_of_[c]].angular += t.angular;
    }
    const std::span<const double> given(lambda_.data(), rows_.size());
    add_impulses(in, start, 1, given, impulses);
    if (!shares.empty()) add_shares(1, given, shares);
  }
  move();
}

template <int D>
double StageProblem<D>::project(const StepInput<D>& in, double tolerance, State<D>& state) {
  if (in.joints.empty()) return 0;
  const double worst = correct_positions(in, tolerance, state);
  correct_velocities(in, state);
  return worst;
}

template double StageProblem<2>::project(const StepInput<2>&, double, State<2>&);
template void StageProblem<2>::aim(const StepInput<2>&, double, double, const State<2>&, std::span<Twist<2>>,
                                   const Move&, std::span<JointImpulse<2>>, std::span<BodyImpulse<2>>);
template double StageProblem<3>::project(const StepInput<3>&, double, State<3>&);
template void StageProblem<3>::aim(const StepInput<3>&, double, double, const State<3>&, std::span<Twist<3>>,
                                   const Move&, std::span<JointImpulse<3>>, std::span<BodyImpulse<3>>);

}  // namespace touchstone
