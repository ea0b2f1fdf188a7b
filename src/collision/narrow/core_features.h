#pragma once
// The features of one core of a pair near a normal: the smooth piece of its support function h that holds there, and
// the straight lines and the flat face that look nearly along it. Everything in A's frame.
#include <array>

#include "collision/narrow/minkowski.h"

namespace touchstone {

// A smooth piece of h: a vertex of a polytope, an end of a cylinder. Ellipsoids have one.
using SmoothPiece = std::uint32_t;

template <int D>
struct Patch {
  Vec<D> x;     // support point: the gradient of h
  Mat<D> bend;  // how it moves as the direction turns: the Hessian of h
};

// A straight line of the surface: from a point of the piece `tail` along a unit vector.
template <int D>
struct Line {
  Vec<D> along;
  double length = 0;
  SmoothPiece tail = 0;
};

template <int D>
struct Lines {
  static constexpr std::size_t kMost = 4;
  std::array<Line<D>, kMost> line;
  std::array<double, kMost> sine{};
  std::size_t count = 0;
  // Keeps those most nearly at right angles to the normal.
  void offer(const Line<D>& l, double off);
};

// A flat face: a polygon (2D: an edge) of a polytope, or a cylinder's cap.
template <int D>
struct FlatFace {
  bool found = false;
  Vec<D> outward;
  std::uint32_t index = 0;  // of a polytope's face (2D: edge)
  Vec<D> centre;            // of a cap
};

template <int D>
class CoreFeatures {
 public:
  // `sign`: +1 for A, whose features are sought along n; −1 for B, against it.
  CoreFeatures(const Shape<D>& shape, const Core<D>& core, const Vec<D>& p, const Mat<D>& R, double sign)
      : shape_(shape), core_(core), p_(p), R_(R), sign_(sign) {}

  SmoothPiece piece_at(const Vec<D>& n) const;
  // False where the piece has no curvature to speak of: the rim of a cap that is looked at along its axis.
  bool patch_at(const Vec<D>& n, SmoothPiece piece, Patch<D>& out) const;
  // Lines within `beside` (sine) of being at right angles to n, among those at its support point.
  void lines_near(const Vec<D>& n, double beside, Lines<D>& out) const;
  // The face at the support point whose normal is nearest to n, if within `beside` (sine).
  FlatFace<D> face_near(const Vec<D>& n, double beside) const;
  // The point of a flat face nearest to x, where x is moved into its plane.
  Vec<D> nearest_on_face(const FlatFace<D>& face, const Vec<D>& x) const;
  // The middle of the part of a segment that lies over the face; the segment's point nearest to it if there is none.
  Vec<D> middle_over_face(const FlatFace<D>& face, const Vec<D>& from, const Vec<D>& to) const;

 private:
  Vec<D> local(const Vec<D>& n) const { return sign_ * (R_.transpose() * n); }
  Vec<D> vertex(std::size_t i) const { return p_ + R_ * core_.vertex(i); }
  Vec<D> nearest_on_polygon(const FlatFace<D>& face, const Vec<D>& x) const;

  const Shape<D>& shape_;
  const Core<D>& core_;
  const Vec<D>& p_;
  const Mat<D>& R_;
  double sign_;
};

// The point of a segment nearest to x.
template <int D>
Vec<D> nearest_on_segment(const Vec<D>& from, const Vec<D>& to, const Vec<D>& x);

}  // namespace touchstone
