// Purpose: a scene as a structure. Pairs come from a broad phase over all shapes, contact points from their faces
//   (statics/contact_faces.h), loads from the forces of the simulator at the start.
// Deviations: (1) closed meshes and chains are cut into convex parts first, so that their flat faces touch with all of
//   their corners; open meshes and height fields touch as detection says; (2) equal points of several parts are one.
#include "study/statics/structure_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "collision/narrow/narrow.h"
#include "contact/contact_frame.h"
#include "dynamics/joints/joint.h"
#include "geometry/surface.h"
#include "sim/simulation_parts.h"
#include "statics/contact_faces.h"
#include "study/statics/solid_parts.h"

namespace touchstone::statics {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

template <int D>
struct Part {
  std::uint32_t collider = 0;
  const Shape<D>* shape = nullptr;
};

// Equal places of two parts of one body.
constexpr double kSamePlace = 1e-12;  // of the size

template <int D>
class Finder {
 public:
  Finder(const Simulation& simulation, const SceneDescription& scene, const TouchSettings& settings)
      : simulation_(simulation),
        world_(parts_of<D>(simulation)),
        scene_(scene),
        settings_(settings),
        bodies_(world_.bodies),
        state_(world_.state) {}

  Detected run() {
    out_.structure.dimension = D;
    add_bodies();
    add_loads();
    find_pairs();
    for (const ColliderPair& pair : pairs_) add_pair(pair);
    refuse_overlaps();
    remember_gaps();
    add_joints();
    find_floating();
    return std::move(out_);
  }

 private:
  Body body_of(std::uint32_t i) {
    Body b;
    b.name = bodies_.name[i];
    b.held = !bodies_.dynamic(i);
    b.center = widen<D>(state_.position[i]);
    if (b.held) return b;
    b.mass = bodies_.mass[i];
    const AngMat<D> inertia = rotate_moments(state_.orientation[i], bodies_.inertia[i]);
    if constexpr (D == 2)
      b.inertia(2, 2) = inertia(0, 0);
    else
      b.inertia = inertia;
    b.weight = widen<D>(Vec<D>(world_.gravity * (bodies_.mass[i] * bodies_.gravity_scale[i])));
    return b;
  }

  void add_bodies() {
    bool moves = false;
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
      const BodyDescription& d = scene_.bodies[i];
      if (bodies_.kind[i] == BodyKind::kKinematic && (d.motion || !d.velocity.isZero() || !d.angular_velocity.isZero()))
        bad(fmt::format("body '{}' has a prescribed motion, but a structure is at rest; make the body static",
                        bodies_.name[i]));
      if (!d.surface_velocity.isZero())
        bad(fmt::format("body '{}' has a surface velocity, but a structure is at rest; remove `surface_velocity`",
                        bodies_.name[i]));
      moves |= !d.velocity.isZero() || !d.angular_velocity.isZero();
      out_.structure.bodies.push_back(body_of(i));
    }
    if (moves) out_.notes.push_back("velocities of the scene are ignored: statics is about bodies at rest");
    if (scene_.table) out_.notes.push_back("friction against the table is ignored");
    if (std::none_of(out_.structure.bodies.begin(), out_.structure.bodies.end(), [](const Body& b) { return !b.held; }))
      bad("every body is static or prescribed, so nothing can fall; `stable` needs a dynamic body");
  }

  // Springs act with the force they have now.
  void add_loads() {
    WrenchSet<D> loads;
    find_loads(simulation_, loads);
    const auto& total = loads.total();
    double size = 0;
    for (const Body& b : out_.structure.bodies) size = std::max(size, b.weight.norm());
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
      Body& b = out_.structure.bodies[i];
      if (b.held || i >= total.size()) continue;
      b.force = widen<D>(total[i].force) - b.weight;
      if (b.force.norm() <= 1e-15 * size) b.force.setZero();
      b.torque = widen_angular<D>(total[i].torque);
    }
    const auto sprung = [](const JointDescription& j) { return j.stiffness || j.damping || j.motor_force; };
    if (!scene_.springs.empty() || std::any_of(scene_.joints.begin(), scene_.joints.end(), sprung))
      out_.notes.push_back("springs act with the force that they have at the start");
  }

  Placed<D> placed(const Part<D>& part) const {
    const Collider<D>& c = world_.colliders[part.collider];
    const Mat<D> R = matrix_of(state_.orientation[c.body]);
    return {*part.shape, state_.position[c.body] + R * c.p_local(), R * c.R_local()};
  }

  // Of the ball about the centre of mass that holds a shape. The simulator's is larger where a shape lies far from the
  // origin of its frame, as the blocks of an assembly do.
  double farthest(const Collider<D>& c) const {
    const Shape<D>& s = c.shape();
    const std::vector<Vec<D>>* corners = s.hull ? &s.hull->vertices : s.mesh ? &s.mesh->vertices : nullptr;
    if (!corners) return std::isfinite(reach_of(s)) ? c.p_local().norm() + reach_of(s) : 0.0;
    const Mat<D> R = c.R_local();
    double most = 0;
    for (const Vec<D>& x : *corners) most = std::max(most, (c.p_local() + R * x).norm());
    return most;
  }

  double size_of(std::uint32_t a, std::uint32_t b) const {
    const double ra = radius_[a], rb = radius_[b];
    const double smaller = ra > 0 && rb > 0 ? std::min(ra, rb) : std::max(ra, rb);
    return smaller > 0 ? 2 * smaller : 1.0;
  }

  void find_pairs() {
    const ColliderTable<D>& colliders = world_.colliders;
    parts_.resize(colliders.size());
    radius_.assign(bodies_.size(), 0.0);
    for (std::uint32_t i = 0; i < colliders.size(); ++i)
      if (colliders[i].alive) radius_[colliders[i].body] = std::max(radius_[colliders[i].body], farthest(colliders[i]));
    std::vector<Bounds<D>> bounds(colliders.size());
    for (std::uint32_t i = 0; i < colliders.size(); ++i) {
      const Collider<D>& c = colliders[i];
      if (!c.alive) continue;
      const Mat<D> R = matrix_of(state_.orientation[c.body]);
      bounds[i] = bounds_of(c.shape(), Vec<D>(state_.position[c.body] + R * c.p_local()), Mat<D>(R * c.R_local()));
      const double reach = settings_.near * 2 * radius_[c.body];
      bounds[i].lower.array() -= reach, bounds[i].upper.array() += reach;
      parts_[i] = solid_parts(c.shape(), [&] { return fmt::format("body '{}'", bodies_.name[c.body]); });
    }
    make_broad_phase<D>(BroadPhaseKind::kBvh)->find({colliders, bounds, world_.ignored_pairs, Parallel(1)}, pairs_);
  }

  void add_pair(const ColliderPair& pair) {
    for (const Shape<D>& a : parts_[pair.first])
      for (const Shape<D>& b : parts_[pair.second]) add_touch({pair.first, &a}, {pair.second, &b});
  }

  void add_touch(const Part<D>& a, const Part<D>& b) {
    using Kind = typename TouchPoints<D>::Kind;
    const Collider<D>&ca = world_.colliders[a.collider], &cb = world_.colliders[b.collider];
    const double size = size_of(ca.body, cb.body), tolerance = settings_.tolerance * size;
    const TouchPoints<D> touch =
        touch_points(placed(a), placed(b), settings_.near * size, tolerance, scene_.collision.narrow_phase);
    const std::pair bodies(ca.body, cb.body);
    if (touch.kind == Kind::kDeep) {
      auto [at, fresh] = depths_.try_emplace(bodies, -touch.gap);
      at->second = std::max(at->second, -touch.gap);
      return;
    }
    Near& near = near_[bodies];
    near.tolerance = tolerance;
    if (touch.kind == Kind::kCorner) near.corner = true;
    if (touch.kind == Kind::kApart) {
      if (touch.normal.isZero()) return;
      near.gap = std::min(near.gap, touch.gap);
      return;
    }
    if (touch.kind == Kind::kCorner) return;
    near.touches = true;
    const double mu = settings_.friction.value_or(world_.materials.pair(ca.material, cb.material).static_friction);
    for (const Vec<D>& point : touch.points) add_contact(ca.body, cb.body, point, touch.normal, mu, size);
  }

  void add_contact(std::uint32_t a, std::uint32_t b, const Vec<D>& point, const Vec<D>& normal, double mu,
                   double size) {
    Contact c;
    c.a = a, c.b = b, c.friction = mu;
    c.point = widen<D>(point);
    c.frame.setZero();
    c.frame.template topLeftCorner<D, D>() = frame_of_normal(normal);
    std::vector<std::size_t>& known = known_[{a, b}];
    for (const std::size_t k : known) {
      const Contact& other = out_.structure.contacts[k];
      if ((other.point - c.point).norm() <= kSamePlace * size && (other.frame.col(0) - c.frame.col(0)).norm() <= 1e-9 &&
          other.friction == mu)
        return;
    }
    known.push_back(out_.structure.contacts.size());
    out_.structure.contacts.push_back(c);
  }

  void refuse_overlaps() const {
    if (depths_.empty()) return;
    std::vector<std::pair<double, std::pair<std::uint32_t, std::uint32_t>>> deepest;
    for (const auto& [pair, depth] : depths_) deepest.emplace_back(-depth, pair);
    std::sort(deepest.begin(), deepest.end());
    std::string text =
        fmt::format("{} of bodies {}:", counted(deepest.size(), "pair"), deepest.size() == 1 ? "overlaps" : "overlap");
    for (std::size_t i = 0; i < std::min<std::size_t>(deepest.size(), 5); ++i) {
      const auto [a, b] = deepest[i].second;
      text += fmt::format("{} '{}' and '{}' by {:.6g} m", i > 0 ? "," : "", bodies_.name[a], bodies_.name[b],
                          -deepest[i].first);
    }
    const auto [a, b] = deepest[0].second;
    const double enough = std::ceil(-deepest[0].first / size_of(a, b) * 1e7) / 1e7 * 1.5;
    if (enough > TouchSettings::kMostTolerance) bad(text + "; move them apart");
    bad(text + fmt::format("; move them apart, or count overlaps of this depth as touching with --tolerance {:.1g} (of "
                           "the smaller body's size; {:g} now)",
                           enough, settings_.tolerance));
  }

  void remember_gaps() {
    for (const auto& [pair, near] : near_) {
      if (near.touches) continue;
      const NearPair named{bodies_.name[pair.first], bodies_.name[pair.second], near.corner ? 0 : near.gap,
                           near.tolerance};
      if (near.corner)
        out_.corners.push_back(named);
      else if (near.gap < std::numeric_limits<double>::infinity())
        out_.gaps.push_back(named);
    }
  }

  void add_joints() {
    std::vector<JointRow<D>> rows(kMaxJointRows<D>);
    for (const Joint<D>& joint : world_.joints) {
      const int count = joint_rows(joint, state_, std::span<JointRow<D>>(rows));
      for (int i = 0; i < count; ++i) add_row(joint, rows[static_cast<std::size_t>(i)]);
    }
  }

  void add_row(const Joint<D>& joint, const JointRow<D>& row) {
    const bool limit = row.kind == RowKind::kLower || row.kind == RowKind::kUpper;
    if (drives(row.kind)) {
      const char* what = row.kind == RowKind::kFriction ? "friction" : "motor";
      const std::string note = fmt::format("the {} of joint '{}' is taken to be off", what, joint.name);
      if (out_.notes.empty() || out_.notes.back() != note) out_.notes.push_back(note);  // a target has several rows
      return;
    }
    const double size = row.angular ? 1.0
                                    : size_of(joint.body_a < bodies_.size() ? joint.body_a : joint.body_b,
                                              joint.body_b < bodies_.size() ? joint.body_b : joint.body_a);
    if (limit && row.error > settings_.tolerance * size) return;  // the limit is not reached
    Hold h;
    h.a = joint.body_a == kWorldBody ? kGround : joint.body_a,
    h.b = joint.body_b == kWorldBody ? kGround : joint.body_b;
    h.joint = joint.name, h.one_sided = limit;
    h.linear_a = widen<D>(row.linear_a), h.linear_b = widen<D>(row.linear_b);
    h.angular_a = widen_angular<D>(row.angular_a), h.angular_b = widen_angular<D>(row.angular_b);
    out_.structure.holds.push_back(std::move(h));
  }

  void find_floating() {
    std::vector<std::uint8_t> touched(bodies_.size(), 0);
    for (const Contact& c : out_.structure.contacts) touched[c.a] = touched[c.b] = 1;
    for (const Hold& h : out_.structure.holds)
      for (const std::uint32_t side : {h.a, h.b})
        if (side != kGround) touched[side] = 1;
    for (std::uint32_t i = 0; i < bodies_.size(); ++i)
      if (!touched[i] && !out_.structure.bodies[i].held) out_.floating.push_back(bodies_.name[i]);
  }

  struct Near {
    bool touches = false, corner = false;
    double gap = std::numeric_limits<double>::infinity(), tolerance = 0;
  };
  using BodyPair = std::pair<std::uint32_t, std::uint32_t>;

  const Simulation& simulation_;
  const SimulationParts<D> world_;
  const SceneDescription& scene_;
  const TouchSettings& settings_;
  const Bodies<D>& bodies_;
  const State<D>& state_;
  std::vector<double> radius_;  // by body [m]; 0: unbounded, or without shapes
  std::vector<ColliderPair> pairs_;
  std::vector<std::vector<Shape<D>>> parts_;  // by collider
  std::map<BodyPair, double> depths_;
  std::map<BodyPair, Near> near_;
  std::map<BodyPair, std::vector<std::size_t>> known_;
  Detected out_;
};

template <int D>
Detected find_structure(const SceneDescription& scene, const TouchSettings& settings) {
  const Simulation simulation(scene);
  return Finder<D>(simulation, scene, settings).run();
}

}  // namespace

Detected structure_of(const SceneDescription& scene, const TouchSettings& settings) {
  if (scene.bodies.empty()) bad("the scene has no bodies; `stable` needs a dynamic body");
  SceneDescription rest = scene;
  rest.model = {"ncp", {}};  // takes everything; no step is made
  rest.integrator = Integrator::kSemiImplicitEuler;
  return scene.dimension == 2 ? find_structure<2>(rest, settings) : find_structure<3>(rest, settings);
}

}  // namespace touchstone::statics
