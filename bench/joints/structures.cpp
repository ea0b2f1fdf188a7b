#include "joints/structures.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

namespace touchstone::bench {
namespace {

using Eigen::Vector3d;

// Bodies of 1 kg and 1 m; in the plane 3 numbers each, in space 6.
class Maker {
 public:
  explicit Maker(std::uint32_t dimension) : dimension_(dimension) {
    data_.clear();
    data_.h = 1;
  }

  std::uint32_t add_body(const Vector3d& place) {
    const std::uint32_t size = dimension_ == 2 ? 3 : 6;
    const Clique c = data_.add_clique(size);
    for (std::uint32_t k = 0; k < size; ++k) {
      const double inertia = k < dimension_ ? 1.0 : 1.0 / 12;
      data_.mass[c.mass + k * size + k] = inertia, data_.inverse_mass[c.mass + k * size + k] = 1 / inertia;
    }
    places_.push_back(place);
    return static_cast<std::uint32_t>(places_.size() - 1);
  }
  const Vector3d& place(std::uint32_t body) const { return places_[body]; }

  // A point of a is a point of b: a pin or a ball.
  void pin(std::uint32_t a, std::uint32_t b, const Vector3d& at) {
    const RowBlock block = data_.add_block(BlockKind::kEquality, dimension_, a, b);
    for (std::uint32_t i = 0; i < dimension_; ++i)
      put(block, i, a, b, at, Vector3d::Unit(static_cast<Eigen::Index>(i)));
  }
  // Their middles stay apart as they are.
  void rod(std::uint32_t a, std::uint32_t b) {
    const RowBlock block = data_.add_block(BlockKind::kEquality, 1, a, b);
    const Vector3d along = (places_[b] - places_[a]).normalized();
    for (const auto& [body, first, sign] : {std::tuple(a, block.jacobian_a, -1.0), std::tuple(b, block.jacobian_b, 1.0)})
      put_row(first, places_[body], places_[body], sign * along);
  }
  double jitter() { return std::uniform_real_distribution<double>(-0.1, 0.1)(bits_); }
  ProblemData take() { return std::move(data_); }

 private:
  void put(const RowBlock& block, std::uint32_t i, std::uint32_t a, std::uint32_t b, const Vector3d& at,
           const Vector3d& along) {
    const std::uint32_t size = dimension_ == 2 ? 3 : 6;
    if (a != Clique::kNone) put_row(block.jacobian_a + i * size, places_[a], at, -along);
    if (b != Clique::kNone) put_row(block.jacobian_b + i * size, places_[b], at, along);
  }
  void put_row(std::uint32_t first, const Vector3d& middle, const Vector3d& at, const Vector3d& along) {
    const Vector3d turning = (at - middle).cross(along);
    for (std::uint32_t k = 0; k < dimension_; ++k) data_.jacobian[first + k] = along[k];
    if (dimension_ == 2) data_.jacobian[first + 2] = turning.z();
    for (std::uint32_t k = 0; dimension_ == 3 && k < 3; ++k) data_.jacobian[first + 3 + k] = turning[k];
  }

  std::uint32_t dimension_;
  ProblemData data_;
  std::vector<Vector3d> places_;
  std::mt19937 bits_{1};
};

ProblemData chain(std::uint32_t dimension, std::uint32_t rows, int times) {
  Maker m(dimension);
  Vector3d end = Vector3d::Zero();
  std::uint32_t before = Clique::kNone;
  for (std::uint32_t k = 0; k < rows / (dimension * static_cast<std::uint32_t>(times)); ++k) {
    const Vector3d half(0.5, m.jitter(), dimension == 3 ? m.jitter() : 0.0);
    const std::uint32_t body = m.add_body(end + half);
    for (int i = 0; i < times; ++i) m.pin(before, body, end);
    end += 2 * half, before = body;
  }
  return m.take();
}

ProblemData tree(std::uint32_t rows) {
  Maker m(2);
  for (std::uint32_t k = 0; k < rows / 2; ++k) {
    const std::uint32_t parent = k == 0 ? Clique::kNone : (k - 1) / 2;
    const Vector3d from = k == 0 ? Vector3d::Zero() : m.place(parent);
    const Vector3d half(k % 2 ? 0.5 : -0.5, -0.5 + m.jitter(), 0);
    m.pin(parent, m.add_body(from + 2 * half), from + half);
  }
  return m.take();
}

ProblemData ladder(std::uint32_t rows) {
  Maker m(2);
  std::uint32_t before = Clique::kNone;
  double x = 0;
  for (std::uint32_t k = 0; k < rows / 6 + 1; ++k, x += 1) {
    const std::uint32_t bar = m.add_body({x + 0.05, 0.5, 0});
    m.pin(Clique::kNone, bar, {x, 0, 0});
    if (k > 0) {
      const std::uint32_t top = m.add_body({x - 0.4, 1, 0});
      m.pin(before, top, {x - 0.9, 1, 0}), m.pin(top, bar, {x + 0.1, 1, 0});
    }
    before = bar;
  }
  return m.take();
}

ProblemData grid(std::uint32_t rows, bool pins) {
  Maker m(2);
  const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(rows / (pins ? 4.0 : 2.0)))) + 1;
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j) m.add_body({i + m.jitter(), j + m.jitter(), 0});
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    pins ? m.pin(a, b, 0.5 * (m.place(a) + m.place(b))) : m.rod(a, b);
  };
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t at = i * side + j;
      if (j + 1 < side) join(at, at + 1);
      if (i + 1 < side) join(at, at + side);
    }
  return m.take();
}

ProblemData hub(std::uint32_t rows) {
  Maker m(2);
  const std::uint32_t middle = m.add_body(Vector3d::Zero()), count = rows / 2;
  for (std::uint32_t k = 0; k < count; ++k) {
    const double angle = 6.283185307179586 * k / count;
    const Vector3d out(std::cos(angle), std::sin(angle), 0);
    m.pin(middle, m.add_body(1.5 * out), out);
  }
  return m.take();
}

}  // namespace

ProblemData make_structure(const std::string& name, std::uint32_t rows) {
  if (name == "chain") return chain(2, rows, 1);
  if (name == "chain_3d") return chain(3, rows, 1);
  if (name == "doubled") return chain(2, rows, 2);
  if (name == "tree") return tree(rows);
  if (name == "ladder") return ladder(rows);
  if (name == "net") return grid(rows, false);
  if (name == "plate") return grid(rows, true);
  if (name == "hub") return hub(rows);
  throw std::invalid_argument("no such structure: " + name);
}

}  // namespace touchstone::bench
