#include "statics/equations.h"

#include <cstdio>

#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

using Triple = std::array<Rational, 3>;

Triple triple(const Eigen::Vector3d& v) { return {rational_of(v[0]), rational_of(v[1]), rational_of(v[2])}; }

Triple cross_of(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Entries of one body: a direction and a moment, with a sign.
void add_side(const Structure& s, int at, const Triple& linear, const Triple& angular, int sign, SparseRow& row) {
  if (at < 0) return;
  const auto put = [&](int freedom, const Rational& value) {
    if (value != 0) row.push_back({freedom, sign < 0 ? Rational(-value) : value});
  };
  for (int k = 0; k < s.linear(); ++k) put(at + k, linear[static_cast<std::size_t>(k)]);
  for (int k = 0; k < s.angular(); ++k)
    put(at + s.linear() + k, angular[static_cast<std::size_t>(s.dimension == 2 ? 2 : k)]);
}

SparseRow contact_row(const Structure& s, const Freedoms& freedoms, const Contact& c, int axis) {
  SparseRow row;
  const Triple direction = triple(c.frame.col(axis)), point = triple(c.point);
  const auto side = [&](std::uint32_t body, int sign) {
    if (freedoms.of(body) < 0) return;
    const Triple center = triple(s.bodies[body].center);
    const Triple arm{point[0] - center[0], point[1] - center[1], point[2] - center[2]};
    add_side(s, freedoms.of(body), direction, cross_of(arm, direction), sign, row);
  };
  side(c.a, -1), side(c.b, 1);
  return row;
}

void add_mass(const Structure& s, const Freedoms& freedoms, Equations& out) {
  out.mass.resize(static_cast<std::size_t>(freedoms.count));
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0) continue;
    const Body& b = s.bodies[i];
    for (int k = 0; k < s.linear(); ++k)
      out.mass[static_cast<std::size_t>(at + k)].push_back({at + k, rational_of(b.mass)});
    for (int col = 0; col < s.angular(); ++col)
      for (int row = 0; row < s.angular(); ++row) {
        const double value = s.dimension == 2 ? b.inertia(2, 2) : b.inertia(row, col);
        if (value != 0)
          out.mass[static_cast<std::size_t>(at + s.linear() + col)].push_back(
              {at + s.linear() + row, rational_of(value)});
      }
  }
}

void add_loads(const Structure& s, const Freedoms& freedoms, Equations& out) {
  out.load.resize(static_cast<std::size_t>(freedoms.count));
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const int at = freedoms.first[i];
    if (at < 0) continue;
    const Body& b = s.bodies[i];
    for (int k = 0; k < s.linear(); ++k)
      out.load[static_cast<std::size_t>(at + k)] = rational_of(b.weight[k]) + rational_of(b.force[k]);
    for (int k = 0; k < s.angular(); ++k)
      out.load[static_cast<std::size_t>(at + s.linear() + k)] = rational_of(b.torque[s.dimension == 2 ? 2 : k]);
  }
}

SparseRow combined(const Equations& e, std::size_t contact, const Rational& normal, const Rational& x,
                   const Rational& y) {
  std::vector<std::pair<int, Rational>> sum;
  const auto add = [&](int axis, const Rational& factor) {
    if (factor == 0) return;
    for (const ExactEntry& entry : e.row(contact, axis)) {
      auto at = std::find_if(sum.begin(), sum.end(), [&](const auto& s) { return s.first == entry.row; });
      if (at == sum.end()) at = sum.insert(sum.end(), {entry.row, Rational(0)});
      at->second += factor * entry.value;
    }
  };
  add(0, normal), add(1, x);
  if (e.axes == 3) add(2, y);
  SparseRow out;
  for (auto& [freedom, value] : sum)
    if (value != 0) out.push_back({freedom, value});
  return out;
}

}  // namespace

Rational rational_of(double decimal) {
  if (decimal == 0) return 0;
  if (decimal == 1) return 1;
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", decimal);
  Rational out;
  if (!parse_rational(text, out))
    throw Error(ErrorKind::kBadInput, std::string("the number ") + text + " is not a decimal one");
  return out;
}

Equations equations_of(const Structure& s) {
  const Freedoms freedoms(s);
  Equations out;
  out.axes = s.dimension, out.freedoms = freedoms.count;
  out.contacts = s.contacts.size(), out.holds = s.holds.size();
  for (const Contact& c : s.contacts) {
    for (int axis = 0; axis < s.dimension; ++axis) out.rows.push_back(contact_row(s, freedoms, c, axis));
    out.friction.push_back(rational_of(c.friction));
  }
  for (const Hold& h : s.holds) {
    SparseRow row;
    add_side(s, freedoms.of(h.a), triple(h.linear_a), triple(h.angular_a), 1, row);
    add_side(s, freedoms.of(h.b), triple(h.linear_b), triple(h.angular_b), 1, row);
    out.rows.push_back(std::move(row));
    out.one_sided.push_back(h.one_sided);
  }
  add_mass(s, freedoms, out);
  add_loads(s, freedoms, out);
  return out;
}

void add_scaled(const SparseRow& row, const Rational& factor, std::vector<Rational>& sum) {
  for (const ExactEntry& e : row) sum[static_cast<std::size_t>(e.row)] += factor * e.value;
}

Rational dot(const SparseRow& row, const std::vector<Rational>& x) {
  Rational sum = 0;
  for (const ExactEntry& e : row) sum += e.value * x[static_cast<std::size_t>(e.row)];
  return sum;
}

Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

SparseRow force_row(const Equations& e, std::size_t contact, const Direction& d) {
  return combined(e, contact, 1, e.friction[contact] * d.x, e.friction[contact] * d.y);
}

SparseRow slip_row(const Equations& e, std::size_t contact, const Direction& d, const Rational& shear) {
  return combined(e, contact, -shear * d.x, d.x, d.y);
}

}  // namespace touchstone::statics
