// Purpose: contact points of two boxes. The axis of greatest separation among the 6 face normals and the 9 edge cross
//   products decides; the direction that kept the boxes apart in the step before is asked first.
// Source: separating axes [yang2020, SAT].
// Letters: c = centre of B in A's frame, Q = R_Aᵀ·R_B, h and g the half edges of A and B.
// Deviations: (1) apart from each other, separating axes underestimate a distance between corners: where no corner of
//   the overlap is as near as the axis says, GJK tells the distance.
// Fails: never. Parallel edges are skipped: their axis vanishes, and the faces stand for it.
#include "collision/narrow/box_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/box_manifold.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/manifold.h"
#include "math/lane_vectors.h"

namespace touchstone {
namespace {

// Of the size: an edge axis, or a face of B, must be better than a face of A by this: so that a tie, as between stacked
// boxes, is broken the same way in every step. A tenth of what routines may differ.
constexpr double kTie = 1e-10;

struct Axis {
  double separation = -std::numeric_limits<double>::infinity();
  Vec<3> normal = Vec<3>::Zero();  // A's frame, from A to B
  int a = -1, b = -1;              // edges: along which axes
};

// False as soon as one axis keeps the boxes apart by more than the margin; `best` is then that axis.
bool faces(const BoxPair& boxes, double margin, double tie, Axis& best) {
  const Mat<3> absQ = boxes.Q.cwiseAbs();
  const Vec<3> along_a = boxes.c.cwiseAbs() - boxes.h - absQ * boxes.g;
  int i = 0;
  best.separation = along_a.maxCoeff(&i);
  best.normal = Vec<3>::Unit(i) * (boxes.c[i] < 0 ? -1.0 : 1.0);
  if (best.separation > margin) return false;
  const Vec<3> c_B = boxes.Q.transpose() * boxes.c;
  const Vec<3> along_b = c_B.cwiseAbs() - boxes.g - absQ.transpose() * boxes.h;
  if (const double most = along_b.maxCoeff(&i); most > best.separation + tie) {
    best.separation = most;
    best.normal = boxes.Q.col(i) * (c_B[i] < 0 ? -1.0 : 1.0);
  }
  return !(best.separation > margin);
}

// The axes e_i × Q_j, three side by side: j along the lanes, the fourth lane is empty.
bool edges(const BoxPair& boxes, double margin, double tie, Axis& best) {
  constexpr double kParallel = 1e-12;  // squared sine below which two edges have no axis of their own
  const Vec<3>&c = boxes.c, &h = boxes.h, &g = boxes.g;
  const Mat<3>& Q = boxes.Q;
  Lane row[3], crossed[3];  // Q(i, j), and g_{j+1}·|Q(i, j+2)| + g_{j+2}·|Q(i, j+1)|
  const Lane g1{g[1], g[2], g[0], 0}, g2{g[2], g[0], g[1], 0};
  for (int i = 0; i < 3; ++i) {
    row[i] = Lane{Q(i, 0), Q(i, 1), Q(i, 2), 0};
    crossed[i] =
        g1 * magnitude(Lane{Q(i, 2), Q(i, 0), Q(i, 1), 0}) + g2 * magnitude(Lane{Q(i, 1), Q(i, 2), Q(i, 0), 0});
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    // e_i × Q_j has no part along i; its projections are products of what is there.
    const Lane n1 = -row[i2], n2 = row[i1], squared = n1 * n1 + n2 * n2;
    const Lane centre = n1 * c[i1] + n2 * c[i2];
    const Lane apart = magnitude(centre) - magnitude(n1) * h[i1] - magnitude(n2) * h[i2] - crossed[i];
    const Lane length = square_root(squared);
    const Lane separation = choose(squared < lane_of(kParallel), lane_of(-std::numeric_limits<double>::infinity()),
                                   apart / larger(length, lane_of(kParallel)));
    const LaneMask no_better = separation <= lane_of(best.separation + tie);
    if (all(no_better)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!(separation[j] > best.separation + tie)) continue;
      best.separation = separation[j];
      const double scale = (centre[j] < 0 ? -1.0 : 1.0) / length[j];
      best.normal.setZero();
      best.normal[i1] = scale * n1[j];
      best.normal[i2] = scale * n2[j];
      best.a = i, best.b = j;
      if (best.separation > margin) return false;
    }
  }
  return true;
}

double corner(double half, double towards) { return towards < 0 ? -half : half; }

// A pair of points for the axis: of the two edges, or B's deepest corner over A's (or A's under B's) face.
void place_points(const BoxPair& boxes, const Axis& axis, Vec<3>& on_a, Vec<3>& on_b) {
  const Vec<3>& n = axis.normal;
  const Vec<3> n_B = boxes.Q.transpose() * n;
  for (int k = 0; k < 3; ++k) on_a[k] = corner(boxes.h[k], n[k]);
  Vec<3> local;
  for (int k = 0; k < 3; ++k) local[k] = corner(boxes.g[k], -n_B[k]);
  on_b = boxes.c + boxes.Q * local;
  if (axis.a < 0) {
    on_a = on_b - n * axis.separation;
    return;
  }
  const Vec<3> da = Vec<3>::Unit(axis.a), db = boxes.Q.col(axis.b), r = on_b - on_a;
  const double cosine = da.dot(db), determinant = 1 - cosine * cosine;
  on_a += da * ((da.dot(r) - cosine * db.dot(r)) / determinant);
  on_b += db * ((cosine * da.dot(r) - db.dot(r)) / determinant);
}

Closest<3> closest_on(const BoxPair& boxes, const Axis& axis, const Placed<3>& a) {
  Closest<3> closest;
  Vec<3> on_a, on_b;
  place_points(boxes, axis, on_a, on_b);
  closest.gap = axis.separation;
  closest.normal = a.R * axis.normal;
  closest.on_a = a.p + a.R * on_a;
  closest.on_b = a.p + a.R * on_b;
  return closest;
}

void keep_apart(const Vec<3>& normal, PairMemory& memory) {
  memory.kind = PairMemory::Kind::kDirection;
  for (int i = 0; i < 3; ++i) memory.direction[static_cast<std::size_t>(i)] = static_cast<float>(normal[i]);
}

// Whether the remembered direction still keeps the boxes apart by more than the margin.
bool still_apart(const Placed<3>& a, const Placed<3>& b, double margin, const PairMemory& memory) {
  if (memory.kind != PairMemory::Kind::kDirection) return false;
  Vec<3> n;
  for (int i = 0; i < 3; ++i) n[i] = static_cast<double>(memory.direction[static_cast<std::size_t>(i)]);
  const double extent =
      a.shape.half.dot((a.R.transpose() * n).cwiseAbs()) + b.shape.half.dot((b.R.transpose() * n).cwiseAbs());
  // The direction has lost its last digits, and with them its length of one.
  return n.dot(b.p - a.p) - extent > margin * (1 + 1e-6);
}

}  // namespace

void box_box(const Placed<3>& a, const Placed<3>& b, double margin, PairMemory& memory, ContactPoints<3>& out) {
  if (still_apart(a, b, margin, memory)) return;
  const BoxPair boxes{a.R.transpose() * (b.p - a.p), a.R.transpose() * b.R, a.shape.half, b.shape.half};
  const double tie = kTie * (boxes.h.sum() + boxes.g.sum());
  Axis axis;
  if (!faces(boxes, margin, tie, axis) || !edges(boxes, margin, tie, axis))
    return keep_apart(a.R * axis.normal, memory);
  memory.kind = PairMemory::Kind::kNone;
  const std::size_t first = out.size();
  const double size = std::min(reach_of(a.shape), reach_of(b.shape));
  Closest<3> closest;
  double least = 0;
  bool reached;  // whether a corner of the overlap stands for the closest points
  if (add_box_manifold(boxes, axis.normal, a, margin, out, least)) {
    reached = least <= axis.separation + kSameGap * size;
    if (!reached) closest = closest_on(boxes, axis, a);
  } else {
    closest = closest_on(boxes, axis, a);
    add_manifold(a, b, closest, margin, out);
    reached = out.size() > first && out.back().feature != nearest_point();
    if (!reached) out.pop_back();
  }
  if (reached) return;
  if (!(axis.separation > 0)) {
    out.push_back({0.5 * (closest.on_a + closest.on_b), closest.normal, closest.gap, nearest_point()});
    return;
  }
  out.resize(first);
  if (gjk<3>(a, b, margin, memory, closest)) add_manifold(a, b, closest, margin, out);
}

}  // namespace touchstone
