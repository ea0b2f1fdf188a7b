#pragma once
// One piece of a surface as a convex shape, and which directions its neighbours leave to it.
#include "collision/narrow/closest.h"
#include "geometry/concave.h"

namespace touchstone {

// A piece as a shape that the convex routines take, in a frame at its first vertex. Reused from piece to piece.
template <int D>
class PieceShape {
 public:
  PieceShape();
  void assign(const Piece<D>& piece);
  const Shape<D>& shape() const { return shape_; }

 private:
  std::shared_ptr<Polytope<D>> polytope_;
  Shape<D> shape_;
};

// Bounds with a margin on all sides.
template <int D>
Bounds<D> grown(Bounds<D> bounds, double by) {
  bounds.lower.array() -= by;
  bounds.upper.array() += by;
  return bounds;
}

// What becomes of a contact between a piece and something else, judged by the direction away from the piece.
enum class Verdict : std::uint8_t {
  kKeep,      // as it is
  kFace,      // it tilts over an edge that is none: if it is the face's at all, then along the face's normal
  kBehind,    // it came through: the face pushes it back
  kNeighbour  // it belongs to the piece across the edge
};

// `n`: unit, away from the piece, in its frame; `at`: the point of the piece. `front`: +1, or −1 where a surface with
// two sides is touched from behind.
template <int D>
Verdict judge(const Piece<D>& piece, const Vec<D>& n, const Vec<D>& at, double front);

// Whether a point, moved along the normal onto the piece, lies on it (with a hair's breadth around).
template <int D>
bool over_piece(const Piece<D>& piece, const Vec<D>& x);

// Whether a contact point, in the piece's frame, is only there because the piece ends where the surface goes on flat.
template <int D>
bool inside_flat(const Piece<D>& piece, const Vec<D>& x);

}  // namespace touchstone
