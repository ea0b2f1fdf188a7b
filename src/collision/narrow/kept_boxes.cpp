// Purpose: whether the features of two boxes that were closest last time still are, and the answer from them. Points of
// two features are the closest if the direction between them lies in the cone of normals of each.
// Source: B. Mirtich, V-Clip: fast and robust polyhedral collision detection, ACM Transactions on Graphics 17 (1998),
//   for the conditions; [yang2020] for the separating line.
// Letters: s sides of a feature (box_sides); y a vertex in the other box's frame; q from the other box's feature to it;
//   n unit direction; r between the centres; t along a side.
// Deviations: 1. World axes and differences of positions instead of A's frame: one product with a matrix per vector
//   that is needed. 2. The tolerances are those of the walk and of the axes, but every doubt ends in kNo: nearly
//   parallel edges, directions between points that nearly coincide, touching and penetrating boxes.
// Fails: never; kNo means that nothing is known.
#include "collision/narrow/kept_boxes.h"

#include "collision/narrow/feature_walk.h"
#include "collision/narrow/sat.h"

namespace touchstone {
namespace {

using namespace walking;

// Vertices, then edges, then faces.
constexpr double kSides2[][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
constexpr double kSides3[][3] = {
    {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1},   {-1, -1, 0},
    {-1, 0, 1},   {-1, 1, 0},  {-1, 0, -1}, {1, 0, -1}, {1, 1, 0},   {1, 0, 1},  {1, -1, 0}, {0, -1, -1}, {0, -1, 1},
    {0, 1, 1},    {0, 1, -1},  {-1, 0, 0},  {1, 0, 0},  {0, -1, 0},  {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
constexpr std::uint32_t kFirst2[] = {0, 4, 8, 8}, kFirst3[] = {0, 8, 20, 26};

template <int D>
Kept answer(double gap, double margin, const Vec<D>& normal, const Vec<D>& on_a, const Vec<D>& on_b, Closest<D>& out) {
  out.iterations = 1;
  out.converged = true;
  out.gap = gap;
  if (gap > margin) return Kept::kBeyond;
  out.normal = normal;
  out.on_a = on_a;
  out.on_b = on_b;
  return Kept::kWithin;
}

// What differences of points are relative to.
template <int D>
double scale_of(const Placed<D>& a, const Placed<D>& b, const Vec<D>& r) {
  return a.shape.half.sum() + b.shape.half.sum() + r.template lpNorm<1>();
}

// How far a vector is out of the cone of a feature's normals: its length times a sine, negative within.
template <int D>
inline double out_of_cone(const Placed<D>& box, const Vec<D>& s, const Vec<D>& n) {
  double most = -s[0] * box.R.col(0).dot(n);
  for (int k = 1; k < D; ++k) most = std::max(most, -s[k] * box.R.col(k).dot(n));
  return most;
}

// A vertex of `other` against a feature of `own`, which is A or is not: against a side (2D: an edge), or any other one.
// A direction is divided by its length last of all, where nothing waits for it.
template <int D, bool kSide>
Kept vertex_against(const Placed<D>& own, const Vec<D>& s, const Placed<D>& other, const Vec<D>& vertex, bool own_is_a,
                    double margin, Closest<D>& out) {
  const Vec<D>& half = own.shape.half;
  const Vec<D> r = other.p - own.p, arm = other.R * other.shape.half.cwiseProduct(vertex);
  const Vec<D> y = own.R.transpose() * (r + arm), fixed = s.cwiseAbs2();
  const double scale = scale_of(own, other, r);
  // Within the feature along the axes that it runs along.
  const Vec<D> over = (Vec<D>::Ones() - fixed).cwiseProduct(y.cwiseAbs() - half);
  if (!(over.maxCoeff() <= kNoise * scale)) return Kept::kNo;
  const Vec<D> q = fixed.cwiseProduct(y) - s.cwiseProduct(half);
  const double distance = kSide ? s.dot(q) : q.norm(), length = kSide ? 1 : distance;
  if (!(distance > (kSide ? kTouching : kPoorDirection) * scale)) return Kept::kNo;
  if (!kSide && !(s.cwiseProduct(q).minCoeff() >= -kSlope * length)) return Kept::kNo;
  const Vec<D> n = own.R * (kSide ? s : q);  // as long as `length`
  // −n in a cone is n in the opposite one.
  if (!(out_of_cone<D>(other, -vertex, n) <= kSlope * length)) return Kept::kNo;
  const Vec<D> there = other.p + arm, foot = there - (kSide ? distance : 1) * n, unit = n / length;
  return own_is_a ? answer<D>(distance, margin, unit, foot, there, out)
                  : answer<D>(distance, margin, -unit, there, foot, out);
}

Vec<3> along(const Placed<3>& box, const Vec<3>& s, double& half) {
  const int k = s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2;
  half = box.shape.half[k];
  return box.R.col(k);
}

Kept edges(const Placed<3>& a, const Vec<3>& s_a, const Placed<3>& b, const Vec<3>& s_b, double margin,
           Closest<3>& out) {
  double half_a, half_b;
  const Vec<3> u = along(a, s_a, half_a), w = along(b, s_b, half_b), c = cross(u, w), r = b.p - a.p;
  const double square = c.squaredNorm();
  constexpr double kSquareOfSine = 1e-4;  // above it the cross product is good to 1e-14
  if (!(square > kSquareOfSine)) return Kept::kNo;
  const Vec<3> arm_a = a.R * a.shape.half.cwiseProduct(s_a), arm_b = b.R * b.shape.half.cwiseProduct(s_b);
  const Vec<3> between = r + (arm_b - arm_a);
  const double at_a = cross(between, w).dot(c) / square, at_b = cross(between, u).dot(c) / square;
  if (!(std::abs(at_a) < half_a && std::abs(at_b) < half_b)) return Kept::kNo;
  Vec<3> n = c / std::sqrt(square);
  double gap = n.dot(between);
  if (gap < 0) n = -n, gap = -gap;
  if (!(gap > kTouching * scale_of(a, b, r))) return Kept::kNo;
  if (!(out_of_cone(a, s_a, n) <= kSlope && out_of_cone<3>(b, -s_b, n) <= kSlope)) return Kept::kNo;
  return answer<3>(gap, margin, n, a.p + arm_a + at_a * u, b.p + arm_b + at_b * w, out);
}

// Where a side meets what of the other box is nearest to its line: both as stretches along it, from the side's centre.
struct Stretch {
  double from, to;
};

// The deepest vertex of a box against n, or the side that is as deep up to `tie`. m and t: n and the direction along
// the line in the box's axes; `centre` of the box along the line.
Stretch deepest(const Vec<2>& half, const Vec<2>& m, const Vec<2>& t, double centre, double tie) {
  const Vec<2> v(m[0] > 0 ? -half[0] : half[0], m[1] > 0 ? -half[1] : half[1]);
  const double at = centre + t.dot(v);
  Stretch out{at, at};
  for (int k = 0; k < 2; ++k) {
    if (2 * half[k] * std::abs(m[k]) > tie) continue;
    const double end = at - 2 * t[k] * v[k];
    out = {std::min(out.from, end), std::max(out.to, end)};
  }
  return out;
}

}  // namespace

template <int D>
bool box_sides(const Feature& f, Vec<D>& sides) {
  const std::uint32_t(&first)[4] = D == 2 ? kFirst2 : kFirst3;
  const auto type = static_cast<std::size_t>(f.type);
  if (type > 2 || f.index >= first[type + 1] - first[type]) return false;
  const std::size_t entry = first[type] + f.index;
  if constexpr (D == 2)
    sides = Vec<2>(kSides2[entry][0], kSides2[entry][1]);
  else
    sides = Vec<3>(kSides3[entry][0], kSides3[entry][1], kSides3[entry][2]);
  return true;
}

template <int D>
Kept kept_box_features(const Placed<D>& a, const Placed<D>& b, double margin, const PairMemory& memory,
                       std::size_t slot, Closest<D>& out) {
  constexpr FeatureType kSide = D == 2 ? FeatureType::kEdge : FeatureType::kFace;
  const Feature f_a{static_cast<FeatureType>(memory.a[slot + 1]), memory.a[slot]};
  const Feature f_b{static_cast<FeatureType>(memory.b[slot + 1]), memory.b[slot]};
  Vec<D> s_a, s_b;
  if (!box_sides<D>(f_a, s_a) || !box_sides<D>(f_b, s_b)) return Kept::kNo;
  const bool vertex_a = f_a.type == FeatureType::kVertex, vertex_b = f_b.type == FeatureType::kVertex;
  if (vertex_b && f_a.type == kSide) return vertex_against<D, true>(a, s_a, b, s_b, true, margin, out);
  if (vertex_a && f_b.type == kSide) return vertex_against<D, true>(b, s_b, a, s_a, false, margin, out);
  if (vertex_b) return vertex_against<D, false>(a, s_a, b, s_b, true, margin, out);
  if (vertex_a) return vertex_against<D, false>(b, s_b, a, s_a, false, margin, out);
  if constexpr (D == 3)
    if (f_a.type == FeatureType::kEdge && f_b.type == FeatureType::kEdge) return edges(a, s_a, b, s_b, margin, out);
  return Kept::kNo;
}

Kept kept_box_side(const Placed<2>& a, const Placed<2>& b, double margin, bool of_a, std::uint32_t side,
                   const PairMemory& memory, Closest<2>& out) {
  Vec<2> s;
  if (!box_sides<2>({FeatureType::kEdge, side}, s)) return Kept::kNo;
  const Placed<2>&own = of_a ? a : b, &other = of_a ? b : a;
  const Vec<2> r = other.p - own.p, n = own.R * s, t(-n[1], n[0]), fixed = s.cwiseAbs2();
  const Vec<2> m = other.R.transpose() * n, t_other(-m[1], m[0]);
  const double height = fixed.dot(own.shape.half), length = (Vec<2>::Ones() - fixed).dot(own.shape.half);
  const double gap = n.dot(r) - other.shape.half.dot(m.cwiseAbs()) - height;
  if (!(gap > 0)) return Kept::kNo;
  const double size = reach_of(a.shape) + reach_of(b.shape) + r.norm();
  const Stretch facing = deepest(other.shape.half, m, t_other, t.dot(r), axes::kDeepest * size);
  const double from = std::max(facing.from, -length), to = std::min(facing.to, length);
  if (gap <= margin && !(from <= to + axes::kTie * size)) {
    constexpr std::size_t kFeatureSlot = 2;
    return kept_box_features<2>(a, b, margin, memory, kFeatureSlot, out);
  }
  const Vec<2> here = own.p + height * n + 0.5 * (from + to) * t, there = here + gap * n;
  return of_a ? answer<2>(gap, margin, n, here, there, out) : answer<2>(gap, margin, -n, there, here, out);
}

template bool box_sides(const Feature&, Vec<2>&);
template bool box_sides(const Feature&, Vec<3>&);
template Kept kept_box_features(const Placed<2>&, const Placed<2>&, double, const PairMemory&, std::size_t,
                                Closest<2>&);
template Kept kept_box_features(const Placed<3>&, const Placed<3>&, double, const PairMemory&, std::size_t,
                                Closest<3>&);

}  // namespace touchstone
