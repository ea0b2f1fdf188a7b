// Purpose: what a solution of a contact problem means to bodies, mechanisms, contacts and joints; the way back from
//   problem_builder.cpp.
// Letters: docs/conventions.md.
// Fails: never; solutions have the size of the problem.
#include "contact/problem_builder.h"

namespace touchstone {

template <int D>
void ProblemBuilder<D>::read_velocities(std::span<const double> v, std::span<Twist<D>> out) const {
  for (std::size_t c = 0; c < body_of_.size(); ++c) {
    const double* from = &v[data_.cliques[c].first];
    Twist<D>& t = out[body_of_[c]];
    for (int k = 0; k < D; ++k) t.linear[k] = from[k];
    for (int k = 0; k < kAngular<D>; ++k) t.angular[k] = from[D + k];
  }
}

template <int D>
std::span<const double> ProblemBuilder<D>::mechanism_velocities(std::size_t mechanism,
                                                                std::span<const double> v) const {
  const Clique& c = data_.cliques[body_of_.size() + mechanism];
  return v.subspan(c.first, c.size);
}

template <int D>
void ProblemBuilder<D>::add_mechanism_impulses(std::size_t mechanism, std::span<const double> impulses,
                                               std::span<double> out) const {
  const std::size_t clique = body_of_.size() + mechanism;
  const std::uint32_t size = data_.cliques[clique].size;
  for (const RowBlock& b : data_.blocks) {
    if (b.kind == BlockKind::kContact) continue;
    for (const auto& [side, offset] : {std::pair{b.clique_a, b.jacobian_a}, std::pair{b.clique_b, b.jacobian_b}}) {
      if (side != clique) continue;
      for (std::uint32_t i = 0; i < b.rows; ++i)
        for (std::uint32_t k = 0; k < size; ++k)
          out[k] += data_.jacobian[offset + i * size + k] * impulses[b.first_row + i];
    }
  }
}

template <int D>
Vec<D> ProblemBuilder<D>::contact_impulse(std::size_t contact, std::span<const double> impulses) const {
  Vec<D> out = Vec<D>::Zero();
  for (int i = 0; i < D; ++i)
    out += data_.contacts[contact].frame.template topLeftCorner<D, D>().col(i) *
           impulses[contact * D + static_cast<std::size_t>(i)];
  return out;
}

template <int D>
JointImpulse<D> ProblemBuilder<D>::joint_impulse(std::size_t index, const Joint<D>& joint, const State<D>& state,
                                                 std::span<const double> impulses) const {
  const OneJoint& j = joints_[index];
  return touchstone::joint_impulse<D>(joint, state, std::span(rows_).subspan(j.first, j.count),
                                      impulses.subspan(j.first_row, j.count));
}

template <int D>
typename ProblemBuilder<D>::JointWork ProblemBuilder<D>::joint_work(std::span<const Joint<D>> joints,
                                                                    std::span<const double> impulses,
                                                                    std::span<const Twist<D>> before,
                                                                    std::span<const Twist<D>> after) const {
  JointWork work;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const OneJoint& j = joints_[k];
    for (std::uint32_t i = 0; i < j.count; ++i) {
      const JointRow<D>& row = rows_[j.first + i];
      const double half = 0.5 * impulses[j.first_row + i];
      const auto along = [&](std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular) {
        if (body == kWorldBody) return;
        const double given = half * (linear.dot(before[body].linear + after[body].linear) +
                                     angular.dot(before[body].angular + after[body].angular));
        if (clique_of_[body] != Clique::kNone) work.all += given;
        if (row.kind == RowKind::kMotor) work.motors += given;
      };
      along(joints[k].body_a, row.linear_a, row.angular_a);
      along(joints[k].body_b, row.linear_b, row.angular_b);
    }
  }
  return work;
}

template <int D>
void ProblemBuilder<D>::add_joint_impulses(std::span<const double> impulses, std::span<BodyImpulse<D>> out) const {
  const auto add = [&](const RowBlock& b, std::uint32_t clique, std::uint32_t offset) {
    if (clique >= body_of_.size()) return;  // none, or a mechanism
    BodyImpulse<D>& to = out[body_of_[clique]];
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      const double* j = &data_.jacobian[offset + i * data_.cliques[clique].size];
      for (int k = 0; k < D; ++k) to.linear[k] += j[k] * impulses[b.first_row + i];
      for (int k = 0; k < kAngular<D>; ++k) to.angular[k] += j[D + k] * impulses[b.first_row + i];
    }
  };
  for (const RowBlock& b : data_.blocks) {
    if (b.kind == BlockKind::kContact) continue;
    add(b, b.clique_a, b.jacobian_a);
    add(b, b.clique_b, b.jacobian_b);
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                      \
  template void ProblemBuilder<D>::read_velocities(std::span<const double>, std::span<Twist<D>>) const;                \
  template std::span<const double> ProblemBuilder<D>::mechanism_velocities(std::size_t, std::span<const double>)       \
      const;                                                                                                           \
  template void ProblemBuilder<D>::add_mechanism_impulses(std::size_t, std::span<const double>, std::span<double>)     \
      const;                                                                                                           \
  template Vec<D> ProblemBuilder<D>::contact_impulse(std::size_t, std::span<const double>) const;                      \
  template JointImpulse<D> ProblemBuilder<D>::joint_impulse(std::size_t, const Joint<D>&, const State<D>&,             \
                                                            std::span<const double>) const;                            \
  template ProblemBuilder<D>::JointWork ProblemBuilder<D>::joint_work(                                                 \
      std::span<const Joint<D>>, std::span<const double>, std::span<const Twist<D>>, std::span<const Twist<D>>) const; \
  template void ProblemBuilder<D>::add_joint_impulses(std::span<const double>, std::span<BodyImpulse<D>>) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)

}  // namespace touchstone
