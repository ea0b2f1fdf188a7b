// Purpose: convex parts of a concave polyhedron, for contact between flat faces: a cut adds no surface.
// Source: binary space partition, H. Fuchs, Z. Kedem, B. Naylor, On visible surface generation by a priori tree
//   structures, SIGGRAPH 1980: a convex cell is cut along the plane of a face; a cell without faces inside of it is
//   full behind the face that cut it, and empty in front.
// Deviations: (1) a cell whose faces are arranged convexly is not cut further: its full part is one convex body;
//   (2) of the faces, one is taken whose plane cuts fewest others, among those that have something in front of them.
// Fails: never for a closed surface; the number of parts is not the least possible one. Vertices within kFlat of a
//   plane lie in it, so that details smaller than that are lost.
#include "geometry/convex_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kFlat = 1e-7;  // of the size: files hold single precision

struct Plane {
  Vec<3> n;
  double d = 0;
  double height(const Vec<3>& x) const { return n.dot(x) - d; }
};

struct Polygon {
  Face3 ring;  // convex
  Plane plane;
};

// A convex cell: its faces, to be cut by planes.
using Cell = std::vector<Face3>;

Vec<3> area_of(const Face3& ring) {
  Vec<3> sum = Vec<3>::Zero();
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    sum += 0.5 * cross(Vec<3>(ring[i] - ring[0]), Vec<3>(ring[i + 1] - ring[0]));
  return sum;
}

Plane plane_of(const Face3& ring) {
  const Vec<3> n = area_of(ring).normalized();
  double d = 0;
  for (const Vec<3>& x : ring) d += n.dot(x) / static_cast<double>(ring.size());
  return {n, d};
}

Face3 clipped(const Face3& ring, const Plane& plane, double side, double flat) {
  Face3 out;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<3>&x = ring[i], &y = ring[(i + 1) % ring.size()];
    const double dx = side * plane.height(x), dy = side * plane.height(y);
    if (dx <= flat) out.push_back(x);
    if ((dx < -flat && dy > flat) || (dx > flat && dy < -flat)) out.push_back(x + (y - x) * (dx / (dx - dy)));
  }
  return out;
}

// The convex polygon around these points of a plane.
Face3 ring_in_plane(const Plane& plane, std::vector<Vec<3>> points, double flat) {
  int least = 0;
  plane.n.cwiseAbs().minCoeff(&least);
  const Vec<3> u = cross(plane.n, Vec<3>(Vec<3>::Unit(least))).normalized(), v = cross(plane.n, u);
  Vec<3> middle = Vec<3>::Zero();
  for (const Vec<3>& p : points) middle += p / static_cast<double>(points.size());
  std::sort(points.begin(), points.end(), [&](const Vec<3>& x, const Vec<3>& y) {
    return std::atan2(v.dot(x - middle), u.dot(x - middle)) < std::atan2(v.dot(y - middle), u.dot(y - middle));
  });
  Face3 out;
  for (const Vec<3>& p : points)
    if (out.empty() || ((p - out.back()).norm() > flat && (p - out.front()).norm() > flat)) out.push_back(p);
  return out;
}

// What lies behind the plane (side +1) or in front of it (−1).
Cell cut(const Cell& cell, const Plane& plane, double side, double flat) {
  Cell out;
  std::vector<Vec<3>> rim;
  bool outside = false;
  for (const Face3& face : cell) {
    for (const Vec<3>& x : face) outside |= side * plane.height(x) > flat;
    Face3 kept = clipped(face, plane, side, flat);
    if (kept.size() < 3) continue;
    bool within = false;
    for (const Vec<3>& x : kept) {
      if (std::abs(plane.height(x)) <= flat * 2) rim.push_back(x);
      within |= side * plane.height(x) < -flat;
    }
    if (within) out.push_back(std::move(kept));
  }
  if (!outside) return cell;
  if (out.empty() || rim.size() < 3) return out;
  Face3 cap = ring_in_plane({plane.n * side, plane.d * side}, std::move(rim), flat);
  if (cap.size() >= 3) out.push_back(std::move(cap));
  return out;
}

class Cutter {
 public:
  Cutter(double size, std::vector<Vec<3>> known)
      : flat_(kFlat * size), least_volume_(kFlat * size * size * size), known_(std::move(known)) {}
  std::vector<std::vector<Vec<3>>> parts;

  void run(std::vector<Polygon> faces, Cell cell) {
    const int split = best_split(faces);
    if (split < 0) {
      for (const Polygon& f : faces) cell = cut(cell, f.plane, 1.0, flat_);
      return keep(cell);
    }
    const Plane plane = faces[static_cast<std::size_t>(split)].plane;
    std::vector<Polygon> behind, front;
    for (const Polygon& f : faces) {
      add_part(f, plane, 1.0, behind);
      add_part(f, plane, -1.0, front);
    }
    Cell cell_behind = cut(cell, plane, 1.0, flat_), cell_front = cut(cell, plane, -1.0, flat_);
    if (behind.empty())
      keep(cell_behind);
    else
      run(std::move(behind), std::move(cell_behind));
    if (!front.empty()) run(std::move(front), std::move(cell_front));
  }

 private:
  bool reaches_front(const Polygon& f, const Plane& plane) const {
    return std::any_of(f.ring.begin(), f.ring.end(), [&](const Vec<3>& x) { return plane.height(x) > flat_; });
  }

  // −1: every face has all others behind it or in its plane.
  int best_split(const std::vector<Polygon>& faces) const {
    int best = -1;
    long fewest = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      long cuts = 0, front = 0;
      for (const Polygon& f : faces) {
        if (!reaches_front(f, faces[i].plane)) continue;
        ++front;
        cuts += std::any_of(f.ring.begin(), f.ring.end(),
                            [&](const Vec<3>& x) { return faces[i].plane.height(x) < -flat_; });
      }
      if (front == 0) continue;
      if (best < 0 || cuts < fewest) best = static_cast<int>(i), fewest = cuts;
    }
    return best;
  }

  void add_part(const Polygon& f, const Plane& plane, double side, std::vector<Polygon>& out) const {
    Face3 ring = clipped(f.ring, plane, side, flat_);
    const bool within =
        std::any_of(ring.begin(), ring.end(), [&](const Vec<3>& x) { return side * plane.height(x) < -flat_; });
    if (within && ring.size() >= 3 && area_of(ring).norm() > flat_ * flat_) out.push_back({std::move(ring), f.plane});
  }

  // A corner of the surface itself keeps its numbers.
  const Vec<3>& meant(const Vec<3>& x) const {
    for (const Vec<3>& k : known_)
      if ((k - x).norm() <= 8 * flat_) return k;
    return x;
  }

  void keep(const Cell& cell) {
    std::vector<Vec<3>> corners;
    for (const Face3& face : cell)
      for (const Vec<3>& cut_corner : face) {
        const Vec<3>& x = meant(cut_corner);
        if (std::none_of(corners.begin(), corners.end(), [&](const Vec<3>& c) { return (c - x).norm() <= 4 * flat_; }))
          corners.push_back(x);
      }
    double volume = 0;
    for (const Face3& face : cell) volume += area_of(face).dot(face[0] - cell[0][0]) / 3;
    if (corners.size() >= 4 && std::abs(volume) > least_volume_) parts.push_back(std::move(corners));
  }

  double flat_, least_volume_;
  std::vector<Vec<3>> known_;
};

// Flat polygons that are not convex, as triangles: ears are cut off.
std::vector<Face3> triangles_of(const Face3& face, double flat) {
  const Vec<3> n = area_of(face).normalized();
  std::vector<Vec<3>> ring = face;
  std::vector<Face3> out;
  const auto turn = [&](const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
    return n.dot(cross(Vec<3>(b - a), Vec<3>(c - b)));
  };
  const auto is_ear = [&](std::size_t i) {
    const Vec<3>&a = ring[(i + ring.size() - 1) % ring.size()], &b = ring[i], &c = ring[(i + 1) % ring.size()];
    if (turn(a, b, c) <= flat * flat) return false;
    for (const Vec<3>& x : ring)
      if ((x - a).norm() > flat && (x - b).norm() > flat && (x - c).norm() > flat && turn(a, b, x) >= 0 &&
          turn(b, c, x) >= 0 && turn(c, a, x) >= 0)
        return false;
    return true;
  };
  while (ring.size() > 3) {
    std::size_t ear = 0;
    while (ear < ring.size() && !is_ear(ear)) ++ear;
    if (ear == ring.size()) {  // corners on a line
      ear = 0;
      double least = INFINITY;
      for (std::size_t i = 0; i < ring.size(); ++i)
        if (const double t =
                std::abs(turn(ring[(i + ring.size() - 1) % ring.size()], ring[i], ring[(i + 1) % ring.size()]));
            t < least)
          least = t, ear = i;
    } else {
      out.push_back({ring[(ear + ring.size() - 1) % ring.size()], ring[ear], ring[(ear + 1) % ring.size()]});
    }
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  out.push_back(ring);
  return out;
}

void check_closed(const std::vector<Face3>& faces, double size) {
  Vec<3> sum = Vec<3>::Zero();
  double volume = 0;
  for (const Face3& f : faces) {
    if (f.size() < 3) throw Error(ErrorKind::kBadInput, "a face has fewer than 3 corners");
    sum += area_of(f), volume += area_of(f).dot(f[0]) / 3;
  }
  if (sum.norm() > 1e-6 * size * size)
    throw Error(ErrorKind::kBadInput, "the faces do not close a volume; a face is missing or turned the wrong way");
  if (!(volume > 0)) throw Error(ErrorKind::kBadInput, "the faces enclose no volume, or look inwards");
}

}  // namespace

std::vector<std::vector<Vec<3>>> convex_parts(const std::vector<Face3>& faces) {
  if (faces.empty()) throw Error(ErrorKind::kBadInput, "there are no faces");
  Vec<3> low = faces[0].at(0), high = low;
  std::vector<Vec<3>> known;
  for (const Face3& f : faces)
    for (const Vec<3>& x : f) {
      low = low.cwiseMin(x), high = high.cwiseMax(x);
      if (std::find(known.begin(), known.end(), x) == known.end()) known.push_back(x);
    }
  const double size = (high - low).norm();
  check_closed(faces, size);
  std::vector<Polygon> polygons;
  for (const Face3& f : faces)
    for (Face3& t : triangles_of(f, kFlat * size))
      if (area_of(t).norm() > kFlat * kFlat * size * size) polygons.push_back({t, plane_of(t)});
  const Vec<3> rim = Vec<3>::Constant(0.1 * size);
  low -= rim, high += rim;
  Cell box;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool up : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Face3 face;
      for (const auto& [iu, iv] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)}) {
        Vec<3> x = up ? high : low;
        x[u] = (up ? iu : iv) ? high[u] : low[u], x[v] = (up ? iv : iu) ? high[v] : low[v];
        face.push_back(x);
      }
      box.push_back(std::move(face));
    }
  Cutter cutter(size, std::move(known));
  cutter.run(std::move(polygons), std::move(box));
  if (cutter.parts.empty())
    throw Error(ErrorKind::kBadInput, "the faces enclose nothing that is thicker than 1e-7 of it");
  return std::move(cutter.parts);
}

bool crosses_itself(const std::vector<Vec<2>>& p, std::size_t& first, std::size_t& second) {
  const auto side = [](const Vec<2>& a, const Vec<2>& b, const Vec<2>& x) {
    return (b - a).x() * (x - a).y() - (b - a).y() * (x - a).x();
  };
  const std::size_t n = p.size();
  for (first = 0; first < n; ++first)
    for (second = first + 2; second < n; ++second) {
      if (first == 0 && second + 1 == n) continue;
      const Vec<2>&a = p[first], &b = p[first + 1], &c = p[second], &d = p[(second + 1) % n];
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
    }
  return false;
}

// A prism of the outline's size is cut, and its lower faces are taken.
std::vector<std::vector<Vec<2>>> convex_parts(const std::vector<Vec<2>>& outline) {
  if (outline.size() < 3) throw Error(ErrorKind::kBadInput, "an outline needs at least 3 corners");
  std::size_t first = 0, second = 0;
  if (crosses_itself(outline, first, second))
    throw Error(ErrorKind::kBadInput,
                fmt::format("the outline crosses itself: side {} and side {}", first + 1, second + 1));
  std::vector<Vec<2>> ring = outline;
  double area = 0, size = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<2>&a = ring[i], &b = ring[(i + 1) % ring.size()];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
    size = std::max(size, (a - ring[0]).norm());
  }
  if (area < 0) std::reverse(ring.begin(), ring.end());
  const auto raised = [](const Vec<2>& x, double z) { return Vec<3>(x.x(), x.y(), z); };
  std::vector<Face3> faces(2);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<2>&a = ring[i], &b = ring[(i + 1) % ring.size()];
    faces[0].insert(faces[0].begin(), raised(a, 0)), faces[1].push_back(raised(a, size));
    faces.push_back({raised(a, 0), raised(b, 0), raised(b, size), raised(a, size)});
  }
  std::vector<std::vector<Vec<2>>> out;
  for (const auto& part : convex_parts(faces)) {
    out.emplace_back();
    for (const Vec<3>& x : part)
      if (x.z() < 0.5 * size) out.back().push_back(x.head<2>());
  }
  return out;
}

}  // namespace touchstone
