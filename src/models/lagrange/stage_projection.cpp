// Purpose: bodies and velocities back to where joints hold.
// Method: Newton steps on C along the rows, least in the masses' norm: Δx = −W·Jᵀ·(J·W·Jᵀ)⁻¹·C, and likewise for J·v.
//   Where loops are closed, J can come close to losing rank, as in a four-bar linkage whose bars lie in one line. The
//   motion is smooth there, and so are its forces, but only along the manifold C = 0, J·v = 0: with σ the least
//   singular value, a stage that is off by δ has accelerations that are off by δ/σ, and RK4's stages are off by h². So
//   each stage is moved to the manifold first, to rounding.
// Letters: as in stage_problem.cpp.
// Deviations: the paper has feedback instead; see `stabilisation`.
// Fails: an error that is left is returned.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

// The greatest error of the rows at hand, and what its rounding may be.
template <int D>
double StageProblem<D>::error_of_rows(const State<D>& state, double& rounding) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  double worst = 0, far = 1;
  for (const std::uint32_t i : body_of_) far = std::max(far, state.position[i].template lpNorm<Eigen::Infinity>());
  right_.resize(static_cast<Eigen::Index>(rows_.size()));
  for (const OneRow& one : rows_) {
    right_[one.at] = -one.row.error;
    worst = std::max(worst, std::abs(one.row.error));
  }
  rounding = kRounding * far;
  return worst;
}

// The rows at hand are then those of the state.
template <int D>
double StageProblem<D>::correct_positions(const StepInput<D>& in, double tolerance, bool limits, State<D>& state) {
  constexpr int kMost = 10;  // Newton steps: 1 or 2 after a step, a few more after an impact
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    add_equalities(in, state, limits);
    double rounding = 0;
    const double worst = error_of_rows(state, rounding);
    const bool done = worst <= tolerance && (!loops_ || worst <= rounding || worst > 0.5 * before);
    if (done || k == kMost || rows_.empty()) return worst;
    before = worst;
    projection_.load(data_.view(), options_.method);
    projection_.solve(right_, options_.tolerance, rounding, lambda_);
    projection_.respond(lambda_, response_);
    for (std::size_t c = 0; c < body_of_.size(); ++c) {
      const Twist<D> t = twist_at<D>(&response_[data_.cliques[c].first]);
      state.position[body_of_[c]] += t.linear;
      state.orientation[body_of_[c]] = rotate_by(t.angular, state.orientation[body_of_[c]]);
    }
  }
}

template <int D>
void StageProblem<D>::correct_velocities(const StepInput<D>& in, State<D>& state) {
  if (rows_.empty()) return;
  right_.resize(static_cast<Eigen::Index>(rows_.size()));
  for (const OneRow& one : rows_) {
    const Joint<D>& joint = in.joints[one.joint];
    right_[one.at] = -row_rate(one.row, motion_of_body(state, joint.body_a), motion_of_body(state, joint.body_b));
  }
  projection_.load(data_.view(), options_.method);
  response_.resize(static_cast<Eigen::Index>(data_.free_velocity.size()));
  for (std::size_t c = 0; c < body_of_.size(); ++c)
    put_twist<D>(state.velocity[body_of_[c]], state.angular_velocity[body_of_[c]], &response_[data_.cliques[c].first]);
  projection_.solve(right_, options_.tolerance, projection_.rounding_of(response_), lambda_);
  projection_.respond(lambda_, response_);
  for (std::size_t c = 0; c < body_of_.size(); ++c) {
    const Twist<D> t = twist_at<D>(&response_[data_.cliques[c].first]);
    state.velocity[body_of_[c]] += t.linear;
    state.angular_velocity[body_of_[c]] += t.angular;
  }
}

template <int D>
void StageProblem<D>::hold(const StepInput<D>& in, double tolerance, State<D>& state) {
  if (!loops_) return;
  correct_positions(in, tolerance, false, state);
  correct_velocities(in, state);
  held_ = true;
}

// C of equations at the end, over h, is the velocity that is missing; the rows are those of the start (simplified
// Newton). Across a position in which joints depend on each other these lead away; the twists then stay as they were.
template <int D>
void StageProblem<D>::aim(const StepInput<D>& in, double h, double tolerance, const State<D>& start,
                          std::span<Twist<D>> twists, const Move& move, std::span<JointImpulse<D>> impulses,
                          std::span<BodyImpulse<D>> shares) {
  constexpr int kMost = 12;
  add_equalities(in, start, false);
  if (rows_.empty()) return;
  projection_.load(data_.view(), options_.method);
  right_.resize(static_cast<Eigen::Index>(rows_.size()));
  aimed_.setZero(right_.size());
  unaimed_.assign(twists.begin(), twists.end());
  double worst = error_ahead(in, h, move());
  for (int k = 0; worst > tolerance; ++k) {
    projection_.solve(right_, options_.tolerance, 0.1 * tolerance / h, lambda_);
    projection_.respond(lambda_, response_);
    aimed_ += lambda_;
    for (std::size_t c = 0; c < body_of_.size(); ++c) {
      const Twist<D> t = twist_at<D>(&response_[data_.cliques[c].first]);
      twists[body_of_[c]].linear += t.linear, twists[body_of_[c]].angular += t.angular;
    }
    const double before = worst;
    worst = error_ahead(in, h, move());
    if (k < kMost && worst < before) continue;
    std::copy(unaimed_.begin(), unaimed_.end(), twists.begin());
    move();
    return;
  }
  const std::span<const double> given(aimed_.data(), rows_.size());
  add_impulses(in, start, 1, given, impulses);
  if (!shares.empty()) add_shares(1, given, shares);
}

// The greatest error of equations at a state that is h ahead. Sets the velocities that are missing.
template <int D>
double StageProblem<D>::error_ahead(const StepInput<D>& in, double h, const State<D>& state) {
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  double worst = 0;
  std::size_t i = 0;
  for (const Joint<D>& joint : in.joints) {
    const std::size_t count = static_cast<std::size_t>(joint_rows<D>(joint, state, rows));
    for (std::size_t r = 0; r < count; ++r) {
      if (rows[r].kind != RowKind::kEquality) continue;
      right_[rows_[i++].at] = -rows[r].error / h;
      worst = std::max(worst, std::abs(rows[r].error));
    }
  }
  return worst;
}

template <int D>
double StageProblem<D>::project(const StepInput<D>& in, double tolerance, State<D>& state) {
  if (in.joints.empty()) return 0;
  const double worst = correct_positions(in, tolerance, true, state);
  add_equalities(in, state, false);
  correct_velocities(in, state);
  return worst;
}

template <int D>
void StageProblem<D>::begin_step(const StepInput<D>& in, const State<D>& state, std::span<const double> joint_forces) {
  guess_.clear();
  joint_guess_.assign(joint_forces.begin(), joint_forces.end());
  equality_blocks_.clear();
  loops_ = held_ = false;
  if (in.joints.empty()) return;
  add_equalities(in, state, false);
  for (std::uint32_t i = 0; i < data_.blocks.size(); ++i) equality_blocks_.push_back(i);
  loops_ = joint_loops_.close(data_.view(), equality_blocks_);
}

template double StageProblem<2>::project(const StepInput<2>&, double, State<2>&);
template void StageProblem<2>::begin_step(const StepInput<2>&, const State<2>&, std::span<const double>);
template void StageProblem<2>::hold(const StepInput<2>&, double, State<2>&);
template void StageProblem<2>::aim(const StepInput<2>&, double, double, const State<2>&, std::span<Twist<2>>,
                                   const Move&, std::span<JointImpulse<2>>, std::span<BodyImpulse<2>>);
template double StageProblem<3>::project(const StepInput<3>&, double, State<3>&);
template void StageProblem<3>::begin_step(const StepInput<3>&, const State<3>&, std::span<const double>);
template void StageProblem<3>::hold(const StepInput<3>&, double, State<3>&);
template void StageProblem<3>::aim(const StepInput<3>&, double, double, const State<3>&, std::span<Twist<3>>,
                                   const Move&, std::span<JointImpulse<3>>, std::span<BodyImpulse<3>>);

}  // namespace touchstone
