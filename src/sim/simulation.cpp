#include "touchstone/simulation.h"

#include <fmt/format.h>

#include <cstring>

#include "base/archive.h"
#include "base/hash.h"
#include "sim/simulation_impl.h"

namespace touchstone {

Simulation::Simulation(const SceneDescription& scene) : impl_(std::make_unique<Impl>()) {
  if (scene.dimension == 2)
    impl_->world = std::make_unique<World<2>>(scene);
  else if (scene.dimension == 3)
    impl_->world = std::make_unique<World<3>>(scene);
  else
    throw Error(ErrorKind::kBadInput, fmt::format("dimension is {}; it must be 2 or 3", scene.dimension));
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

int Simulation::dimension() const { return impl_->world.index() == 0 ? 2 : 3; }
double Simulation::time() const {
  return impl_->visit([](auto& w) { return w.time(); });
}
std::uint64_t Simulation::step_count() const {
  return impl_->visit([](auto& w) { return w.step_count(); });
}
double Simulation::step_size() const {
  return impl_->visit([](auto& w) { return w.step_size(); });
}
const std::string& Simulation::model_name() const {
  return impl_->visit([](auto& w) -> const std::string& { return w.model_name(); });
}
void Simulation::set_threads(int threads) {
  impl_->visit([&](auto& w) { w.set_threads(threads); });
}

void Simulation::set_stop(const std::atomic<bool>* stop) {
  impl_->visit([&](auto& w) { w.set_stop(stop); });
}

const StepReport& Simulation::step() {
  return impl_->visit([](auto& w) -> const StepReport& { return w.step(); });
}
const StepReport& Simulation::report() const {
  return impl_->visit([](auto& w) -> const StepReport& { return w.report(); });
}

void Simulation::set_yardstick(bool on) {
  impl_->visit([&](auto& w) { w.set_yardstick(on); });
}
bool Simulation::yardstick() const {
  return impl_->visit([](auto& w) { return w.yardstick(); });
}
const StepMeasures& Simulation::measures() const { return report().measures; }
const StepMeasures& Simulation::gathered_measures() const {
  return impl_->visit([](auto& w) -> const StepMeasures& { return w.gathered_measures(); });
}
void Simulation::forget_measures() {
  impl_->visit([](auto& w) { w.forget_measures(); });
}

BodyId Simulation::add_body(const BodyDescription& body) {
  return impl_->visit([&](auto& w) { return w.add_body(body); });
}
void Simulation::remove_body(BodyId body) {
  impl_->visit([&](auto& w) { w.remove_body(body); });
}
void Simulation::replace_body(BodyId body, const BodyDescription& description) {
  impl_->visit([&](auto& w) { w.replace_body(body, description); });
}
bool Simulation::contains(BodyId body) const {
  return impl_->visit([&](auto& w) { return w.contains(body); });
}
BodyId Simulation::find_body(std::string_view name) const {
  return impl_->visit([&](auto& w) { return w.find_body(name); });
}
std::vector<BodyId> Simulation::bodies() const {
  return impl_->visit([](auto& w) { return w.body_ids(); });
}
const std::string& Simulation::body_name(BodyId body) const {
  return impl_->visit([&](auto& w) -> const std::string& { return w.bodies().name[w.checked(body)]; });
}
BodyDescription Simulation::description(BodyId body) const {
  return impl_->visit([&](auto& w) { return w.description(body); });
}
double Simulation::mass(BodyId body) const {
  return impl_->visit([&](auto& w) {
    const std::uint32_t slot = w.checked(body);
    return w.bodies().dynamic(slot) ? w.bodies().mass[slot] : std::numeric_limits<double>::infinity();
  });
}
Eigen::Matrix3d Simulation::inertia(BodyId body) const {
  return impl_->visit([&](auto& w) {
    const std::uint32_t slot = w.checked(body);
    const auto inertia = rotate_moments(w.bodies().axes[slot], w.bodies().inertia[slot]);
    Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
    out.bottomRightCorner(inertia.rows(), inertia.cols()) = inertia;
    return out;
  });
}
BodyState Simulation::state(BodyId body) const {
  return impl_->visit([&](auto& w) { return w.body_state(body); });
}
void Simulation::set_state(BodyId body, const BodyState& state) {
  impl_->visit([&](auto& w) { w.set_body_state(body, state); });
}
void Simulation::ignore_pair(BodyId a, BodyId b) { set_pair_collision(a, b, false); }

void Simulation::apply_force(BodyId body, const Eigen::Vector3d& force) {
  impl_->visit([&](auto& w) { w.apply(body, force, Eigen::Vector3d::Zero()); });
}
void Simulation::apply_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point) {
  impl_->visit([&](auto& w) { w.apply_at(body, force, point); });
}
void Simulation::apply_torque(BodyId body, const Eigen::Vector3d& torque) {
  impl_->visit([&](auto& w) { w.apply(body, Eigen::Vector3d::Zero(), torque); });
}
void Simulation::set_force_callback(ForceCallback callback) {
  impl_->visit([&](auto& w) { w.set_force_callback(std::move(callback)); });
}
void Simulation::set_motion(BodyId body, MotionCallback motion) {
  impl_->visit([&](auto& w) { w.set_motion(body, std::move(motion)); });
}

namespace {

// Arrays of small fixed-size vectors are contiguous doubles.
template <class V>
std::span<const double> flat(const std::vector<V>& values) {
  if constexpr (std::is_same_v<V, double>) {
    return values;
  } else {
    static_assert(sizeof(V) % sizeof(double) == 0);
    constexpr std::size_t n = sizeof(V) / sizeof(double);
    if (values.empty()) return {};
    if constexpr (requires(const V& v) { v.coeffs(); })
      return {values.data()->coeffs().data(), n * values.size()};
    else
      return {values.data()->data(), n * values.size()};
  }
}

}  // namespace

std::size_t Simulation::slot_count() const {
  return impl_->visit([](auto& w) { return w.bodies().size(); });
}
std::span<const double> Simulation::positions() const {
  return impl_->visit([](auto& w) { return flat(w.state().position); });
}
std::span<const double> Simulation::orientations() const {
  return impl_->visit([](auto& w) { return flat(w.state().orientation); });
}
std::span<const double> Simulation::velocities() const {
  return impl_->visit([](auto& w) { return flat(w.state().velocity); });
}
std::span<const double> Simulation::angular_velocities() const {
  return impl_->visit([](auto& w) { return flat(w.state().angular_velocity); });
}

std::size_t Simulation::contact_count() const {
  return impl_->visit([](auto& w) { return w.contacts().size(); });
}
ContactReport Simulation::contact(std::size_t index) const {
  if (index >= contact_count())
    throw Error(ErrorKind::kBadInput,
                fmt::format("there is no contact {}; the last step had {}", index, contact_count()));
  return impl_->visit([&](auto& w) { return w.contact_report(index); });
}
Eigen::Vector3d Simulation::pair_impulse(BodyId a, BodyId b) const {
  return impl_->visit([&](auto& w) {
    const std::uint32_t sa = w.checked(a), sb = w.checked(b);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto c : w.contacts()) {
      if (c.contact.body_a == sa && c.contact.body_b == sb) sum.head(c.impulse.size()) += c.impulse;
      if (c.contact.body_a == sb && c.contact.body_b == sa) sum.head(c.impulse.size()) -= c.impulse;
    }
    return sum;
  });
}
Eigen::Vector3d Simulation::body_impulse(BodyId body) const {
  return impl_->visit([&](auto& w) {
    const std::uint32_t slot = w.checked(body);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto c : w.contacts()) {
      if (c.contact.body_b == slot) sum.head(c.impulse.size()) += c.impulse;
      if (c.contact.body_a == slot) sum.head(c.impulse.size()) -= c.impulse;
    }
    return sum;
  });
}

std::size_t Simulation::joint_count() const {
  return impl_->visit([](auto& w) { return w.joints().size(); });
}
const std::string& Simulation::joint_name(std::size_t index) const {
  return impl_->visit([&](auto& w) -> const std::string& { return w.joint(index).name; });
}
JointReport Simulation::joint(std::size_t index) const {
  return impl_->visit([&](auto& w) { return w.joint_report(index); });
}

std::size_t Simulation::find_joint(std::string_view name) const {
  return impl_->visit([&](auto& w) { return w.find_joint(name); });
}
std::size_t Simulation::add_joint(const JointDescription& joint) {
  return impl_->visit([&](auto& w) { return w.add_joint(joint); });
}
void Simulation::set_target(std::size_t index, const Eigen::Vector3d& place) {
  impl_->visit([&](auto& w) { w.set_target(index, place); });
}
void Simulation::set_limits(std::size_t index, std::optional<double> lower, std::optional<double> upper) {
  impl_->visit([&](auto& w) { w.set_limits(index, lower, upper); });
}
void Simulation::set_ratio(std::size_t index, double ratio) {
  impl_->visit([&](auto& w) { w.set_ratio(index, ratio); });
}
void Simulation::set_spring(std::size_t index, double stiffness, double damping, double rest) {
  impl_->visit([&](auto& w) { w.set_spring(index, stiffness, damping, rest); });
}
void Simulation::set_friction(std::size_t index, double greatest) {
  impl_->visit([&](auto& w) { w.set_friction(index, greatest); });
}
void Simulation::set_collide(std::size_t index, bool collide) {
  impl_->visit([&](auto& w) { w.set_collide(index, collide); });
}
std::span<const JointEvent> Simulation::joint_events() const {
  return impl_->visit([](auto& w) { return w.joint_events(); });
}
void Simulation::remove_joint(std::size_t index) {
  impl_->visit([&](auto& w) { w.remove_joint(index); });
}
void Simulation::set_motor(std::size_t index, const MotorCommand& command) {
  impl_->visit([&](auto& w) { w.set_motor(index, command); });
}
MotorCommand Simulation::motor(std::size_t index) const {
  return impl_->visit([&](auto& w) { return w.joint(index).motor; });
}

// A snapshot ends with the hash of its bytes: damage is refused before anything is read.
static std::uint64_t seal_of(std::span<const std::byte> content) {
  Hash64 hash;
  hash.bytes(content.data(), content.size());
  return hash.value();
}
static std::span<const std::byte> content_of(std::span<const std::byte> snapshot) {
  std::uint64_t seal = 0;
  if (snapshot.size() >= sizeof seal) {
    const std::span<const std::byte> content = snapshot.first(snapshot.size() - sizeof seal);
    std::memcpy(&seal, content.data() + content.size(), sizeof seal);
    if (seal == seal_of(content)) return content;
  }
  throw Error(ErrorKind::kBadInput,
              "the snapshot is damaged, cut short, or of another version of the program; take a new one");
}

std::vector<std::byte> Simulation::snapshot() const {
  std::vector<std::byte> bytes;
  Archive ar(bytes);
  impl_->visit([&](auto& w) {
    w.refuse_in_step("taking a snapshot");
    w.serialize(ar);
  });
  std::uint64_t seal = seal_of(bytes);
  ar.bytes(&seal, sizeof seal);
  return bytes;
}
// Reads a snapshot by `read`; nothing half-read stays.
template <class Impl, class Read>
static void read_snapshot(Impl& impl, const std::vector<std::byte>& before, std::span<const std::byte> snapshot,
                          Read&& read) {
  const std::span<const std::byte> content = content_of(snapshot);
  try {
    Archive ar(content);
    impl.visit([&](auto& w) { read(w, ar); });
    if (!ar.at_end()) throw Error(ErrorKind::kBadInput, "the snapshot has bytes left over: it is damaged");
  } catch (...) {
    Archive back(content_of(before));
    impl.visit([&](auto& w) { w.serialize(back); });
    throw;
  }
}
void Simulation::restore(std::span<const std::byte> snapshot) {
  read_snapshot(*impl_, this->snapshot(), snapshot, [](auto& w, Archive& ar) { w.serialize(ar); });
}
void Simulation::adopt(std::span<const std::byte> snapshot) {
  read_snapshot(*impl_, this->snapshot(), snapshot, [](auto& w, Archive& ar) { w.adopt(ar); });
}
std::uint64_t Simulation::state_hash() const {
  return impl_->visit([](auto& w) { return w.state_hash(); });
}

const char* version() { return TOUCHSTONE_VERSION; }

}  // namespace touchstone
