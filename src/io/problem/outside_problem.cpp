// Purpose: takes foreign problems into our form. A local problem has no bodies, so parts of W that touch each other
//   become cliques with M⁻¹ = W and J = 1, which is exact to the last bit; a global one has its bodies in the blocks of
//   M.
// Source: FCLIB [acary2014] for the two forms.
// Letters: W Delassus operator, q free relative velocity, M mass, H = Jᵀ, f momentum without contacts, w bias.
// Deviations: (1) M of a clique that is made of W is W's pseudo-inverse: W is singular wherever a body has more
//   contact points than it needs, and u stays within the range of W. (2) Where a contact of a global problem touches
//   more than two blocks of M, these become one.
// Fails: a W that is not symmetric, or indefinite, is taken as it is and noted; an M that is not positive definite is
//   refused.
#include "io/problem/outside_problem.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "contact/islands.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Rows of a clique at most: its matrices are dense, and their offsets 32 bits wide.
constexpr std::int64_t kMostRows = 20000;
// Relative to the greatest entry or eigenvalue: a matrix printed with seven digits, as Siconos does, has errors of
// 1e-7.
constexpr double kPrinted = 1e-6;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", name, what));
}

void check_numbers(const std::string& name, const char* what, const std::vector<double>& values, std::size_t expected) {
  if (values.size() != expected)
    refuse(name,
           fmt::format("{} has {}; {} belong to the other sizes", what, counted(values.size(), "number"), expected));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) refuse(name, fmt::format("{}[{}] is {}; it must be finite", what, i, values[i]));
}

void check_matrix(const std::string& name, const char* what, const SparseRows& m, std::int64_t rows,
                  std::int64_t cols) {
  if (m.rows() != rows || m.cols() != cols)
    refuse(name, fmt::format("{} is {} × {}; {} × {} fits the other sizes", what, m.rows(), m.cols(), rows, cols));
  for (std::int64_t i = 0; i < m.outerSize(); ++i)
    for (SparseRows::InnerIterator it(m, i); it; ++it)
      if (!std::isfinite(it.value()))
        refuse(name, fmt::format("{}({}, {}) is {}; it must be finite", what, i, it.col(), it.value()));
}

void check_friction(const std::string& name, const std::vector<double>& mu) {
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (!(mu[i] >= 0)) refuse(name, fmt::format("mu[{}] is {}; friction must be 0 or more", i, mu[i]));
}

void note_asymmetry(const char* what, const SparseRows& m, ProblemNotes& notes) {
  const SparseRows other = m.transpose();
  const SparseRows difference = m - other;
  double apart = 0, greatest = 0;
  for (std::int64_t i = 0; i < difference.nonZeros(); ++i) apart = std::max(apart, std::abs(difference.valuePtr()[i]));
  for (std::int64_t i = 0; i < m.nonZeros(); ++i) greatest = std::max(greatest, std::abs(m.valuePtr()[i]));
  if (apart > kPrinted * greatest)
    notes.push_back(
        fmt::format("{} is not symmetric: entries differ by up to {:.2g} of the greatest", what, apart / greatest));
}

// Which indices belong to which clique: parts in the order of their lowest index.
struct Parts {
  std::vector<std::uint32_t> clique, place;  // by index
  std::vector<std::vector<std::int64_t>> members;
};
Parts parts_of(Islands& islands, std::size_t n) {
  Parts out;
  out.clique.resize(n), out.place.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t root = islands.root(i);
    if (root == i) out.members.emplace_back();
    out.clique[i] = root == i ? static_cast<std::uint32_t>(out.members.size() - 1) : out.clique[root];
    out.place[i] = static_cast<std::uint32_t>(out.members[out.clique[i]].size());
    out.members[out.clique[i]].push_back(i);
  }
  return out;
}

Eigen::MatrixXd dense_part(const SparseRows& m, const Parts& parts, std::size_t clique) {
  const std::vector<std::int64_t>& members = parts.members[clique];
  const auto n = static_cast<Eigen::Index>(members.size());
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (SparseRows::InnerIterator it(m, members[static_cast<std::size_t>(i)]); it; ++it)
      out(i, parts.place[static_cast<std::size_t>(it.col())]) = it.value();
  return out;
}

void store(const Eigen::MatrixXd& m, double* out) {
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index k = 0; k < m.cols(); ++k) *out++ = m(i, k);
}

struct Rank {
  std::int64_t missing = 0;
  double least = 0;  // eigenvalue, relative to the greatest
};
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& m, Rank& rank) {
  const Eigen::MatrixXd symmetric = 0.5 * (m + m.transpose());
  const Eigen::LLT<Eigen::MatrixXd> cholesky(symmetric);
  if (cholesky.info() == Eigen::Success && cholesky.rcond() > 1e-10)
    return cholesky.solve(Eigen::MatrixXd::Identity(m.rows(), m.cols()));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(symmetric);
  const double greatest = eigen.eigenvalues().cwiseAbs().maxCoeff();
  Eigen::VectorXd inverse = eigen.eigenvalues();
  for (double& x : inverse) {
    if (greatest > 0) rank.least = std::min(rank.least, x / greatest);
    const bool counts = x > 1e-10 * greatest;
    rank.missing += !counts;
    x = counts ? 1 / x : 0.0;
  }
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

RowBlock& add_contact(ProblemData& data, std::uint32_t rows, std::uint32_t a, std::uint32_t b, double mu) {
  RowBlock& block = data.add_block(BlockKind::kContact, rows, a, b);
  block.key = data.blocks.size() - 1;
  block.contact = static_cast<std::uint32_t>(data.contacts.size());
  ContactLaw law;
  law.static_friction = law.dynamic_friction = mu;
  data.contacts.push_back(law);
  return block;
}

// Foreign problems do not tell their step. Nothing depends on it but gaps, which they do not have.
constexpr double kSomeStep = 1;

void check_size(const std::string& name, const Parts& parts) {
  std::uint64_t numbers = 0;
  for (const auto& members : parts.members) {
    if (static_cast<std::int64_t>(members.size()) > kMostRows)
      refuse(name, fmt::format("{} rows hang together; a clique takes {} at most", members.size(), kMostRows));
    numbers += members.size() * members.size();
  }
  if (numbers >= std::uint64_t{1} << 32) refuse(name, "it is too large: its cliques have more than 2^32 numbers");
}

}  // namespace

ProblemData to_problem(const LocalProblem& local, const std::string& name, ProblemNotes& notes) {
  const auto d = static_cast<std::size_t>(local.dimension);
  const std::size_t n = local.q.size(), contacts = local.mu.size();
  check_numbers(name, "q", local.q, n);
  check_friction(name, local.mu);
  if (n < contacts * d)
    refuse(name, fmt::format("q has {}; {} have {}", counted(n, "number"), counted(contacts, "contact"), contacts * d));
  check_matrix(name, "W", local.w, static_cast<std::int64_t>(n), static_cast<std::int64_t>(n));
  note_asymmetry("W", local.w, notes);
  Islands islands;
  islands.reset(n);
  for (std::size_t i = 0; i < contacts * d; ++i)
    islands.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i - i % d));
  for (std::int64_t i = 0; i < local.w.outerSize(); ++i)
    for (SparseRows::InnerIterator it(local.w, i); it; ++it)
      islands.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(it.col()));
  const Parts parts = parts_of(islands, n);
  check_size(name, parts);
  ProblemData data;
  data.h = kSomeStep;
  Rank rank;
  for (std::size_t c = 0; c < parts.members.size(); ++c) {
    const Clique clique = data.add_clique(static_cast<std::uint32_t>(parts.members[c].size()));
    const Eigen::MatrixXd w = dense_part(local.w, parts, c);
    store(w, &data.inverse_mass[clique.mass]);
    store(pseudo_inverse(w, rank), &data.mass[clique.mass]);
    for (std::uint32_t k = 0; k < clique.size; ++k)
      data.free_velocity[clique.first + k] = local.q[static_cast<std::size_t>(parts.members[c][k])];
  }
  data.start_velocity = data.free_velocity;
  if (rank.missing > 0)
    notes.push_back(
        fmt::format("W has rank {} of {}: impulses are not unique", static_cast<std::int64_t>(n) - rank.missing, n));
  if (rank.least < -kPrinted)
    notes.push_back(fmt::format("W is indefinite: an eigenvalue is {:.2g} of the greatest", rank.least));
  for (std::size_t i = 0; i < n;) {
    const bool contact = i < contacts * d;
    const std::uint32_t rows = contact ? static_cast<std::uint32_t>(d) : 1;
    RowBlock& block = contact ? add_contact(data, rows, Clique::kNone, parts.clique[i], local.mu[i / d])
                              : data.add_block(BlockKind::kEquality, rows, Clique::kNone, parts.clique[i]);
    block.key = data.blocks.size() - 1;
    for (std::uint32_t k = 0; k < rows; ++k)
      data.jacobian[block.jacobian_b + k * data.cliques[block.clique_b].size + parts.place[i + k]] = 1;
    i += rows;
  }
  return data;
}

namespace {

// Cliques of a global problem: blocks of M, joined until no contact has more than two.
Parts bodies_of(const GlobalProblem& g, const SparseRows& jacobian) {
  Islands islands;
  islands.reset(g.f.size());
  for (std::int64_t i = 0; i < g.mass.outerSize(); ++i)
    for (SparseRows::InnerIterator it(g.mass, i); it; ++it)
      if (it.value() != 0) islands.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(it.col()));
  // Diagonal masses: the axes of a body are still one clique where a contact turns and moves them together. Contacts
  // touch the velocities of a body in turn, so what a contact touches is cut where the numbers jump.
  const auto d = static_cast<std::int64_t>(g.dimension);
  for (std::int64_t first = 0; first + d <= jacobian.rows(); first += d) {
    std::vector<std::uint32_t> touched;
    for (std::int64_t i = first; i < first + d; ++i)
      for (SparseRows::InnerIterator it(jacobian, i); it; ++it)
        if (it.value() != 0) touched.push_back(static_cast<std::uint32_t>(it.col()));
    std::sort(touched.begin(), touched.end());
    const auto body_size = static_cast<std::uint32_t>(d == 3 ? 6 : 3);
    const bool bodies = g.f.size() % body_size == 0;
    std::vector<std::uint32_t> roots;
    for (const std::uint32_t t : touched) {
      if (bodies) islands.join(t, t - t % body_size);
      roots.push_back(islands.root(t));
    }
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    for (std::size_t k = 2; k < roots.size(); ++k) islands.join(roots[1], roots[k]);
  }
  return parts_of(islands, g.f.size());
}

void put_contact(ProblemData& data, const SparseRows& jacobian, const Parts& parts, std::int64_t first,
                 const GlobalProblem& g) {
  std::uint32_t sides[2] = {Clique::kNone, Clique::kNone};
  for (std::int64_t i = first; i < first + g.dimension; ++i)
    for (SparseRows::InnerIterator it(jacobian, i); it; ++it) {
      const std::uint32_t c = parts.clique[static_cast<std::size_t>(it.col())];
      if (it.value() == 0 || c == sides[0] || c == sides[1]) continue;
      sides[sides[0] == Clique::kNone ? 0 : 1] = c;
    }
  const RowBlock block = add_contact(data, static_cast<std::uint32_t>(g.dimension), sides[0], sides[1],
                                     g.mu[static_cast<std::size_t>(first / g.dimension)]);
  for (std::uint32_t k = 0; k < block.rows; ++k) {
    const std::int64_t row = first + k;
    data.surface[block.first_row + k] = g.w[static_cast<std::size_t>(row)];
    for (SparseRows::InnerIterator it(jacobian, row); it; ++it) {
      if (it.value() == 0) continue;
      const auto col = static_cast<std::size_t>(it.col());
      const std::uint32_t offset = parts.clique[col] == sides[0] ? block.jacobian_a : block.jacobian_b;
      data.jacobian[offset + k * data.cliques[parts.clique[col]].size + parts.place[col]] = it.value();
    }
  }
}

}  // namespace

ProblemData to_problem(const GlobalProblem& g, const std::string& name, ProblemNotes& notes) {
  const auto n = static_cast<std::int64_t>(g.f.size()),
             rows = static_cast<std::int64_t>(g.mu.size()) * static_cast<std::int64_t>(g.dimension);
  check_numbers(name, "f", g.f, g.f.size());
  check_numbers(name, "w", g.w, static_cast<std::size_t>(rows));
  check_friction(name, g.mu);
  check_matrix(name, "M", g.mass, n, n);
  check_matrix(name, "H", g.h, n, rows);
  note_asymmetry("M", g.mass, notes);
  const SparseRows jacobian = g.h.transpose();
  const Parts parts = bodies_of(g, jacobian);
  check_size(name, parts);
  ProblemData data;
  data.h = kSomeStep;
  for (std::size_t c = 0; c < parts.members.size(); ++c) {
    const std::vector<std::int64_t>& members = parts.members[c];
    const Clique clique = data.add_clique(static_cast<std::uint32_t>(members.size()));
    const Eigen::MatrixXd m = dense_part(g.mass, parts, c);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(m);
    if (cholesky.info() != Eigen::Success)
      refuse(name, fmt::format("M is not positive definite in its block of velocity {}: a mass is zero or negative",
                               members.front()));
    Eigen::VectorXd f(m.rows());
    for (Eigen::Index k = 0; k < m.rows(); ++k)
      f[k] = g.f[static_cast<std::size_t>(members[static_cast<std::size_t>(k)])];
    const Eigen::VectorXd v = cholesky.solve(f);
    store(m, &data.mass[clique.mass]);
    store(cholesky.solve(Eigen::MatrixXd::Identity(m.rows(), m.cols())), &data.inverse_mass[clique.mass]);
    for (std::uint32_t k = 0; k < clique.size; ++k) data.free_velocity[clique.first + k] = v[k];
  }
  data.start_velocity = data.free_velocity;
  for (std::int64_t first = 0; first < rows; first += g.dimension) put_contact(data, jacobian, parts, first, g);
  return data;
}

}  // namespace touchstone
