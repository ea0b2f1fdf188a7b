// Purpose: the impulses of joints, found in the same loop as those of contacts.
// Source: own derivation, after eq 8 of [bender2006]: an impulse at the start of h that makes the error at its end
// zero,
//   by the linear change J·v·h, with the error evaluated exactly at the predicted poses outside the loop; then, at the
//   end of h, impulses that make J·v zero. Together that is RATTLE [H. Andersen, J. Comput. Phys. 52 (1983)].
// Letters: C error, J its Jacobian, λ impulse of a row, K = J·M⁻¹·Jᵀ.
// Deviations: -
// Fails: a joint between bodies that cannot move is left alone.
#include "models/impulse/joint_solver.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "dynamics/free_turn.h"

namespace touchstone {

template <int D>
void JointSolver<D>::begin(const StepInput<D>& in) {
  solved_.resize(in.joints.size());
  forces_.resize(in.joints.size(), Forces{});
  totals_.assign(in.joints.size(), JointImpulse<D>{});
}

template <int D>
void JointSolver<D>::set_masses(const StepInput<D>& in, std::span<const AngMat<D>> inv_inertia, Solved& j) {
  const auto response = [&](std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular, Vec<D>& dv,
                            AngVec<D>& dw) {
    if (body == kWorldBody) {
      dv.setZero(), dw.setZero();
      return;
    }
    dv = in.bodies.inv_mass[body] * linear;
    dw = inv_inertia[body] * angular;
  };
  for (int i = 0; i < j.rows; ++i) {
    response(j.a, j.row[i].linear_a, j.row[i].angular_a, j.push_a[i], j.turn_a[i]);
    response(j.b, j.row[i].linear_b, j.row[i].angular_b, j.push_b[i], j.turn_b[i]);
  }
  const auto k = [&](int i, int m) {
    return j.row[i].linear_a.dot(j.push_a[m]) + j.row[i].angular_a.dot(j.turn_a[m]) +
           j.row[i].linear_b.dot(j.push_b[m]) + j.row[i].angular_b.dot(j.turn_b[m]);
  };
  for (int i = 0; i < j.rows; ++i) j.k[i] = k(i, i);
  const int n = j.equalities;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kEqualities, kEqualities> block(n, n);
  for (int i = 0; i < n; ++i)
    for (int m = 0; m < n; ++m) block(i, m) = k(i, m);
  // Where a joint is singular a trace of the diagonal keeps the block invertible; the loop takes care of the rest.
  constexpr double kRidge = 1e-12;
  block.diagonal() *= 1 + kRidge;
  if (n > 0 && block.diagonal().minCoeff() > 0)
    j.inverse.topLeftCorner(n, n) = block.ldlt().solve(
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kEqualities, kEqualities>::Identity(n, n));
  else
    j.inverse.setZero();
}

template <int D>
void JointSolver<D>::prepare(const StepInput<D>& in, const State<D>& state, std::span<const AngMat<D>> inv_inertia,
                             double h, bool held, double forced) {
  h_ = h;
  for (std::size_t i = 0; i < solved_.size(); ++i) {
    Solved& j = solved_[i];
    const Joint<D>& joint = in.joints[i];
    j.a = joint.body_a, j.b = joint.body_b;
    j.rows = joint_rows(joint, state, std::span<JointRow<D>>(j.row));
    j.equalities = equality_count(joint);
    set_masses(in, inv_inertia, j);
    for (int r = 0; r < j.rows; ++r) {
      const JointRow<D>& row = j.row[r];
      j.lambda[r] = held ? h * forces_[i][r] : 0.0;
      j.change[r] = j.direction[r] = 0;
      j.limit[r] = drives(row.kind) ? row.max_force * forced : 0.0;
      switch (row.kind) {
        case RowKind::kEquality:
          j.aim[r] = held ? -row.error / h : 0.0;
          break;
        case RowKind::kMotor:
        case RowKind::kFriction:
          j.aim[r] = row.target_speed;
          break;
        default:  // a limit that is not reached may be reached within h
          j.aim[r] = held ? -row.error / h : row.error > 0 ? -std::numeric_limits<double>::infinity() : 0.0;
      }
    }
  }
}

template <int D>
double JointSolver<D>::rate(const Solved& j, int row, std::span<const BodyVelocity<D>> velocity) const {
  double sum = 0;
  Vec<D> v;
  AngVec<D> w;
  if (j.a != kWorldBody) {
    get_velocity(velocity[j.a], v, w);
    sum += j.row[row].linear_a.dot(v) + j.row[row].angular_a.dot(w);
  }
  if (j.b != kWorldBody) {
    get_velocity(velocity[j.b], v, w);
    sum += j.row[row].linear_b.dot(v) + j.row[row].angular_b.dot(w);
  }
  return sum;
}

template <int D>
void JointSolver<D>::push(const Solved& j, int row, double impulse, std::span<BodyVelocity<D>> velocity) const {
  Vec<D> v;
  AngVec<D> w;
  if (j.a != kWorldBody) {
    get_velocity(velocity[j.a], v, w);
    set_velocity(velocity[j.a], v + impulse * j.push_a[row], w + impulse * j.turn_a[row]);
  }
  if (j.b != kWorldBody) {
    get_velocity(velocity[j.b], v, w);
    set_velocity(velocity[j.b], v + impulse * j.push_b[row], w + impulse * j.turn_b[row]);
  }
}

template <int D>
void JointSolver<D>::warm_start(std::span<BodyVelocity<D>> velocity) const {
  for (const Solved& j : solved_)
    for (int r = 0; r < j.rows; ++r)
      if (j.lambda[r] != 0) push(j, r, j.lambda[r], velocity);
}

template <int D>
double JointSolver<D>::sweep(std::span<BodyVelocity<D>> velocity) {
  double greatest = 0;
  for (Solved& j : solved_) {
    const int n = j.equalities;
    Eigen::Matrix<double, kEqualities, 1> off = Eigen::Matrix<double, kEqualities, 1>::Zero();
    for (int r = 0; r < n; ++r) off[r] = j.aim[r] - rate(j, r, velocity);
    const Eigen::Matrix<double, kEqualities, 1> step = j.inverse * off;
    for (int r = 0; r < j.rows; ++r) {
      if (j.k[r] <= 0) continue;
      double next = j.lambda[r];
      if (r < n) {
        next += step[r];
        greatest = std::max(greatest, std::abs(off[r]));
      } else if (drives(j.row[r].kind)) {
        next = std::clamp(next + (j.aim[r] - rate(j, r, velocity)) / j.k[r], -j.limit[r], j.limit[r]);
      } else if (std::isinf(j.aim[r])) {
        next = 0;
      } else {
        next = std::max(0.0, next + (j.aim[r] - rate(j, r, velocity)) / j.k[r]);
      }
      j.change[r] = next - j.lambda[r];
      j.lambda[r] = next;
      if (r >= n) greatest = std::max(greatest, std::abs(j.change[r]) * j.k[r]);
      if (j.change[r] != 0) push(j, r, j.change[r], velocity);
    }
  }
  return greatest;
}

// Conjugate to each other, as those of the contacts are (impulse_solve.cpp).
template <int D>
std::int64_t JointSolver<D>::sweep_to(double tolerance, std::int64_t most, std::span<BodyVelocity<D>> velocity) {
  double last_energy = 0;
  for (std::int64_t count = 1; count <= most; ++count) {
    if (sweep(velocity) <= tolerance) return count;
    const double energy = change_energy();
    const double factor = last_energy > 0 && energy <= last_energy ? energy / last_energy : 0.0;
    last_energy = energy;
    for (const Solved& j : solved_)
      for (int r = 0; r < j.rows && factor > 0; ++r) push(j, r, factor * j.direction[r], velocity);
    extrapolate(factor);
  }
  return most;
}

template <int D>
double JointSolver<D>::predict(const StepInput<D>& in, const State<D>& state,
                               std::span<const BodyVelocity<D>> velocity) {
  const auto moved = [&](std::uint32_t body) {
    BodyMotion<D> m = motion_of_body(state, body);
    if (body == kWorldBody) return m;
    get_velocity(velocity[body], m.velocity, m.angular_velocity);
    m.position += h_ * m.velocity;
    AngVec<D> turn = h_ * m.angular_velocity;
    if (in.bodies.dynamic(body))
      turn = free_turn(m.orientation, in.bodies.inertia[body], in.bodies.inv_inertia[body], m.angular_velocity, h_);
    m.orientation = rotate_by(turn, m.orientation);
    return m;
  };
  std::array<JointRow<D>, kRows> there;
  double worst = 0;
  for (std::size_t i = 0; i < solved_.size(); ++i) {
    Solved& j = solved_[i];
    const int rows = joint_rows(in.joints[i], moved(j.a), moved(j.b), std::span<JointRow<D>>(there));
    for (int r = 0; r < rows; ++r) {
      if (drives(there[r].kind) || j.k[r] <= 0) continue;
      const bool limit = there[r].kind != RowKind::kEquality;
      if (limit && j.lambda[r] == 0 && there[r].error > 0) continue;
      worst = std::max(worst, limit ? std::max(0.0, -there[r].error) : std::abs(there[r].error));
      j.aim[r] = rate(j, r, velocity) - there[r].error / h_;
    }
  }
  return worst;
}

template <int D>
void JointSolver<D>::clear_impulses() {
  for (Solved& j : solved_) j.lambda.fill(0), j.change.fill(0), j.direction.fill(0);
}

template <int D>
void JointSolver<D>::extrapolate(double factor) {
  for (Solved& j : solved_) {
    for (int r = 0; r < j.rows; ++r) {
      const double step = factor * j.direction[r];
      j.lambda[r] += step;
      j.direction[r] = step + j.change[r];
    }
  }
}

template <int D>
double JointSolver<D>::change_energy() const {
  double sum = 0;
  for (const Solved& j : solved_)
    for (int r = 0; r < j.rows; ++r) sum += j.change[r] * j.change[r] * j.k[r];
  return sum;
}

template <int D>
void JointSolver<D>::set_impulses(std::span<const double> impulses) {
  std::size_t next = 0;
  for (Solved& j : solved_)
    for (int r = 0; r < j.rows; ++r) j.lambda[r] = impulses[next++];
}

template <int D>
void JointSolver<D>::add_totals(const StepInput<D>& in, const State<D>& state) {
  for (std::size_t i = 0; i < solved_.size(); ++i) {
    const Solved& j = solved_[i];
    const std::size_t n = static_cast<std::size_t>(j.rows);
    const JointImpulse<D> p = joint_impulse(in.joints[i], state, std::span<const JointRow<D>>(j.row).first(n),
                                            std::span<const double>(j.lambda).first(n));
    totals_[i].linear += p.linear;
    totals_[i].angular += p.angular;
  }
}

template <int D>
void JointSolver<D>::body_impulses(std::span<BodyImpulse<D>> out) const {
  for (const Solved& j : solved_) {
    for (int r = 0; r < j.rows; ++r) {
      if (j.a != kWorldBody) {
        out[j.a].linear += j.lambda[r] * j.row[r].linear_a;
        out[j.a].angular += j.lambda[r] * j.row[r].angular_a;
      }
      if (j.b != kWorldBody) {
        out[j.b].linear += j.lambda[r] * j.row[r].linear_b;
        out[j.b].angular += j.lambda[r] * j.row[r].angular_b;
      }
    }
  }
}

template <int D>
void JointSolver<D>::remember(double h) {
  for (std::size_t i = 0; i < solved_.size(); ++i)
    for (int r = 0; r < kRows; ++r) forces_[i][r] = r < solved_[i].rows ? solved_[i].lambda[r] / h : 0.0;
}

template class JointSolver<2>;
template class JointSolver<3>;

}  // namespace touchstone
