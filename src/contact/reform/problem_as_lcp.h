#pragma once
// A contact problem, or an island of it, as a linear complementarity problem: friction cones become pyramids.
#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "contact/contact_problem.h"

namespace touchstone {

// Which coefficient a contact is under.
enum class FrictionUse : std::uint8_t { kStatic, kDynamic };

class ProblemAsLcp {
 public:
  static constexpr int kLeastFacets = 4, kMostFacets = 64;

  // Of these blocks alone, which are to be all that touch their cliques. `facets`: of the pyramid of a contact with
  // three rows; even, at least kLeastFacets. `use`: one a contact of the problem, or nothing for static friction.
  // `slides`: one a contact, or nothing; where it is not zero, the contact slides along this unit vector of its tangent
  // plane whatever happens, and friction is −μ_d·r_N times it.
  void build(const ContactProblem& problem, std::span<const std::uint32_t> blocks, int facets,
             std::span<const FrictionUse> use = {}, std::span<const Eigen::Vector2d> slides = {});

  // How large that becomes at most: unknowns, and rows of equalities.
  static std::size_t size_of(const ContactProblem& problem, std::span<const std::uint32_t> blocks, int facets);

  std::size_t size() const { return unknowns_.size(); }
  // w = M·z + q. Views of memory that is kept.
  Eigen::Map<const Eigen::MatrixXd> matrix() const { return {matrix_.data(), count(), count()}; }
  Eigen::Map<const Eigen::VectorXd> vector() const { return {vector_.data(), count()}; }

  // Impulses by row of the problem; rows of other blocks stay as they are.
  void read_impulses(const ContactProblem& problem, std::span<const double> z, std::span<double> impulses);
  // How far from the laws of the pyramid, of limits, motors and equalities velocities u of rows (biases included) and
  // impulses are [m/s or rad/s].
  double residual(const ContactProblem& problem, std::span<const double> z, std::span<const double> u) const;

 private:
  enum class Kind : std::uint8_t { kNormal, kFriction, kSlip, kSide, kRange };
  // An unknown. Impulses act along `direction` in the rows of their block; of contacts that slide, along `slide` too.
  struct Unknown {
    Kind kind;
    std::uint32_t block = 0;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
    std::uint32_t partner = 0;  // friction: its slip; slip: its normal; range: its side; side: its range or itself
    std::uint32_t count = 0;    // slip: facets, which stand before it
    double number = 0;          // slip: μ; range: width
    Eigen::Vector2d slide = Eigen::Vector2d::Zero();
    Eigen::Vector3d act() const { return direction + Eigen::Vector3d(0, slide[0], slide[1]); }
    bool impulse() const { return kind != Kind::kSlip && kind != Kind::kRange; }
  };
  // The change of momentum by a unit of an impulse, and the change of velocity that it makes, of up to two cliques.
  struct Effect {
    std::uint32_t clique[2] = {Clique::kNone, Clique::kNone};
    std::uint32_t momentum[2] = {0, 0};  // in effects_; the velocity is behind it
    double bias = 0;
  };
  Eigen::Index count() const { return static_cast<Eigen::Index>(unknowns_.size()); }
  void add_contact(const ContactProblem& p, std::uint32_t block, int facets, FrictionUse use,
                   const Eigen::Vector2d& slide);
  void add_bounded(const ContactProblem& p, std::uint32_t block);
  Effect effect_of(const ContactProblem& p, const RowBlock& b, const Eigen::Vector3d& direction);
  double product(const Effect& a, const Effect& b, const ContactProblem& p) const;
  double free_velocity(const Effect& e, const ContactProblem& p) const;
  static double within_pyramid(std::span<const double> z, const Unknown& slip, std::size_t at, double rounding);
  void fill(const ContactProblem& p);
  void set_base(const ContactProblem& p, std::span<const std::uint32_t> blocks);
  void factor_equalities(const ContactProblem& p);
  void eliminate_equalities(const ContactProblem& p);
  void mix(const ContactProblem& p, const std::vector<Effect>& effects, std::vector<double>& mixed) const;

  std::vector<Unknown> unknowns_;
  // Of an unknown: what its row measures, and what its impulse does; the same but for contacts that slide.
  std::vector<Effect> of_unknown_, of_act_, of_equality_;
  std::vector<std::uint32_t> equality_row_;
  std::vector<std::pair<std::uint32_t, double>> constants_;  // rows and their impulses at z = 0, where not zero
  std::vector<double> effects_, base_;                       // base_: velocities without unknown impulses
  std::vector<double> matrix_, vector_;
  // Of equalities: L, L⁻¹·W_ec by unknowns (rows, and impulses), L⁻¹·q_e, r_e.
  std::vector<double> factor_, mixed_, mixed_act_, right_, solved_;
};

}  // namespace touchstone
