#pragma once
// Random and degenerate pairs of convex shapes, made from a family and a number: the same pair every time.
#include <array>
#include <cstdint>
#include <string>

#include "collision/narrow/closest.h"

namespace touchstone::testing {

enum class Family {
  kRandom,
  kCoincident,  // the same place, the same or another shape
  kParallel,    // the same axes, or turned by right angles
  kPointTouch,  // exactly touching, a point of each
  kEdgeTouch,   // an edge or a side line of one
  kFaceTouch,   // a face or cap of one, with a face, an edge or a point of the other
  kNested,      // one inside the other
  kThin,        // 1e-6 of the other lengths
  kRatio,       // sizes 1e6 apart
  kFar,         // 1e7 m from the origin
  kDeep,        // centres close to each other
  kNear,        // gaps of ±1e-9 to ±1e-3 m between chosen features
};
inline constexpr int kFamilies = 12;
std::string family_name(Family family);

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits();
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double between(double low, double high) { return low + (high - low) * unit(); }
  double log_between(double low, double high);
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  double normal();
  template <int D>
  Vec<D> direction() {
    Vec<D> v;
    do
      for (int i = 0; i < D; ++i) v[i] = normal();
    while (!(v.norm() > 1e-3));
    return v.normalized();
  }

 private:
  std::uint64_t state_;
};

template <int D>
struct PairCase {
  Shape<D> a, b;
  Vec<D> pa = Vec<D>::Zero(), pb = Vec<D>::Zero();
  Mat<D> Ra = Mat<D>::Identity(), Rb = Mat<D>::Identity();
  Placed<D> placed_a() const { return {a, pa, Ra}; }
  Placed<D> placed_b() const { return {b, pb, Rb}; }
  // The length that errors are measured by: how far the two reach, and how far their centres are apart.
  double length() const { return reach_of(a) + reach_of(b) + (pb - pa).norm(); }
};

template <int D>
PairCase<D> make_pair_case(Family family, std::uint64_t number);

// Every number with 17 digits, so that the pair can be made again by hand.
template <int D>
std::string describe(const PairCase<D>& pair);

// A polytope, or one with a radius around it: its gap is exact but for rounding.
bool is_polyhedral(ShapeKind kind);

}  // namespace touchstone::testing
