// Purpose: penetration depth of two convex cores in space. An inner polyhedron of their Minkowski difference M grows at
//   the face nearest to the origin until that face lies on the surface of M.
// Source: G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC 2001.
// Deviations: (1) it starts from a wide tetrahedron of support points that need not hold the origin: distances are
//   signed, and a face that has the origin outside is the first to grow. (2) Faces that a new point only just does not
//   see count as seen, so that no sliver is left in their plane. (3) For polytopes the normal is taken from the two
//   cores' own edges, which are longer than the differences of M.
// Fails: a cap on the iterations, or a silhouette torn by rounding, gives the best face so far, `converged` telling
//   whether its plane is proven; M without volume gives depth zero across it.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/narrow/epa.h"
#include "collision/narrow/polish.h"
#include "collision/narrow/refine.h"

namespace touchstone {
namespace {

constexpr int kMaxIterations = 255;
constexpr int kMaxVertices = kMaxIterations + 4, kMaxFaces = 2 * kMaxVertices;
constexpr double kPolytopeTolerance = 1e-14, kCurvedTolerance = 2e-7;  // of L
constexpr double kProven = 1e-10, kCurvedProven = 1e-7;                // of L: what a broken-off search may be off
constexpr double kSeen = 1e-15;                                        // of L
constexpr double kFlat = 1e-14;                                        // of L: no volume below this thickness
constexpr int kStarts = 16;                                            // for a search that was broken off

struct Face {
  int vertex[3];
  int across[3];  // the face beyond the edge from vertex k to the next
  Vec<3> normal;
  double plane;     // normal·x on it: how deep the origin is inside
  double distance;  // the same; infinite for a face without area, which is never the nearest
  bool alive;
};

// An edge of the silhouette, as the seen face runs it: the surviving face behind it, and which of its edges it is.
struct Rim {
  int from, to, face, edge;
};

class Polyhedron {
 public:
  explicit Polyhedron(double size) : seen_(-kSeen * size) {}
  void start(const std::array<MinkowskiVertex<3>, 4>& corners);
  int nearest() const;
  // Adds a point that the face `seed` sees. False if the silhouette is torn, or there is no room.
  bool grow(int seed, const MinkowskiVertex<3>& w);
  // The normals of the faces nearest to the origin, nearer than `below`, that differ from each other; how many.
  int near_normals(double below, std::array<Vec<3>, kStarts>& normals) const;
  const Face& face(int i) const { return face_[static_cast<std::size_t>(i)]; }
  const MinkowskiVertex<3>& vertex(int i) const { return vertex_[static_cast<std::size_t>(i)]; }

 private:
  Face& at(int i) { return face_[static_cast<std::size_t>(i)]; }
  int add_face(int a, int b, int c);
  void cross_edge(int f, int entered, const Vec<3>& w);
  static int edge_to(const Face& f, int other) { return f.across[0] == other ? 0 : f.across[1] == other ? 1 : 2; }

  double seen_;
  std::array<MinkowskiVertex<3>, kMaxVertices> vertex_;
  std::array<Face, kMaxFaces> face_;
  std::array<Rim, kMaxFaces> rim_;
  std::array<int, kMaxFaces> free_;
  int vertices_ = 0, faces_ = 0, rims_ = 0, free_count_ = 0;
};

int Polyhedron::add_face(int a, int b, int c) {
  const int index = free_count_ > 0 ? free_[static_cast<std::size_t>(--free_count_)] : faces_++;
  Face& f = at(index);
  f.vertex[0] = a, f.vertex[1] = b, f.vertex[2] = c;
  f.alive = true;
  const Vec<3>&p = vertex(a).w, &q = vertex(b).w, &r = vertex(c).w;
  const Vec<3> pq = q - p, pr = r - p, qr = r - q;
  // Of the three corners, the one between the two shorter edges gives the normal with the least cancellation.
  const double x = pq.squaredNorm(), y = pr.squaredNorm(), z = qr.squaredNorm();
  Vec<3> n = z >= x && z >= y ? cross(pq, pr) : y >= x ? cross(pq, qr) : cross(pr, qr);
  const double area = n.norm();
  const double longest = std::max({x, y, z});
  const bool proper = area > 1e-15 * longest;
  f.normal = proper ? Vec<3>(n / area) : Vec<3>(Vec<3>::Zero());
  f.plane = f.normal.dot(p);
  f.distance = proper ? f.plane : std::numeric_limits<double>::infinity();
  return index;
}

void Polyhedron::start(const std::array<MinkowskiVertex<3>, 4>& corners) {
  std::copy(corners.begin(), corners.end(), vertex_.begin());
  vertices_ = 4;
  // Corner 3 lies behind (0, 1, 2), counter-clockwise from outside.
  const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  const int across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int i = 0; i < 4; ++i) {
    add_face(faces[i][0], faces[i][1], faces[i][2]);
    std::copy_n(across[i], 3, at(i).across);
  }
}

int Polyhedron::nearest() const {
  int best = -1;
  for (int i = 0; i < faces_; ++i)
    if (face(i).alive && (best < 0 || face(i).distance < face(best).distance)) best = i;
  return best;
}

int Polyhedron::near_normals(double below, std::array<Vec<3>, kStarts>& normals) const {
  constexpr double kApart = 0.98;  // cosine of the angle between two starts
  int count = 0;
  while (count < kStarts) {
    int best = -1;
    for (int i = 0; i < faces_; ++i) {
      const Face& f = face(i);
      if (!f.alive || !(f.distance < (best < 0 ? below : face(best).distance))) continue;
      const auto near = [&f](const Vec<3>& n) { return n.dot(f.normal) > kApart; };
      if (std::none_of(normals.begin(), normals.begin() + count, near)) best = i;
    }
    if (best < 0) break;
    normals[static_cast<std::size_t>(count++)] = face(best).normal;
  }
  return count;
}

// Walks over the edge by which face f was entered, and on where w sees it; the rim comes out in order.
void Polyhedron::cross_edge(int f, int entered, const Vec<3>& w) {
  Face& face = at(f);
  if (!face.alive) return;
  if (!(face.normal.dot(w) - face.plane > seen_)) {
    rim_[static_cast<std::size_t>(rims_++)] = {face.vertex[(entered + 1) % 3], face.vertex[entered], f, entered};
    return;
  }
  face.alive = false;
  free_[static_cast<std::size_t>(free_count_++)] = f;
  for (int k = 1; k <= 2; ++k) {
    const int edge = (entered + k) % 3, next = face.across[edge];
    cross_edge(next, edge_to(at(next), f), w);
  }
}

bool Polyhedron::grow(int seed, const MinkowskiVertex<3>& w) {
  if (vertices_ == kMaxVertices) return false;
  vertex_[static_cast<std::size_t>(vertices_)] = w;
  const int apex = vertices_++;
  rims_ = 0;
  at(seed).alive = false;
  free_[static_cast<std::size_t>(free_count_++)] = seed;
  for (int k = 0; k < 3; ++k) {
    const int next = at(seed).across[k];
    cross_edge(next, edge_to(at(next), seed), w.w);
  }
  if (rims_ < 3 || faces_ + std::max(0, rims_ - free_count_) > kMaxFaces) return false;
  int first = -1, previous = -1;
  for (int i = 0; i < rims_; ++i) {
    const Rim &rim = rim_[static_cast<std::size_t>(i)], &after = rim_[static_cast<std::size_t>((i + 1) % rims_)];
    if (rim.to != after.from) return false;
    const int f = add_face(rim.from, rim.to, apex);
    at(f).across[0] = rim.face;
    at(rim.face).across[rim.edge] = f;
    if (previous >= 0) at(f).across[2] = previous, at(previous).across[1] = f;
    if (first < 0) first = f;
    previous = f;
  }
  at(first).across[2] = previous;
  at(previous).across[1] = first;
  return true;
}

// A direction at right angles to v.
Vec<3> any_perpendicular(const Vec<3>& v) {
  int least = 0;
  v.cwiseAbs().minCoeff(&least);
  return cross(v, Vec<3>(Vec<3>::Unit(least))).normalized();
}

// Depth zero across a difference that has no volume.
CoreClosest<3> flat(const MinkowskiDifference<3>& m, const Vec<3>& normal, const MinkowskiVertex<3>& at) {
  CoreClosest<3> out;
  out.normal = normal.dot(m.offset()) < 0 ? Vec<3>(-normal) : normal;
  out.distance = out.normal.dot(at.w);
  return out;
}

// The farther of the two support points along ±d from a point.
MinkowskiVertex<3> farther(const MinkowskiDifference<3>& m, const Vec<3>& d, const Vec<3>& from) {
  const MinkowskiVertex<3> plus = m.support(d), minus = m.support(Vec<3>(-d));
  return d.dot(plus.w - from) >= d.dot(from - minus.w) ? plus : minus;
}

// Four support points that span as much as can be had; false, with the answer, if M has no volume.
bool span(const MinkowskiDifference<3>& m, std::array<MinkowskiVertex<3>, 4>& c, CoreClosest<3>& answer) {
  const double thin = kFlat * m.size();
  double widest = -1;
  for (int i = 0; i < 3; ++i) {
    const Vec<3> d = Vec<3>::Unit(i);
    const MinkowskiVertex<3> plus = m.support(d), minus = m.support(Vec<3>(-d));
    if (const double width = (plus.w - minus.w).norm(); width > widest) widest = width, c[0] = plus, c[1] = minus;
  }
  if (widest <= thin) return answer = flat(m, Vec<3>::Unit(0), c[0]), false;
  const Vec<3> along = (c[1].w - c[0].w) / widest;
  const Vec<3> u = any_perpendicular(along), v = cross(along, u);
  double height = -1;
  Vec<3> n = u;
  for (const Vec<3>& d : {u, v, Vec<3>(u + v), Vec<3>(u - v)}) {
    const MinkowskiVertex<3> far = farther(m, d, c[0].w);
    const Vec<3> normal = cross(along, Vec<3>(far.w - c[0].w));
    if (const double h = normal.norm(); h > height) height = h, c[2] = far, n = normal;
  }
  if (height <= thin) return answer = flat(m, u, c[0]), false;
  n /= height;
  c[3] = farther(m, n, c[0].w);
  const double depth = n.dot(c[3].w - c[0].w);
  if (std::abs(depth) <= thin) return answer = flat(m, n, c[0]), false;
  if (depth > 0) std::swap(c[1], c[2]);
  return true;
}

// The outward normal of a face of M. A face of one core, or an edge of each, gives it from their own vertices.
Vec<3> sharp_normal(const MinkowskiVertex<3>& p, const MinkowskiVertex<3>& q, const MinkowskiVertex<3>& r,
                    const Vec<3>& around) {
  const auto through = [&](const Vec<3>& e1, const Vec<3>& e2) {
    const Vec<3> n = cross(e1, e2);
    const double length = n.norm();
    // Where the two edges are nearly parallel the cross product is no better than what is there.
    if (!(length > 1e-9 * e1.norm() * e2.norm())) return around;
    return Vec<3>(n.dot(around) < 0 ? Vec<3>(-n / length) : Vec<3>(n / length));
  };
  const MinkowskiVertex<3>* v[3] = {&p, &q, &r};
  for (int i = 0; i < 3; ++i) {
    const MinkowskiVertex<3>&x = *v[i], &y = *v[(i + 1) % 3], &z = *v[(i + 2) % 3];
    if (x.ia == y.ia && x.ib == z.ib) return through(y.b - x.b, z.a - x.a);
    if (x.ib == y.ib && x.ia == z.ia) return through(y.a - x.a, z.b - x.b);
  }
  if (p.ia == q.ia && q.ia == r.ia) return through(q.b - p.b, r.b - p.b);
  if (p.ib == q.ib && q.ib == r.ib) return through(q.a - p.a, r.a - p.a);
  return around;
}

// A search that was broken off leaves faces that may hide a shorter way: followed from the nearest of them.
void refine_from_faces(const MinkowskiDifference<3>& m, const Polyhedron& polyhedron, Vec<3>& normal, double& depth) {
  constexpr double kPromising = 1e-2;  // of L: how far from the best a start may be that is followed to its end
  std::array<Vec<3>, kStarts> starts;
  const int count = polyhedron.near_normals(depth, starts);
  depth = -follow_kinks(m, normal, -depth);
  for (int i = 0; i < count; ++i) {
    Vec<3> n = -starts[static_cast<std::size_t>(i)];
    double found = -refine_normal(m, n);
    if (found < depth + kPromising * m.size()) found = -follow_kinks(m, n, -found);
    if (found < depth) depth = found, normal = n;
  }
}

}  // namespace

template <>
CoreClosest<3> epa<3>(const MinkowskiDifference<3>& m) {
  const double L = m.size(), tolerance = (m.curved() ? kCurvedTolerance : kPolytopeTolerance) * L;
  CoreClosest<3> out;
  std::array<MinkowskiVertex<3>, 4> corners;
  if (!span(m, corners, out)) return out;
  Polyhedron polyhedron(L);
  polyhedron.start(corners);
  Face face = polyhedron.face(polyhedron.nearest());
  double depth = std::numeric_limits<double>::infinity();  // proven so far: M reaches no farther along its normal
  for (out.iterations = 1; out.iterations <= kMaxIterations; ++out.iterations) {
    const int nearest = polyhedron.nearest();
    const Face& candidate = polyhedron.face(nearest);
    if (nearest < 0 || !std::isfinite(candidate.distance)) break;
    const MinkowskiVertex<3> w = m.support(candidate.normal);
    const double reach = candidate.normal.dot(w.w);
    if (reach < depth) depth = reach, face = candidate;
    out.converged = reach - candidate.distance <= tolerance;
    if (out.converged || !polyhedron.grow(nearest, w)) break;
  }
  const MinkowskiVertex<3>&p = polyhedron.vertex(face.vertex[0]), &q = polyhedron.vertex(face.vertex[1]),
        &r = polyhedron.vertex(face.vertex[2]);
  out.normal = -face.normal;  // M lies behind the face's outward normal
  if (m.curved()) {
    if (!out.converged) {
      depth = std::min(depth, -refine_from_axes(m, out.normal));
      refine_from_faces(m, polyhedron, out.normal, depth);
    }
    take_polished(polish(m, out.normal), out);
    depth = -out.distance;
  } else {
    const Vec<3> sharper = -sharp_normal(p, q, r, face.normal);
    const double reach = -sharper.dot(m.support(Vec<3>(-sharper)).w);
    if (reach < depth) depth = reach, out.normal = sharper;
  }
  out.distance = -depth;
  out.converged = out.converged || depth - face.distance <= (m.curved() ? kCurvedProven : kProven) * L;
  return out;
}

}  // namespace touchstone
