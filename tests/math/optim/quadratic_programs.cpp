#include "math/optim/quadratic_programs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace touchstone::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

int pick(std::mt19937& random, int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }
double small_integer(std::mt19937& random, int most) { return pick(random, 2 * most + 1) - most; }

QuadraticProgram with_bounds(std::mt19937& random, const MatrixXd& q, int most_rows, bool feasible) {
  const Eigen::Index n = q.rows(), m = pick(random, most_rows + 1);
  MatrixXd a = MatrixXd::Zero(m, n);
  VectorXd inside(n);
  for (double& x : inside) x = small_integer(random, 4);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < n; ++j)
      if (pick(random, 5) < 3) a(i, j) = small_integer(random, 6);
    if (i > 0 && pick(random, 3) == 0) a.row(i) = small_integer(random, 2) * a.row(pick(random, static_cast<int>(i)));
  }
  QuadraticProgram p;
  p.q = q.sparseView(), p.a = a.sparseView();
  p.c.resize(n), p.lower.resize(m), p.upper.resize(m);
  for (double& x : p.c) x = small_integer(random, 8);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double value = feasible ? a.row(i).dot(inside) : small_integer(random, 9);
    const int kind = pick(random, 5);
    p.lower[i] = kind == 0 || kind == 3 ? value : kind == 1 ? -kInfinite : value - pick(random, 3);
    p.upper[i] = kind == 0 ? value : kind == 3 ? kInfinite : value + pick(random, 3);
  }
  return p;
}

struct Contact {  // at a point, of normal (nx, ny), from brick b (−1: the ground) to brick a
  int a, b;
  double x, y, nx, ny;
};

}  // namespace

QuadraticProgram random_program(std::mt19937& random, int most_variables, int most_rows, bool feasible) {
  const int n = 1 + pick(random, most_variables), rank = pick(random, n + 1);
  MatrixXd g = MatrixXd::Zero(rank, n);
  for (double& x : g.reshaped())
    if (pick(random, 5) < 3) x = small_integer(random, 6);
  return with_bounds(random, g.transpose() * g, most_rows, feasible);
}

QuadraticProgram random_strict_program(std::mt19937& random, int most_variables, int most_rows, bool feasible) {
  const int n = 1 + pick(random, most_variables);
  MatrixXd g = MatrixXd::Zero(n, n);
  for (double& x : g.reshaped())
    if (pick(random, 5) < 3) x = small_integer(random, 3);
  return with_bounds(random, g.transpose() * g + MatrixXd::Identity(n, n), most_rows, feasible);
}

QuadraticProgram wall_program(const Wall& wall) {
  const int bricks = wall.layers * wall.columns;
  const auto x_of = [&](int k) {
    return 2.0 * (k % wall.columns) + (wall.bonded && (k / wall.columns) % 2 ? 1.0 : 0.0);
  };
  const auto y_of = [&](int k) { return k / wall.columns + 0.5; };
  std::vector<Contact> contacts;
  for (int k = 0; k < bricks; ++k) {
    const int layer = k / wall.columns;
    const double x = x_of(k), y = y_of(k);
    if (layer == 0) {
      const double low = std::max(x - 1, wall.first_support), high = std::min(x + 1, wall.last_support);
      if (low < high) contacts.push_back({k, -1, low, 0, 0, 1}), contacts.push_back({k, -1, high, 0, 0, 1});
    }
    for (int j = std::max(0, layer - 1) * wall.columns; j < layer * wall.columns; ++j) {
      const double low = std::max(x, x_of(j)) - 1, high = std::min(x, x_of(j)) + 1;
      if (low < high) contacts.push_back({k, j, low, y - 0.5, 0, 1}), contacts.push_back({k, j, high, y - 0.5, 0, 1});
    }
    if (k % wall.columns > 0)
      for (const double side : {-0.5, 0.5}) contacts.push_back({k, k - 1, x - 1, y + side, 1, 0});
  }
  std::vector<Eigen::Triplet<double>> mass, rows;
  QuadraticProgram p;
  p.c.setZero(3 * bricks);
  for (int k = 0; k < bricks; ++k) {
    mass.emplace_back(3 * k, 3 * k, 2.0), mass.emplace_back(3 * k + 1, 3 * k + 1, 2.0);
    mass.emplace_back(3 * k + 2, 3 * k + 2, 2.0 * 5 / 12 * wall.unit * wall.unit);
    p.c[3 * k + 1] = 2 * 9.81;
  }
  const auto add = [&](int row, int brick, double sign, const Contact& c) {
    const double rx = wall.unit * (c.x - x_of(brick)), ry = wall.unit * (c.y - y_of(brick));
    const double entries[] = {sign * c.nx, sign * c.ny, sign * (rx * c.ny - ry * c.nx)};
    for (int k = 0; k < 3; ++k)
      if (entries[k] != 0) rows.emplace_back(row, 3 * brick + k, entries[k]);
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    add(static_cast<int>(i), contacts[i].a, 1, contacts[i]);
    if (contacts[i].b >= 0) add(static_cast<int>(i), contacts[i].b, -1, contacts[i]);
  }
  const Eigen::Index m = static_cast<Eigen::Index>(contacts.size());
  p.q.resize(3 * bricks, 3 * bricks), p.a.resize(m, 3 * bricks);
  p.q.setFromTriplets(mass.begin(), mass.end()), p.a.setFromTriplets(rows.begin(), rows.end());
  p.lower.setZero(m), p.upper.setConstant(m, kInfinite);
  return p;
}

double kkt_error(const QuadraticProgram& p, const VectorXd& x, const VectorXd& y) {
  const VectorXd ax = p.a * x, ax_size = p.a.cwiseAbs() * x.cwiseAbs();
  const VectorXd dual = p.q * x + p.c - p.a.transpose() * y;
  const VectorXd dual_size = p.q.cwiseAbs() * x.cwiseAbs() + p.c.cwiseAbs() + p.a.cwiseAbs().transpose() * y.cwiseAbs();
  double error = dual.size() > 0 ? dual.cwiseAbs().maxCoeff() / (1 + dual_size.maxCoeff()) : 0.0;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double size = 1 + ax_size[i], bound = y[i] > 0 ? p.lower[i] : p.upper[i];
    error = std::max({error, (p.lower[i] - ax[i]) / size, (ax[i] - p.upper[i]) / size});
    if (y[i] == 0) continue;
    const double away = std::isfinite(bound) ? std::abs(ax[i] - bound) / size : 1.0;
    error = std::max(error, std::min(away, std::abs(y[i]) / (1 + y.cwiseAbs().maxCoeff())));
  }
  return error;
}

}  // namespace touchstone::testing
