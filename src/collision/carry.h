#pragma once
// Contact points that are kept while a pair hardly moves: anchored in both shapes, and placed again from there instead
// of searched for.
#include <vector>

#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// A contact point as its two shapes carry it along. Single precision is enough for where it is, since the gap is kept
// by itself, and the other shape's point follows from the pose that the pair was searched at.
template <int D>
struct Anchor {
  SingleVec<D> place;   // on the smaller shape, in its frame
  SingleVec<D> normal;  // in A's frame
  float gap;            // along the normal, from the pair's pose as it is kept
  std::uint16_t feature;
  void serialize(Archive& ar) { ar(place), ar(normal), ar(gap), ar(feature); }
};

// What is carried of all pairs, in their order.
template <int D>
struct CarriedPoints {
  struct Pair {
    // Pose of the smaller shape in the larger one's frame when the points were searched for.
    Vec<D> r = Vec<D>::Zero();
    Eigen::Matrix<float, D, D> Q = Eigen::Matrix<float, D, D>::Zero();
    float margin = 0;         // that the points were searched for with
    std::uint32_t first = 0;  // its anchors
    std::uint32_t count : 31 = 0;
    std::uint32_t known : 1 = 0;
    // The pose of now is what the points are searched for at.
    void note(const Placed<D>& a, const Placed<D>& b);
    void serialize(Archive& ar) {
      std::uint32_t both = count << 1 | known;
      ar(r), ar(Q), ar(margin), ar(first), ar(both);
      count = both >> 1, known = both & 1;
    }
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

// Where the anchors of a pair are now: points midway between the two surfaces, the gap along the carried normal.
template <int D>
void place_points(std::span<const Anchor<D>> anchors, const typename CarriedPoints<D>::Pair& pair, const Placed<D>& a,
                  const Placed<D>& b, ContactPoints<D>& out);
template <int D>
void add_anchors(const ContactPoints<D>& points, const typename CarriedPoints<D>::Pair& pair, const Placed<D>& a,
                 const Placed<D>& b, std::vector<Anchor<D>>& out);

}  // namespace touchstone
