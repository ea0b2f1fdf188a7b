#pragma once
// The inner seam: one velocity-level problem, as every solver sees it. It is a view that nobody writes to: a solver
// gets it, and an optional guess, and gives back impulses and velocities; it never touches the world.
//
// Velocities are cut into cliques: 3 or 6 numbers of a free body, n generalised velocities of an articulated tree. A
// clique has its mass as an operator (clique_mass.h). Constraints are blocks of 1 to 3 rows on one clique or between
// two different ones: a tree that touches itself has one side, whose Jacobian is the sum of both. For the rows of a
// block
//
//   u = J_a·v_a + J_b·v_b + restitution + correction + surface,    M·(v − v_free) = Jᵀ·r
//
// and r and u obey the law of the block's kind. Nothing here knows the dimension of the world: a contact has 1, 2 or 3
// rows, normal first, and the sizes of cliques are data. The signs are those of docs/conventions.md: normal from A to
// B, u of B relative to A, gap < 0 is penetration, r is what B received.
#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/stop.h"
#include "contact/clique_mass.h"

namespace touchstone {

// kContact: Signorini in the first row, Coulomb in the others: 0 <= u_N ⟂ r_N >= 0, |r_T| <= μ r_N, and r_T against u_T
//   with μ_d·r_N where it slides.
// kEquality: u = 0. kLimit: 0 <= u ⟂ r >= 0. kMotor: lower <= r <= upper, and u = 0 unless r is at a bound.
enum class BlockKind : std::uint8_t { kContact, kEquality, kLimit, kMotor };

struct Clique {
  static constexpr std::uint32_t kNone = 0xffffffffu;  // the world, or a body whose motion is prescribed
  std::uint32_t first = 0;                             // of its velocities
  std::uint32_t size = 0;
  std::uint32_t mass = 0;         // of its size × size numbers; nothing with an operator
  std::uint32_t factors = kNone;  // the index of its operator; kNone: its mass is numbers
};

struct RowBlock {
  BlockKind kind = BlockKind::kContact;
  std::uint32_t rows = 0;  // 1 to 3
  std::uint32_t first_row = 0;
  std::uint32_t clique_a = Clique::kNone, clique_b = Clique::kNone;  // never the same clique
  std::uint32_t jacobian_a = 0, jacobian_b = 0;  // of its rows × size numbers, row by row; nothing without a clique
  std::uint32_t contact = 0;                     // kContact: index of its law
  std::uint64_t key = 0;  // the same from step to step; blocks are in its order. Joints have the highest bit.
};

// What a contact has besides its rows.
struct ContactLaw {
  // Normal, then tangents, as columns, world axes. In 2D the upper left 2×2.
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
  double gap = 0;                                    // φ at the start [m]
  double static_friction = 0, dynamic_friction = 0;  // μ_s, μ_d
  double restitution = 0;                            // e, as used here: 0 below the model's threshold
  double normal_velocity_before = 0;                 // u_N at the start, surface velocity included [m/s]
};

struct ContactProblem {
  double h = 0;  // [s]
  std::span<const Clique> cliques;
  std::span<const double> mass, inverse_mass;             // blocks of the cliques, symmetric
  std::span<const double> start_velocity, free_velocity;  // v at the start; v with all forces but those of the rows
  std::span<const RowBlock> blocks;
  std::span<const double> jacobian;
  // By row [m/s or rad/s], added to J·v; three things that must not be mixed up:
  // what a bounce asks for (e·u_N before, < 0); what positions ask for (an open gap over h, > 0; a penetration that is
  // to go, < 0); and what moves although no clique does (skins of conveyors, prescribed bodies, motors' speeds).
  std::span<const double> restitution, correction, surface;
  // By row: bounds of impulses; of friction rows infinite [N·s or N·m·s]. A contact's first row may have a lower bound
  // above 0, and then obeys 0 <= r_N − lower ⟂ u_N >= 0: NonsmoothGaussSeidel alone knows of this.
  std::span<const double> lower, upper;
  std::span<const ContactLaw> contacts;
  StopFlag stop;  // solvers check it once an iteration
  std::span<const SymmetricOperator* const>
      operators;  // masses of cliques that are no numbers; of the builder's caller

  CliqueMass mass_of(const Clique& c) const {
    return c.factors == Clique::kNone ? CliqueMass(c.size, &mass[c.mass], &inverse_mass[c.mass])
                                      : CliqueMass(*operators[c.factors]);
  }
  std::size_t velocities() const { return free_velocity.size(); }
  std::size_t rows() const { return restitution.size(); }
  double bias(std::size_t row) const { return restitution[row] + correction[row] + surface[row]; }
};

// The memory behind a problem: flat arrays that keep their capacity.
struct ProblemData {
  double h = 0;
  std::vector<Clique> cliques;
  std::vector<double> mass, inverse_mass;
  std::vector<double> start_velocity, free_velocity;
  std::vector<RowBlock> blocks;
  std::vector<double> jacobian;
  std::vector<double> restitution, correction, surface, lower, upper;
  std::vector<ContactLaw> contacts;
  StopFlag stop;  // clear() keeps it
  std::vector<const SymmetricOperator*> operators;

  void clear();
  // Appends a clique at rest whose mass is to be filled in; the velocities too.
  Clique& add_clique(std::uint32_t size);
  // The same with a mass that must outlive the problem.
  Clique& add_clique(const SymmetricOperator& mass);
  // Appends a block with its rows: J, biases zero, impulses without bounds. A clique on both sides becomes one side, B,
  // and jacobian_a is jacobian_b: rows that are added to each come together there.
  RowBlock& add_block(BlockKind kind, std::uint32_t rows, std::uint32_t clique_a, std::uint32_t clique_b);
  ContactProblem view() const;
};

// A copy with memory of its own, all masses as numbers.
ProblemData with_numbers(const ContactProblem& problem);

// out = M·v and out = M⁻¹·p over all cliques.
void multiply_mass(const ContactProblem& problem, std::span<const double> v, std::span<double> out);
void solve_mass(const ContactProblem& problem, std::span<const double> p, std::span<double> out);
// out = J·v over all rows, without biases; p += Jᵀ·r.
void multiply_jacobian(const ContactProblem& problem, std::span<const double> v, std::span<double> out);
void add_momentum(const ContactProblem& problem, std::span<const double> r, std::span<double> p);

// A block's own part of W, J·M⁻¹·Jᵀ of its rows, padded by zeros: how its impulses change its own velocities. Symmetric
// by its upper half: W of some files is not quite. `response`: as long as the problem's Jacobian, or nothing; gets
// M⁻¹·Jᵀ of the block, where J of its sides is.
Eigen::Matrix3d own_block(const ContactProblem& problem, const RowBlock& block, std::span<double> response = {});
// rows/trace(W_ii) [kg], by which errors of impulses are velocities; 0 if nothing here can move.
double own_mass(const RowBlock& block, const Eigen::Matrix3d& own);

// Throws std::invalid_argument with the reason if sizes, offsets or numbers of a problem do not fit together: for
// problems that come from elsewhere than the builder.
void check_problem(const ContactProblem& problem);

}  // namespace touchstone
