// Purpose: contact points of two boxes. Each one's face that looks at the other is, seen along the normal, a
//   parallelogram; in the coordinates of either one it is the square [−1, 1]², so that corners inside are told by
//   comparing and edges are cut by dividing, without a walk round the polygon.
// Source: the corners of add_manifold; cutting of lines by a rectangle as Y.-D. Liang, B. A. Barsky, A new concept and
//   method for line clipping, ACM TOG 3 (1984).
// Letters: (s, t) coordinates on A's face, (p, q) on B's, both −1 to 1 from edge to edge; h, g half edges; n, m the
//   normal in A's and in B's frame.
// Deviations: (1) every candidate (4 corners of B, 4 of A, 8 crossings) is computed and written, and counted only if it
//   is one: mispredicted branches cost more than arithmetic. (2) Candidates come in order of their names.
// Fails: where a corner lies nearly on an edge: it says so.
#include "collision/narrow/box_manifold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/narrow/feature.h"
#include "collision/narrow/manifold.h"

namespace touchstone {
namespace {

// Of the smaller reach: a corner must be farther than this from the edges of the other face. Well above the slack of
// add_manifold, so that sharp corners of a slanted face are told apart as there.
constexpr double kClear = 64 * kEdgeSlack;

// Edge numbers of unit_box: of each face, those at −1 and +1 along its first axis, then along its second.
using FaceEdges = std::array<std::array<std::uint32_t, 2>, 2>;

// The edges of a face in ascending order: which coordinate is fixed, and at which end.
struct EdgeOfFace {
  std::uint32_t id;
  int fixed, end;
};
struct FaceTable {
  std::array<FaceEdges, 6> edges;
  std::array<std::array<EdgeOfFace, 4>, 6> ordered;
};

constexpr int first_axis(int axis) { return axis == 0 ? 1 : 0; }
constexpr int second_axis(int axis) { return axis == 2 ? 1 : 2; }

FaceTable make_table() {
  FaceTable table;
  const Polytope<3>& box = unit_box<3>();
  for (int f = 0; f < 6; ++f) {
    const auto face = static_cast<std::size_t>(f);
    std::size_t count = 0;
    for (const std::uint32_t e : box.face_ring_edges(face)) {
      const std::uint32_t both = box.edges[e].tail & box.edges[e].head, either = box.edges[e].tail ^ box.edges[e].head;
      const int fixed = either == 1u << first_axis(f / 2) ? 1 : 0;
      const int axis = fixed == 0 ? first_axis(f / 2) : second_axis(f / 2);
      const int end = static_cast<int>(both >> axis & 1);
      table.edges[face][static_cast<std::size_t>(fixed)][static_cast<std::size_t>(end)] = e;
      table.ordered[face][count++] = {e, fixed, end};
    }
    std::sort(table.ordered[face].begin(), table.ordered[face].end(),
              [](const EdgeOfFace& x, const EdgeOfFace& y) { return x.id < y.id; });
  }
  return table;
}

// The face of a box that looks along a direction.
struct Face {
  int axis, first, second;
  bool up;
  explicit Face(const Vec<3>& towards) {
    towards.cwiseAbs().maxCoeff(&axis);
    up = towards[axis] > 0;
    first = first_axis(axis), second = second_axis(axis);
  }
  std::size_t index() const { return static_cast<std::size_t>(2 * axis + (up ? 1 : 0)); }
  std::uint32_t vertex(unsigned k) const {
    return static_cast<std::uint32_t>(up) << axis | (k & 1u) << first | (k >> 1) << second;
  }
};

// Coordinates on a face of what lies over it: of a point, and per step along a direction; along the normal nothing
// changes.
struct OnFace {
  int axis, first, second;
  double slant1, slant2, scale1, scale2;  // of the normal against the face; 1 / half edge
  double clear1, clear2;                  // how far from ±1 a corner must be
  OnFace(const Face& f, const Vec<3>& half, const Vec<3>& normal, double clear)
      : axis(f.axis), first(f.first), second(f.second) {
    const double inverse = 1 / normal[axis];
    slant1 = normal[first] * inverse, slant2 = normal[second] * inverse;
    scale1 = 1 / half[first], scale2 = 1 / half[second];
    clear1 = clear * (1 + std::abs(slant1)) * scale1, clear2 = clear * (1 + std::abs(slant2)) * scale2;
  }
  std::array<double, 2> of(const Vec<3>& x) const {
    return {(x[first] - x[axis] * slant1) * scale1, (x[second] - x[axis] * slant2) * scale2};
  }
};

// The other face's centre and half edges in the coordinates of one.
struct Quad {
  std::array<double, 2> centre, e1, e2;
  std::array<std::array<double, 2>, 4> corner;  // at (−, −), (+, −), (−, +), (+, +)
  std::array<bool, 4> inside;
  // False if a corner is too near to an edge.
  bool place_corners(double clear1, double clear2) {
    double near1 = std::numeric_limits<double>::infinity(), near2 = near1;
    for (unsigned k = 0; k < 4; ++k) {
      const double f1 = k & 1 ? 1.0 : -1.0, f2 = k & 2 ? 1.0 : -1.0;
      corner[k] = {centre[0] + f1 * e1[0] + f2 * e2[0], centre[1] + f1 * e1[1] + f2 * e2[1]};
      const double out1 = std::abs(corner[k][0]) - 1, out2 = std::abs(corner[k][1]) - 1;
      near1 = std::min(near1, std::abs(out1)), near2 = std::min(near2, std::abs(out2));
      inside[k] = std::max(out1, out2) < 0;
    }
    return near1 > clear1 && near2 > clear2;
  }
};

// The points found so far; `add` writes always, and counts if `wanted`.
struct Found {
  struct Point {
    double s, t, gap;
    std::uint16_t name;
  };
  std::array<Point, 17> point;
  std::size_t count = 0;
  double g0, gs, gt, margin;  // the gap over A's face
  void add(double s, double t, std::uint16_t name, bool wanted) {
    const double gap = g0 + gs * s + gt * t;
    point[count] = {s, t, gap, name};
    count += static_cast<std::size_t>(wanted & (gap <= margin));
  }
};

// Where the line x + λ·d runs inside of [−1, 1]: from `enter` to `leave`. A d that vanishes counts as very small.
struct Slab {
  double enter, leave;
  Slab(double x, double inverse) {
    const double middle = -x * inverse, half = std::abs(inverse);
    enter = middle - half, leave = middle + half;
  }
};

double inverse_of(double d) {
  constexpr double kTiny = 1e-100;  // dimensionless: a step so small leaves the square nowhere
  return std::copysign(1 / std::max(std::abs(d), kTiny), d);
}

// Crossings of A's edges, each with what it meets of B's when it enters and when it leaves B's face.
void add_crossings(const FaceTable& table, const Face& fa, const Face& fb, const Quad& a_on_b, Found& found) {
  const std::array<const std::array<double, 2>*, 2> step{&a_on_b.e1, &a_on_b.e2};
  const double inverse[2][2] = {{inverse_of(a_on_b.e1[0]), inverse_of(a_on_b.e1[1])},
                                {inverse_of(a_on_b.e2[0]), inverse_of(a_on_b.e2[1])}};
  const FaceEdges& edges_b = table.edges[fb.index()];
  for (const EdgeOfFace& e : table.ordered[fa.index()]) {
    const int along = 1 - e.fixed;
    const double side = e.end ? 1.0 : -1.0;
    const std::array<double, 2>& across = *step[static_cast<std::size_t>(e.fixed)];
    const double ip = inverse[along][0], iq = inverse[along][1];
    const Slab p(a_on_b.centre[0] + side * across[0], ip), q(a_on_b.centre[1] + side * across[1], iq);
    const bool enters_p = p.enter > q.enter, leaves_p = p.leave < q.leave;
    const double enter = enters_p ? p.enter : q.enter, leave = leaves_p ? p.leave : q.leave;
    const bool meets = std::max(enter, -1.0) < std::min(leave, 1.0);
    const std::size_t p_up = ip > 0, q_up = iq > 0;
    const std::uint32_t at_enter = enters_p ? edges_b[0][1 - p_up] : edges_b[1][1 - q_up],
                        at_leave = leaves_p ? edges_b[0][p_up] : edges_b[1][q_up];
    const bool turned = at_enter > at_leave;
    const double l1 = turned ? leave : enter, l2 = turned ? enter : leave;
    const bool is1 = meets & (std::abs(l1) < 1), is2 = meets & (std::abs(l2) < 1);
    const std::uint32_t b1 = turned ? at_leave : at_enter, b2 = turned ? at_enter : at_leave;
    found.add(e.fixed ? l1 : side, e.fixed ? side : l1, crossing(e.id, b1), is1);
    found.add(e.fixed ? l2 : side, e.fixed ? side : l2, crossing(e.id, b2), is2);
  }
}

}  // namespace

bool add_box_manifold(const BoxPair& boxes, const Vec<3>& n, const Placed<3>& a, double margin, ContactPoints<3>& out,
                      double& least) {
  static const FaceTable table = make_table();
  const Vec<3>&h = boxes.h, &g = boxes.g;
  const Mat<3>& Q = boxes.Q;
  const Vec<3> m = Q.transpose() * n;
  const Face fa(n), fb(Vec<3>(-m));
  const double clear = kClear * std::sqrt(std::min(h.squaredNorm(), g.squaredNorm()));
  const OnFace on_a(fa, h, n, clear), on_b(fb, g, m, clear);
  Vec<3> centre_b = boxes.c + Q.col(fb.axis) * (fb.up ? g[fb.axis] : -g[fb.axis]);  // from the centre of A's face
  const double top = fa.up ? h[fa.axis] : -h[fa.axis];
  centre_b[fa.axis] -= top;
  Quad b_on_a;
  b_on_a.centre = on_a.of(centre_b);
  b_on_a.e1 = on_a.of(Vec<3>(Q.col(fb.first) * g[fb.first]));
  b_on_a.e2 = on_a.of(Vec<3>(Q.col(fb.second) * g[fb.second]));
  if (!b_on_a.place_corners(on_a.clear1, on_a.clear2)) return false;
  Quad a_on_b;
  a_on_b.centre = on_b.of(Vec<3>(-(Q.transpose() * centre_b)));
  a_on_b.e1 = on_b.of(Vec<3>(Q.row(fa.first).transpose() * h[fa.first]));
  a_on_b.e2 = on_b.of(Vec<3>(Q.row(fa.second).transpose() * h[fa.second]));
  if (!a_on_b.place_corners(on_b.clear1, on_b.clear2)) return false;

  Found found;
  const double steepness = 1 / m[fb.axis];
  found.g0 = Q.col(fb.axis).dot(centre_b) * steepness;
  found.gs = -Q(fa.first, fb.axis) * h[fa.first] * steepness;
  found.gt = -Q(fa.second, fb.axis) * h[fa.second] * steepness;
  found.margin = margin;
  for (unsigned k = 0; k < 4; ++k)
    found.add(b_on_a.corner[k][0], b_on_a.corner[k][1], vertex_of_b(fb.vertex(k)), b_on_a.inside[k]);
  for (unsigned k = 0; k < 4; ++k)
    found.add(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, vertex_of_a(fa.vertex(k)), a_on_b.inside[k]);
  add_crossings(table, fa, fb, a_on_b, found);

  least = std::numeric_limits<double>::infinity();
  const Vec<3> normal = a.R * n, e1 = a.R.col(fa.first) * h[fa.first] + normal * (0.5 * found.gs),
               e2 = a.R.col(fa.second) * h[fa.second] + normal * (0.5 * found.gt),
               middle = a.p + a.R.col(fa.axis) * top + normal * (0.5 * found.g0);
  for (std::size_t i = 0; i < found.count; ++i) {
    const Found::Point& f = found.point[i];
    least = std::min(least, f.gap);
    out.push_back({middle + e1 * f.s + e2 * f.t, normal, f.gap, f.name});
  }
  return true;
}

}  // namespace touchstone
