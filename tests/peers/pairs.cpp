#include "peers/pairs.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "peers/shapes.h"

namespace touchstone::testing {
namespace {

Mat<2> random_rotation(Dice& dice, Mat<2>) { return matrix_of(dice.between(-4, 4)); }
Mat<3> random_rotation(Dice& dice, Mat<3>) {
  return matrix_of(Eigen::Quaterniond(dice.normal(), dice.normal(), dice.normal(), dice.normal()).normalized());
}

// Turns `from` to `to`, with a random spin about it.
Mat<2> rotation_between(const Vec<2>& from, const Vec<2>& to, Dice&) {
  Mat<2> R;
  const double c = from.dot(to), s = from[0] * to[1] - from[1] * to[0], norm = std::hypot(c, s);
  R << c / norm, -s / norm, s / norm, c / norm;
  return R;
}
Mat<3> rotation_between(const Vec<3>& from, const Vec<3>& to, Dice& dice) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(from, to);
  const double spin = dice.below(3) ? dice.between(-4, 4) : 0.25 * std::numbers::pi * dice.below(8);
  return matrix_of((Eigen::Quaterniond(Eigen::AngleAxisd(spin, to)) * turn).normalized());
}

template <int D>
void place_random(PairCase<D>& c, Dice& dice, double spread) {
  c.pb = c.pa + spread * (reach_of(c.a) + reach_of(c.b)) * dice.unit() * dice.direction<D>();
}

// Puts B so that its surface point lies at the distance `gap` from A's, along A's normal there.
template <int D>
void place_facing(PairCase<D>& c, Feature on_a, Feature on_b, double gap, Dice& dice) {
  const SurfacePoint<D> sa = surface_point(c.a, on_a, dice), sb = surface_point(c.b, on_b, dice);
  const Vec<D> n = c.Ra * sa.normal;
  c.Rb = rotation_between(sb.normal, Vec<D>(-n), dice);
  c.pb = c.pa + (c.Ra * sa.x - c.Rb * sb.x + gap * n);
}

Feature any_feature(Dice& dice) { return static_cast<Feature>(dice.below(3)); }

Mat<2> right_angle(Dice& dice, Mat<2>) {
  const int turns = dice.below(4);
  Mat<2> R = Mat<2>::Identity();
  for (int i = 0; i < turns; ++i) R = Mat<2>(R * (Mat<2>() << 0, -1, 1, 0).finished());
  return R;
}
Mat<3> right_angle(Dice& dice, Mat<3>) {
  Mat<3> R = Mat<3>::Identity();
  const int turns = dice.below(4);
  for (int i = 0; i < turns; ++i) {
    Mat<3> T;
    if (dice.below(2))
      T << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    else
      T << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    R = Mat<3>(R * T);
  }
  return R;
}

template <int D>
void place(PairCase<D>& c, Family family, Dice& dice) {
  const double sign = dice.below(2) ? 1 : -1;
  switch (family) {
    case Family::kCoincident:
      if (dice.below(2)) c.b = c.a;
      if (dice.below(2)) c.Rb = c.Ra;
      c.pb = c.pa;
      break;
    case Family::kParallel:
      if (dice.below(2)) c.Ra = right_angle(dice, Mat<D>());
      c.Rb = c.Ra * right_angle(dice, Mat<D>());
      place_random(c, dice, 1.2);
      if (dice.below(2))  // along an axis
        c.pb = c.pa + Vec<D>(c.Ra.col(dice.below(D))) * dice.between(-1.2, 1.2) * (reach_of(c.a) + reach_of(c.b));
      break;
    case Family::kPointTouch:
      place_facing(c, Feature::kPoint, Feature::kPoint, 0, dice);
      break;
    case Family::kEdgeTouch:
      place_facing(c, Feature::kEdge, dice.below(2) ? Feature::kEdge : Feature::kPoint, 0, dice);
      break;
    case Family::kFaceTouch:
      place_facing(c, Feature::kFace, any_feature(dice), 0, dice);
      break;
    case Family::kNear:
      place_facing(c, any_feature(dice), any_feature(dice), sign * dice.log_between(1e-9, 1e-3), dice);
      break;
    case Family::kNested:
      place_random(c, dice, 0.2);
      break;
    case Family::kDeep:
      place_random(c, dice, 0.3);
      break;
    case Family::kThin:
    case Family::kRatio:
    case Family::kFar: {
      const double small = std::min(reach_of(c.a), reach_of(c.b));
      const double gap = dice.below(3) ? sign * dice.log_between(1e-9, 1) * small : 0;
      if (dice.below(2))
        place_facing(c, any_feature(dice), any_feature(dice), gap, dice);
      else
        place_random(c, dice, 1.0);
      break;
    }
    case Family::kRandom:
      place_random(c, dice, 1.3);
      break;
  }
}

template <int D>
std::string describe_one(const Shape<D>& s, const Vec<D>& p, const Mat<D>& R) {
  std::string out = shape_name(s.kind, D);
  const auto numbers = [](const auto& v) {
    std::string text;
    for (int i = 0; i < v.size(); ++i) text += fmt::format("{}{:.17g}", i ? ", " : "", v.data()[i]);
    return text;
  };
  if (s.radius > 0) out += fmt::format(" radius {:.17g}", s.radius);
  if (s.half_length > 0) out += fmt::format(" half_length {:.17g}", s.half_length);
  if (s.half.norm() > 0) out += fmt::format(" half {{{}}}", numbers(s.half));
  if (s.hull) {
    out += fmt::format(" {} vertices", s.hull->vertices.size());
    for (const Vec<D>& v : s.hull->vertices) out += fmt::format(" {{{}}}", numbers(v));
  }
  return out + fmt::format("\n    p {{{}}}\n    R by columns {{{}}}", numbers(p), numbers(R));
}

}  // namespace

std::uint64_t Dice::bits() {  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
double Dice::log_between(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
double Dice::normal() {  // Box and Muller
  const double u = 1 - unit();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * unit());
}

std::string family_name(Family family) {
  constexpr const char* kNames[kFamilies] = {"random", "coincident", "parallel", "point", "edge", "face",
                                             "nested", "thin",       "ratio",    "far",   "deep", "near"};
  return kNames[static_cast<int>(family)];
}

bool is_polyhedral(ShapeKind kind) { return kind != ShapeKind::kEllipsoid && kind != ShapeKind::kCylinder; }

template <int D>
PairCase<D> make_pair_case(Family family, std::uint64_t number) {
  Dice dice(number * 64 + static_cast<std::uint64_t>(family) * 2 + (D - 2));
  PairCase<D> c;
  double size_a = dice.log_between(0.3, 3), size_b = dice.log_between(0.3, 3);
  if (family == Family::kNested) size_b = size_a * dice.between(0.02, 0.4);
  if (family == Family::kRatio) (dice.below(2) ? size_a : size_b) *= 1e-6;
  const bool thin = family == Family::kThin, both = dice.below(2);
  c.a = make_random_shape<D>(dice, size_a, thin);
  c.b = make_random_shape<D>(dice, size_b, thin && both);
  c.Ra = random_rotation(dice, Mat<D>());
  c.Rb = random_rotation(dice, Mat<D>());
  c.pa = dice.between(0, 2) * dice.direction<D>();
  if (family == Family::kFar) c.pa *= 1e7 / c.pa.norm();
  place(c, family, dice);
  return c;
}

template <int D>
std::string describe(const PairCase<D>& c) {
  return "  A " + describe_one(c.a, c.pa, c.Ra) + "\n  B " + describe_one(c.b, c.pb, c.Rb);
}

template PairCase<2> make_pair_case(Family, std::uint64_t);
template PairCase<3> make_pair_case(Family, std::uint64_t);
template std::string describe(const PairCase<2>&);
template std::string describe(const PairCase<3>&);

}  // namespace touchstone::testing
