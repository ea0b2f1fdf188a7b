// Snapshots: everything that decides the future of a world, and nothing else. Restoring builds the bodies anew
// from their descriptions, puts colliders back into their old slots (contact keys depend on them), and then
// overwrites the state, the motions and the model's memory bit by bit.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/hash.h"
#include "sim/joint_description.h"
#include "sim/world.h"

namespace touchstone {

static void serialize_fields(Archive& ar, Placement& p) { ar(p.position), ar(p.orientation), ar(p.angle); }

static void serialize_fields(Archive& ar, ShapeDescription& s) {
  ar(s.kind), ar(s.radius), ar(s.length), ar(s.size), ar(s.normal), ar(s.vertices), serialize_fields(ar, s.placement),
      ar(s.material);
  ar(s.triangles), ar(s.closed), ar(s.two_sided), ar(s.grid), ar(s.spacing), ar(s.heights), ar(s.source);
}

static void serialize_fields(Archive& ar, PrescribedMotion& m) {
  ar(m.velocity), ar(m.angular_velocity), ar(m.amplitude), ar(m.angular_amplitude), ar(m.frequency), ar(m.phase);
}

static void serialize_fields(Archive& ar, BodyDescription& d) {
  ar(d.name), ar(d.kind), serialize_fields(ar, d.placement), ar(d.velocity), ar(d.angular_velocity), ar(d.shapes),
      ar(d.material);
  ar(d.density), ar(d.mass), ar(d.inertia), ar(d.center_of_mass), ar(d.gravity_scale);
  ar(d.linear_drag), ar(d.quadratic_drag), ar(d.angular_drag), ar(d.table_friction), ar(d.motion),
      ar(d.surface_velocity), ar(d.groups), ar(d.ignores), ar(d.tags);
}

template <int D>
static void serialize_fields(Archive& ar, Wrench<D>& w) {
  ar(w.force), ar(w.torque);
}

template <int D>
static void serialize_fields(Archive& ar, Spring<D>& s) {
  ar(s.body_a), ar(s.body_b), ar(s.point_a), ar(s.point_b), ar(s.stiffness), ar(s.damping), ar(s.rest_length);
  ar(s.described_a), ar(s.described_b);
}

template <int D>
static void serialize_fields(Archive& ar, SteadyForce<D>& f) {
  ar(f.body), ar(f.force), ar(f.point), ar(f.torque), ar(f.from), ar(f.until), ar(f.described_point);
}

static std::shared_ptr<const Expression> read_curve(const std::string& text) {
  try {
    return std::make_shared<const Expression>(text);
  } catch (const ExpressionError&) {
    throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
  }
}

static void serialize_fields(Archive& ar, JointEvent& e) { ar(e.joint), ar(e.time), ar(e.force), ar(e.torque); }

template <int D>
static void serialize_fields(Archive& ar, Joint<D>& j) {
  ar(j.name), ar(j.serial), ar(j.kind), ar(j.collide), ar(j.body_a), ar(j.body_b);
  ar(j.point_a), ar(j.point_b), ar(j.frame_a), ar(j.frame_b), ar(j.length), ar(j.lower), ar(j.upper);
  ar(j.pitch), ar(j.ratio), ar(j.stiffness), ar(j.damping), ar(j.rest), ar(j.friction), ar(j.break_force),
      ar(j.break_torque), ar(j.broken);
  std::string curve = j.curve ? j.curve->text() : std::string();
  ar(curve);
  if (!ar.saving()) j.curve = curve.empty() ? nullptr : read_curve(curve);
  MotorCommand& m = j.motor;
  ar(j.has_motor), ar(m.kind), ar(m.target), ar(m.max_force), ar(m.max_speed), ar(m.response), ar(m.from), ar(m.until),
      ar(m.waypoints), ar(j.ignores_pair);
  ar(j.described_a), ar(j.described_b), ar(j.described_frame_a), ar(j.described_frame_b);
}

static void serialize_fields(Archive& ar, StepMeasures& m) {
  ar(m.measured), ar(m.steps), ar(m.solves), ar(m.contacts);
  for (const MeasureInfo& info : measure_infos()) {
    Measure& each = m.*info.value;
    ar(each.worst), ar(each.mean), ar(each.body_a), ar(each.body_b), ar(each.step);
  }
}

static void serialize_fields(Archive& ar, StepReport& r) {
  ar(r.step), ar(r.time), ar(r.status), ar(r.kinetic_energy), ar(r.gravity_energy), ar(r.spring_energy),
      ar(r.contact_energy);
  ar(r.external_work), ar(r.drag_work), ar(r.contact_work), ar(r.joint_work), ar(r.motor_work), ar(r.driven_work),
      ar(r.correction_work), ar(r.energy_balance), ar(r.momentum), ar(r.angular_momentum);
  ar(r.max_penetration), ar(r.max_speed), ar(r.contacts), ar(r.sticking), ar(r.collisions), ar(r.resting),
      ar(r.broken_joints), ar(r.substeps), ar(r.iterations), ar(r.certificate), ar(r.wall_time);
  serialize_fields(ar, r.measures);
}

template <int D>
void World<D>::serialize(Archive& ar) {
  constexpr std::uint32_t kFormat = 0x54530E00u + D;  // the last byte but one counts the layouts of snapshots
  std::uint32_t magic = kFormat;
  std::string model = model_info_->name;
  std::string program = version();
  ar(magic), ar(model), ar(program);
  if (magic != kFormat) throw Error(ErrorKind::kBadInput, "the snapshot is of another dimension or format");
  if (model != model_info_->name)
    throw Error(ErrorKind::kBadInput, "the snapshot is of model '" + model + "', not '" + model_info_->name + "'");
  if (program != version())
    throw Error(ErrorKind::kBadInput,
                "the snapshot is of version " + program + " of the program, this is " + version());

  const std::vector<std::uint32_t> generation_before = generation_;
  std::uint64_t rules = rules_;
  std::uint64_t structure = structure_;
  ar(rules), ar(structure);
  if (adopting_ ? structure != structure_ : rules != rules_)
    throw Error(
        ErrorKind::kBadInput,
        fmt::format(
            "the snapshot is of a world with another {}gravity, {}, joints, controllers, integrator or model options",
            adopting_ ? "" : "step, ", adopting_ ? "densities" : "materials"));
  double now = time();
  ar(now), ar(base_time_), ar(base_step_), ar(step_count_);
  if (!(base_step_ <= step_count_) || !std::isfinite(now) || !std::isfinite(base_time_))
    throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
  if (adopting_) base_time_ = now, base_step_ = step_count_;
  std::vector<BodyDescription> described(descriptions_.size());
  for (std::uint32_t i = 0; ar.saving() && i < described.size(); ++i) described[i] = description(i);
  ar(groups_), ar(generation_), ar(free_), ar(described), ar(colliders_);
  std::vector<std::uint8_t> alive = bodies_.alive;
  ar(alive);
  std::vector<std::uint32_t> free_colliders = detector_.colliders().free_slots();
  ar(free_colliders);
  std::uint64_t collider_count = detector_.colliders().size();
  ar(collider_count);
  if (!ar.saving()) {
    queries_.invalidate();
    const auto damaged = [](bool yes) {
      if (yes) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
    };
    const auto old_motions = std::move(motions_);
    const auto old_generation = generation_before;
    const std::size_t n = described.size();
    if (generation_.size() != n || alive.size() != n || colliders_.size() != n)
      throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
    descriptions_ = {};
    descriptions_.resize(n);
    bodies_ = {};
    bodies_.resize(n);
    state_ = {};
    state_.resize(n);
    forces_.applied.clear();
    tags_.clear();
    tags_.resize(n);
    materials_.set_body_pairs({});
    detector_.colliders().clear();
    motions_.clear();
    by_name_.clear();
    damaged(collider_count > kMaxColliders);
    for (const std::uint32_t f : free_) damaged(f >= n || alive[f]);
    for (const std::uint32_t f : free_colliders) damaged(f >= collider_count);
    const BodyColliders slots = std::exchange(colliders_, {});
    colliders_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i)
      if (alive[i]) put_body(i, described[i]);
    // put_body chose slots by itself; move every collider to the one it had.
    std::vector<std::pair<std::uint32_t, Collider<D>>> placed;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (slots[i].size() != colliders_[i].size()) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
      for (std::size_t k = 0; k < slots[i].size(); ++k) {
        damaged(slots[i][k] >= collider_count);
        placed.emplace_back(slots[i][k], detector_.colliders()[colliders_[i][k]]);
      }
    }
    detector_.colliders().clear();
    detector_.colliders().resize(collider_count);
    for (const auto& [slot, collider] : placed) {
      damaged(detector_.colliders()[slot].alive);
      detector_.colliders().place(slot, collider);
    }
    detector_.colliders().free_slots() = free_colliders;
    colliders_ = slots;
    // A callback cannot be saved; the one that a body of the same id has stays with it.
    for (auto& [body, motion] : motions_)
      for (const auto& [old_body, old] : old_motions)
        if (body == old_body && body < old_generation.size() && old_generation[body] == generation_[body])
          motion.callback = old.callback;
  }
  state_.serialize(ar);
  serialize_robots(ar);
  if (state_.size() != bodies_.size()) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
  for (auto& [body, motion] : motions_) motion.serialize(ar);
  ar(detector_.ignored_pairs()), ar(forces_.applied), ar(forces_.any_applied), ar(forces_.springs);
  ar(forces_.steady), ar(joints_), ar(joints_made_), ar(pushes_), ar(joint_events_), ar(report_), ar(work_),
      ar(start_energy_), ar(guard_);
  std::vector<MaterialTable::BodyPair> body_pairs = materials_.body_pairs();
  ar(tags_), ar(body_pairs);
  if (!ar.saving()) adopt_body_pairs(std::move(body_pairs));
  controllers_.serialize(ar);
  model_->serialize(ar);
  detector_.serialize(ar);
  events_.serialize(ar);
  yardstick_.serialize(ar);
  serialize_fields(ar, gathered_);
  if (ar.saving()) return;
  check_references();
  note_joint_forces();
}

template <int D>
void World<D>::adopt(Archive& ar) {
  adopting_ = true;
  try {
    serialize(ar);
  } catch (...) {
    adopting_ = false;
    throw;
  }
  adopting_ = false;
}

// Of a snapshot: in order, of bodies that are there, and a restitution.
template <int D>
void World<D>::adopt_body_pairs(std::vector<MaterialTable::BodyPair> pairs) {
  bool fine = tags_.size() == bodies_.size();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MaterialTable::BodyPair& p = pairs[i];
    fine &= p.first < p.second && p.second < bodies_.size() && p.restitution >= 0 && p.restitution <= 1;
    fine &= i == 0 || std::pair(pairs[i - 1].first, pairs[i - 1].second) < std::pair(p.first, p.second);
  }
  if (!fine) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
  materials_.set_body_pairs(std::move(pairs));
  prepare_restitution();
}

// Slots that a damaged snapshot might have put out of range.
template <int D>
void World<D>::check_references() const {
  const std::size_t n = bodies_.size();
  bool fine = forces_.applied.empty() || forces_.applied.size() == n;
  fine &= !(forces_.any_applied && forces_.applied.empty());
  for (const Spring<D>& s : forces_.springs)
    fine &= (s.body_a == kWorldBody || s.body_a < n) && (s.body_b == kWorldBody || s.body_b < n);
  for (const SteadyForce<D>& f : forces_.steady) fine &= f.body < n;
  const auto exists = [&](std::uint32_t body) { return body == kWorldBody || (body < n && bodies_.alive[body]); };
  for (const Joint<D>& j : joints_)
    fine &= exists(j.body_a) && exists(j.body_b) && (j.broken || j.body_a != j.body_b) && j.kind <= kLastJointKind &&
            (j.curve != nullptr) == (j.kind == JointKind::kBead) && (j.kind != JointKind::kScrew || j.pitch != 0);
  fine &= pushes_.empty() || pushes_.size() == joints_.size();
  for (const JointEvent& e : joint_events_) fine &= e.joint < joints_.size();
  for (const ReportedContact<D> c : contacts())
    fine &= c.contact.body_a < n && c.contact.body_b < n && c.contact.collider_a() < detector_.colliders().size() &&
            c.contact.collider_b() < detector_.colliders().size();
  if (!fine) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
}

// The scene's joints are rules; those that the world has now, and the commands of their motors, are in the snapshot.
static void hash_joint(Hash64& hash, const JointDescription& j) {
  for (const std::string* t : {&j.name, &j.body_a, &j.body_b}) hash.bytes(t->data(), t->size()), hash.word(t->size());
  hash.word(static_cast<std::uint64_t>(j.kind) + (j.collide ? 256u : 0u));
  for (const auto* v : {&j.point, &j.point_a, &j.point_b, &j.axis, &j.axis_b}) {
    hash.word(v->has_value());
    if (*v) hash.numbers((*v)->data(), 3);
  }
  for (const auto* x :
       {&j.length, &j.pitch, &j.ratio, &j.lower, &j.upper, &j.stiffness, &j.damping, &j.rest, &j.friction,
        &j.motor_speed, &j.motor_position, &j.motor_force, &j.motor_max_force, &j.motor_max_speed, &j.motor_response,
        &j.motor_from, &j.motor_until, &j.break_force, &j.break_torque}) {
    hash.word(x->has_value());
    if (*x) hash.numbers(&**x, 1);
  }
  hash.bytes(j.curve.data(), j.curve.size()), hash.word(j.curve.size());
  hash.word(j.motor_waypoints.size());
  for (const std::array<double, 2>& w : j.motor_waypoints) hash.numbers(w.data(), 2);
}

static void hash_controller(Hash64& hash, const ControllerDescription& c) {
  const auto text = [&](const std::string& t) { hash.bytes(t.data(), t.size()), hash.word(t.size()); };
  text(c.name), text(c.kind), text(c.body);
  for (const auto& [name, value] : c.parameters) {
    text(name), hash.word(value.index());
    if (const auto* n = std::get_if<double>(&value)) hash.numbers(n, 1);
    if (const auto* i = std::get_if<std::int64_t>(&value)) hash.word(static_cast<std::uint64_t>(*i));
    if (const auto* b = std::get_if<bool>(&value)) hash.word(*b);
    if (const auto* t = std::get_if<std::string>(&value)) text(*t);
    if (const auto* v = std::get_if<Eigen::Vector3d>(&value)) hash.numbers(v->data(), 3);
  }
}

template <int D>
std::uint64_t World<D>::rules_hash(const SceneDescription& scene, bool all) const {
  Hash64 hash;
  const auto number = [&](double x) { hash.numbers(&x, 1); };
  const auto text = [&](const std::string& t) { hash.bytes(t.data(), t.size()); };
  if (all) number(scene.step);
  hash.numbers(scene.gravity.data(), 3);
  hash.word(static_cast<std::uint64_t>(scene.integrator));
  hash.word(static_cast<std::uint64_t>(scene.collision.narrow_phase));
  for (const MaterialDescription& m : scene.materials)
    text(m.name), all ? (number(m.static_friction), number(m.dynamic_friction), number(m.restitution)) : void(),
        number(m.density);
  for (const MaterialPairDescription& p : scene.material_pairs)
    text(p.first), text(p.second),
        all ? (number(p.static_friction), number(p.dynamic_friction), number(p.restitution)) : void();
  if (scene.table) {
    hash.word(1 + static_cast<std::uint64_t>(scene.table->law));
    number(scene.table->gravity), number(scene.table->rate), number(scene.table->static_speed);
    hash.word(scene.table->spin);
  }
  for (const JointDescription& j : scene.joints) hash_joint(hash, j);
  for (const ControllerDescription& c : scene.controllers) hash_controller(hash, c);
  for (const auto& [name, value] : complete_options(*model_info_, scene.model.options)) {
    text(name);
    if (const auto* n = std::get_if<double>(&value))
      number(*n);
    else if (const auto* i = std::get_if<std::int64_t>(&value))
      hash.word(static_cast<std::uint64_t>(*i));
    else if (const auto* b = std::get_if<bool>(&value))
      hash.word(*b);
    else
      text(std::get<std::string>(value));
  }
  return hash.value();
}

template <int D>
std::uint64_t World<D>::state_hash() const {
  Hash64 hash;
  hash.word(step_count_);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_.alive[i]) continue;
    hash.word(i);
    hash.numbers(state_.position[i].data(), D);
    if constexpr (D == 2)
      hash.numbers(&state_.orientation[i], 1);
    else
      hash.numbers(state_.orientation[i].coeffs().data(), 4);
    hash.numbers(state_.velocity[i].data(), D);
    hash.numbers(state_.angular_velocity[i].data(), kAngular<D>);
  }
  hash.numbers(state_.q.data(), state_.q.size());
  hash.numbers(state_.v.data(), state_.v.size());
  return hash.value();
}

template void World<2>::adopt_body_pairs(std::vector<MaterialTable::BodyPair>);
template void World<3>::adopt_body_pairs(std::vector<MaterialTable::BodyPair>);
template void World<2>::check_references() const;
template void World<3>::check_references() const;
template std::uint64_t World<2>::rules_hash(const SceneDescription&, bool) const;
template std::uint64_t World<3>::rules_hash(const SceneDescription&, bool) const;
template void World<2>::adopt(Archive&);
template void World<3>::adopt(Archive&);
template void World<2>::serialize(Archive&);
template void World<3>::serialize(Archive&);
template std::uint64_t World<2>::state_hash() const;
template std::uint64_t World<3>::state_hash() const;

}  // namespace touchstone
