// A problem of ours as W, q and μ, for others.
#include <algorithm>

#include "io/problem/outside_problem.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Where each row of a problem goes: contacts first, of one size; then equalities.
struct Places {
  std::vector<std::int64_t> row;
  std::vector<double> mu;
  std::int64_t rows = 0;
  int dimension = 2;
};

double friction_of(const ContactLaw& law, bool& both) {
  both |= law.static_friction != law.dynamic_friction;
  return law.dynamic_friction;
}

Places places_of(const ContactProblem& p, ProblemNotes& notes) {
  Places out;
  out.row.resize(p.rows());
  bool limits = false, both = false;
  for (const RowBlock& b : p.blocks)
    if (b.kind == BlockKind::kContact) out.dimension = std::max(out.dimension, static_cast<int>(b.rows));
  for (const RowBlock& b : p.blocks) {
    if (b.kind == BlockKind::kMotor)
      throw Error(
          ErrorKind::kUnsupported,
          "the problem has motors, whose impulses are bounded; FCLIB cannot say that: write it as a .problem file");
    if (b.kind == BlockKind::kEquality) continue;
    for (std::uint32_t i = 0; i < b.rows; ++i) out.row[b.first_row + i] = out.rows + i;
    limits |= b.kind == BlockKind::kLimit;
    out.mu.push_back(b.kind == BlockKind::kContact ? friction_of(p.contacts[b.contact], both) : 0.0);
    out.rows += out.dimension;
  }
  for (const RowBlock& b : p.blocks)
    if (b.kind == BlockKind::kEquality)
      for (std::uint32_t i = 0; i < b.rows; ++i) out.row[b.first_row + i] = out.rows++;
  if (limits) notes.emplace_back("limits of joints are written as contacts without friction");
  if (both) notes.emplace_back("FCLIB has one coefficient of friction: the dynamic one was written");
  return out;
}

}  // namespace

LocalProblem to_local(const ContactProblem& problem, ProblemNotes& notes) {
  const Places places = places_of(problem, notes);
  LocalProblem out;
  out.dimension = places.dimension;
  out.mu = places.mu;
  std::vector<double> q(problem.rows());
  free_relative_velocity(problem, q);
  out.q.assign(static_cast<std::size_t>(places.rows), 0.0);
  for (std::size_t i = 0; i < q.size(); ++i) out.q[static_cast<std::size_t>(places.row[i])] = q[i];
  const SparseRows w = sparse_delassus(problem);
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  entries.reserve(static_cast<std::size_t>(w.nonZeros()));
  for (std::int64_t i = 0; i < w.outerSize(); ++i)
    for (SparseRows::InnerIterator it(w, i); it; ++it)
      entries.emplace_back(places.row[static_cast<std::size_t>(i)], places.row[static_cast<std::size_t>(it.col())],
                           it.value());
  out.w.resize(places.rows, places.rows);
  out.w.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace touchstone
