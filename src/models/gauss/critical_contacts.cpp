// Purpose: contact points of two convex polygons such that mirror images have mirrored contacts, to the last bits.
// Source: [rote2012 §8.5]; critical_edge.cpp.
// Letters: k a vertex, over an edge of the other polygon.
// Deviations:
//   (1) A vertex that lies on a vertex of the other polygon would be a contact twice. It is one of B's then.
// Fails: never. Where no vertex is over an edge the detector's contacts stay: corners that are about to meet.
#include "models/gauss/critical_contacts.h"

#include <algorithm>

#include "collision/narrow/feature.h"

namespace touchstone {
namespace {

const Polytope<2>* polygon_of(const Shape<2>& shape) {
  if (shape.kind == ShapeKind::kConvex) return shape.hull.get();
  return shape.kind == ShapeKind::kBox ? &unit_box<2>() : nullptr;
}

bool is_polygon(const Shape<2>& shape) {
  const Polytope<2>* p = polygon_of(shape);
  return p && p->vertices.size() > 2;
}

}  // namespace

void CriticalContacts::add_outline(const ColliderTable<2>& colliders, const State<2>& state, std::uint32_t collider,
                                   std::vector<std::uint32_t>& outline) {
  const Collider<2>& c = colliders[collider];
  const Mat<2> R = matrix_of(state.orientation[c.body]);
  const bool box = c.shape().kind == ShapeKind::kBox;
  outline.clear();
  for (const Vec<2>& v : polygon_of(c.shape())->vertices) {
    const Vec<2> local = box ? Vec<2>(v.cwiseProduct(c.shape().half)) : v;
    outline.push_back(static_cast<std::uint32_t>(points_.size()));
    points_.push_back(state.position[c.body] + R * Vec<2>(c.p_local() + c.R_local() * local));
  }
}

void CriticalContacts::refine(const ColliderTable<2>& colliders, const State<2>& state,
                              std::vector<Contact<2>>& contacts) {
  out_.clear();
  for (std::size_t i = 0; i < contacts.size();) {
    const std::uint64_t pair = contacts[i].key >> 16;
    std::size_t end = i;
    double margin = 0;
    for (; end < contacts.size() && contacts[end].key >> 16 == pair; ++end)
      margin = std::max(margin, contacts[end].gap);
    const Contact<2> first = contacts[i];
    const std::size_t start = out_.size();
    if (is_polygon(colliders[first.collider_a()].shape()) && is_polygon(colliders[first.collider_b()].shape())) {
      points_.clear(), sides_.clear();
      add_outline(colliders, state, first.collider_a(), a_);
      add_outline(colliders, state, first.collider_b(), b_);
      add_critical_sides(a_, b_, points_, margin + 1e-9 * colliders[first.collider_a()].shape().reach, sides_);
      for (const Sidedness<2>& s : sides_) {
        const bool of_b = s[2] >= a_.size();
        const Vec<2> side = side_frame<2>(s, points_).normal;
        const double length = side.norm(), gap = signed_volume<2>(s, points_) / length;
        const Vec<2> outward = side / length;
        const auto vertex = static_cast<std::uint32_t>(of_b ? s[2] - a_.size() : s[2]);
        out_.push_back({first.body_a, first.body_b, pair << 16 | (of_b ? vertex_of_b(vertex) : vertex_of_a(vertex)),
                        points_[s[2]] - 0.5 * gap * outward, of_b ? outward : Vec<2>(-outward), gap});
      }
    }
    if (out_.size() == start)
      out_.insert(out_.end(), contacts.begin() + static_cast<std::ptrdiff_t>(i),
                  contacts.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(out_.begin() + static_cast<std::ptrdiff_t>(start), out_.end(),
              [](const Contact<2>& x, const Contact<2>& y) { return x.key < y.key; });
    i = end;
  }
  contacts.swap(out_);
}

}  // namespace touchstone
