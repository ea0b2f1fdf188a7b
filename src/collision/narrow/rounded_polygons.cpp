// Purpose: contact points of two convex polygons with radii. The face with the greatest separation is the
//   reference (separating axes); the other polygon's edge that faces it is clipped to it. Apart from each
//   other, where two vertices are nearer than any face, they are the contact.
// Source: separating axes [yang2020, SAT]; clipping is Sutherland-Hodgman's for one edge.
// Fails: never; both polygons' cores coinciding in a point give the first face's normal.
#include "collision/narrow/rounded_polygons.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr std::size_t kMaxVertices = 64;

struct Polygon {
  Vec<2> vertex[kMaxVertices];  // world, counter-clockwise
  std::size_t count = 0;
  double radius = 0;
  void add(const Vec<2>& v) {
    if (count < kMaxVertices) vertex[count++] = v;
  }
  std::size_t faces() const { return count < 2 ? 0 : count; }  // a segment has two: its two sides
  std::size_t next(std::size_t i) const { return i + 1 == count ? 0 : i + 1; }
  Vec<2> normal(std::size_t i) const {
    const Vec<2> e = vertex[next(i)] - vertex[i];
    return Vec<2>(e[1], -e[0]) / e.norm();
  }
};

void fill(const Placed<2>& s, Polygon& out) {
  out.radius = s.shape.radius;
  const Vec<2>& h = s.shape.half;
  switch (s.shape.kind) {
    case ShapeKind::kSphere:
      out.add(s.p);
      break;
    case ShapeKind::kCapsule:
      out.add(s.p - s.R.col(1) * s.shape.half_length);
      out.add(s.p + s.R.col(1) * s.shape.half_length);
      break;
    case ShapeKind::kBox:
      out.add(s.p + s.R * Vec<2>(-h[0], -h[1]));
      out.add(s.p + s.R * Vec<2>(h[0], -h[1]));
      out.add(s.p + s.R * Vec<2>(h[0], h[1]));
      out.add(s.p + s.R * Vec<2>(-h[0], h[1]));
      break;
    case ShapeKind::kConvex:
      for (const Vec<2>& v : s.shape.hull->vertices) out.add(s.p + s.R * v);
      break;
    default:
      break;
  }
}

struct Face {
  double separation = -std::numeric_limits<double>::infinity();
  std::size_t index = 0;
};

// The face of a from which b is farthest.
Face best_face(const Polygon& a, const Polygon& b) {
  Face best;
  for (std::size_t i = 0; i < a.faces(); ++i) {
    const Vec<2> n = a.normal(i);
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < b.count; ++j) lowest = std::min(lowest, n.dot(b.vertex[j] - a.vertex[i]));
    if (lowest > best.separation) best = {lowest, i};
  }
  return best;
}

struct VertexPair {
  double distance = std::numeric_limits<double>::infinity();
  std::size_t a = 0, b = 0;
};

// Distance of the cores as far as vertices decide it: vertex against vertex.
VertexPair nearest_vertices(const Polygon& a, const Polygon& b) {
  VertexPair best;
  for (std::size_t i = 0; i < a.count; ++i)
    for (std::size_t j = 0; j < b.count; ++j) {
      const double distance = (b.vertex[j] - a.vertex[i]).norm();
      if (distance < best.distance) best = {distance, i, j};
    }
  return best;
}

// Distance of b's vertices from a's faces, where a vertex lies outside of a face and between the normals
// through its ends.
double nearest_beside(const Polygon& a, const Polygon& b) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.faces(); ++i) {
    const Vec<2> e = a.vertex[a.next(i)] - a.vertex[i], n = a.normal(i);
    for (std::size_t j = 0; j < b.count; ++j) {
      const Vec<2> r = b.vertex[j] - a.vertex[i];
      const double along = e.dot(r), height = n.dot(r);
      if (height >= 0 && along > 0 && along < e.squaredNorm()) best = std::min(best, height);
    }
  }
  return best;
}

// Clips the edge of `other` that faces `reference`'s face to that face's extent.
void clip_to_face(const Polygon& reference, std::size_t face, const Polygon& other, bool turned, double margin,
                  ContactPoints<2>& out) {
  const Vec<2> n = reference.normal(face);
  const Vec<2> origin = reference.vertex[face];
  const Vec<2> along(-n[1], n[0]);
  const double length = along.dot(reference.vertex[reference.next(face)] - origin);
  std::size_t first = 0, second = 0;
  if (other.count > 1) {  // the edge whose normal opposes n most
    double most = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < other.faces(); ++j) {
      const double d = n.dot(other.normal(j));
      if (d < most) most = d, first = j;
    }
    second = other.next(first);
  }
  const double radii = reference.radius + other.radius;
  const auto add = [&](const Vec<2>& x, std::size_t id) {
    const double gap = n.dot(x - origin) - radii;
    if (gap > margin) return;
    // Midway between the reference's surface and the other's.
    const Vec<2> point = x - n * (other.radius + 0.5 * gap);
    const auto feature = static_cast<std::uint16_t>((turned ? 0x8000u : 0u) | (face & 63u) << 8 | (id & 255u));
    out.push_back({point, turned ? Vec<2>(-n) : n, gap, feature});
  };
  const Vec<2>&v1 = other.vertex[first], &v2 = other.vertex[second];
  const double s1 = along.dot(v1 - origin), s2 = along.dot(v2 - origin);
  if (first == second) return add(v1, first);
  const auto clipped = [&](double s) { return Vec<2>(v1 + (v2 - v1) * ((s - s1) / (s2 - s1))); };
  // The facing edge runs against `along`: s1 >= s2. Ends beyond the face are cut at its ends.
  if (s2 >= length || s1 <= 0 || s1 - s2 < 1e-12 * std::max(1.0, length)) {
    add(n.dot(v1 - v2) < 0 ? v1 : v2, n.dot(v1 - v2) < 0 ? first : second);
    return;
  }
  add(s1 > length ? clipped(length) : v1, s1 > length ? 128 : first);
  add(s2 < 0 ? clipped(0) : v2, s2 < 0 ? 129 : second);
}

void add_vertex_contact(const Polygon& a, const Polygon& b, const VertexPair& pair, double margin,
                        ContactPoints<2>& out) {
  const Vec<2> between = b.vertex[pair.b] - a.vertex[pair.a];
  const double gap = pair.distance - a.radius - b.radius;
  if (gap > margin) return;
  const Vec<2> n = pair.distance > 0 ? Vec<2>(between / pair.distance) : Vec<2>(0.0, 1.0);
  const auto feature = static_cast<std::uint16_t>(0x4000u | (pair.a & 63u) << 6 | (pair.b & 63u));
  out.push_back({a.vertex[pair.a] + n * (a.radius + 0.5 * gap), n, gap, feature});
}

}  // namespace

void rounded_polygons(const Placed<2>& pa, const Placed<2>& pb, double margin, ContactPoints<2>& out) {
  Polygon a, b;
  fill(pa, a);
  fill(pb, b);
  const Face face_a = best_face(a, b), face_b = best_face(b, a);
  const double separation = std::max(face_a.separation, face_b.separation);
  if (separation - a.radius - b.radius > margin) return;
  const VertexPair vertices = nearest_vertices(a, b);
  if (a.faces() == 0 && b.faces() == 0) return add_vertex_contact(a, b, vertices, margin, out);
  // Apart (a segment has no inside): two vertices are the contact where they are nearer than any face.
  if (separation > 0 || (a.count < 3 && b.count < 3))
    if (vertices.distance < std::min(nearest_beside(a, b), nearest_beside(b, a)) * (1 - 1e-9))
      return add_vertex_contact(a, b, vertices, margin, out);
  // A's face unless B's is clearly better, so that a tie (stacked boxes) is broken the same way each step.
  const double tie = 1e-4 * (std::abs(separation) + margin) + 1e-9;
  if (face_b.separation > face_a.separation + tie)
    clip_to_face(b, face_b.index, a, true, margin, out);
  else
    clip_to_face(a, face_a.index, b, false, margin, out);
}

}  // namespace touchstone
