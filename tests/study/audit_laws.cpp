#include "study/audit_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone::audit {
namespace {

constexpr double kStands = 1e-4;   // of the body's size: a corner that is nearer stands on the face
constexpr double kCarried = 0.01;  // of the weight over a step: less is rounding
// Of Coulomb's limit. The friction of a body that turns while it slides adds up to less, and that of models whose
// friction does not point against the sliding to less still.
constexpr double kSticks = 0.5;

double friction_of(const Scene& scene, const Subject& a, const Subject& b) {
  const std::string &first = a.description.material, &second = b.description.material;
  for (const MaterialPairDescription& p : scene.description().material_pairs)
    if ((p.first == first && p.second == second) || (p.second == first && p.first == second)) return p.static_friction;
  const auto own = [&](const std::string& name) {
    for (const MaterialDescription& m : scene.description().materials)
      if (m.name == name) return m.static_friction;
    return MaterialDescription{}.static_friction;
  };
  return std::sqrt(own(first) * own(second));
}

double weight_of(const Scene& scene, const std::vector<Instant>& run, std::size_t k, std::size_t i) {
  return scene.subjects()[i].mass * scene.description().gravity.norm() * (run[k].time - run[k - 1].time);
}

// The normal of the face that the body is over, with all of it: at an edge of the face the normal is another one.
std::optional<Vector3d> face_below(const Piece& body, const Piece& ground) {
  Vector3d out = Vector3d::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& n : ground.normals)
    if (const double overlap = ground.support(n) + body.support(-n); overlap < least) least = overlap, out = n;
  for (const Vector3d& side : ground.normals)
    if (side != out && side != -out && body.support(side) > ground.support(side)) return {};
  return out;
}

}  // namespace

std::optional<Support> support_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching,
                                  std::size_t k, std::size_t i) {
  const Subject& s = scene.subjects()[i];
  const std::vector<std::size_t>& partners = touching.partners(k, i);
  if (!s.dynamic || touching.joined(i) || partners.size() != 1 || s.pieces.size() != 1 || scene.description().table)
    return {};
  const Subject& under = scene.subjects()[partners[0]];
  if (under.dynamic || under.pieces.size() != 1 || under.pieces[0].normals.empty()) return {};
  const BodyAt &x = run[k].bodies[i], &base = run[k].bodies[partners[0]];
  Support out;
  out.under = partners[0];
  const auto face = face_below(s.pieces[0].at(x.R, x.origin), under.pieces[0].at(base.R, base.origin));
  if (!face) return {};
  out.normal = *face;
  const Vector3d impulse = rest_impulse(scene, run[k - 1], run[k], i).linear;
  out.push = out.normal.dot(impulse);
  out.friction = impulse - out.push * out.normal;
  out.static_friction = friction_of(scene, s, under);
  return out;
}

Laws laws_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching, const Ledger& ledger) {
  Laws out;
  const auto worse = [&](Worst& worst, double value, std::size_t k, const std::string& name) {
    if (value > worst.value) worst = {value, run[k].step, run[k].time, name, ""};
  };
  for (std::size_t k = 1; k < run.size(); ++k) {
    for (std::size_t i = 0; i < scene.subjects().size(); ++i) {
      const std::optional<Support> s = support_of(scene, run, touching, k, i);
      if (!s) continue;
      worse(out.pulling, -s->push, k, scene.subjects()[i].name);
      const double limit = s->static_friction * s->push;
      if (s->push > kCarried * weight_of(scene, run, k, i) && limit > 0)
        worse(out.cone, s->friction.norm() / limit - 1, k, scene.subjects()[i].name);
    }
    // What is neither put in nor unexplained is of contacts and joints.
    const auto unknown = [&](std::size_t at) { return ledger.put_in_slack[at] + ledger.slack[at]; };
    const double work = ledger.beyond(k) - ledger.beyond(k - 1) - ledger.unexplained[k] + ledger.unexplained[k - 1];
    worse(out.gain, work - unknown(k) + unknown(k - 1), k, "");
  }
  return out;
}

Worst gathered_slip(const Scene& scene, const std::vector<Instant>& run, const Touching& touching) {
  Worst out;
  std::vector<Vector3d> gathered(scene.subjects().size(), Vector3d::Zero());
  std::vector<bool> stuck(scene.subjects().size(), false);  // in the step before: it was still coming in the first one
  for (std::size_t k = 1; k < run.size(); ++k)
    for (std::size_t i = 0; i < scene.subjects().size(); ++i) {
      const Subject& s = scene.subjects()[i];
      const std::optional<Support> support = support_of(scene, run, touching, k, i);
      const bool corners = s.pieces.size() == 1 && s.pieces[0].kind == Piece::Kind::kHull && s.pieces[0].radius == 0;
      if (!support || !corners || !(support->push > kCarried * weight_of(scene, run, k, i)) ||
          !(support->friction.norm() < kSticks * support->static_friction * support->push)) {
        gathered[i].setZero(), stuck[i] = false;
        continue;
      }
      const BodyAt &x = run[k - 1].bodies[i], &y = run[k].bodies[i];
      const BodyAt &x0 = run[k - 1].bodies[support->under], &y0 = run[k].bodies[support->under];
      const Subject& under = scene.subjects()[support->under];
      const Piece body = s.pieces[0].at(y.R, y.origin);
      std::size_t lowest = 0;
      for (std::size_t c = 1; c < body.points.size(); ++c)
        if (support->normal.dot(body.points[c] - body.points[lowest]) < 0) lowest = c;
      const auto in_ground = [&](const BodyAt& at, const BodyAt& base) {
        return Vector3d(base.R.transpose() * (at.origin + at.R * s.pieces[0].points[lowest] - base.origin));
      };
      const Vector3d local = y0.R.transpose() * support->normal;
      const double stands = under.pieces[0].support(local) + kStands * 2 * s.radius;
      if (local.dot(in_ground(x, x0)) > stands || local.dot(in_ground(y, y0)) > stands) {
        gathered[i].setZero(), stuck[i] = false;
        continue;
      }
      const Vector3d way =
          in_ground(y, y0) - in_ground(x, x0) - (run[k].time - run[k - 1].time) * under.description.surface_velocity;
      if (stuck[i]) gathered[i] += way - local.dot(way) * local;
      stuck[i] = true;
      if (gathered[i].norm() > out.value) out = {gathered[i].norm(), run[k].step, run[k].time, under.name, s.name};
    }
  return out;
}

}  // namespace touchstone::audit
