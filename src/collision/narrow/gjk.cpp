// Purpose: distance of any two convex shapes with their closest points. Where the cores overlap, EPA continues.
// Source: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the distance between complex
//   objects in three-dimensional space, IEEE J. Robotics Autom. 4 (1988); the bound for stopping is the duality gap of
//   [G. van den Bergen, Collision Detection in Interactive 3D Environments, §4.3].
// Letters: M Minkowski difference { b − a }, v its point nearest to the origin, w a support point, L size of the pair.
// Deviations: (1) the nearest point of a simplex is the best of all its corners, edges and faces instead of Johnson's
//   recursion: at most 14 cases, none of which can be invalid, so that |v| never grows. (2) The normal comes from the
//   simplex, not from v, whose direction is lost to rounding when the shapes nearly touch.
// Fails: never; a cap on the iterations gives the best pair of points so far, with `converged` false.
#include "collision/narrow/gjk.h"

#include <algorithm>
#include <cmath>

#include "collision/narrow/epa.h"
#include "collision/narrow/polish.h"

namespace touchstone {
namespace {

constexpr int kMaxIterations = 128;
// Of L: the distance is known to this. Polytopes end at a vertex that is already there, mostly at the last bit; curved
// cores close in on it.
constexpr double kPolytopeTolerance = 1e-13, kCurvedTolerance = 1e-8;
// Of L: what the plane may lose against the points, a tenth of what the routines promise.
constexpr double kNormalTolerance = 1e-10, kCurvedProven = 1e-7;
// Of L: nearer than this the cores touch and only EPA can tell the normal; nearer than the second it may be asked.
constexpr double kTouching = 1e-14, kNearlyTouching = 1e-5;

template <int D>
struct Simplex {
  MinkowskiVertex<D> vertex[D + 1];
  double weight[D + 1];
  int count = 0;
};

// The point of the subset's affine hull nearest to the origin, if it lies inside the subset.
template <int D>
struct SubsetPoint {
  bool inside = false;
  double squared = 0;
  double weight[3];
};

template <int D>
SubsetPoint<D> nearest_on_edge(const Vec<D>& w0, const Vec<D>& w1) {
  SubsetPoint<D> out;
  const Vec<D> e = w1 - w0;
  const double ee = e.squaredNorm(), t = -w0.dot(e);
  if (!(t > 0) || !(t < ee)) return out;
  out.weight[1] = t / ee;
  out.weight[0] = 1 - out.weight[1];
  out.squared = (w0 + out.weight[1] * e).squaredNorm();
  out.inside = true;
  return out;
}

SubsetPoint<3> nearest_on_face(const Vec<3>& w0, const Vec<3>& w1, const Vec<3>& w2) {
  SubsetPoint<3> out;
  const Vec<3> e1 = w1 - w0, e2 = w2 - w0, n = cross(e1, e2);
  const double nn = n.squaredNorm();
  // Thinner than this a triangle has no plane; its edges stand for it.
  if (!(nn > 1e-28 * e1.squaredNorm() * e2.squaredNorm())) return out;
  out.weight[1] = -n.dot(cross(w0, e2)) / nn;
  out.weight[2] = -n.dot(cross(e1, w0)) / nn;
  out.weight[0] = 1 - out.weight[1] - out.weight[2];
  if (!(out.weight[0] >= 0) || !(out.weight[1] >= 0) || !(out.weight[2] >= 0)) return out;
  const double height = n.dot(w0);
  out.squared = height * height / nn;
  out.inside = true;
  return out;
}

double signed_volume(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

// Whether the origin lies in a full simplex.
bool holds_origin(const Simplex<2>& s) {
  const Vec<2>&a = s.vertex[0].w, &b = s.vertex[1].w, &c = s.vertex[2].w;
  const double ab = signed_volume(a, b), bc = signed_volume(b, c), ca = signed_volume(c, a);
  return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
}
bool holds_origin(const Simplex<3>& s) {
  const Vec<3>&a = s.vertex[0].w, &b = s.vertex[1].w, &c = s.vertex[2].w, &d = s.vertex[3].w;
  const auto same_side = [](const Vec<3>& p, const Vec<3>& q, const Vec<3>& r, const Vec<3>& opposite) {
    const Vec<3> n = cross(Vec<3>(q - p), Vec<3>(r - p));
    const double origin = -n.dot(p), other = n.dot(opposite - p);
    return (origin > 0 && other > 0) || (origin < 0 && other < 0);
  };
  return same_side(a, b, c, d) && same_side(a, b, d, c) && same_side(a, c, d, b) && same_side(b, c, d, a);
}

// Keeps the part of the simplex that holds its point nearest to the origin, with that point's weights; returns |v|².
template <int D>
double reduce(Simplex<D>& s) {
  double best = std::numeric_limits<double>::infinity();
  int corners[3] = {0, 0, 0}, count = 1;
  double weight[3] = {1, 0, 0};
  for (int i = 0; i < s.count; ++i)
    if (const double squared = s.vertex[i].w.squaredNorm(); squared < best) best = squared, corners[0] = i;
  const auto take = [&](const SubsetPoint<D>& point, int n, int i, int j, int k) {
    if (!point.inside || !(point.squared < best)) return;
    best = point.squared, count = n;
    corners[0] = i, corners[1] = j, corners[2] = k;
    std::copy_n(point.weight, 3, weight);
  };
  for (int i = 0; i < s.count; ++i)
    for (int j = i + 1; j < s.count; ++j) {
      take(nearest_on_edge<D>(s.vertex[i].w, s.vertex[j].w), 2, i, j, 0);
      if constexpr (D == 3)
        for (int k = j + 1; k < s.count; ++k)
          take(nearest_on_face(s.vertex[i].w, s.vertex[j].w, s.vertex[k].w), 3, i, j, k);
    }
  s.count = count;
  for (int i = 0; i < count; ++i) {  // corners ascend: nothing is overwritten before it has moved
    if (corners[i] != i) s.vertex[i] = s.vertex[corners[i]];
    s.weight[i] = weight[i];
  }
  return best;
}

template <int D>
Vec<D> nearest_point(const Simplex<D>& s) {
  Vec<D> v = Vec<D>::Zero();
  for (int i = 0; i < s.count; ++i) v += s.weight[i] * s.vertex[i].w;
  return v;
}

// The direction of v, made perpendicular to what the simplex spans.
Vec<2> normal_of(const Simplex<2>& s, const Vec<2>& v) {
  if (s.count < 2) return v.normalized();
  const Vec<2> e = s.vertex[1].w - s.vertex[0].w, n = Vec<2>(e[1], -e[0]).normalized();
  return n.dot(s.vertex[0].w) < 0 ? Vec<2>(-n) : n;
}
Vec<3> normal_of(const Simplex<3>& s, const Vec<3>& v) {
  if (s.count < 2) return v.normalized();
  const Vec<3> e = s.vertex[1].w - s.vertex[0].w;
  Vec<3> n;
  if (s.count == 2) {
    n = v.normalized();
    n -= e * (e.dot(n) / e.squaredNorm());
  } else {
    n = cross(e, Vec<3>(s.vertex[2].w - s.vertex[0].w));
  }
  n.normalize();
  return n.dot(s.vertex[0].w) < 0 ? Vec<3>(-n) : n;
}

template <int D>
void recall(const MinkowskiDifference<D>& m, const PairMemory& memory, Simplex<D>& s) {
  s.count = 0;
  if (memory.kind != PairMemory::Kind::kSimplex || m.curved()) return;
  for (int i = 0; i < std::min<int>(memory.count, D); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (m.has(memory.a[k], memory.b[k])) s.vertex[s.count++] = m.vertex(memory.a[k], memory.b[k]);
  }
}

template <int D>
void remember(const Simplex<D>& s, const Vec<D>& world_normal, PairMemory& memory) {
  memory.kind = PairMemory::Kind::kSimplex;
  memory.count = static_cast<std::uint8_t>(std::min(s.count, D));
  for (std::size_t i = 0; i < memory.count; ++i) {
    memory.a[i] = static_cast<std::uint16_t>(s.vertex[i].ia);
    memory.b[i] = static_cast<std::uint16_t>(s.vertex[i].ib);
  }
  for (int i = 0; i < D; ++i) memory.direction[static_cast<std::size_t>(i)] = static_cast<float>(world_normal[i]);
}

template <int D>
bool repeated(const Simplex<D>& s, const MinkowskiVertex<D>& w) {
  for (int i = 0; i < s.count; ++i)
    if (s.vertex[i].ia == w.ia && s.vertex[i].ib == w.ib) return true;
  return false;
}

template <int D>
void take_points(const Simplex<D>& s, CoreClosest<D>& out) {
  out.on_a.setZero();
  out.on_b.setZero();
  for (int i = 0; i < s.count; ++i) {
    out.on_a += s.weight[i] * s.vertex[i].a;
    out.on_b += s.weight[i] * s.vertex[i].b;
  }
}

enum class Outcome { kFar, kApart, kOverlap };

// The loop. `limit`: a distance of the cores beyond which nobody asks.
template <int D>
Outcome descend(const MinkowskiDifference<D>& m, double limit, Simplex<D>& s, Vec<D>& v, CoreClosest<D>& out) {
  const double L = m.size();
  const double tolerance = (m.curved() ? kCurvedTolerance : kPolytopeTolerance) * L;
  if (s.count == 0) {
    s.vertex[0] = m.support(m.offset().squaredNorm() > 0 ? Vec<D>(-m.offset()) : Vec<D>(Vec<D>::Unit(0)));
    s.count = 1;
  }
  double squared = reduce(s);
  v = nearest_point(s);
  for (out.iterations = 1; out.iterations <= kMaxIterations; ++out.iterations) {
    const double length = std::sqrt(squared);
    if (!(length > kTouching * L)) return Outcome::kOverlap;
    const MinkowskiVertex<D> w = m.support(Vec<D>(-v));
    const double bound = v.dot(w.w) / length;  // no point of M is nearer
    if (bound > limit) return Outcome::kFar;
    if (length - bound <= tolerance || (!m.curved() && repeated(s, w))) return Outcome::kApart;
    Simplex<D> next = s;
    next.vertex[next.count++] = w;
    if (next.count == D + 1 && holds_origin(next)) return Outcome::kOverlap;
    const double before = squared, now = reduce(next);
    if (!(now < before)) return Outcome::kApart;  // at the last bit
    s = next;
    squared = now;
    v = nearest_point(s);
  }
  out.converged = false;
  return Outcome::kApart;
}

// The same for curved cores: the points of the simplex only where no others prove the normal.
template <int D>
bool settle_curved(const MinkowskiDifference<D>& m, double& proven, CoreClosest<D>& core) {
  const Polished<D> polished = polish(m, core.normal);
  proven = polished.separation;
  core.converged = core.distance - proven <= kCurvedProven * m.size();
  if (polished.exact && core.converged) {
    take_polished(polished, core);
  } else {
    core.normal = polished.normal;
    take_support_if_nearer(m, core);
  }
  return core.converged;
}

// What the simplex says of cores that are apart. False if the plane across the way does not separate them by as much as
// the points are apart: then neither is proven.
template <int D>
bool settle(const MinkowskiDifference<D>& m, const Simplex<D>& s, const Vec<D>& v, double& proven,
            CoreClosest<D>& core) {
  core.normal = normal_of(s, v);
  core.distance = v.norm();
  take_points(s, core);
  if (m.curved()) return settle_curved(m, proven, core);
  proven = core.normal.dot(m.support(Vec<D>(-core.normal)).w);
  core.converged = core.distance - proven <= kNormalTolerance * m.size();
  return core.converged;
}

// The pair of points of cores that overlap. Moved along the shortest way apart, and a bit farther, they are apart, and
// nearest at the same points of their surfaces: the plane across the way proves that no others are nearer.
template <int D>
void place_points(const MinkowskiDifference<D>& m, CoreClosest<D>& out) {
  constexpr double kParted = 1e-5;  // of L: the points are off by the normal's error over this length
  const Vec<D> way = out.normal * (kParted * m.size() - out.distance);
  const MinkowskiDifference<D> apart = m.moved(way);
  Simplex<D> s;
  s.vertex[0] = apart.support(Vec<D>(-out.normal));
  s.count = 1;
  Vec<D> v;
  CoreClosest<D> parted;
  descend(apart, std::numeric_limits<double>::infinity(), s, v, parted);
  take_points(s, parted);
  // What the normal's error leaves over is shared: the points are apart by the distance, along the normal.
  const Vec<D> middle = 0.5 * (parted.on_a + parted.on_b - way), half = 0.5 * out.distance * out.normal;
  out.on_a = middle - half;
  out.on_b = middle + half;
}

}  // namespace

template <int D>
bool gjk(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out) {
  const MinkowskiDifference<D> m(a, b);
  const double limit = margin + m.radii();
  Simplex<D> s;
  recall(m, memory, s);
  if (s.count == 0 && memory.kind != PairMemory::Kind::kNone) {
    Vec<D> d;
    for (int i = 0; i < D; ++i) d[i] = static_cast<double>(memory.direction[static_cast<std::size_t>(i)]);
    s.vertex[0] = m.support(-(a.R.transpose() * d));
    s.count = 1;
  }
  CoreClosest<D> core;
  Vec<D> v;
  double proven = -std::numeric_limits<double>::infinity(), apart = proven;
  Outcome outcome = descend(m, limit, s, v, core);
  if (outcome == Outcome::kApart && !settle(m, s, v, proven, core)) {
    // Stuck on a sliver: once more, from the direction that was found.
    s.vertex[0] = m.support(Vec<D>(-core.normal));
    s.count = 1;
    outcome = descend(m, limit, s, v, core);
    if (outcome == Outcome::kApart) settle(m, s, v, proven, core);
  }
  if (outcome == Outcome::kFar) {
    remember(s, Vec<D>(a.R * v.normalized()), memory);
    return false;
  }
  if (outcome == Outcome::kApart) apart = core.distance;
  if (outcome == Outcome::kOverlap || (!core.converged && apart < kNearlyTouching * m.size())) {
    const CoreClosest<D> deep = epa(m);
    const int iterations = core.iterations + deep.iterations;
    if (outcome == Outcome::kOverlap || deep.distance > proven - kPolytopeTolerance * m.size()) {
      core = deep;
      if (!core.exact) place_points(m, core);
      core.converged = deep.converged && apart - deep.distance <= 10 * kNormalTolerance * m.size();
    }
    core.iterations = iterations;
  }
  out.gap = core.distance - m.radii();
  out.normal = a.R * core.normal;
  out.on_a = a.p + a.R * Vec<D>(core.on_a + core.normal * m.radius_a());
  out.on_b = a.p + a.R * Vec<D>(core.on_b - core.normal * m.radius_b());
  out.iterations = core.iterations;
  out.converged = core.converged;
  remember(s, out.normal, memory);
  return out.gap <= margin;
}

template bool gjk(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool gjk(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone
