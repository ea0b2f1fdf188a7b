// Purpose: writes a contact problem of rigid bodies as one of points with bars, so that the same program solves it.
// Source: [rote2012 §2, §8.1, §8.3, §8.4].
// Letters: r place of a point from the centre of mass, d direction of a bar, ω angular velocity, m mass.
//   Bars: ⟨v_i − v_j, d⟩ = −h·|ω×r_ij|²/|r_ij| by (L'), 0 by (L''), since points start each step where the rigid body
//   is. Contacts: the vertex itself, or its foot on the side between the side's corners, weighted by α. Joints: Σ
//   c_i·v_i with c_i = m_i·(l/m + (I⁻¹·t)×r_i), for a row l·v + t·ω: spread as the mass is.
// Deviations:
//   (1) The state of a world is that of rigid bodies. Points are put on them at every step, which is step (d) of figure
//   3
//       done exactly: lengths neither shrink nor grow over steps.
//   (2) What a body receives is the impulses of contacts and joints; those of bars have no sum and no moment.
//   (3) A penalty M stands in the mass matrix of the points: M·(m_i + m_j)·d·dᵀ.
// Fails: with Error (kUnsupported) where no points of the chosen kind move as the body does.
#include "models/gauss/body_points.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kSameInertia = 1e-9;  // relative

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::kUnsupported,
              fmt::format("model 'gauss': body '{}' {}; use bodies = \"reduced\" for any body", name, what));
}

template <int D>
const char* name_of(BodyForm form) {
  return form == BodyForm::kNinePoints ? "nine_points" : form == BodyForm::kCorners ? "corners" : "lumped";
}

// The outline of a shape about its own frame; empty if it is no polytope.
template <int D>
Polytope<D> outline_of(const Shape<D>& shape) {
  if (shape.kind == ShapeKind::kConvex) return *shape.hull;
  if (shape.kind != ShapeKind::kBox) return {};
  Polytope<D> out = unit_box<D>();
  for (Vec<D>& v : out.vertices) v = v.cwiseProduct(shape.half);
  return out;
}

AngMat<2> inertia_of(const Mat<2>& second) { return AngMat<2>(second.trace()); }
Mat<3> inertia_of(const Mat<3>& second) { return second.trace() * Mat<3>::Identity() - second; }

void add_sides(const Polytope<2>& p, std::vector<std::array<std::uint32_t, 2>>& out) {
  for (std::size_t i = 0; i < p.vertices.size(); ++i)
    out.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(p.next(i))});
}
void add_sides(const Polytope<3>& p, std::vector<std::array<std::uint32_t, 3>>& out) {
  for (std::size_t f = 0; f < p.face_count(); ++f)
    for (std::size_t k = 2; k < p.face(f).size(); ++k) out.push_back({p.face(f)[0], p.face(f)[k - 1], p.face(f)[k]});
}

Vec<2> normal_of(const std::array<Vec<2>, 2>& c) {
  const Vec<2> e = c[1] - c[0];
  return Vec<2>(e.y(), -e.x()).normalized();
}
Vec<3> normal_of(const std::array<Vec<3>, 3>& c) {
  return cross(Vec<3>(c[1] - c[0]), Vec<3>(c[2] - c[0])).normalized();
}

// The arm of a contact from the rows of its Jacobian: Σ d×(arm×d) = (D − 1)·arm.
Vec<2> arm_of(std::span<const double> rows, std::uint32_t count) {
  Vec<2> sum = Vec<2>::Zero();
  for (std::uint32_t i = 0; i < count; ++i) {
    const double* row = &rows[i * 3];
    sum += row[2] * Vec<2>(row[1], -row[0]);
  }
  return sum;
}
Vec<3> arm_of3(std::span<const double> rows, std::uint32_t count) {
  Vec<3> sum = Vec<3>::Zero();
  for (std::uint32_t i = 0; i < count; ++i) {
    const double* row = &rows[i * 6];
    sum += 0.5 * cross(Vec<3>(row[0], row[1], row[2]), Vec<3>(row[3], row[4], row[5]));
  }
  return sum;
}

}  // namespace

template <int D>
void BodyPoints<D>::check(const Bodies<D>& bodies, std::uint32_t slot, const Body& body) const {
  const SecondMoments<D> s = moments_of(body.points);
  const AngMat<D> ours = inertia_of(s.second), its = AngMat<D>(bodies.inertia[slot].asDiagonal());
  if ((ours - its).norm() <= kSameInertia * its.norm()) return;
  refuse(bodies.name[slot],
         fmt::format("has a moment of inertia of {:.6g} kg·m², its points ({}) one of {:.6g} kg·m²; set `inertia` to "
                     "that",
                     bodies.inertia[slot][kAngular<D> - 1], name_of<D>(options_.bodies),
                     ours(kAngular<D> - 1, kAngular<D> - 1)));
}

template <int D>
typename BodyPoints<D>::Body BodyPoints<D>::make(const Bodies<D>& bodies, std::uint32_t slot, const Shape<D>& shape,
                                                 const PlacedShape<D>& form) const {
  Polytope<D> outline = outline_of(shape);
  if (outline.vertices.empty())
    refuse(bodies.name[slot], "is no polygon or polyhedron, which points and bars could be");
  const bool box = shape.kind == ShapeKind::kBox;
  if (!box && options_.bodies == BodyForm::kNinePoints)
    refuse(bodies.name[slot], "is no box, as nine points are; bodies = \"lumped\" takes it");
  Body out;
  out.mass = bodies.mass[slot];
  if (options_.bodies == BodyForm::kNinePoints) {
    if constexpr (D == 2)
      out.points = nine_points(2 * shape.half, out.mass);
    else
      refuse(bodies.name[slot], "is in space, nine points are in the plane; bodies = \"lumped\" is their like");
  } else {
    out.points = options_.bodies == BodyForm::kCorners ? corner_masses(outline, out.mass) : lumped(outline, out.mass);
  }
  const auto place = [&](Vec<D>& p) { p = form.p_local + form.R_local * p; };
  for (Vec<D>& p : out.points.points) place(p);
  for (Vec<D>& p : outline.vertices) place(p);
  const std::vector<Bar> usual = usual_bars(out.points);
  out.bars = options_.independent ? independent_bars<D>(out.points, usual) : usual;
  std::vector<std::array<std::uint32_t, D>> sides;
  add_sides(outline, sides);
  for (const auto& corner : sides) {
    std::array<Vec<D>, D> at;
    for (std::size_t k = 0; k < D; ++k) at[k] = out.points.points[corner[k]];
    const Vec<D> n = normal_of(at);
    out.sides.push_back({corner, n, n.dot(at[0])});
  }
  check(bodies, slot, out);
  return out;
}

template <int D>
void BodyPoints<D>::find(const Bodies<D>& bodies, const ColliderTable<D>& colliders) {
  bodies_.clear();
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
    if (!bodies.dynamic(slot)) continue;
    const Collider<D>* only = nullptr;
    for (std::size_t c = 0; c < colliders.size(); ++c) {
      if (!colliders[c].alive || colliders[c].body != slot) continue;
      if (only) refuse(bodies.name[slot], "has several shapes; points and bars are made from one");
      only = &colliders[c];
    }
    if (!only) refuse(bodies.name[slot], "has no shape to make points from");
    bodies_.push_back(make(bodies, slot, only->shape(), *only->form));
  }
}

// Mass and velocities of the points of one body.
template <int D>
void BodyPoints<D>::add_clique(const ContactProblem& in, const Body& body, const Clique& from, const Mat<D>& R) {
  const std::size_t n = body.points.points.size();
  const Clique c = data_.add_clique(static_cast<std::uint32_t>(D * n));
  const auto point_velocity = [&](std::span<const double> v, std::size_t i) -> Vec<D> {
    Vec<D> linear;
    AngVec<D> w;
    for (int k = 0; k < D; ++k) linear[k] = v[from.first + static_cast<std::size_t>(k)];
    for (int k = 0; k < kAngular<D>; ++k) w[k] = v[from.first + static_cast<std::size_t>(D + k)];
    return linear + cross(w, Vec<D>(R * body.points.points[i]));
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < D; ++k) {
      const std::size_t at = c.first + D * i + k, diagonal = c.mass + (D * i + k) * (c.size + 1);
      data_.mass[diagonal] = body.points.masses[i];
      data_.inverse_mass[diagonal] = 1 / body.points.masses[i];
      data_.start_velocity[at] = point_velocity(in.start_velocity, i)[static_cast<Eigen::Index>(k)];
      data_.free_velocity[at] = point_velocity(in.free_velocity, i)[static_cast<Eigen::Index>(k)];
    }
  }
  if (options_.bars.form != BarForm::kPenalty) return;
  Eigen::Map<Eigen::MatrixXd> mass(&data_.mass[c.mass], c.size, c.size),
      inverse(&data_.inverse_mass[c.mass], c.size, c.size);
  for (const Bar& b : body.bars) {
    const Vec<D> d = R * (body.points.points[b.i] - body.points.points[b.j]).normalized();
    const Mat<D> stiff =
        options_.bars.penalty * (body.points.masses[b.i] + body.points.masses[b.j]) * d * d.transpose();
    const Eigen::Index i = D * static_cast<Eigen::Index>(b.i), j = D * static_cast<Eigen::Index>(b.j);
    mass.block<D, D>(i, i) += stiff, mass.block<D, D>(j, j) += stiff;
    mass.block<D, D>(i, j) -= stiff, mass.block<D, D>(j, i) -= stiff;
  }
  inverse = mass.llt().solve(Eigen::MatrixXd::Identity(c.size, c.size));
}

// The corners of the side that a place on the outline is on, and its weights between them.
template <int D>
bool BodyPoints<D>::at_corners(const Body& body, const Vec<D>& place, std::array<std::uint32_t, D>& corners,
                               std::array<double, D>& weights) const {
  constexpr double kSlack = 1e-6;  // beyond the ends of a side
  double nearest = std::numeric_limits<double>::infinity();
  for (const Side& side : body.sides) {
    const double away = std::abs(side.normal.dot(place) - side.offset);
    if (!(away < nearest)) continue;
    Sidedness<D> s;
    std::array<Vec<D>, D + 1> p;
    for (std::size_t k = 0; k < D; ++k) s[k] = static_cast<std::uint32_t>(k), p[k] = body.points.points[side.corner[k]];
    s[D] = D, p[D] = place;
    const SideFrame<D> frame = side_frame<D>(s, p);
    if (!frame.within(kSlack)) continue;
    nearest = away, corners = side.corner, weights = frame.weight;
  }
  return std::isfinite(nearest);
}

// One side of a block: its rows for the points of a body.
template <int D>
void BodyPoints<D>::add_row(const ContactProblem& in, const RowBlock& block, std::uint32_t clique, std::uint32_t from,
                            double* to) {
  constexpr std::uint32_t kSize = D + kAngular<D>;
  const Body& body = bodies_[clique];
  const Mat<D>& R = rotation_[clique];
  const std::size_t size = D * body.points.points.size();
  const std::span<const double> rows = in.jacobian.subspan(from, block.rows * kSize);
  std::array<std::uint32_t, D> corners;
  std::array<double, D> weights;
  bool on_outline = block.kind == BlockKind::kContact && block.rows == D;
  if (on_outline) {
    Vec<D> arm;
    if constexpr (D == 2)
      arm = arm_of(rows, block.rows);
    else
      arm = arm_of3(rows, block.rows);
    on_outline = at_corners(body, R.transpose() * arm, corners, weights);
  }
  for (std::uint32_t i = 0; i < block.rows; ++i) {
    const double* row = &rows[i * kSize];
    Vec<D> linear;
    AngVec<D> angular;
    for (int k = 0; k < D; ++k) linear[k] = row[k];
    for (int k = 0; k < kAngular<D>; ++k) angular[k] = row[D + k];
    const auto put = [&](std::size_t point, const Vec<D>& part) {
      for (std::size_t k = 0; k < D; ++k) to[i * size + D * point + k] += part[static_cast<Eigen::Index>(k)];
    };
    if (on_outline) {
      for (std::size_t k = 0; k < D; ++k) put(corners[k], weights[k] * linear);
    } else {
      const AngVec<D> turn = inverse_[clique] * angular;
      for (std::size_t p = 0; p < body.points.points.size(); ++p)
        put(p, body.points.masses[p] * (linear / body.mass + cross(turn, Vec<D>(R * body.points.points[p]))));
    }
  }
}

template <int D>
void BodyPoints<D>::add_block(const ContactProblem& in, const RowBlock& from) {
  RowBlock& to = data_.add_block(from.kind, from.rows, from.clique_a, from.clique_b);
  to.key = from.key;
  to.contact = from.contact;
  for (std::uint32_t i = 0; i < from.rows; ++i) {
    const std::size_t a = to.first_row + i, b = from.first_row + i;
    data_.restitution[a] = in.restitution[b], data_.correction[a] = in.correction[b], data_.surface[a] = in.surface[b];
    data_.lower[a] = in.lower[b], data_.upper[a] = in.upper[b];
  }
  const RowBlock block = to;
  if (block.clique_a != Clique::kNone)
    add_row(in, from, from.clique_a, from.jacobian_a, &data_.jacobian[block.jacobian_a]);
  if (block.clique_b != Clique::kNone)
    add_row(in, from, from.clique_b, from.jacobian_b, &data_.jacobian[block.jacobian_b]);
}

template <int D>
void BodyPoints<D>::add_bars(const ContactProblem& in, std::uint32_t clique) {
  const Body& body = bodies_[clique];
  const std::uint32_t first = data_.cliques[clique].first;
  for (const Bar& b : body.bars) {
    const Vec<D> d = rotation_[clique] * (body.points.points[b.i] - body.points.points[b.j]).normalized();
    RowBlock& block = data_.add_block(BlockKind::kEquality, 1, clique, Clique::kNone);
    double apart = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      data_.jacobian[block.jacobian_a + D * b.i + k] = d[axis];
      data_.jacobian[block.jacobian_a + D * b.j + k] = -d[axis];
      const double u = data_.start_velocity[first + D * b.i + k] - data_.start_velocity[first + D * b.j + k];
      apart += u * u;
    }
    if (options_.lengths == LengthForm::kLast) data_.correction[block.first_row] = in.h * apart / b.length;
  }
}

template <int D>
ContactProblem BodyPoints<D>::rewrite(const ContactProblem& in, const Bodies<D>& bodies, const State<D>& state) {
  data_.clear();
  data_.h = in.h;
  data_.stop = in.stop;
  data_.contacts.assign(in.contacts.begin(), in.contacts.end());
  rotation_.clear(), inverse_.clear();
  std::size_t next = 0;
  for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
    if (!bodies.dynamic(slot)) continue;
    rotation_.push_back(matrix_of(state.orientation[slot]));
    inverse_.push_back(rotate_moments(state.orientation[slot], bodies.inv_inertia[slot]));
    add_clique(in, bodies_[next], in.cliques[next], rotation_.back());
    ++next;
  }
  for (const RowBlock& b : in.blocks) add_block(in, b);
  if (options_.bars.form == BarForm::kEquations)
    for (std::uint32_t c = 0; c < bodies_.size(); ++c) add_bars(in, c);
  return data_.view();
}

template class BodyPoints<2>;
template class BodyPoints<3>;

}  // namespace touchstone
