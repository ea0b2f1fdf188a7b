// Purpose: which smooth piece, lines and flat face a core turns to a direction, with first and second derivatives of
//   its support function.
// Letters: d a direction in the core's own frame, h(d) its support function, x = ∇h the support point, ∇∇h its Hessian.
//   Ellipsoid with radii S: h = |S d|, x = S²d/h, ∇∇h = (S² − x xᵀ)/h.
//   Cylinder of radius r: h = r|d'| + l|d_z|, d' the part across the axis, ∇∇h = (r/|d'|) t tᵀ, t across axis and d'.
//   Polytope: h = d·x, ∇∇h = 0.
// Fails: never.
#include "collision/narrow/core_features.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

template <int D>
void Lines<D>::offer(const Line<D>& l, double off) {
  std::size_t at = count < kMost ? count++ : kMost;
  for (; at > 0 && sine[at - 1] > off; --at)
    if (at < kMost) line[at] = line[at - 1], sine[at] = sine[at - 1];
  if (at < kMost) line[at] = l, sine[at] = off;
}

template <int D>
SmoothPiece CoreFeatures<D>::piece_at(const Vec<D>& n) const {
  const Vec<D> d = local(n);
  if (shape_.kind == ShapeKind::kCylinder) return d[D - 1] >= 0 ? 1 : 0;
  return core_.polytope ? support(shape_, core_, d).vertex : 0;
}

template <int D>
bool CoreFeatures<D>::patch_at(const Vec<D>& n, SmoothPiece piece, Patch<D>& out) const {
  out.bend.setZero();
  if (core_.polytope) {
    out.x = vertex(piece);
    return true;
  }
  const Vec<D> d = local(n);
  Vec<D> x = Vec<D>::Zero();
  if (shape_.kind == ShapeKind::kEllipsoid) {
    const Vec<D> square = shape_.half.cwiseAbs2();
    const double h = shape_.half.cwiseProduct(d).norm();
    if (!(h > 0)) return false;
    x = square.cwiseProduct(d) / h;
    const Mat<D> own = (Mat<D>(square.asDiagonal()) - x * x.transpose()) / h;
    out.bend = R_ * own * R_.transpose();
  } else if constexpr (D == 3) {
    constexpr double kAlongAxis = 1e-12;
    const double across = std::hypot(d[0], d[1]);
    if (!(across > kAlongAxis)) return false;
    x = Vec<3>(d[0] * shape_.radius / across, d[1] * shape_.radius / across,
               piece ? shape_.half_length : -shape_.half_length);
    const Vec<3> t = R_ * Vec<3>(-d[1] / across, d[0] / across, 0);
    out.bend = (shape_.radius / across) * t * t.transpose();
  }
  out.x = p_ + R_ * x;
  return true;
}

template <>
void CoreFeatures<2>::lines_near(const Vec<2>&, double, Lines<2>& out) const {
  out.count = 0;  // a line leaves a single normal in the plane: it is a face
}

template <>
void CoreFeatures<3>::lines_near(const Vec<3>& n, double beside, Lines<3>& out) const {
  out.count = 0;
  const Vec<3> d = local(n);
  if (shape_.kind == ShapeKind::kCylinder && std::abs(d[2]) < beside)
    out.offer({R_.col(2), 2 * shape_.half_length, 0}, std::abs(d[2]));
  if (!core_.polytope || core_.polytope->edges.empty()) return;
  for (const std::uint32_t e : core_.polytope->edges_at(support(shape_, core_, d).vertex)) {
    const auto& edge = core_.polytope->edges[e];
    const Vec<3> along = core_.vertex(edge.head) - core_.vertex(edge.tail);
    const double length = along.norm(), off = std::abs(along.dot(d));
    if (off < beside * length) out.offer({R_ * (along / length), length, edge.tail}, off / length);
  }
}

template <>
FlatFace<2> CoreFeatures<2>::face_near(const Vec<2>& n, double beside) const {
  FlatFace<2> out;
  if (!core_.polytope || core_.polytope->vertices.size() < 2) return out;
  const Polytope<2>& p = *core_.polytope;
  const Vec<2> d = local(n);
  const std::size_t v = support(shape_, core_, d).vertex, before = (v == 0 ? p.vertices.size() : v) - 1;
  const std::size_t e = p.normals[v].dot(d) >= p.normals[before].dot(d) ? v : before;
  const Vec<2>& f = p.normals[e];
  if (!(f.dot(d) > 0) || !(std::abs(f[0] * d[1] - f[1] * d[0]) < beside)) return out;
  out.found = true;
  out.index = static_cast<std::uint32_t>(e);
  out.outward = R_ * f;
  return out;
}

template <>
FlatFace<3> CoreFeatures<3>::face_near(const Vec<3>& n, double beside) const {
  FlatFace<3> out;
  const Vec<3> d = local(n);
  if (shape_.kind == ShapeKind::kCylinder) {
    out.found = std::hypot(d[0], d[1]) < beside;
    const double end = d[2] > 0 ? 1 : -1;
    out.outward = R_.col(2) * end;
    out.centre = p_ + out.outward * shape_.half_length;
    return out;
  }
  if (!core_.polytope || core_.polytope->face_count() == 0) return out;
  const Polytope<3>& p = *core_.polytope;
  double most = 0;
  for (const std::uint32_t e : p.edges_at(support(shape_, core_, d).vertex))
    for (const std::uint32_t f : {p.edges[e].left, p.edges[e].right})
      if (const double along = p.normals[f].dot(d); along > most) most = along, out.index = f;
  if (!(most > 0) || !(cross(p.normals[out.index], d).norm() < beside)) return out;
  out.found = true;
  out.outward = R_ * p.normals[out.index];
  return out;
}

template <>
Vec<2> CoreFeatures<2>::nearest_on_face(const FlatFace<2>& face, const Vec<2>& x) const {
  return nearest_on_segment<2>(vertex(face.index), vertex(core_.polytope->next(face.index)), x);
}

template <>
Vec<3> CoreFeatures<3>::nearest_on_polygon(const FlatFace<3>& face, const Vec<3>& x) const {
  const auto ring = core_.polytope->face(face.index);
  Vec<3> from = vertex(ring.back()), best = x;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (const std::uint32_t v : ring) {
    const Vec<3> to = vertex(v);
    inside = inside && cross(face.outward, Vec<3>(to - from)).dot(x - from) >= 0;
    const Vec<3> candidate = nearest_on_segment<3>(from, to, x);
    if (const double d2 = (candidate - x).squaredNorm(); d2 < least) least = d2, best = candidate;
    from = to;
  }
  return inside ? Vec<3>(x - face.outward * face.outward.dot(x - from)) : best;
}

template <>
Vec<3> CoreFeatures<3>::nearest_on_face(const FlatFace<3>& face, const Vec<3>& x) const {
  if (core_.polytope) return nearest_on_polygon(face, x);
  Vec<3> away = x - face.centre;
  away -= face.outward * face.outward.dot(away);
  const double distance = away.norm();
  return distance > shape_.radius ? Vec<3>(face.centre + away * (shape_.radius / distance))
                                  : Vec<3>(face.centre + away);
}

template <>
Vec<2> CoreFeatures<2>::middle_over_face(const FlatFace<2>&, const Vec<2>& from, const Vec<2>& to) const {
  return 0.5 * (from + to);
}

template <>
Vec<3> CoreFeatures<3>::middle_over_face(const FlatFace<3>& face, const Vec<3>& from, const Vec<3>& to) const {
  if (!core_.polytope) return nearest_on_segment<3>(from, to, face.centre);
  double enter = 0, leave = 1;
  const auto ring = core_.polytope->face(face.index);
  Vec<3> corner = vertex(ring.back());
  for (const std::uint32_t v : ring) {
    const Vec<3> next = vertex(v), inward = cross(face.outward, Vec<3>(next - corner));
    const double start = inward.dot(from - corner), end = inward.dot(to - corner);
    if (start < 0 && end > start) enter = std::max(enter, start / (start - end));
    if (end < 0 && start > end) leave = std::min(leave, start / (start - end));
    if (start < 0 && end < 0) leave = -1;
    corner = next;
  }
  return from + std::clamp(0.5 * (enter + leave), 0.0, 1.0) * (to - from);
}

template <int D>
Vec<D> nearest_on_segment(const Vec<D>& from, const Vec<D>& to, const Vec<D>& x) {
  const Vec<D> e = to - from;
  const double ee = e.squaredNorm();
  return ee > 0 ? Vec<D>(from + std::clamp(e.dot(x - from) / ee, 0.0, 1.0) * e) : from;
}

template struct Lines<2>;
template struct Lines<3>;
template class CoreFeatures<2>;
template class CoreFeatures<3>;
template Vec<2> nearest_on_segment(const Vec<2>&, const Vec<2>&, const Vec<2>&);
template Vec<3> nearest_on_segment(const Vec<3>&, const Vec<3>&, const Vec<3>&);

}  // namespace touchstone
