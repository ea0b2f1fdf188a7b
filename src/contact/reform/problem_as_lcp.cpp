// Purpose: writes a velocity-level problem with friction as a linear complementarity problem in normal impulses, the
//   impulses along the edges of friction pyramids, and slip speeds. Equalities are eliminated.
// Source: D. E. Stewart, J. C. Trinkle, Int. J. Numer. Meth. Engng 39 (1996); M. Anitescu, F. A. Potra, Nonlinear
//   Dynamics 14 (1997) [drumwright2009 section 2.4]:
//     0 <= u_N ⟂ r_N >= 0,   0 <= d_k·u_T + λ ⟂ β_k >= 0,   0 <= μ·r_N − Σβ_k ⟂ λ >= 0,   r_T = Σ β_k·d_k.
// Letters: d_k directions in the tangent plane, β_k impulses along them, λ the slip speed; W = J·M⁻¹·Jᵀ.
// Deviations:
//   (1) A limit is one unknown; a motor two: r = lower + z, 0 <= u + s ⟂ z >= 0, 0 <= upper − lower − z ⟂ s >= 0.
//   (2) Rows of equalities that repeat others are left out; where they contradict those, the residual shows it.
//   (3) μ above 1e6 is taken as that.
//   (4) A contact may be given as sliding (Baraff's accelerations): r_T = −μ_d·r_N·t, one unknown, and a matrix that is
//       no longer symmetric in the impulses, nor copositive: there may be no answer (Painlevé).
// Fails: never by itself. Without (4) the matrix is copositive, for which Lemke's method finds an answer if the normals
// let all
//   contacts open at once.
#include "contact/reform/problem_as_lcp.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touchstone {
namespace {

constexpr double kMostFriction = 1e6;
// Of a diagonal entry of W: a row of an equality that has less left beside the rows before it repeats them.
constexpr double kRepeats = 1e-10;

}  // namespace

ProblemAsLcp::Effect ProblemAsLcp::effect_of(const ContactProblem& p, const RowBlock& b, const Eigen::Vector3d& d) {
  Effect e;
  const std::uint32_t cliques[2] = {b.clique_a, b.clique_b}, jacobians[2] = {b.jacobian_a, b.jacobian_b};
  for (int s = 0; s < 2; ++s) {
    e.clique[s] = cliques[s];
    if (cliques[s] == Clique::kNone) continue;
    const Clique& c = p.cliques[cliques[s]];
    const std::size_t at = effects_.size();
    e.momentum[s] = static_cast<std::uint32_t>(at);
    effects_.resize(at + 2 * c.size, 0.0);
    for (std::uint32_t k = 0; k < c.size; ++k)
      for (std::uint32_t i = 0; i < b.rows; ++i) effects_[at + k] += d[i] * p.jacobian[jacobians[s] + i * c.size + k];
    p.mass_of(c).solve(&effects_[at], &effects_[at + c.size]);
  }
  for (std::uint32_t i = 0; i < b.rows; ++i) e.bias += d[i] * p.bias(b.first_row + i);
  return e;
}

// How much the relative velocity of a changes by a unit of the impulse of b.
double ProblemAsLcp::product(const Effect& a, const Effect& b, const ContactProblem& p) const {
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      if (a.clique[s] == Clique::kNone || a.clique[s] != b.clique[t]) continue;
      const std::uint32_t size = p.cliques[a.clique[s]].size;
      for (std::uint32_t k = 0; k < size; ++k) sum += effects_[a.momentum[s] + k] * effects_[b.momentum[t] + size + k];
    }
  }
  return sum;
}

double ProblemAsLcp::free_velocity(const Effect& e, const ContactProblem& p) const {
  double sum = e.bias;
  for (int s = 0; s < 2; ++s) {
    if (e.clique[s] == Clique::kNone) continue;
    const Clique& c = p.cliques[e.clique[s]];
    for (std::uint32_t k = 0; k < c.size; ++k) sum += effects_[e.momentum[s] + k] * base_[c.first + k];
  }
  return sum;
}

void ProblemAsLcp::add_contact(const ContactProblem& p, std::uint32_t block, int facets, FrictionUse use,
                               const Eigen::Vector2d& slide) {
  const RowBlock& b = p.blocks[block];
  const ContactLaw& law = p.contacts[b.contact];
  const double friction =
      std::min(kMostFriction, use == FrictionUse::kStatic ? law.static_friction : law.dynamic_friction);
  const std::uint32_t normal = static_cast<std::uint32_t>(unknowns_.size());
  unknowns_.push_back({Kind::kNormal, block, Eigen::Vector3d::UnitX(), normal});
  if (b.rows > 1 && !slide.isZero(0)) {
    unknowns_.back().slide = -std::min(kMostFriction, law.dynamic_friction) * slide;
    return;
  }
  if (b.rows == 1 || !(friction > 0)) return;
  const std::uint32_t count = b.rows == 2 ? 2 : static_cast<std::uint32_t>(facets);
  const std::uint32_t slip = normal + 1 + count;
  for (std::uint32_t k = 0; k < count; ++k) {
    const double a = 2 * std::numbers::pi * k / count;
    const Eigen::Vector3d d = b.rows == 2 ? Eigen::Vector3d(0, k ? -1 : 1, 0)  //
                                          : Eigen::Vector3d(0, std::cos(a), std::sin(a));
    unknowns_.push_back({Kind::kFriction, block, d, slip});
  }
  unknowns_.push_back({Kind::kSlip, block, Eigen::Vector3d::Zero(), normal, count, friction});
}

void ProblemAsLcp::add_bounded(const ContactProblem& p, std::uint32_t block) {
  const std::uint32_t row = p.blocks[block].first_row, at = static_cast<std::uint32_t>(unknowns_.size());
  const double low = p.lower[row], high = p.upper[row];
  const bool from_low = std::isfinite(low);
  const double start = from_low ? low : high;
  if (start != 0) constants_.emplace_back(row, start);
  if (low == high) return;
  const bool both = from_low && std::isfinite(high);
  const Eigen::Vector3d d = (from_low ? 1.0 : -1.0) * Eigen::Vector3d::UnitX();
  unknowns_.push_back({Kind::kSide, block, d, both ? at + 1 : at});
  if (both) unknowns_.push_back({Kind::kRange, block, Eigen::Vector3d::Zero(), at, 0, high - low});
}

void ProblemAsLcp::set_base(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  base_.assign(p.free_velocity.begin(), p.free_velocity.end());
  if (constants_.empty()) return;
  for (const std::uint32_t block : blocks) {
    const RowBlock& b = p.blocks[block];
    for (const auto& [row, impulse] : constants_) {
      if (row != b.first_row) continue;
      const Effect e = effect_of(p, b, Eigen::Vector3d::UnitX());
      for (int s = 0; s < 2; ++s) {
        if (e.clique[s] == Clique::kNone) continue;
        const Clique& c = p.cliques[e.clique[s]];
        for (std::uint32_t k = 0; k < c.size; ++k) base_[c.first + k] += impulse * effects_[e.momentum[s] + c.size + k];
      }
    }
  }
}

void ProblemAsLcp::build(const ContactProblem& p, std::span<const std::uint32_t> blocks, int facets,
                         std::span<const FrictionUse> use, std::span<const Eigen::Vector2d> slides) {
  unknowns_.clear(), of_unknown_.clear(), of_equality_.clear();
  equality_row_.clear(), constants_.clear(), effects_.clear();
  facets = std::clamp(facets, kLeastFacets, kMostFacets) / 2 * 2;
  for (const std::uint32_t block : blocks) {
    const RowBlock& b = p.blocks[block];
    if (b.clique_a == Clique::kNone && b.clique_b == Clique::kNone) continue;
    const bool without_bounds =
        b.kind == BlockKind::kEquality || (std::isinf(p.lower[b.first_row]) && std::isinf(p.upper[b.first_row]));
    if (b.kind == BlockKind::kContact) {
      add_contact(p, block, facets, use.empty() ? FrictionUse::kStatic : use[b.contact],
                  slides.empty() ? Eigen::Vector2d(Eigen::Vector2d::Zero()) : slides[b.contact]);
    } else if (without_bounds) {
      for (std::uint32_t i = 0; i < b.rows; ++i) {
        equality_row_.push_back(b.first_row + i);
        of_equality_.push_back(effect_of(p, b, Eigen::Vector3d::Unit(static_cast<Eigen::Index>(i))));
      }
    } else {
      add_bounded(p, block);
    }
  }
  set_base(p, blocks);
  fill(p);
  factor_equalities(p);
  eliminate_equalities(p);
}

std::size_t ProblemAsLcp::size_of(const ContactProblem& p, std::span<const std::uint32_t> blocks, int facets) {
  std::size_t sum = 0;
  for (const std::uint32_t k : blocks) {
    const RowBlock& b = p.blocks[k];
    if (b.kind == BlockKind::kContact)
      sum += b.rows == 1 ? 1 : 2 + (b.rows == 2 ? 2 : static_cast<std::size_t>(facets));
    else
      sum += b.kind == BlockKind::kMotor ? 2 : b.rows;
  }
  return sum;
}

void ProblemAsLcp::fill(const ContactProblem& p) {
  const std::size_t n = unknowns_.size();
  matrix_.assign(n * n, 0.0);
  vector_.assign(n, 0.0);
  of_unknown_.resize(n), of_act_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Unknown& u = unknowns_[i];
    of_unknown_[i] = of_act_[i] = Effect{};
    if (u.impulse()) {
      of_unknown_[i] = effect_of(p, p.blocks[u.block], u.direction);
      of_act_[i] = u.slide.isZero(0) ? of_unknown_[i] : effect_of(p, p.blocks[u.block], u.act());
      vector_[i] = free_velocity(of_unknown_[i], p);
      if (u.kind == Kind::kFriction || (u.kind == Kind::kSide && u.partner != i)) matrix_[i + n * u.partner] = 1;
    } else if (u.kind == Kind::kSlip) {
      matrix_[i + n * u.partner] = u.number;
      for (std::size_t k = i - u.count; k < i; ++k) matrix_[i + n * k] = -1;
    } else {
      matrix_[i + n * u.partner] = -1;
      vector_[i] = u.number;
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (!unknowns_[j].impulse()) continue;
    for (std::size_t i = 0; i <= j; ++i) {
      if (!unknowns_[i].impulse()) continue;
      matrix_[i + n * j] = product(of_unknown_[i], of_act_[j], p);
      const bool same = unknowns_[i].slide.isZero(0) && unknowns_[j].slide.isZero(0);
      if (i != j) matrix_[j + n * i] = same ? matrix_[i + n * j] : product(of_unknown_[j], of_act_[i], p);
    }
  }
}

// W_ee = L·Lᵀ without the rows that repeat others; right_ = L⁻¹·q_e.
void ProblemAsLcp::factor_equalities(const ContactProblem& p) {
  const std::size_t m = of_equality_.size();
  factor_.assign(m * m, 0.0);
  right_.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    double* row = &factor_[i * m];
    const double whole = product(of_equality_[i], of_equality_[i], p);
    double left = whole, sum_q = free_velocity(of_equality_[i], p);
    for (std::size_t j = 0; j < i; ++j) {
      if (factor_[j * m + j] == 0) continue;
      double sum = product(of_equality_[i], of_equality_[j], p);
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * factor_[j * m + k];
      row[j] = sum / factor_[j * m + j];
      left -= row[j] * row[j];
      sum_q -= row[j] * right_[j];
    }
    if (!(left > kRepeats * whole)) {
      std::fill(row, row + m, 0.0);
      continue;
    }
    row[i] = std::sqrt(left);
    right_[i] = sum_q / row[i];
  }
}

// L⁻¹·W_e of these effects, one column an unknown.
void ProblemAsLcp::mix(const ContactProblem& p, const std::vector<Effect>& effects, std::vector<double>& mixed) const {
  const std::size_t n = unknowns_.size(), m = of_equality_.size();
  mixed.assign(n * m, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    if (!unknowns_[j].impulse()) continue;
    double* column = &mixed[j * m];
    for (std::size_t i = 0; i < m; ++i) {
      if (factor_[i * m + i] == 0) continue;
      double sum = product(of_equality_[i], effects[j], p);
      for (std::size_t k = 0; k < i; ++k) sum -= factor_[i * m + k] * column[k];
      column[i] = sum / factor_[i * m + i];
    }
  }
}

// W_cc − W_ce·W_ee⁻¹·W_ec and q_c − W_ce·W_ee⁻¹·q_e.
void ProblemAsLcp::eliminate_equalities(const ContactProblem& p) {
  const std::size_t n = unknowns_.size(), m = of_equality_.size();
  mixed_act_.clear();
  if (m == 0) return;
  mix(p, of_unknown_, mixed_);
  mix(p, of_act_, mixed_act_);
  for (std::size_t j = 0; j < n; ++j) {
    if (!unknowns_[j].impulse()) continue;
    const double* act = &mixed_act_[j * m];
    for (std::size_t i = 0; i < n; ++i) {
      if (!unknowns_[i].impulse()) continue;
      double sum = 0;
      for (std::size_t k = 0; k < m; ++k) sum += mixed_[i * m + k] * act[k];
      matrix_[i + n * j] -= sum;
    }
    for (std::size_t k = 0; k < m; ++k) vector_[j] -= mixed_[j * m + k] * right_[k];
  }
}

// What rounding lets stand out of a pyramid is cut off: the part that remains.
double ProblemAsLcp::within_pyramid(std::span<const double> z, const Unknown& slip, std::size_t at, double rounding) {
  double sum = 0;
  for (std::size_t k = at - slip.count; k < at; ++k) sum += z[k];
  const double most = z[slip.partner] > rounding ? slip.number * z[slip.partner] : 0.0;
  return sum > most ? most / sum : 1.0;
}

void ProblemAsLcp::read_impulses(const ContactProblem& p, std::span<const double> z, std::span<double> impulses) {
  const std::size_t n = unknowns_.size(), m = of_equality_.size();
  for (const Unknown& u : unknowns_)
    for (std::uint32_t i = 0; i < p.blocks[u.block].rows; ++i) impulses[p.blocks[u.block].first_row + i] = 0;
  for (const auto& [row, impulse] : constants_) impulses[row] = impulse;
  const double rounding = n > 0 ? 1e-15 * *std::max_element(z.begin(), z.end()) : 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const Unknown& u = unknowns_[j];
    if (!u.impulse()) continue;
    double impulse = z[j] > rounding ? z[j] : 0.0;
    if (u.kind == Kind::kFriction) impulse *= within_pyramid(z, unknowns_[u.partner], u.partner, rounding);
    const RowBlock& b = p.blocks[u.block];
    const Eigen::Vector3d act = u.act();
    for (std::uint32_t i = 0; i < b.rows; ++i) impulses[b.first_row + i] += impulse * act[i];
  }
  solved_.assign(m, 0.0);  // r_e = −L⁻ᵀ·(L⁻¹·q_e + L⁻¹·W_ec·z)
  for (std::size_t k = m; k-- > 0;) {
    if (factor_[k * m + k] == 0) continue;
    double sum = -right_[k];
    for (std::size_t j = 0; j < n; ++j) sum -= mixed_act_[j * m + k] * z[j];
    for (std::size_t l = k + 1; l < m; ++l) sum -= factor_[l * m + k] * solved_[l];
    solved_[k] = sum / factor_[k * m + k];
  }
  for (std::size_t k = 0; k < m; ++k) impulses[equality_row_[k]] = solved_[k];
}

double ProblemAsLcp::residual(const ContactProblem& p, std::span<const double> z, std::span<const double> u) const {
  double worst = 0;
  const std::size_t n = unknowns_.size();
  for (std::size_t j = 0; j < n; ++j) {
    const Unknown& unknown = unknowns_[j];
    const RowBlock& b = p.blocks[unknown.block];
    if (unknown.impulse()) {
      double w = 0;
      for (std::uint32_t i = 0; i < b.rows; ++i) w += unknown.direction[i] * u[b.first_row + i];
      if (unknown.kind == Kind::kFriction || unknown.partner != j) w += z[unknown.partner];
      const double weight = product(of_unknown_[j], of_unknown_[j], p);
      worst = std::max(worst, std::abs(std::min(w, weight * z[j])));
    } else {
      const std::size_t k = unknown.partner;
      double w = unknown.kind == Kind::kSlip ? unknown.number * z[k] : unknown.number - z[k];
      for (std::size_t i = j - unknown.count; i < j; ++i) w -= z[i];
      worst = std::max(worst, std::abs(std::min(product(of_unknown_[k], of_unknown_[k], p) * w, z[j])));
    }
  }
  for (const std::uint32_t row : equality_row_) worst = std::max(worst, std::abs(u[row]));
  return worst;
}

}  // namespace touchstone
