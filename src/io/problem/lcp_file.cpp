#include "io/problem/lcp_file.h"

#include <fmt/format.h>

#include "io/problem/siconos_matrix.h"
#include "recording/fclib_file.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Unknowns: pivoting keeps a dense tableau of 2n² numbers, which is 400 MB then.
constexpr std::uint64_t kMostUnknowns = 5000;

}  // namespace

// Friction-contact problems begin with two numbers instead of one. In sparse form the place of CSparse's line tells: a
// problem of one contact in 2D begins like a complementarity problem of size 2 in blocks.
bool looks_like_lcp(std::string_view text) {
  NumberReader in("", text);
  try {
    const std::uint64_t n = in.count("n", UINT32_MAX), storage = in.count("storage", UINT32_MAX);
    if (storage > 2 || in.count("rows", UINT32_MAX) != n || in.count("columns", UINT32_MAX) != n) return false;
    if (storage == 0) return true;
    in.word("the form or the number of blocks");
    const bool printed = in.word("a number, or CSparse's line") == "CSparse";
    return storage == 2 ? printed : !printed && in.word("a number, or CSparse's line") != "CSparse";
  } catch (const Error&) {
    return false;
  }
}

LcpProblem parse_lcp_text(const std::string& path, std::string_view text) {
  NumberReader in(path, text);
  const std::uint64_t n = in.count("the number of unknowns", kMostUnknowns);
  LcpProblem out;
  out.m = Eigen::MatrixXd(read_siconos_matrix(in, "M", n, "the number of unknowns is"));
  const std::vector<double> q = in.finites("an entry of q", n);
  out.q = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(n));
  while (!in.at_end()) {
    out.remark += (out.remark.empty() ? "" : " ") + in.rest_of_line();
  }
  return out;
}

bool is_lcp_file(const std::string& path) { return !is_hdf5(path) && looks_like_lcp(read_whole_file(path)); }

LcpProblem read_lcp_file(const std::string& path) { return parse_lcp_text(path, read_whole_file(path)); }

}  // namespace touchstone
