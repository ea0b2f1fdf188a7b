// Purpose: contact points of two boxes. The axis of least overlap among the 6 face normals and the 9 edge
//   cross products decides; a face axis clips the other box's facing face to the reference face, an edge
//   axis gives the closest points of the two edges.
// Source: separating axes [yang2020, SAT]; clipping by Sutherland-Hodgman.
// Letters: c = centre of B in A's frame, Q = R_Aᵀ·R_B.
// Fails: never. Parallel edges are skipped (their axis vanishes).
#include "collision/narrow/box_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

struct Axis {
  double separation = -std::numeric_limits<double>::infinity();
  int a = -1, b = -1;              // faces: the one axis index; edges: both
  Vec<3> normal = Vec<3>::Zero();  // A's frame, from A to B
};

// A vertex of the clipped face: its place, what made it, and what the edge to the next vertex lies on (0-3: an
// edge of the face; 4-7: a side plane of the reference).
struct ClipVertex {
  Vec<3> x;
  int id, edge;
};

struct ClipPolygon {
  ClipVertex v[12];
  int count = 0;
};

// Keeps what lies at s·x[axis] <= limit.
void clip(ClipPolygon& polygon, int axis, double s, double limit, int plane) {
  ClipPolygon kept;
  for (int i = 0; i < polygon.count; ++i) {
    const ClipVertex &from = polygon.v[i], &to = polygon.v[(i + 1) % polygon.count];
    const double d0 = s * from.x[axis] - limit, d1 = s * to.x[axis] - limit;
    if (d0 <= 0) kept.v[kept.count++] = from;
    if ((d0 < 0 && d1 > 0) || (d0 > 0 && d1 < 0)) {
      const Vec<3> x = from.x + (to.x - from.x) * (d0 / (d0 - d1));
      const int id = 4 + from.edge * 4 + plane;  // 4..35
      kept.v[kept.count++] = {x, id, d0 < 0 ? 4 + plane : from.edge};
    } else if (d0 == 0 && d1 > 0) {
      kept.v[kept.count - 1].edge = 4 + plane;
    }
  }
  polygon = kept;
}

// `reference` owns the face with outward axis `face`, sign `sign`; everything in its frame.
void clip_faces(const Placed<3>& reference, const Placed<3>& other, int face, double sign, bool turned, double margin,
                ContactPoints<3>& out) {
  const Mat<3> Q = reference.R.transpose() * other.R;
  const Vec<3> c = reference.R.transpose() * (other.p - reference.p);
  const Vec<3> h = reference.shape.half, g = other.shape.half;
  // The face of the other box that looks most against the reference normal.
  int facing = 0;
  Q.row(face).cwiseAbs().maxCoeff(&facing);
  const double facing_sign = sign * Q(face, facing) > 0 ? -1.0 : 1.0;
  const int u = (facing + 1) % 3, w = (facing + 2) % 3;
  ClipPolygon polygon;
  polygon.count = 4;
  const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i < 4; ++i) {
    const Vec<3> x = c + Q.col(facing) * (facing_sign * g[facing]) + Q.col(u) * (corner[i][0] * g[u]) +
                     Q.col(w) * (corner[i][1] * g[w]);
    polygon.v[i] = {x, i, i};
  }
  const int s = (face + 1) % 3, t = (face + 2) % 3;
  clip(polygon, s, 1.0, h[s], 0);
  clip(polygon, s, -1.0, h[s], 1);
  clip(polygon, t, 1.0, h[t], 2);
  clip(polygon, t, -1.0, h[t], 3);
  const Vec<3> normal = reference.R.col(face) * (turned ? -sign : sign);
  const unsigned face_ids = (turned ? 1u : 0u) << 13 | static_cast<unsigned>(face * 2 + (sign > 0)) << 10 |
                            static_cast<unsigned>(facing * 2 + (facing_sign > 0)) << 7;
  for (int i = 0; i < polygon.count; ++i) {
    const double gap = sign * polygon.v[i].x[face] - h[face];
    if (gap > margin) continue;
    Vec<3> x = polygon.v[i].x;
    x[face] -= 0.5 * sign * gap;
    out.push_back({reference.p + reference.R * x, normal, gap,
                   static_cast<std::uint16_t>(face_ids | static_cast<unsigned>(polygon.v[i].id))});
  }
}

void edge_contact(const Placed<3>& a, const Placed<3>& b, const Axis& axis, double margin, ContactPoints<3>& out) {
  const Vec<3> n = a.R * axis.normal;
  // The edge of each box that reaches farthest towards the other.
  Vec<3> pa = a.p, pb = b.p;
  unsigned ids = 0;
  for (int i = 0; i < 3; ++i) {
    const double sa = n.dot(a.R.col(i)) > 0 ? 1.0 : -1.0, sb = n.dot(b.R.col(i)) > 0 ? -1.0 : 1.0;
    if (i != axis.a) pa += a.R.col(i) * (sa * a.shape.half[i]), ids = ids * 2 + (sa > 0);
    if (i != axis.b) pb += b.R.col(i) * (sb * b.shape.half[i]), ids = ids * 2 + (sb > 0);
  }
  const Vec<3> da = a.R.col(axis.a), db = b.R.col(axis.b), r = pb - pa;
  const double cosine = da.dot(db), determinant = 1 - cosine * cosine;
  const double s = (da.dot(r) - cosine * db.dot(r)) / determinant, t = (cosine * da.dot(r) - db.dot(r)) / determinant;
  const Vec<3> on_a = pa + s * da, on_b = pb + t * db;
  const double gap = n.dot(on_b - on_a);
  if (gap > margin) return;
  const auto feature = static_cast<std::uint16_t>(0x8000u | static_cast<unsigned>(axis.a * 3 + axis.b) << 4 | ids);
  out.push_back({0.5 * (on_a + on_b), n, gap, feature});
}

}  // namespace

void box_box(const Placed<3>& a, const Placed<3>& b, double margin, ContactPoints<3>& out) {
  const Mat<3> Q = a.R.transpose() * b.R;
  const Mat<3> absQ = Q.cwiseAbs();
  const Vec<3> c = a.R.transpose() * (b.p - a.p);
  const Vec<3> h = a.shape.half, g = b.shape.half;
  Axis face_a, face_b, edge;
  for (int i = 0; i < 3; ++i) {
    const double s = std::abs(c[i]) - h[i] - absQ.row(i).dot(g);
    if (s > face_a.separation) face_a = {s, i, -1, Vec<3>::Zero()};
  }
  if (face_a.separation > margin) return;
  const Vec<3> c_B = Q.transpose() * c;
  for (int i = 0; i < 3; ++i) {
    const double s = std::abs(c_B[i]) - g[i] - absQ.col(i).dot(h);
    if (s > face_b.separation) face_b = {s, -1, i, Vec<3>::Zero()};
  }
  if (face_b.separation > margin) return;
  constexpr double kParallel = 1e-6;  // squared sine below which two edges have no axis of their own
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Vec<3> n = cross(Vec<3>(Vec<3>::Unit(i)), Vec<3>(Q.col(j)));
      const double n2 = n.squaredNorm();
      if (n2 < kParallel) continue;
      n /= std::sqrt(n2);
      if (n.dot(c) < 0) n = -n;
      const double s = n.dot(c) - h.dot(n.cwiseAbs()) - g.dot((Q.transpose() * n).cwiseAbs());
      if (s > edge.separation) edge = {s, i, j, n};
    }
  if (edge.separation > margin) return;
  if (face_a.a < 0 || face_b.b < 0) return;  // only where a pose is not finite; the step is refused later
  // Faces before edges, A before B, unless clearly worse: a tie (stacked boxes) is broken the same way each step.
  const double faces = std::max(face_a.separation, face_b.separation);
  const double scale = std::min(h.minCoeff(), g.minCoeff());
  if (edge.separation > faces + 1e-3 * scale + 0.05 * std::abs(faces)) return edge_contact(a, b, edge, margin, out);
  if (face_b.separation > face_a.separation + 1e-4 * scale + 0.02 * std::abs(face_a.separation))
    clip_faces(b, a, face_b.b, c_B[face_b.b] > 0 ? -1.0 : 1.0, true, margin, out);
  else
    clip_faces(a, b, face_a.a, c[face_a.a] > 0 ? 1.0 : -1.0, false, margin, out);
}

}  // namespace touchstone
