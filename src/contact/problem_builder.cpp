// Purpose: builds the rows of a velocity-level problem: contacts with their frames, gaps and laws, joints with their
//   errors, and the masses and velocities of the bodies between them.
// Source: own; rows of joints are those of dynamics/joints/joint.h.
// Letters: docs/conventions.md.
// Deviations: -
// Fails: never; a contact or joint between bodies that do not move gets a block without cliques.
#include "contact/problem_builder.h"

#include "contact/contact_frame.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace touchstone {
namespace {

constexpr std::uint64_t kJointKey = std::uint64_t{1} << 63, kCoordinateKey = std::uint64_t{3} << 62;

template <int D>
inline constexpr std::uint32_t kBodySize = static_cast<std::uint32_t>(D + kAngular<D>);

// A row d·(v + ω×r) of a body, or minus that.
template <int D>
void put_row(double* row, const Vec<D>& linear, const AngVec<D>& angular) {
  for (int k = 0; k < D; ++k) row[k] = linear[k];
  for (int k = 0; k < kAngular<D>; ++k) row[D + k] = angular[k];
}

BlockKind block_kind(RowKind kind) {
  if (kind == RowKind::kEquality) return BlockKind::kEquality;
  return drives(kind) ? BlockKind::kMotor : BlockKind::kLimit;
}

// What an error of position asks for within h.
double correction_of(double gap, double h, double part, double most) {
  return gap > 0 ? gap / h : std::max(part * gap / h, -most);
}

}  // namespace

template <int D>
void ProblemBuilder<D>::add_body(const ProblemInput<D>& in, std::uint32_t i) {
  constexpr std::uint32_t kSize = kBodySize<D>;
  clique_of_[i] = static_cast<std::uint32_t>(data_.cliques.size());
  body_of_.push_back(i);
  const Clique c = data_.add_clique(kSize);
  const AngMat<D> inertia = rotate_moments(in.state.orientation[i], in.bodies.inertia[i]);
  const AngMat<D> inverse = rotate_moments(in.state.orientation[i], in.bodies.inv_inertia[i]);
  for (std::uint32_t k = 0; k < D; ++k) {
    data_.mass[c.mass + k * kSize + k] = in.bodies.mass[i];
    data_.inverse_mass[c.mass + k * kSize + k] = in.bodies.inv_mass[i];
  }
  for (std::uint32_t k = 0; k < kAngular<D>; ++k) {
    for (std::uint32_t l = 0; l < kAngular<D>; ++l) {
      const std::uint32_t at = c.mass + (D + k) * kSize + D + l;
      data_.mass[at] = inertia(k, l);
      data_.inverse_mass[at] = inverse(k, l);
    }
  }
  put_row<D>(&data_.start_velocity[c.first], in.before[i].linear, in.before[i].angular);
  put_row<D>(&data_.free_velocity[c.first], in.free[i].linear, in.free[i].angular);
}

template <int D>
void ProblemBuilder<D>::add_bodies(const ProblemInput<D>& in) {
  clique_of_.assign(in.bodies.size(), Clique::kNone);
  body_of_.clear();
  for (const MechanismInput<D>& m : in.mechanisms)
    for (const std::uint32_t body : m.mechanism->bodies()) clique_of_[body] = 0;  // until it is known which
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i)
    if (in.bodies.dynamic(i) && clique_of_[i] == Clique::kNone) add_body(in, i);
}

template <int D>
void ProblemBuilder<D>::add_mechanisms(const ProblemInput<D>& in) {
  mechanisms_.clear();
  for (const MechanismInput<D>& m : in.mechanisms) {
    const auto index = static_cast<std::uint32_t>(data_.cliques.size());
    for (const std::uint32_t body : m.mechanism->bodies()) clique_of_[body] = index;
    mechanisms_.push_back(m.mechanism);
    const Clique c = data_.add_clique(m.mechanism->mass());
    std::copy(m.before.begin(), m.before.end(), &data_.start_velocity[c.first]);
    std::copy(m.free.begin(), m.free.end(), &data_.free_velocity[c.first]);
  }
}

template <int D>
void ProblemBuilder<D>::put_side(std::uint32_t body, std::uint32_t offset, std::uint32_t i, const Vec<D>& linear,
                                 const AngVec<D>& angular) {
  const std::uint32_t clique = clique_of_[body];
  if (clique < body_of_.size()) return put_row<D>(&data_.jacobian[offset + i * kBodySize<D>], linear, angular);
  const std::uint32_t size = data_.cliques[clique].size;
  mechanisms_[clique - body_of_.size()]->add_row(body, linear, angular, {&data_.jacobian[offset + i * size], size});
}

// Whether a contact can move along its normal. Joints may forbid it, as those of a planar mechanism do across its
// plane: what is left of the row is rounding, and what is asked of it would make impulses without bound.
template <int D>
bool ProblemBuilder<D>::gives_way(const RowBlock& block) const {
  constexpr double kRounding = 1e-8, kNothing = 1e-20;  // of the squares of all rows; of squares [m²]
  double normal = 0, all = 0;
  bool mechanism = false;
  for (const auto& [clique, offset] :
       {std::pair{block.clique_a, block.jacobian_a}, {block.clique_b, block.jacobian_b}}) {
    if (clique == Clique::kNone) continue;
    mechanism |= clique >= body_of_.size();
    const std::uint32_t size = data_.cliques[clique].size;
    for (std::uint32_t k = 0; k < D * size; ++k) {
      const double square = data_.jacobian[offset + k] * data_.jacobian[offset + k];
      all += square;
      if (k < size) normal += square;
    }
  }
  return !mechanism || normal > kRounding * all + kNothing;
}

template <int D>
void ProblemBuilder<D>::add_contact(const ProblemInput<D>& in, const SolvedContact<D>& contact) {
  const Contact<D>& c = contact.contact;
  const std::uint32_t a = clique_of_[c.body_a], b = clique_of_[c.body_b];
  RowBlock& block = data_.add_block(BlockKind::kContact, D, a, b);
  block.key = c.key;
  block.contact = static_cast<std::uint32_t>(data_.contacts.size());
  const Mat<D> frame = frame_of_normal(c.normal);
  const Vec<D> arm_a = c.point - in.state.position[c.body_a], arm_b = c.point - in.state.position[c.body_b];
  const auto at = [](const Twist<D>& t, const Vec<D>& arm) -> Vec<D> { return t.linear + cross(t.angular, arm); };
  Vec<D> surface = contact.surface_velocity;
  if (!in.impact) surface += contact.return_velocity;
  if (a == Clique::kNone) surface -= at(in.free[c.body_a], arm_a);
  if (b == Clique::kNone) surface += at(in.free[c.body_b], arm_b);
  for (std::uint32_t i = 0; i < D; ++i) {
    const Vec<D> d = frame.col(i);
    if (a != Clique::kNone) put_side(c.body_a, block.jacobian_a, i, -d, AngVec<D>(-torque_of(arm_a, d)));
    if (b != Clique::kNone) put_side(c.body_b, block.jacobian_b, i, d, AngVec<D>(torque_of(arm_b, d)));
    data_.surface[block.first_row + i] = d.dot(surface);
    guess_.push_back(d.dot(contact.impulse));
  }
  ContactLaw law;
  law.frame.template topLeftCorner<D, D>() = frame;
  const bool fixed = !gives_way(block);
  if (fixed) block.clique_a = block.clique_b = Clique::kNone;
  law.gap = fixed ? std::max(c.gap, 0.0) : c.gap;
  law.static_friction = contact.material.static_friction;
  law.dynamic_friction = contact.material.dynamic_friction;
  law.restitution = contact.restitution;
  law.normal_velocity_before =
      c.normal.dot(at(in.before[c.body_b], arm_b) - at(in.before[c.body_a], arm_a) + contact.surface_velocity);
  if (!fixed) data_.restitution[block.first_row] = law.restitution * std::min(0.0, law.normal_velocity_before);
  if (fixed) std::fill_n(&data_.surface[block.first_row], D, 0.0);
  if (!in.impact && !fixed) data_.correction[block.first_row] = correction_of(c.gap, in.h, in.push_part, in.push_speed);
  data_.contacts.push_back(law);
}

template <int D>
void ProblemBuilder<D>::set_joint_row(const ProblemInput<D>& in, const Joint<D>& joint, const JointRow<D>& row,
                                      const RowBlock& block, std::uint32_t i) {
  double surface = 0;
  const auto put = [&](std::uint32_t body, std::uint32_t offset, const Vec<D>& linear, const AngVec<D>& angular) {
    if (body == kWorldBody) return;
    if (clique_of_[body] != Clique::kNone)
      put_side(body, offset, i, linear, angular);
    else
      surface += linear.dot(in.free[body].linear) + angular.dot(in.free[body].angular);
  };
  put(joint.body_a, block.jacobian_a, row.linear_a, row.angular_a);
  put(joint.body_b, block.jacobian_b, row.linear_b, row.angular_b);
  data_.surface[block.first_row + i] = surface;
  set_bounds(in, block.first_row + i, row.kind, row.target_speed, row.max_force, row.error, row.rate_bias);
}

template <int D>
void ProblemBuilder<D>::set_bounds(const ProblemInput<D>& in, std::uint32_t at, RowKind kind, double target_speed,
                                   double max_force, double error, double rate_bias) {
  if (drives(kind)) {
    const double most = in.impact || !in.motors ? 0.0 : max_force * in.h;
    data_.surface[at] -= target_speed;
    data_.lower[at] = -most, data_.upper[at] = most;
  } else if (in.impact) {
    if (kind != RowKind::kEquality) data_.correction[at] = std::max(0.0, error) / in.h;
  } else {
    data_.correction[at] = error / in.h + 0.5 * in.h * rate_bias;  // C after h, to second order
  }
}

template <int D>
void ProblemBuilder<D>::add_joint(const ProblemInput<D>& in, std::size_t index) {
  const Joint<D>& joint = in.joints[index];
  const auto motion = [&](std::uint32_t body) -> BodyMotion<D> {
    if (body == kWorldBody) return {};
    return {in.state.position[body], in.state.orientation[body], in.free[body].linear, in.free[body].angular};
  };
  const auto clique = [&](std::uint32_t body) { return body == kWorldBody ? Clique::kNone : clique_of_[body]; };
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  const std::uint32_t count =
      static_cast<std::uint32_t>(joint_rows<D>(joint, motion(joint.body_a), motion(joint.body_b), rows));
  joints_.push_back(
      {static_cast<std::uint32_t>(data_.restitution.size()), static_cast<std::uint32_t>(rows_.size()), count});
  rows_.insert(rows_.end(), rows.begin(), rows.begin() + count);
  for (std::uint32_t i = 0; i < count;) {
    const JointRow<D>& first = rows[i];
    std::uint32_t end = i + 1;
    while (first.kind == RowKind::kEquality && end < count && end < i + 3 && rows[end].kind == first.kind &&
           rows[end].angular == first.angular)
      ++end;
    RowBlock& block = data_.add_block(block_kind(first.kind), end - i, clique(joint.body_a), clique(joint.body_b));
    block.key = kJointKey | std::uint64_t{index} << 8 | i;
    for (std::uint32_t k = i; k < end; ++k) set_joint_row(in, joint, rows[k], block, k - i);
    i = end;
  }
}

template <int D>
void ProblemBuilder<D>::add_coordinate(const ProblemInput<D>& in, std::size_t index) {
  const CoordinateRow& row = in.coordinates[index];
  const auto clique = static_cast<std::uint32_t>(body_of_.size()) + row.mechanism;
  RowBlock& block = data_.add_block(block_kind(row.kind), 1, Clique::kNone, clique);
  block.key = kCoordinateKey | std::uint64_t{index} << 8;
  std::copy(row.jacobian.begin(), row.jacobian.end(), &data_.jacobian[block.jacobian_b]);
  set_bounds(in, block.first_row, row.kind, row.target_speed, row.max_force, row.error, 0.0);
}

template <int D>
ContactProblem ProblemBuilder<D>::build(const ProblemInput<D>& in) {
  data_.clear();
  joints_.clear();
  rows_.clear();
  guess_.clear();
  data_.h = in.h;
  add_bodies(in);
  add_mechanisms(in);
  for (const SolvedContact<D>& c : in.contacts) add_contact(in, c);
  joint_row_ = data_.restitution.size();
  for (std::size_t i = 0; i < in.joints.size(); ++i) add_joint(in, i);
  coordinate_row_ = data_.restitution.size();
  for (std::size_t i = 0; i < in.coordinates.size(); ++i) add_coordinate(in, i);
  guess_.resize(data_.restitution.size(), 0.0);
  if (in.joint_guess.size() == coordinate_row_ - joint_row_)
    std::copy(in.joint_guess.begin(), in.joint_guess.end(), guess_.begin() + static_cast<std::ptrdiff_t>(joint_row_));
  if (in.coordinate_guess.size() == guess_.size() - coordinate_row_)
    std::copy(in.coordinate_guess.begin(), in.coordinate_guess.end(),
              guess_.begin() + static_cast<std::ptrdiff_t>(coordinate_row_));
  const bool equations = std::any_of(in.coordinates.begin(), in.coordinates.end(),
                                     [](const CoordinateRow& r) { return r.kind == RowKind::kEquality; });
  filtered_ = (!in.joints.empty() || equations) && filter_.load(data_.view());
  if (filtered_) filter_loops();
  return data_.view();
}

// Of what joints ask for: their errors, and the velocities with which they came. Forces of the step stay: where a
// linkage is nearly straight they do make great impulses.
template <int D>
void ProblemBuilder<D>::filter_loops() {
  const ContactProblem p = data_.view();
  relative_.resize(p.rows());
  multiply_jacobian(p, p.start_velocity, relative_);
  for (std::size_t i = 0; i < relative_.size(); ++i) relative_[i] += p.bias(i);
  asked_ = relative_;
  filter_.apply(p, asked_);
  for (std::size_t i = joint_row_; i < relative_.size(); ++i) data_.correction[i] += asked_[i] - relative_[i];
}

template <int D>
double ProblemBuilder<D>::aim_joints(std::span<const Joint<D>> joints, const State<D>& predicted,
                                     std::span<const double> v, std::span<const double> coordinates) {
  relative_.resize(data_.restitution.size());
  multiply_jacobian(data_.view(), v, relative_);
  asked_.assign(data_.restitution.size(), 0.0);
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joint_rows<D>(joints[j], predicted, rows);
    for (std::uint32_t i = 0; i < joints_[j].count; ++i) asked_[joints_[j].first_row + i] = rows[i].error;
  }
  for (std::size_t i = 0; i < coordinates.size(); ++i) asked_[coordinate_row_ + i] = coordinates[i];
  if (filtered_) filter_.apply(data_.view(), asked_);
  double worst = 0;
  const auto aim = [&](std::size_t at, bool equality) {
    data_.correction[at] = asked_[at] / data_.h - relative_[at] - data_.surface[at];
    worst = std::max(worst, equality ? std::abs(asked_[at]) : -asked_[at]);
  };
  for (const RowBlock& b : data_.blocks)  // those of coordinates have one row
    if (b.first_row >= coordinate_row_ && !coordinates.empty() && b.kind != BlockKind::kMotor)
      aim(b.first_row, b.kind == BlockKind::kEquality);
  for (const OneJoint& j : joints_) {
    for (std::uint32_t i = 0; i < j.count; ++i) {
      const RowKind kind = rows_[j.first + i].kind;
      if (drives(kind)) continue;
      aim(j.first_row + i, kind == RowKind::kEquality);
    }
  }
  return worst;
}

template <int D>
typename ProblemBuilder<D>::Shift ProblemBuilder<D>::build_shift(std::span<const double> v, double push_part,
                                                                 double push_speed) {
  relative_.resize(data_.restitution.size());
  multiply_jacobian(data_.view(), v, relative_);
  shift_ = data_;
  const auto none = [](std::vector<double>& x) { std::fill(x.begin(), x.end(), 0.0); };
  none(shift_.start_velocity), none(shift_.free_velocity);
  none(shift_.restitution), none(shift_.correction), none(shift_.surface);
  Shift out;
  for (const RowBlock& b : shift_.blocks) {
    const std::size_t i = b.first_row;
    if (b.kind == BlockKind::kContact) {
      ContactLaw& law = shift_.contacts[b.contact];
      const double gap = law.gap + data_.h * (relative_[i] + data_.surface[i]);
      law.static_friction = law.dynamic_friction = 0;
      shift_.correction[i] = correction_of(gap, data_.h, push_part, push_speed);
      out.deepest = std::max(out.deepest, -gap);
    } else if (b.kind == BlockKind::kLimit) {
      shift_.correction[i] = std::max(0.0, relative_[i] + data_.surface[i] + data_.correction[i]);
    } else if (b.kind == BlockKind::kMotor) {
      shift_.lower[i] = shift_.upper[i] = 0;
    }
  }
  out.problem = shift_.view();
  return out;
}

template class ProblemBuilder<2>;
template class ProblemBuilder<3>;

}  // namespace touchstone
