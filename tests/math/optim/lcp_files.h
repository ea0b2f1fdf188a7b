#pragma once
// Small helpers for complementarity problems in tests: answers by enumeration, and the text files of ../shared/data.
#include <Eigen/Dense>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace touchstone::testing {

struct Lcp {
  Eigen::MatrixXd m;
  Eigen::VectorXd q;
};

// All answers, one for each set of positive z (n small). Sets whose part of M is singular are left out.
inline std::vector<Eigen::VectorXd> all_answers(const Lcp& p) {
  std::vector<Eigen::VectorXd> out;
  const int n = static_cast<int>(p.q.size());
  for (unsigned set = 0; set < 1u << n; ++set) {
    std::vector<int> rows;
    for (int i = 0; i < n; ++i)
      if (set >> i & 1) rows.push_back(i);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    if (!rows.empty()) {
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(p.m(rows, rows));
      if (!lu.isInvertible()) continue;
      z(rows) = lu.solve(-p.q(rows));
    }
    const Eigen::VectorXd w = p.m * z + p.q;
    const double small = 1e-9 * (1 + p.q.cwiseAbs().maxCoeff());
    if (z.minCoeff() >= -small && w.minCoeff() >= -small) out.push_back(z);
  }
  return out;
}

inline Eigen::MatrixXd random_matrix(std::mt19937& engine, int rows, int columns) {
  std::uniform_real_distribution<double> real(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return real(engine); });
}

// Beside the source folder, or beside the folder that holds it.
inline std::filesystem::path shared_data() {
  const std::filesystem::path near = std::filesystem::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data";
  return std::filesystem::exists(near) ? near : std::filesystem::path(TOUCHSTONE_SOURCE_DIR) / "../../shared/data";
}

// The format of ../shared/data/README.md: size, matrix (dense by columns, or sparse blocks), vector.
inline Lcp read_lcp(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto integer = [&] {
    int x = 0;
    if (!(in >> x)) throw std::runtime_error("truncated: " + file.string());
    return x;
  };
  const auto number = [&] {
    double x = 0;
    if (!(in >> x)) throw std::runtime_error("truncated: " + file.string());
    return x;
  };
  const int n = integer(), type = integer(), rows = integer(), columns = integer();
  Lcp p{Eigen::MatrixXd::Zero(rows, columns), Eigen::VectorXd::Zero(n)};
  if (type == 0) {
    integer(), integer();
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) p.m(i, j) = number();
  } else {
    const int blocks = integer(), block_rows = integer(), block_columns = integer();
    std::vector<int> row_end(static_cast<std::size_t>(block_rows)), column_end(static_cast<std::size_t>(block_columns));
    for (int& x : row_end) x = integer();
    for (int& x : column_end) x = integer();
    std::vector<int> pointer(static_cast<std::size_t>(integer())), index(static_cast<std::size_t>(integer()));
    for (int& x : pointer) x = integer();
    for (int& x : index) x = integer();
    std::vector<std::pair<std::size_t, std::size_t>> place;  // of each block
    for (std::size_t r = 0; r + 1 < pointer.size(); ++r)
      for (int k = pointer[r]; k < pointer[r + 1]; ++k)
        place.emplace_back(r, static_cast<std::size_t>(index[static_cast<std::size_t>(k)]));
    for (int b = 0; b < blocks; ++b) {
      const auto [r, c] = place.at(static_cast<std::size_t>(integer()));
      for (int j = c ? column_end[c - 1] : 0; j < column_end[c]; ++j)
        for (int i = r ? row_end[r - 1] : 0; i < row_end[r]; ++i) p.m(i, j) = number();
    }
  }
  for (int i = 0; i < n; ++i) p.q[i] = number();
  return p;
}

}  // namespace touchstone::testing
