#pragma once
// Linear complementarity problems as Siconos writes them into text: size, M, q. No contact problems, but solved by the
// same command (docs/problems.md).
#include <Eigen/Core>
#include <string>
#include <string_view>

namespace touchstone {

// w = M·z + q with w >= 0, z >= 0, zᵀw = 0.
struct LcpProblem {
  Eigen::MatrixXd m;
  Eigen::VectorXd q;
  std::string remark;  // what follows the numbers, or empty
};

// Whether a text begins as such a file does: n, storage type, n, n. No contact problem that is read here begins so.
bool looks_like_lcp(std::string_view text);

// Throws Error (kBadInput) that names the file and the line.
LcpProblem parse_lcp_text(const std::string& path, std::string_view text);

// Whether the file is one. Throws Error (kIo) if it cannot be read.
bool is_lcp_file(const std::string& path);
LcpProblem read_lcp_file(const std::string& path);

}  // namespace touchstone
