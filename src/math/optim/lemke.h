#pragma once
// Lemke's method for a linear complementarity problem of any matrix: follows a path of almost complementary bases.
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "base/stop.h"
#include "math/optim/lcp.h"

namespace touchstone {

struct LemkeOptions {
  std::int64_t max_pivots = 0;  // of one try; 0: 50·n + 100
  int tries = 4;                // with one covering vector after the other, and with M shifted
  double tolerance = 1e-9;      // on the residual of the scaled problem, whose q has the greatest entry 1
  bool lexicographic = true;    // false: the first row of the least ratio leaves, which may go round for ever
  StopFlag stop{};              // checked once a pivot
};

class Lemke {
 public:
  // z: the answer, or the best that was found. `cover`: positive, one a row, or nothing for ones. Nothing is allocated
  // once the largest problem has been seen, if z keeps its size.
  LcpAnswer solve(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                  const LemkeOptions& options, Eigen::Ref<Eigen::VectorXd> z,
                  const Eigen::Ref<const Eigen::VectorXd>& cover = Eigen::VectorXd());

 private:
  void scale(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q);
  void set_cover(const Eigen::Ref<const Eigen::VectorXd>& cover, int attempt);
  LcpStatus follow_path(const LemkeOptions& options, std::int64_t& pivots);
  void fill_tableau();
  std::size_t first_row() const;
  // The row that leaves when a column enters; n_ if none does.
  std::size_t leaving_row(std::size_t column, bool lexicographic);
  void keep_least(std::size_t key, std::size_t column);
  void pivot(std::size_t row, std::size_t column);
  void read_basis();
  bool polish();
  double residual_of(const std::vector<double>& z) const;
  double* row(std::size_t i) { return &tableau_[i * width_]; }
  const double* row(std::size_t i) const { return &tableau_[i * width_]; }

  std::size_t n_ = 0, width_ = 0;
  std::vector<double> scale_, m_, q_, cover_;  // the scaled problem, m_ by rows
  double q_scale_ = 1;
  double shift_ = 0;             // on the diagonal of the path's matrix
  std::vector<double> tableau_;  // columns: w, z, the artificial variable, the right-hand side
  std::vector<std::size_t> basis_, ties_, active_, nonzero_;
  std::vector<double> z_, best_, lu_, x_;
};

}  // namespace touchstone
