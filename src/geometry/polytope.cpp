#include "geometry/polytope.h"

#include <fmt/format.h>

#include <map>

#include "touchstone/error.h"

namespace touchstone {
namespace {

// Newell's sum: exact for a planar ring, the best fit for one that is planar up to rounding.
Vec<3> ring_normal(const std::vector<Vec<3>>& vertices, const std::vector<std::uint32_t>& ring) {
  const Vec<3> origin = vertices[ring[0]];
  Vec<3> sum = Vec<3>::Zero();
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    sum += cross(Vec<3>(vertices[ring[i]] - origin), Vec<3>(vertices[ring[i + 1]] - origin));
  const double length = sum.norm();
  return length > 0 ? Vec<3>(sum / length) : Vec<3>::Zero();
}

void collect_vertex_edges(Polytope<3>& p) {
  std::vector<std::vector<std::uint32_t>> at(p.vertices.size());
  for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
    at[p.edges[e].tail].push_back(e);
    at[p.edges[e].head].push_back(e);
  }
  p.vertex_begin.push_back(0);
  for (const auto& edges : at) {
    p.vertex_edges.insert(p.vertex_edges.end(), edges.begin(), edges.end());
    p.vertex_begin.push_back(static_cast<std::uint32_t>(p.vertex_edges.size()));
  }
}

}  // namespace

Polytope<2> make_polytope(std::vector<Vec<2>> vertices) {
  Polytope<2> p;
  p.vertices = std::move(vertices);
  for (std::size_t i = 0; p.vertices.size() > 1 && i < p.vertices.size(); ++i) {
    const Vec<2> e = p.vertices[p.next(i)] - p.vertices[i];
    p.normals.push_back(Vec<2>(e[1], -e[0]).normalized());
  }
  return p;
}

Polytope<3> make_polytope(std::vector<Vec<3>> vertices, const std::vector<std::vector<std::uint32_t>>& faces) {
  Polytope<3> p;
  p.vertices = std::move(vertices);
  p.face_begin.push_back(0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edge_of;  // from the face that runs tail to head
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    const auto& ring = faces[f];
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const std::uint32_t from = ring[i], to = ring[i + 1 == ring.size() ? 0 : i + 1];
      std::uint32_t edge;
      if (const auto other = edge_of.find({to, from}); other != edge_of.end()) {
        edge = other->second;
        if (p.edges[edge].right != Polytope<3>::kNoFace)
          throw Error(ErrorKind::kBadInput,
                      fmt::format("more than two faces meet in the edge of vertices {} and {}", from + 1, to + 1));
        p.edges[edge].right = f;
      } else {
        edge = static_cast<std::uint32_t>(p.edges.size());
        p.edges.push_back({from, to, f, Polytope<3>::kNoFace});
        if (!edge_of.emplace(std::pair(from, to), edge).second)
          throw Error(ErrorKind::kBadInput,
                      fmt::format("two faces run the same way along the edge of vertices {} and {}", from + 1, to + 1));
      }
      p.face_vertices.push_back(from);
      p.face_edges.push_back(edge);
    }
    p.face_begin.push_back(static_cast<std::uint32_t>(p.face_vertices.size()));
    p.normals.push_back(ring_normal(p.vertices, ring));
  }
  for (const auto& e : p.edges)
    if (e.right == Polytope<3>::kNoFace)
      throw Error(ErrorKind::kBadInput,
                  fmt::format("the surface is open at the edge of vertices {} and {}", e.tail + 1, e.head + 1));
  collect_vertex_edges(p);
  return p;
}

template <>
const Polytope<2>& unit_box<2>() {
  static const Polytope<2> p =
      make_polytope(std::vector<Vec<2>>{Vec<2>(-1, -1), Vec<2>(1, -1), Vec<2>(1, 1), Vec<2>(-1, 1)});
  return p;
}

template <>
const Polytope<3>& unit_box<3>() {
  static const Polytope<3> p = [] {
    std::vector<Vec<3>> v;
    for (int i = 0; i < 8; ++i) v.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    return make_polytope(std::move(v),
                         {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
  }();
  return p;
}

template <>
const Polytope<2>& unit_segment<2>() {
  static const Polytope<2> p = make_polytope(std::vector<Vec<2>>{Vec<2>(0, -1), Vec<2>(0, 1)});
  return p;
}

template <>
const Polytope<3>& unit_segment<3>() {
  static const Polytope<3> p = [] {
    Polytope<3> s;
    s.vertices = {Vec<3>(0, 0, -1), Vec<3>(0, 0, 1)};
    s.edges.push_back({0, 1, Polytope<3>::kNoFace, Polytope<3>::kNoFace});
    s.face_begin.push_back(0);
    collect_vertex_edges(s);
    return s;
  }();
  return p;
}

template <>
const Polytope<2>& single_point<2>() {
  static const Polytope<2> p = make_polytope(std::vector<Vec<2>>{Vec<2>::Zero()});
  return p;
}

template <>
const Polytope<3>& single_point<3>() {
  static const Polytope<3> p = [] {
    Polytope<3> s;
    s.vertices = {Vec<3>::Zero()};
    s.face_begin.push_back(0);
    collect_vertex_edges(s);
    return s;
  }();
  return p;
}

Polytope<3> make_triangle(const std::array<Vec<3>, 3>& vertices) {
  return make_polytope(std::vector<Vec<3>>(vertices.begin(), vertices.end()), {{0, 1, 2}, {0, 2, 1}});
}

}  // namespace touchstone
