#pragma once
// The equations of a structure in fractions: M·a = W + Jᵀ·f for the accelerations a of the free bodies, loads W, and
// forces f in the rows J of contacts and joints. All programs of statics are made of these.
#include <vector>

#include "math/exact/exact_program.h"
#include "statics/friction_cone.h"
#include "statics/structure.h"

namespace touchstone::statics {

using SparseRow = std::vector<ExactEntry>;  // `row` of an entry is the freedom

struct Equations {
  int axes = 3;      // of a contact: normal, then tangents
  int freedoms = 0;  // n
  std::size_t contacts = 0, holds = 0;
  std::vector<SparseRow> rows;          // J: contact by contact, axis by axis; then the rows of joints
  std::vector<SparseRow> mass;          // M, by column
  std::vector<Rational> load;           // W
  std::vector<Rational> friction;       // μ by contact
  std::vector<std::uint8_t> one_sided;  // by row of joints: a limit

  const SparseRow& row(std::size_t contact, int axis) const {
    return rows[contact * static_cast<std::size_t>(axes) + static_cast<std::size_t>(axis)];
  }
  const SparseRow& hold(std::size_t i) const { return rows[contacts * static_cast<std::size_t>(axes) + i]; }
};

// The decimal number that a rounded double stands for.
Rational rational_of(double decimal);

// Of a structure from nondimensional().
Equations equations_of(const Structure& structure);

// sum += factor·row, as a dense vector of freedoms.
void add_scaled(const SparseRow& row, const Rational& factor, std::vector<Rational>& sum);
Rational dot(const SparseRow& row, const std::vector<Rational>& x);
Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b);
// The row of a force along normal + μ·direction.
SparseRow force_row(const Equations& equations, std::size_t contact, const Direction& direction);
// The row of a linear function of the tangential acceleration, less `shear` times the normal one along the first
// tangent.
SparseRow slip_row(const Equations& equations, std::size_t contact, const Direction& direction, const Rational& shear);

}  // namespace touchstone::statics
