#include "io/problem/problem_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/problem/lcp_file.h"
#include "io/problem/siconos_text.h"
#include "recording/fclib_file.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

SparseRows to_sparse(const FclibMatrix& a) {
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  if (a.nz >= 0) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(a.nz); ++k) entries.emplace_back(a.i[k], a.p[k], a.x[k]);
  } else {
    const std::int32_t outer = a.nz == -1 ? a.n : a.m;
    for (std::int32_t o = 0; o < outer; ++o)
      for (std::int32_t k = a.p[static_cast<std::size_t>(o)]; k < a.p[static_cast<std::size_t>(o) + 1]; ++k) {
        const std::int32_t inner = a.i[static_cast<std::size_t>(k)];
        entries.emplace_back(a.nz == -1 ? inner : o, a.nz == -1 ? o : inner, a.x[static_cast<std::size_t>(k)]);
      }
  }
  SparseRows out(a.m, a.n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// Part of a matrix, as compressed rows.
FclibMatrix to_fclib(const SparseRows& w, std::int64_t first_row, std::int64_t rows, std::int64_t first_col,
                     std::int64_t cols) {
  FclibMatrix out;
  out.m = static_cast<std::int32_t>(rows), out.n = static_cast<std::int32_t>(cols);
  out.p.push_back(0);
  for (std::int64_t i = first_row; i < first_row + rows; ++i) {
    for (SparseRows::InnerIterator it(w, i); it; ++it) {
      if (it.col() < first_col || it.col() >= first_col + cols) continue;
      out.i.push_back(static_cast<std::int32_t>(it.col() - first_col));
      out.x.push_back(it.value());
    }
    out.p.push_back(static_cast<std::int32_t>(out.x.size()));
  }
  return out;
}

void require_size(const std::string& path, const char* what, const FclibMatrix& a, std::size_t m, std::size_t n) {
  if (static_cast<std::size_t>(a.m) != m || static_cast<std::size_t>(a.n) != n)
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: {} is {} × {}; {} × {} fits the other sizes", path, what, a.m, a.n, m, n));
}

// [W V; Vᵀ R], which is the Delassus operator of contacts and equalities together.
LocalProblem local_of(const std::string& path, const FclibData& data) {
  LocalProblem out;
  out.dimension = data.dimension;
  out.mu = data.mu;
  out.q = data.q;
  out.w = to_sparse(data.w);
  if (data.s.empty()) return out;
  const std::size_t n = data.q.size(), e = data.s.size();
  require_size(path, "W", data.w, n, n);
  require_size(path, "V", data.v, n, e);
  require_size(path, "R", data.r, e, e);
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  const auto add = [&](const SparseRows& m, std::int64_t row, std::int64_t col, bool mirror) {
    for (std::int64_t i = 0; i < m.outerSize(); ++i)
      for (SparseRows::InnerIterator it(m, i); it; ++it) {
        entries.emplace_back(row + i, col + it.col(), it.value());
        if (mirror) entries.emplace_back(col + it.col(), row + i, it.value());
      }
  };
  const auto at = static_cast<std::int64_t>(n);
  add(out.w, 0, 0, false), add(to_sparse(data.v), 0, at, true), add(to_sparse(data.r), at, at, false);
  out.q.insert(out.q.end(), data.s.begin(), data.s.end());
  out.w.resize(at + static_cast<std::int64_t>(e), at + static_cast<std::int64_t>(e));
  out.w.setFromTriplets(entries.begin(), entries.end());
  return out;
}

ProblemFile from_fclib(const std::string& path) {
  const FclibData data = read_fclib(path);
  ProblemFile out;
  out.notes = data.notes;
  out.format = data.global ? "fclib global" : "fclib local";
  if (data.global)
    out.data = to_problem({data.dimension, to_sparse(data.mass), to_sparse(data.h), data.f, data.bias, data.mu}, path,
                          out.notes);
  else
    out.data = to_problem(local_of(path, data), path, out.notes);
  const auto take = [&](const char* what, const std::vector<double>& r, std::vector<double>& to) {
    const std::size_t rows = out.data.restitution.size();
    if (r.empty() || std::all_of(r.begin(), r.end(), [](double x) { return x == 0; })) return;  // nothing is known
    if (r.size() != rows)
      out.notes.push_back(
          fmt::format("{} has {} numbers and the problem {} rows: it is left out", what, r.size(), rows));
    else if (!std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); }))
      out.notes.push_back(fmt::format("{} is not finite: it is left out", what));
    else
      to = r;
  };
  take("the solution", data.solution, out.solution);
  take("the guess", data.guess, out.guess);
  return out;
}

bool ends_in(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

ProblemFile read_problem(const std::string& path) {
  if (is_hdf5(path)) return from_fclib(path);
  const std::string text = read_whole_file(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw Error(ErrorKind::kBadInput, path + ": is empty; no contact problem is in it");
  if (looks_like_lcp(text))
    throw Error(ErrorKind::kBadInput, path +
                                          ": is a linear complementarity problem, which has no contacts; only "
                                          "`touchstone problem solve` takes it");
  if (text[first] == 't') return parse_problem_text(path, text);
  if (text[first] < '0' || text[first] > '9')
    throw Error(ErrorKind::kBadInput, path +
                                          ": is no contact problem: neither one of ours (it would begin with "
                                          "'touchstone-problem'), nor Siconos' text, nor FCLIB's HDF5");
  ProblemFile out;
  out.format = "siconos text";
  const auto problem = parse_siconos_text(path, text, out.notes);
  if (std::holds_alternative<GlobalProblem>(problem)) out.format = "siconos text, global";
  out.data = std::visit([&](const auto& p) { return to_problem(p, path, out.notes); }, problem);
  return out;
}

ProblemNotes write_problem(const std::string& path, const ProblemFile& file) {
  ProblemNotes notes;
  if (!ends_in(path, ".hdf5") && !ends_in(path, ".h5")) {
    write_whole_file(path, problem_text(file));
    return notes;
  }
  const LocalProblem local = to_local(file.data.view(), notes);
  const auto n = static_cast<std::int64_t>(local.mu.size()) * local.dimension,
             all = static_cast<std::int64_t>(local.q.size());
  if (all >= INT32_MAX || local.w.nonZeros() >= INT32_MAX)
    throw Error(ErrorKind::kUnsupported, path + ": the problem is too large for FCLIB's 32 bits");
  FclibData data;
  data.dimension = local.dimension;
  data.mu = local.mu;
  data.q.assign(local.q.begin(), local.q.begin() + n);
  data.s.assign(local.q.begin() + n, local.q.end());
  data.w = to_fclib(local.w, 0, n, 0, n);
  data.v = to_fclib(local.w, 0, n, n, all - n);
  data.r = to_fclib(local.w, n, all - n, n, all - n);
  write_fclib(path, data);
  return notes;
}

}  // namespace touchstone
