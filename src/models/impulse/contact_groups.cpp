#include "models/impulse/contact_groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/room.h"
#include "contact/contact_frame.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {
namespace {

constexpr std::uint32_t kPatchPoints = 4;

template <int D>
bool one_pair(const ContactRecord<D>& x, const ContactRecord<D>& y) {
  return x.contact->body_a == y.contact->body_a && x.contact->body_b == y.contact->body_b;
}

template <int D>
bool one_patch(const ContactRecord<D>& x, const ContactRecord<D>& y) {
  const Contact<D>&a = *x.contact, &b = *y.contact;
  if (!one_pair(x, y) || x.idle != y.idle || a.normal != b.normal) return false;
  const ContactSides<D>&s = *x.sides, &t = *y.sides;
  return &s == &t ||
         (s.smooth_a == t.smooth_a && s.smooth_b == t.smooth_b && s.radius_a == t.radius_a &&
          s.radius_b == t.radius_b && s.normal_a == t.normal_a && s.normal_b == t.normal_b && s.edge_a == t.edge_a &&
          s.edge_b == t.edge_b && s.material->static_friction == t.material->static_friction &&
          s.material->dynamic_friction == t.material->dynamic_friction);
}

Vec<1> along(const Vec<2>& t, const Vec<2>&, const Vec<2>& v) { return Vec<1>(t.dot(v)); }
Vec<2> along(const Vec<3>& t, const Vec<3>& n, const Vec<3>& v) { return {t.dot(v), cross(n, t).dot(v)}; }
Vec<2> across(const Vec<2>& t, const Vec<2>&, const Vec<1>& c) { return t * c[0]; }
Vec<3> across(const Vec<3>& t, const Vec<3>& n, const Vec<2>& c) { return t * c[0] + cross(n, t) * c[1]; }

template <int D>
bool is_rare(const ContactSides<D>& s) {
  return s.smooth_a || s.smooth_b || !s.skin.isZero(0) || !s.edge_a.isZero(0) || !s.edge_b.isZero(0);
}

template <int D>
ContactGroup<D> empty_group(std::uint32_t nobody, std::size_t first_point) {
  ContactGroup<D> g{};
  for (std::size_t i = 0; i < kLanes; ++i) g.a[i] = g.b[i] = nobody;
  g.first_point = static_cast<std::uint32_t>(first_point);
  return g;
}

template <int D>
PointLanes<D> empty_point() {
  PointLanes<D> p{};
  for (std::int32_t& c : p.contact) c = -1;
  return p;
}

// Whether a patch is held as a whole: all its points that carry load stick or rest, or all of a new one. Static
// friction is then its one coefficient for a substep. Point by point, the first to be visited would take all that has
// changed, slip, and leave more to the others until all slide that could have held. A patch that slides all the same is
// let go of in the next substep.
template <int D>
bool is_held(std::span<const ContactRecord<D>> points) {
  const PairMaterial& m = *points.front().sides->material;
  if (!(m.static_friction > m.dynamic_friction)) return false;
  bool loaded = false, loaded_stick = true, all_stick = true;
  for (const ContactRecord<D>& c : points) {
    const bool load = c.contact->normal.dot(c.impulse) > 0;
    loaded |= load;
    loaded_stick &= !load || c.stuck || c.rests;
    all_stick &= c.stuck || c.rests;
  }
  return loaded ? loaded_stick : all_stick;
}

}  // namespace

Mat<2> contact_axes(const ContactGroup<2>& group, int lane) {
  Mat<2> m;
  m << get_lane(group.n, lane), get_lane(group.t, lane);
  return m;
}
Mat<3> contact_axes(const ContactGroup<3>& group, int lane) {
  const Vec<3> n = get_lane(group.n, lane), t = get_lane(group.t, lane);
  Mat<3> m;
  m << n, t, cross(n, t);
  return m;
}

template <int D>
typename ContactGroups<D>::Response ContactGroups<D>::response_of(const ContactGroup<D>& g, std::size_t row,
                                                                  int lane) const {
  const Mat<D> axes = contact_axes(g, lane);
  const double masses = g.inv_mass_a[lane] + g.inv_mass_b[lane];
  const Vec<D> arm_a = get_lane(points_[row].arm_a, lane), arm_b = get_lane(arm_of_b(g, points_[row]), lane);
  const auto respond = [&](const Vec<D>& e) -> Vec<D> {
    return masses * e + cross(AngVec<D>(inv_inertia_[g.a[lane]] * torque_of(arm_a, e)), arm_a) +
           cross(AngVec<D>(inv_inertia_[g.b[lane]] * torque_of(arm_b, e)), arm_b);
  };
  const double normal = axes.col(0).dot(respond(axes.col(0)));
  const Vec<D> along = respond(axes.col(1));
  const double k11 = axes.col(1).dot(along);
  if constexpr (D == 2) {
    return {normal, k11};
  } else {
    const double k12 = axes.col(2).dot(along), k22 = axes.col(2).dot(respond(axes.col(2)));
    return {normal, 0.5 * (k11 + k22) + std::hypot(0.5 * (k11 - k22), k12)};
  }
}

template <int D>
void ContactGroups<D>::set_impulse(std::size_t point, int lane, const Vec<D>& impulse, bool stuck) {
  PointLanes<D>& p = points_[point];
  p.normal[lane] = impulse[0];
  set_lane(p.tangent, lane, Vec<D - 1>(impulse.template tail<D - 1>()));
  p.stuck[lane] = stuck ? 1.0f : 0.0f;
}

template <int D>
void ContactGroups<D>::put(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts,
                           std::span<const Vec<D>> position, ContactGroup<D>& group, int lane, const Patch& patch) {
  const ContactRecord<D>& first = contacts[patch.first];
  const ContactSides<D>& sides = *first.sides;
  const std::uint32_t a = first.contact->body_a, b = first.contact->body_b;
  const Vec<D>& n = first.contact->normal;
  const Vec<D> t = frame_of_normal(n).col(1);
  const std::uint8_t bit = static_cast<std::uint8_t>(1 << lane);
  group.a[lane] = a, group.b[lane] = b;
  set_lane(group.n, lane, n);
  set_lane(group.t, lane, t);
  set_lane(group.centres, lane, Vec<D>(position[a] - position[b]));
  group.inv_mass_a[lane] = bodies.inv_mass[a], group.inv_mass_b[lane] = bodies.inv_mass[b];
  group.static_friction[lane] = sides.material->static_friction;
  group.dynamic_friction[lane] = is_held(contacts.subspan(patch.first, patch.count)) ? sides.material->static_friction
                                                                                     : sides.material->dynamic_friction;
  group.weight_a[lane] = sides.weight_a;
  group.normal_a[lane] = sides.normal_a, group.normal_b[lane] = sides.normal_b;
  if (patch.rare) {
    RareSides<D>& rare = rare_[group.rare];
    set_lane(rare.skin, lane, along(t, n, sides.skin));
    rare.radius_a[lane] = sides.radius_a, rare.radius_b[lane] = sides.radius_b;
    set_lane(rare.edge_a, lane, sides.edge_a);
    set_lane(rare.edge_b, lane, sides.edge_b);
  }
  if (bodies.dynamic(a)) group.moves_a |= bit;
  if (bodies.dynamic(b)) group.moves_b |= bit;
  if (sides.smooth_a) group.smooth_a |= bit;
  if (sides.smooth_b) group.smooth_b |= bit;
  const auto is_driven = [&](std::uint32_t i) { return bodies.kind[i] == BodyKind::kKinematic; };
  if (is_driven(a) || is_driven(b) || !sides.skin.isZero(0)) group.driven |= bit;
  for (std::uint32_t k = 0; k < patch.count; ++k) {
    const ContactRecord<D>& c = contacts[patch.first + k];
    PointStart<D>& start = starts_[group.first_point + k];
    PointLanes<D>& point = points_[group.first_point + k];
    set_lane(start.arm_a, lane, arm_of_a<D>(*c.contact, position));
    start.gap[lane] = c.contact->gap;
    set_lane(start.slip, lane, along(t, n, c.slip.template cast<double>()));
    point.contact[lane] = static_cast<std::int32_t>(patch.first + k);
    point.normal[lane] = std::max(0.0, n.dot(c.impulse));
    set_lane(point.tangent, lane, along(t, n, c.impulse));
    point.stuck[lane] = c.stuck ? 1.0f : 0.0f;
  }
}

// Which contacts make a patch. Ranges begin and end with a pair of bodies.
template <int D>
void ContactGroups<D>::find_patches(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts,
                                    const Parallel& parallel) {
  constexpr std::size_t kContactGrain = 512;
  const auto works = [&](std::size_t i) {
    if (contacts[i].idle) return false;
    return bodies.dynamic(contacts[i].contact->body_a) || bodies.dynamic(contacts[i].contact->body_b);
  };
  const auto each_patch = [&](std::size_t begin, std::size_t end, auto&& found) {
    const auto pair_begin = [&](std::size_t i) {
      while (i > 0 && i < contacts.size() && one_pair(contacts[i - 1], contacts[i])) ++i;
      return i;
    };
    const std::size_t stop = pair_begin(end);
    for (std::size_t i = pair_begin(begin), next = i; i < stop; i = next) {
      for (next = i + 1; next < stop && next - i < kPatchPoints && one_patch(contacts[i], contacts[next]);) ++next;
      if (works(i)) found(i, next - i);
    }
  };
  patch_begin_.assign((contacts.size() + kContactGrain - 1) / kContactGrain, 0);
  parallel.for_ranges(contacts.size(), kContactGrain, [&](std::size_t begin, std::size_t end) {
    std::size_t& count = patch_begin_[begin / kContactGrain];
    each_patch(begin, end, [&](std::size_t, std::size_t) { ++count; });
  });
  std::size_t sum = 0;
  for (std::size_t& first : patch_begin_) sum += std::exchange(first, sum);
  size_to(patches_, sum);
  size_to(edges_, sum);
  parallel.for_ranges(contacts.size(), kContactGrain, [&](std::size_t begin, std::size_t end) {
    std::size_t at = patch_begin_[begin / kContactGrain];
    each_patch(begin, end, [&](std::size_t i, std::size_t count) {
      const std::uint32_t a = contacts[i].contact->body_a, b = contacts[i].contact->body_b;
      const bool rare = is_rare(*contacts[i].sides);
      const auto points = static_cast<std::uint16_t>(count);
      patches_[at] = {static_cast<std::uint32_t>(i), points, rare};
      edges_[at++] = {a, b, bodies.dynamic(a), bodies.dynamic(b), static_cast<std::uint16_t>(2 * points + rare)};
    });
  });
}

template <int D>
void ContactGroups<D>::pack(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts,
                            std::span<const Vec<D>> position, const Parallel& parallel) {
  islands_known_ = false;
  find_patches(bodies, contacts, parallel);
  colouring_.colour(edges_, bodies.size());
  alone_ = colouring_.colours() <= 1 &&
           std::all_of(patches_.begin(), patches_.end(), [](const Patch& p) { return p.count == 1; });
  layout_.clear();
  at_fixed_.clear();
  colour_begin_.assign(1, 0);
  std::uint32_t points = 0, rare = 0;
  for (std::size_t c = 0; c < colouring_.colours(); ++c) {
    const std::span<const std::uint32_t> edges = colouring_.edges_of(c);
    const std::size_t width = c + 1 == colouring_.colours() && colouring_.last_is_serial() ? 1 : kLanes;
    for (std::size_t i = 0; i < edges.size(); i += width) {
      const std::uint32_t rows = patches_[edges[i]].count;  // the heaviest comes first
      const std::span<const std::uint32_t> lanes = edges.subspan(i, std::min(width, edges.size() - i));
      const bool has_rare = std::any_of(lanes.begin(), lanes.end(), [&](std::uint32_t e) { return patches_[e].rare; });
      const bool at_fixed = std::any_of(lanes.begin(), lanes.end(),
                                        [&](std::uint32_t e) { return edges_[e].moves_a != edges_[e].moves_b; });
      if (at_fixed) at_fixed_.push_back(static_cast<std::uint32_t>(layout_.size()));
      layout_.push_back({lanes.data(), points, has_rare ? ++rare : 0, static_cast<std::uint8_t>(rows),
                         static_cast<std::uint8_t>(lanes.size())});
      points += rows;
    }
    colour_begin_.push_back(layout_.size());
  }
  size_to(groups_, layout_.size());
  size_to(rare_, rare + 1);
  rare_[0] = RareSides<D>{};
  points_ = room_.take<PointLanes<D>>(points);
  size_to(starts_, points);
  const std::uint32_t nobody = static_cast<std::uint32_t>(bodies.size());
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      const Layout& layout = layout_[g];
      groups_[g] = empty_group<D>(nobody, layout.first_point);
      groups_[g].points = layout.points, groups_[g].lanes = layout.lanes, groups_[g].rare = layout.rare;
      if (layout.rare > 0) rare_[layout.rare] = RareSides<D>{};
      std::fill_n(points_.begin() + layout.first_point, layout.points, empty_point<D>());
      std::fill_n(starts_.begin() + layout.first_point, layout.points, PointStart<D>{});
      for (int lane = 0; lane < layout.lanes; ++lane)
        put(bodies, contacts, position, groups_[g], lane, patches_[layout.patches[lane]]);
    }
  });
}

template <int D>
void ContactGroups<D>::describe(std::span<const ContactRecord<D>> contacts, std::span<const Vec<D>> position,
                                double widest, std::vector<SolvedContact<D>>& out) const {
  for (const ContactRecord<D>& r : contacts)
    if (r.idle && r.contact->gap <= widest)
      out.push_back({*r.contact, *r.sides->material, Vec<D>::Zero(), r.sides->skin});
  for (const ContactGroup<D>& g : groups_) {
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      for (int lane = 0; lane < g.lanes; ++lane) {
        const PointLanes<D>& p = points_[k];
        const std::int32_t index = p.contact[lane];
        const double gap = starts_[k].gap_now[lane];
        if (index < 0 || gap > widest) continue;
        const ContactRecord<D>& r = contacts[static_cast<std::size_t>(index)];
        const Vec<D> n = get_lane(g.n, lane), t = get_lane(g.t, lane);
        SolvedContact<D>& c = out.emplace_back();
        c.contact = *r.contact;
        c.contact.point = position[g.a[lane]] + get_lane(p.arm_a, lane);
        c.contact.gap = gap;
        c.material = *r.sides->material;
        c.surface_velocity = r.sides->skin;
        c.impulse = n * p.normal[lane] + across(t, n, get_lane(p.tangent, lane));
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.contact.key < y.contact.key; });
}

// visit(point, start, lane, impulse, slip at the start, slip now).
template <int D>
template <class Visit>
void ContactGroups<D>::each_contact(const Parallel& parallel, Visit visit) const {
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ContactGroup<D>& g = groups_[i];
      const LaneVec<D> second = second_tangent(g);
      for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
        const PointLanes<D>& p = points_[k];
        const PointStart<D>& s = starts_[k];
        const LaneVec<D> impulse = at_point(g, second, p.normal, p.tangent);
        const LaneVec<D> slip = at_point(g, second, Lane{}, widened(s.slip) * widened(p.stuck));
        const LaneVec<D> slip_now = at_point(g, second, Lane{}, widened(s.slip_now) * widened(p.stuck));
        for (int lane = 0; lane < g.lanes; ++lane)
          if (p.contact[lane] >= 0)
            visit(p, s, lane, get_lane(impulse, lane), get_lane(slip, lane), get_lane(slip_now, lane));
      }
    }
  });
}

template <int D>
void ContactGroups<D>::add_totals(std::span<ContactRecord<D>> contacts, const Parallel& parallel) const {
  each_contact(parallel,
               [&](const PointLanes<D>& p, const PointStart<D>&, int lane, const Vec<D>& impulse, const Vec<D>&,
                   const Vec<D>&) { contacts[static_cast<std::size_t>(p.contact[lane])].total += impulse; });
}

template <int D>
void ContactGroups<D>::unpack(std::span<ContactRecord<D>> contacts, std::span<double> gap_now,
                              const Parallel& parallel) const {
  each_contact(parallel, [&](const PointLanes<D>& p, const PointStart<D>& s, int lane, const Vec<D>& impulse,
                             const Vec<D>&, const Vec<D>& slip_now) {
    const auto at = static_cast<std::size_t>(p.contact[lane]);
    contacts[at].impulse = impulse;
    contacts[at].stuck = p.stuck[lane] > 0;
    contacts[at].slip = slip_now.template cast<float>();
    gap_now[at] = s.gap_now[lane];
  });
}

template <int D>
void ContactGroups<D>::keep_in(std::span<ContactRecord<D>> contacts, const Parallel& parallel) const {
  each_contact(parallel, [&](const PointLanes<D>& p, const PointStart<D>&, int lane, const Vec<D>& impulse,
                             const Vec<D>& slip, const Vec<D>&) {
    ContactRecord<D>& c = contacts[static_cast<std::size_t>(p.contact[lane])];
    c.impulse = impulse, c.stuck = p.stuck[lane] > 0, c.slip = slip.template cast<float>();
  });
}

template class ContactGroups<2>;
template class ContactGroups<3>;

}  // namespace touchstone
