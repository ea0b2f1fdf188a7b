// Purpose: constraint forces at an instant.
// Source: [thompson2003, eqs. 34-41]: C(x) = 0, J·W·Jᵀ·λ = −J·W·F − J̇·v; [yang2020] for contacts: λ >= 0, d²φ/dt² >= 0.
// Letters: W = M⁻¹, F all other forces, λ forces of the constraints, a accelerations, u velocity at a contact,
//   κ its J̇·v, τ a lag of the order of the step.
//   Joints:    J·a + J̇·v + k_d/h·Ċ + k_s/h²·C = 0; k = 0 unless stabilisation is feedback.
//   Contacts:  Signorini's and Coulomb's laws between the force and u/τ + J·a + κ, which is the velocity a time τ ahead
//              over τ: a contact at rest may not approach, one that slides slower than friction can stop within τ
//              stops, one that slides faster slides against friction.
//   Motors:    J·a = (target − Ċ)/h, as far as their force goes.
// Deviations: (1) The paper knows equations only. (2) Feedback there has k/1, with a step of 1; here over h² and h.
// Fails: as newton_contact.cpp with contacts, as equality_system.cpp without.
#include "models/lagrange/stage_problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/contact_frame.h"

namespace touchstone {
namespace {

constexpr std::int64_t kMostIterations = 1000, kFirstSweeps = 100;  // of a stage

template <int D>
inline constexpr std::uint32_t kBodySize = static_cast<std::uint32_t>(D + kAngular<D>);

}  // namespace

// Cliques, with their masses at this orientation.
template <int D>
void StageProblem<D>::begin(const StepInput<D>& in, const State<D>& state) {
  constexpr std::uint32_t kSize = kBodySize<D>;
  data_.clear();
  data_.h = 1;
  data_.stop = in.stop;
  rows_.clear(), contact_row_.clear(), body_of_.clear();
  only_equalities_ = true;
  clique_of_.assign(in.bodies.size(), Clique::kNone);
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    clique_of_[i] = static_cast<std::uint32_t>(data_.cliques.size());
    body_of_.push_back(i);
    const Clique c = data_.add_clique(kSize);
    const AngMat<D> inertia = rotate_moments(state.orientation[i], in.bodies.inertia[i]);
    const AngMat<D> inverse = rotate_moments(state.orientation[i], in.bodies.inv_inertia[i]);
    for (std::uint32_t k = 0; k < D; ++k) {
      data_.mass[c.mass + k * kSize + k] = in.bodies.mass[i];
      data_.inverse_mass[c.mass + k * kSize + k] = in.bodies.inv_mass[i];
    }
    for (std::uint32_t k = 0; k < kAngular<D>; ++k)
      for (std::uint32_t l = 0; l < kAngular<D>; ++l) {
        const std::uint32_t at = c.mass + (D + k) * kSize + D + l;
        data_.mass[at] = inertia(k, l), data_.inverse_mass[at] = inverse(k, l);
      }
  }
}

// W·F, with the torque of a body that turns without one: −ω × I·ω.
template <int D>
void StageProblem<D>::set_free(const StepInput<D>& in, const State<D>& state, std::span<const Wrench<D>> wrench) {
  for (std::size_t c = 0; c < body_of_.size(); ++c) {
    const std::uint32_t i = body_of_[c];
    const auto frame = frame_of(state.orientation[i]);
    AngVec<D> torque = wrench[i].torque;
    if constexpr (D == 3) {
      const Vec<3>& w = state.angular_velocity[i];
      torque -= cross(w, apply_moments(frame, in.bodies.inertia[i], w));
    }
    put_twist<D>(in.bodies.inv_mass[i] * wrench[i].force, apply_moments(frame, in.bodies.inv_inertia[i], torque),
                 &data_.free_velocity[data_.cliques[c].first]);
  }
}

template <int D>
void StageProblem<D>::find_prescribed(const StepInput<D>& in, double time, double h) {
  prescribed_.clear();
  if (in.motions.empty()) return;
  constexpr double kPart = 1e-3;  // of the step, for a central difference
  const double d = kPart * h;
  prescribed_.resize(in.bodies.size());
  for (const auto& [body, motion] : in.motions) {
    const MotionSample<D> before = motion.at(time - d), after = motion.at(time + d);
    prescribed_[body] = {(after.velocity - before.velocity) / (2 * d),
                         (after.angular_velocity - before.angular_velocity) / (2 * d)};
  }
}

template <int D>
void StageProblem<D>::add_contact(const State<D>& state, const RestingContact<D>& c, double lag) {
  const Contact<D>& at = c.contact;
  const std::uint32_t a = clique_of_[at.body_a], b = clique_of_[at.body_b];
  only_equalities_ = false;
  RowBlock& block = data_.add_block(BlockKind::kContact, D, a, b);
  block.key = at.key;
  block.contact = static_cast<std::uint32_t>(data_.contacts.size());
  contact_row_.push_back(block.first_row);
  ContactLaw law;
  const Mat<D> frame = frame_of_normal(at.normal);
  law.frame.template topLeftCorner<D, D>() = frame;
  law.static_friction = c.material.static_friction, law.dynamic_friction = c.material.dynamic_friction;
  const Vec<D> arm_a = at.point - state.position[at.body_a], arm_b = at.point - state.position[at.body_b];
  Vec<D> known = c.velocity / lag + c.bend;
  if (!prescribed_.empty()) {
    const auto of = [&](std::uint32_t body, const Vec<D>& arm) -> Vec<D> {
      return prescribed_[body].linear + cross(prescribed_[body].angular, arm);
    };
    known += of(at.body_b, arm_b) - of(at.body_a, arm_a);
  }
  for (std::uint32_t i = 0; i < D; ++i) {
    const Vec<D> d = frame.col(i);
    if (a != Clique::kNone)
      put_twist<D>(-d, AngVec<D>(-torque_of(arm_a, d)), &data_.jacobian[block.jacobian_a + i * kBodySize<D>]);
    if (b != Clique::kNone)
      put_twist<D>(d, AngVec<D>(torque_of(arm_b, d)), &data_.jacobian[block.jacobian_b + i * kBodySize<D>]);
    data_.surface[block.first_row + i] = d.dot(known);
  }
  data_.contacts.push_back(law);
}

template <int D>
double StageProblem<D>::bias_of(const OneRow& one, const BodyMotion<D>& a, const BodyMotion<D>& b, double h) const {
  const JointRow<D>& row = one.row;
  const double rate = row_rate(row, a, b);
  if (drives(row.kind)) return (rate - row.target_speed) / h;
  double bias = row.rate_bias;
  if (row.kind != RowKind::kEquality) return bias + rate / h;
  if (options_.stabilisation == Stabilisation::kFeedback)
    bias += options_.velocity_feedback / h * rate + options_.position_feedback / (h * h) * row.error;
  return bias;
}

// Rows of one kind and unit as blocks of up to three.
template <int D>
void StageProblem<D>::add_rows(const StepInput<D>& in, std::uint32_t index, std::span<const JointRow<D>> rows,
                               BlockKind kind) {
  constexpr std::uint64_t kJointKey = std::uint64_t{1} << 63;
  const Joint<D>& joint = in.joints[index];
  const auto clique = [&](std::uint32_t body) { return body == kWorldBody ? Clique::kNone : clique_of_[body]; };
  only_equalities_ &= kind == BlockKind::kEquality;
  RowBlock& block =
      data_.add_block(kind, static_cast<std::uint32_t>(rows.size()), clique(joint.body_a), clique(joint.body_b));
  block.key = kJointKey | std::uint64_t{index} << 8 | block.first_row % 256;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const JointRow<D>& row = rows[i];
    const std::uint32_t at = block.first_row + i;
    rows_.push_back({index, at, row});
    double known = 0;
    const auto put = [&](std::uint32_t body, std::uint32_t c, std::uint32_t offset, const Vec<D>& linear,
                         const AngVec<D>& angular) {
      if (c != Clique::kNone)
        put_twist<D>(linear, angular, &data_.jacobian[offset + i * kBodySize<D>]);
      else if (body != kWorldBody && !prescribed_.empty())
        known += linear.dot(prescribed_[body].linear) + angular.dot(prescribed_[body].angular);
    };
    put(joint.body_a, block.clique_a, block.jacobian_a, row.linear_a, row.angular_a);
    put(joint.body_b, block.clique_b, block.jacobian_b, row.linear_b, row.angular_b);
    data_.surface[at] = known;
    if (drives(row.kind)) data_.lower[at] = -row.max_force, data_.upper[at] = row.max_force;
  }
}

template <int D>
void StageProblem<D>::add_joints(const StepInput<D>& in, const State<D>& state, double h) {
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  for (std::uint32_t k = 0; k < in.joints.size(); ++k) {
    const Joint<D>& joint = in.joints[k];
    const BodyMotion<D> a = motion_of_body(state, joint.body_a), b = motion_of_body(state, joint.body_b);
    const std::size_t count = static_cast<std::size_t>(joint_rows<D>(joint, a, b, rows)), first = rows_.size();
    for (std::size_t i = 0; i < count;) {
      std::size_t end = i + 1;
      const RowKind kind = rows[i].kind;
      while (kind == RowKind::kEquality && end < count && end < i + 3 && rows[end].kind == kind) ++end;
      const bool limit = kind == RowKind::kLower || kind == RowKind::kUpper;
      if (!limit || rows[i].error <= options_.touching)
        add_rows(in, k, std::span(rows).subspan(i, end - i),
                 limit          ? BlockKind::kLimit
                 : drives(kind) ? BlockKind::kMotor
                                : BlockKind::kEquality);
      i = end;
    }
    for (std::size_t i = first; i < rows_.size(); ++i) data_.surface[rows_[i].at] += bias_of(rows_[i], a, b, h);
  }
}

template <int D>
bool StageProblem<D>::solve_equalities() {
  const ContactProblem p = data_.view();
  solution_.velocities.assign(p.free_velocity.begin(), p.free_velocity.end());
  solution_.impulses.assign(p.rows(), 0.0);
  if (p.rows() == 0) return true;
  EqualitySystem& system = held_ ? projection_ : equalities_;
  if (!held_) system.load(p, options_.method);
  const Eigen::Map<const Eigen::VectorXd> free(p.free_velocity.data(), static_cast<Eigen::Index>(p.velocities())),
      known(p.surface.data(), static_cast<Eigen::Index>(p.rows()));
  response_ = free;
  system.rates(response_, right_);
  right_ = -(right_ + known);
  const double rounding = system.rounding_of(free) + std::numeric_limits<double>::epsilon() * known.norm();
  const EqualityAnswer answer = system.solve(right_, options_.tolerance, rounding, lambda_);
  iterations_ = answer.iterations;
  Eigen::Map<Eigen::VectorXd>(solution_.impulses.data(), lambda_.size()) = lambda_;
  system.respond(lambda_, response_);
  Eigen::Map<Eigen::VectorXd>(solution_.velocities.data(), response_.size()) += response_;
  if (answer.contradictory) reason_ = "joints ask for accelerations that contradict each other";
  return !answer.contradictory;
}

template <int D>
bool StageProblem<D>::solve(const StepInput<D>& in, double time, double h, const State<D>& state,
                            std::span<const Wrench<D>> wrench, std::span<const RestingContact<D>> contacts) {
  reason_ = "", iterations_ = 0;
  begin(in, state);
  set_free(in, state, wrench);
  find_prescribed(in, time, h);
  const double lag = in.integrator == Integrator::kRk4 ? 0.5 * h : h;  // stable: RK4 takes up to 2.7 of 1/lag
  for (const RestingContact<D>& c : contacts) add_contact(state, c, lag);
  add_joints(in, state, h);
  const bool solved = only_equalities_ && solve_equalities();
  held_ = false;
  if (only_equalities_) return solved;
  const ContactProblem p = data_.view();
  double scale = 0;
  for (const double a : p.free_velocity) scale = std::max(scale, std::abs(a));
  for (const double a : p.surface) scale = std::max(scale, std::abs(a));
  if (guess_.size() != p.rows()) make_guess(contacts);
  NewtonOptions options;
  options.tolerance = std::max(options_.contact_tolerance * scale, 1e-300);
  options.max_iterations = kMostIterations;
  options.first_sweeps = kFirstSweeps;
  contacts_.solve(p, options, guess_, solution_);
  guess_ = solution_.impulses;
  joint_guess_.assign(guess_.begin() + static_cast<std::ptrdiff_t>(D * contacts.size()), guess_.end());
  iterations_ = solution_.iterations;
  // Sweeps that came within a millionth are good enough for a stage: what they leave is stopped by the next impulses.
  const bool good = solution_.status == SolveStatus::kConverged || solution_.residual <= 1e-6 * scale;
  if (!good) reason_ = *solution_.reason ? solution_.reason : "forces of contacts at rest were not found";
  return good;
}

template <int D>
void StageProblem<D>::make_guess(std::span<const RestingContact<D>> contacts) {
  guess_.assign(data_.restitution.size(), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec<D> along = data_.contacts[i].frame.template topLeftCorner<D, D>().transpose() * contacts[i].force;
    std::copy_n(along.data(), D, guess_.begin() + contact_row_[i]);
  }
  const std::size_t first = D * contacts.size();
  if (joint_guess_.size() == guess_.size() - first)
    std::copy(joint_guess_.begin(), joint_guess_.end(), guess_.begin() + static_cast<std::ptrdiff_t>(first));
}

template <int D>
void StageProblem<D>::add_wrenches(const Bodies<D>& bodies, const State<D>& state, std::vector<Wrench<D>>& out) const {
  for (std::size_t c = 0; c < body_of_.size(); ++c) {
    const std::uint32_t i = body_of_[c], first = data_.cliques[c].first;
    const Twist<D> a = twist_at<D>(&solution_.velocities[first]), free = twist_at<D>(&data_.free_velocity[first]);
    out[i].force += bodies.mass[i] * (a.linear - free.linear);
    out[i].torque +=
        apply_moments(frame_of(state.orientation[i]), bodies.inertia[i], AngVec<D>(a.angular - free.angular));
  }
}

template <int D>
Vec<D> StageProblem<D>::contact_force(std::size_t contact) const {
  Vec<D> out = Vec<D>::Zero();
  for (int i = 0; i < D; ++i)
    out += data_.contacts[contact].frame.template topLeftCorner<D, D>().col(i) *
           solution_.impulses[contact_row_[contact] + static_cast<std::uint32_t>(i)];
  return out;
}

template <int D>
void StageProblem<D>::add_impulses(const StepInput<D>& in, const State<D>& state, double weight,
                                   std::span<const double> lambda, std::span<JointImpulse<D>> out) const {
  for (const OneRow& one : rows_) {
    const double impulse = weight * lambda[one.at];
    const JointImpulse<D> given =
        joint_impulse<D>(in.joints[one.joint], state, std::span(&one.row, 1), std::span(&impulse, 1));
    out[one.joint].linear += given.linear;
    out[one.joint].angular += given.angular;
  }
}

template <int D>
void StageProblem<D>::add_shares(double weight, std::span<const double> lambda, std::span<BodyImpulse<D>> out) const {
  for (const RowBlock& b : data_.blocks) {
    if (b.kind == BlockKind::kContact) continue;
    for (const auto& [clique, offset] : {std::pair(b.clique_a, b.jacobian_a), std::pair(b.clique_b, b.jacobian_b)}) {
      if (clique == Clique::kNone) continue;
      BodyImpulse<D>& to = out[body_of_[clique]];
      for (std::uint32_t i = 0; i < b.rows; ++i) {
        const Twist<D> j = twist_at<D>(&data_.jacobian[offset + i * kBodySize<D>]);
        const double impulse = weight * lambda[b.first_row + i];
        to.linear += impulse * j.linear, to.angular += impulse * j.angular;
      }
    }
  }
}

template <int D>
void StageProblem<D>::add_joint_impulses(const StepInput<D>& in, const State<D>& state, double weight,
                                         std::span<JointImpulse<D>> out) const {
  add_impulses(in, state, weight, solution_.impulses, out);
}

template <int D>
void StageProblem<D>::add_joint_shares(double weight, std::span<BodyImpulse<D>> out) const {
  add_shares(weight, solution_.impulses, out);
}

template <int D>
typename StageProblem<D>::Power StageProblem<D>::joint_power(const StepInput<D>& in, std::span<const Vec<D>> velocity,
                                                             std::span<const AngVec<D>> angular_velocity) const {
  Power out;
  for (const OneRow& one : rows_) {
    const double lambda = solution_.impulses[one.at];
    const auto along = [&](std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular) {
      if (body == kWorldBody) return;
      const double power = lambda * (linear.dot(velocity[body]) + angular.dot(angular_velocity[body]));
      if (clique_of_[body] != Clique::kNone) out.all += power;
      if (one.row.kind == RowKind::kMotor) out.motors += power;
    };
    along(in.joints[one.joint].body_a, one.row.linear_a, one.row.angular_a);
    along(in.joints[one.joint].body_b, one.row.linear_b, one.row.angular_b);
  }
  return out;
}

template class StageProblem<2>;
template class StageProblem<3>;

}  // namespace touchstone
