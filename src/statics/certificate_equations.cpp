#include "statics/certificate_equations.h"

namespace touchstone::statics::certificate {
namespace {

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Fraction along(const Row& row, const Vector& x) {
  Fraction sum = 0;
  for (const auto& [i, value] : row) sum += value * x[i];
  return sum;
}

}  // namespace

void Equations::add_side(std::size_t body, const Triple& linear, const Triple& angular, int sign, Row& row) const {
  if (body == kNobody || c_.bodies[body].held) return;
  const std::size_t first = c_.bodies[body].first;
  for (std::size_t k = 0; k < c_.dimension; ++k) row.emplace_back(first + k, sign * linear[k]);
  if (c_.dimension == 2) return row.emplace_back(first + 2, sign * angular[2]), void();
  for (std::size_t k = 0; k < 3; ++k) row.emplace_back(first + 3 + k, sign * angular[k]);
}

void Equations::build() {
  for (Body& b : c_.bodies)
    if (!b.held) b.first = freedoms_, freedoms_ += c_.dimension == 2 ? 3 : 6;
  load_.assign(freedoms_, 0);
  for (const Body& b : c_.bodies) {
    if (b.held) continue;
    for (std::size_t k = 0; k < c_.dimension; ++k) load_[b.first + k] = b.weight[k] + b.force[k];
    if (c_.dimension == 2)
      load_[b.first + 2] = b.torque[2];
    else
      for (std::size_t k = 0; k < 3; ++k) load_[b.first + 3 + k] = b.torque[k];
  }
  for (const Contact& c : c_.contacts)
    for (std::size_t axis = 0; axis < c_.dimension; ++axis) {
      Row row;
      for (const auto& [body, sign] : {std::pair(c.a, -1), std::pair(c.b, 1)}) {
        Triple arm;
        for (std::size_t k = 0; k < 3; ++k) arm[k] = c.point[k] - c_.bodies[body].center[k];
        add_side(body, c.frame[axis], cross(arm, c.frame[axis]), sign, row);
      }
      rows_.push_back(std::move(row));
    }
  for (std::size_t i = 0; i < c_.limits.size(); ++i) {
    Row row;
    add_side(c_.hold_sides[i][0], c_.hold_parts[i][0], c_.hold_parts[i][1], 1, row);
    add_side(c_.hold_sides[i][1], c_.hold_parts[i][2], c_.hold_parts[i][3], 1, row);
    rows_.push_back(std::move(row));
  }
}

Vector Equations::dense(const std::map<std::size_t, Fraction>& values, std::size_t size, const char* what) {
  Vector out(size, 0);
  for (const auto& [i, value] : values) {
    if (i >= size) fail(std::string("an index of ") + what + " is out of range");
    out[i] = value;
  }
  return out;
}

Fraction Equations::product(const Vector& a, const Vector& b) {
  Fraction sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vector Equations::transposed(const Vector& f) const {
  Vector out(freedoms_, 0);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (const auto& [i, value] : rows_[r]) out[i] += value * f[r];
  return out;
}

Vector Equations::momentum(const Vector& a) const {
  Vector out(freedoms_, 0);
  for (const Body& b : c_.bodies) {
    if (b.held) continue;
    for (std::size_t k = 0; k < c_.dimension; ++k) out[b.first + k] = b.mass * a[b.first + k];
    const auto& i = b.inertia;
    if (c_.dimension == 2) {
      out[b.first + 2] = i[2] * a[b.first + 2];
      continue;
    }
    const std::size_t r = b.first + 3;
    out[r] = i[0] * a[r] + i[3] * a[r + 1] + i[4] * a[r + 2];
    out[r + 1] = i[3] * a[r] + i[1] * a[r + 1] + i[5] * a[r + 2];
    out[r + 2] = i[4] * a[r] + i[5] * a[r + 1] + i[2] * a[r + 2];
  }
  return out;
}

Vector Equations::rates(const Vector& a) const {
  Vector out;
  for (const Row& row : rows_) out.push_back(along(row, a));
  return out;
}

}  // namespace touchstone::statics::certificate
