// Purpose: the impact of a pair of bodies, and of joints with it.
// Source: [thompson2003]: point masses (eqs. 16-20, six unknowns in 2D), rigid bodies (eqs. 21-24, eight), joints
//   (eqs. 47-54, five more for each body that a pin adds), "Bordered Diagonal Identity Matrix".
// Letters: v velocities before, v⁺ after, R impulses in world axes, n normal, W = M⁻¹, J Jacobian.
//     v⁺ − W·Jᵀ·R = v,    n·J·v⁺ = −e·n·J·v,    R − n·(n·R) = 0,    and of equalities  J·v⁺ = 0.
//   The paper's A is our B: it receives R.
// Deviations: (1) Each body has its own r⊥ and I in its momentum rows; the paper prints one for both. (2) The answer is
//   refined until rounding. (3) Other pairs follow, the fastest approach first; the paper's steps take one.
// Fails: contacts at which pairs press on each other for ever, as in a wedge, use up max_collisions.
#include "contact/solvers/bordered_impact.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;

bool collides(BlockKind kind) { return kind == BlockKind::kContact || kind == BlockKind::kLimit; }

// Columns: normal and tangents of a contact in world axes; otherwise the rows' own impulses.
RowMajor axes_of(const ContactProblem& p, const RowBlock& b) {
  if (b.kind != BlockKind::kContact || b.rows == 1) return RowMajor::Identity(b.rows, b.rows);
  return p.contacts[b.contact].frame.topLeftCorner(b.rows, b.rows);
}

// Of the first row, u.
double rate(const ContactProblem& p, const RowBlock& b, std::span<const double> v) {
  double out = p.surface[b.first_row] + p.correction[b.first_row];
  for (const auto& [clique, from] : {std::pair(b.clique_a, b.jacobian_a), std::pair(b.clique_b, b.jacobian_b)})
    for (std::uint32_t k = 0; clique != Clique::kNone && k < p.cliques[clique].size; ++k)
      out += p.jacobian[from + k] * v[p.cliques[clique].first + k];
  return out;
}

double restitution_of(const ContactProblem& p, const RowBlock& b) {
  return b.kind == BlockKind::kContact ? p.contacts[b.contact].restitution : 0.0;
}

}  // namespace

void BorderedImpact::add_border(const ContactProblem& p, std::uint32_t block) {
  const RowBlock& b = p.blocks[block];
  const auto velocities = static_cast<Eigen::Index>(p.velocities());
  const Eigen::Index first = borders_.empty() ? velocities
                                              : borders_.back().first + p.blocks[borders_.back().block].rows;
  borders_.push_back({block, first});
  const RowMajor axes = axes_of(p, b);
  const Eigen::Index held = collides(b.kind) ? 1 : b.rows;  // rows of J that say something of v⁺
  for (const auto& [clique, from] : {std::pair(b.clique_a, b.jacobian_a), std::pair(b.clique_b, b.jacobian_b)}) {
    if (clique == Clique::kNone) continue;
    const Clique& c = p.cliques[clique];
    const Eigen::Map<const RowMajor> w(&p.inverse_mass[c.mass], c.size, c.size), j(&p.jacobian[from], b.rows, c.size);
    Eigen::Map<RowMajor>(matrix_.add(c.first, first, c.size, b.rows).data(), c.size, b.rows) =
        -(w * j.transpose() * axes.transpose());
    Eigen::Map<RowMajor>(matrix_.add(first, c.first, held, c.size).data(), held, c.size) = j.topRows(held);
  }
  const Eigen::Index rest = b.rows - held;
  if (rest > 0)
    Eigen::Map<RowMajor>(matrix_.add(first + 1, first, rest, b.rows).data(), rest, b.rows) =
        axes.rightCols(rest).transpose();
}

void BorderedImpact::load(const ContactProblem& p, std::uint32_t block, std::span<const double> before) {
  Eigen::Index border = 0;
  const auto belongs = [&](std::uint32_t k) { return k == block || p.blocks[k].kind == BlockKind::kEquality; };
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k)
    if (belongs(k)) border += p.blocks[k].rows;
  const auto n = static_cast<Eigen::Index>(p.velocities());
  matrix_.clear(n, border);
  borders_.clear();
  add_border(p, block);
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k)
    if (k != block && belongs(k)) add_border(p, k);
  right_.setZero(n + border);
  std::copy(before.begin(), before.end(), right_.data());
  const RowBlock& hit = p.blocks[block];
  right_[n] = -restitution_of(p, hit) * rate(p, hit, before) - p.surface[hit.first_row] - p.correction[hit.first_row];
  for (std::size_t k = 1; k < borders_.size(); ++k) {
    const RowBlock& b = p.blocks[borders_[k].block];
    for (std::uint32_t i = 0; i < b.rows; ++i) right_[borders_[k].first + i] = -p.bias(b.first_row + i);
  }
}

// One pair: its velocities and impulses into the answer.
bool BorderedImpact::collide(const ContactProblem& p, std::uint32_t block, ContactSolution& out) {
  constexpr int kMostRefinements = 8;
  constexpr double kRounding = 1e-15;
  load(p, block, out.velocities);
  unknowns_.setZero(right_.size());
  unknowns_.head(static_cast<Eigen::Index>(p.velocities())) = right_.head(static_cast<Eigen::Index>(p.velocities()));
  matrix_.times(unknowns_, product_);
  rest_ = right_ - product_;
  const double scale = right_.norm();
  for (int k = 0; k < kMostRefinements && rest_.norm() > kRounding * scale; ++k) {
    const double before = rest_.norm();
    step_.setZero(right_.size());
    out.iterations += biconjugate_gradients(matrix_, rest_, {1e-12, 0, p.stop}, krylov_, step_).iterations;
    product_ = unknowns_ + step_;
    matrix_.times(product_, step_);
    if (!((right_ - step_).norm() < before)) break;
    unknowns_ = product_;
    rest_ = right_ - step_;
  }
  std::copy_n(unknowns_.data(), p.velocities(), out.velocities.begin());
  for (const Border& border : borders_) {
    const RowBlock& b = p.blocks[border.block];
    const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1> r =
        axes_of(p, b).transpose() * unknowns_.segment(border.first, b.rows);
    for (std::uint32_t i = 0; i < b.rows; ++i) out.impulses[b.first_row + i] += r[i];
  }
  constexpr double kSolved = 1e-9;
  return rest_.norm() <= kSolved * scale;
}

void BorderedImpact::solve(const ContactProblem& p, const BorderedOptions& options, ContactSolution& out) {
  out.status = SolveStatus::kConverged, out.reason = "", out.iterations = 0;
  out.velocities.assign(p.free_velocity.begin(), p.free_velocity.end());
  out.impulses.assign(p.rows(), 0.0);
  const std::int64_t most = options.max_collisions > 0 ? options.max_collisions
                                                       : 1000 * static_cast<std::int64_t>(p.contacts.size() + 1);
  for (std::int64_t k = 0; k <= most; ++k) {
    p.stop.check();
    std::uint32_t fastest = 0;
    out.residual = 0;
    for (std::uint32_t i = 0; i < p.blocks.size(); ++i) {
      const double approach = collides(p.blocks[i].kind) ? -rate(p, p.blocks[i], out.velocities) : 0.0;
      if (approach > out.residual) out.residual = approach, fastest = i;
    }
    if (out.residual <= options.tolerance) return;
    if (k == most) break;
    if (collide(p, fastest, out)) continue;
    out.status = SolveStatus::kStalled;
    out.reason = "a collision contradicts the joints of its bodies";
    return;
  }
  out.status = SolveStatus::kIterationLimit;
  out.reason = "pairs that collide in turn approach each other again and again";
}

}  // namespace touchstone
