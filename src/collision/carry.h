#pragma once
// Contact points that are kept while a pair hardly moves: anchored in both shapes, and placed again from there instead
// of searched for.
#include <vector>

#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// A contact point as its two shapes carry it along.
template <int D>
struct Anchor {
  Vec<D> on_a, on_b;  // on the surfaces, each in its shape's frame
  Vec<D> normal;      // in A's frame
  std::uint16_t feature;
  void serialize(Archive& ar) { ar(on_a), ar(on_b), ar(normal), ar(feature); }
};

// What is carried of all pairs, in their order.
template <int D>
struct CarriedPoints {
  struct Pair {
    Vec<D> r = Vec<D>::Zero();  // pose of the smaller shape in the larger one's frame when the points were searched for
    Mat<D> Q = Mat<D>::Zero();
    double margin = 0;                   // that the points were searched for with
    std::uint32_t first = 0, count = 0;  // its anchors
    bool known = false;
    // The pose of now is what the points are searched for at.
    void note(const Placed<D>& a, const Placed<D>& b);
    void serialize(Archive& ar) { ar(r), ar(Q), ar(margin), ar(first), ar(count), ar(known); }
  };
  double tolerance = 0;  // that the points were searched for with
  std::vector<Pair> pairs;
  std::vector<Anchor<D>> anchors;

  void clear();
  // Makes room for the pairs of a search; forgets everything if it was for other settings or other pairs.
  void prepare(std::size_t pair_count, double search_tolerance);
  // Whether no point of either shape has moved by more than the tolerance against the other since the points were
  // searched for, far enough. If not, the pose of now is noted.
  bool still_holds(Pair& pair, const Placed<D>& a, const Placed<D>& b, double margin) const;
  void serialize(Archive& ar);
};

// Where the anchors are now: points midway between the two surfaces, the gap along the carried normal.
template <int D>
void place_points(std::span<const Anchor<D>> anchors, const Placed<D>& a, const Placed<D>& b, ContactPoints<D>& out);
template <int D>
void add_anchors(const ContactPoints<D>& points, const Placed<D>& a, const Placed<D>& b, std::vector<Anchor<D>>& out);

}  // namespace touchstone
