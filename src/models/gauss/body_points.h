#pragma once
// Bodies of a world as points with bars: the unknowns of a step are the velocities of 9, 4, 8 or more points a body.
#include "contact/contact_problem.h"
#include "models/contact_model.h"
#include "models/gauss/framework_program.h"

namespace touchstone {

enum class BodyForm : std::uint8_t { kReduced, kNinePoints, kCorners, kLumped };

struct BodyPointOptions {
  BodyForm bodies = BodyForm::kReduced;
  LengthForm lengths = LengthForm::kStart;
  BarOptions bars{};
  bool independent = false;  // only bars that do not depend on each other
};

template <int D>
class BodyPoints {
 public:
  explicit BodyPoints(const BodyPointOptions& options) : options_(options) {}

  // Points of all dynamic bodies. Throws Error (kUnsupported), naming the body, where its shape or its inertia is not
  // that of such points.
  void find(const Bodies<D>& bodies, const ColliderTable<D>& colliders);
  // The problem of a step in the velocities of these points, at the poses of `state`: rows of the same keys and in the
  // same order, then the bars. Good until the next call.
  ContactProblem rewrite(const ContactProblem& problem, const Bodies<D>& bodies, const State<D>& state);

 private:
  struct Side {  // of the outline: its corners, and what its plane is at, body axes
    std::array<std::uint32_t, D> corner;
    Vec<D> normal;
    double offset;
  };
  struct Body {
    PointMasses<D> points;  // from the centre of mass, body axes
    std::vector<Bar> bars;
    std::vector<Side> sides;
    double mass = 0;
  };
  Body make(const Bodies<D>& bodies, std::uint32_t slot, const Shape<D>& shape, const PlacedShape<D>& form) const;
  void check(const Bodies<D>& bodies, std::uint32_t slot, const Body& body) const;
  void add_clique(const ContactProblem& in, const Body& body, const Clique& clique, const Mat<D>& R);
  void add_block(const ContactProblem& in, const RowBlock& block);
  void add_row(const ContactProblem& in, const RowBlock& block, std::uint32_t clique, std::uint32_t from, double* to);
  void add_bars(const ContactProblem& in, std::uint32_t clique);
  bool at_corners(const Body& body, const Vec<D>& place, std::array<std::uint32_t, D>& corners,
                  std::array<double, D>& weights) const;

  const BodyPointOptions options_;
  std::vector<Body> bodies_;        // of dynamic bodies, in the order of their slots
  std::vector<Mat<D>> rotation_;    // of those
  std::vector<AngMat<D>> inverse_;  // of their inertia, world axes
  ProblemData data_;
};

}  // namespace touchstone
