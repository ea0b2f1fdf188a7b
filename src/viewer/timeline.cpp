#include "viewer/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "models/registry.h"

namespace touchstone::viewer {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

// The world adds the material that bodies have by default; here it is seen and may be changed.
SceneDescription with_default_material(SceneDescription scene) {
  const auto is_default = [](const MaterialDescription& m) { return m.name == "default"; };
  const bool used = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                [](const BodyDescription& b) { return b.material == "default"; });
  if (used && std::none_of(scene.materials.begin(), scene.materials.end(), is_default))
    scene.materials.insert(scene.materials.begin(), MaterialDescription{});
  return scene;
}

}  // namespace

Timeline::Timeline(SceneDescription scene, const TimelineOptions& options)
    : options_(options),
      scene_(with_default_material(std::move(scene))),
      scene_model_options_(scene_.model.options),
      scene_model_(scene_.model.name),
      simulation_(made(scene_)) {
  begin(scene_);
}

Simulation Timeline::made(const SceneDescription& scene) const {
  Simulation simulation(scene);
  simulation.set_threads(options_.threads);
  simulation.set_yardstick(scene.record.yardstick);
  simulation.set_stop(options_.stop);
  return simulation;
}

// Everything anew, from a scene that simulation_ was made from.
void Timeline::begin(SceneDescription scene) {
  scene_ = std::move(scene);
  start_rules_ = {scene_.step, scene_.materials};
  inputs_.clear();
  next_input_ = 0;
  drag_.reset();
  head_ = 0;
  snapshots_.clear();
  bytes_ = 0;
  since_snapshot_ = 0;
  keep_snapshot();
}

void Timeline::restart() {
  Simulation anew = made(scene_);
  simulation_ = std::move(anew);
  begin(scene_);
}

void Timeline::set_model(const std::string& name) {
  SceneDescription scene = scene_;
  scene.model.name = find_model(name).name;
  scene.model.options = name == scene_model_ ? scene_model_options_ : Options{};
  Simulation anew = made(scene);
  simulation_ = std::move(anew);
  begin(std::move(scene));
}

bool Timeline::edited() const { return next_input_ > 0 && inputs_.front().step < simulation_.step_count(); }

BodyId Timeline::body_in(std::uint32_t slot) const {
  for (const BodyId id : simulation_.bodies())
    if (id.index == slot) return id;
  throw Error(ErrorKind::kBadInput, fmt::format("there is no body {}", slot));
}

void Timeline::step() {
  const auto begin = Clock::now();
  while (next_input_ < inputs_.size() && inputs_[next_input_].step <= simulation_.step_count())
    apply(inputs_[next_input_++]);
  advance();
  head_ = std::max(head_, simulation_.step_count());
  since_snapshot_ += seconds_since(begin);
  constexpr double kShare = 40;  // a fortieth of the time goes into snapshots
  const std::uint64_t now = simulation_.step_count();
  const bool due =
      options_.snapshot_every ? now % options_.snapshot_every == 0 : since_snapshot_ > kShare * snapshot_cost_;
  if (due) keep_snapshot();
}

void Timeline::advance() {
  simulation_.forget_measures();
  if (!drag_) {
    simulation_.step();
    return;
  }
  const BodyId body = body_in(drag_->body);
  const DragForce pull = drag_force(simulation_, body, *drag_);
  simulation_.apply_force_at(body, pull.force, pull.point);
  try {
    simulation_.step();
  } catch (...) {  // a force waits for its step: the next attempt brings its own
    simulation_.apply_force_at(body, -pull.force, pull.point);
    throw;
  }
}

void Timeline::keep_snapshot() {
  const std::uint64_t now = simulation_.step_count();
  const auto at = std::lower_bound(snapshots_.begin(), snapshots_.end(), now,
                                   [](const Snapshot& s, std::uint64_t step) { return s.step < step; });
  if (at != snapshots_.end() && at->step == now) return;
  const auto begin = Clock::now();
  Snapshot s{now, simulation_.snapshot()};
  s.bytes.shrink_to_fit();
  bytes_ += s.bytes.size();
  snapshots_.insert(at, std::move(s));
  while (bytes_ > options_.history_bytes && snapshots_.size() > 2) thin_out();
  snapshot_cost_ = seconds_since(begin);
  since_snapshot_ = 0;
}

// Takes one away, so that they become rarer with their age: the one whose neighbours are nearest to each other in
// proportion to how long ago they were. Never the first and never the newest.
void Timeline::thin_out() {
  std::size_t best = 1;
  double least = 1e300;
  const double last = static_cast<double>(snapshots_.back().step);
  for (std::size_t i = 1; i + 1 < snapshots_.size(); ++i) {
    const double gap = static_cast<double>(snapshots_[i + 1].step - snapshots_[i - 1].step);
    const double cost = gap / (last - static_cast<double>(snapshots_[i].step) + 1);
    if (cost < least) least = cost, best = i;
  }
  bytes_ -= snapshots_[best].bytes.size();
  snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(best));
}

void Timeline::approach(std::uint64_t step) {
  const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), step,
                                      [](std::uint64_t wanted, const Snapshot& s) { return wanted < s.step; });
  const Snapshot& from = *(after - 1);  // the first one is of step 0
  const std::uint64_t now = simulation_.step_count();
  if (now <= step && from.step <= now) return;
  std::size_t input = 0;
  while (input < inputs_.size() && inputs_[input].step < from.step) ++input;
  const Rules& rules = rules_before(input);
  const SceneDescription scene = scene_with(rules);
  if (&rules != &rules_before(next_input_)) {
    Simulation other = made(scene);
    other.restore(from.bytes);
    simulation_ = std::move(other);
  } else {
    simulation_.restore(from.bytes);
  }
  scene_ = scene;
  next_input_ = input;
  drag_.reset();
  for (std::size_t i = 0; i < input; ++i)
    if (const auto* d = std::get_if<std::optional<Drag>>(&inputs_[i].what)) drag_ = *d;
  since_snapshot_ = 0;
}

SceneDescription Timeline::scene_with(const Rules& rules) const {
  SceneDescription scene = scene_;
  scene.step = rules.step;
  scene.materials = rules.materials;
  return scene;
}

const Timeline::Rules& Timeline::rules_before(std::size_t input) const {
  while (input-- > 0)
    if (const auto* rules = std::get_if<Rules>(&inputs_[input].what)) return *rules;
  return start_rules_;
}

void Timeline::adopt_rules(const Rules& rules) {
  const SceneDescription scene = scene_with(rules);
  Simulation next = made(scene);
  next.adopt(simulation_.snapshot());
  simulation_ = std::move(next);
  scene_ = scene;
}

void Timeline::apply(const Input& input) {
  if (const auto* d = std::get_if<std::optional<Drag>>(&input.what))
    drag_ = *d;
  else
    adopt_rules(std::get<Rules>(input.what));
}

// What lay ahead did not happen.
void Timeline::record(Input input) {
  inputs_.resize(next_input_);
  inputs_.push_back(std::move(input));
  next_input_ = inputs_.size();
  head_ = simulation_.step_count();
  while (snapshots_.back().step > head_) {
    bytes_ -= snapshots_.back().bytes.size();
    snapshots_.pop_back();
  }
}

// At the start nothing has happened yet: the scene is another one, and nobody has had a hand in it.
void Timeline::change(const Rules& rules) {
  if (simulation_.step_count() == 0) {
    const SceneDescription scene = scene_with(rules);
    const std::optional<Drag> pulled = drag_;
    simulation_ = made(scene);
    begin(scene);
    if (pulled) drag(*pulled);
    return;
  }
  adopt_rules(rules);
  record({simulation_.step_count(), rules});
}

void Timeline::set_step_size(double h) { change({h, scene_.materials}); }

void Timeline::set_material(const std::string& name, std::optional<double> static_friction,
                            std::optional<double> dynamic_friction, std::optional<double> restitution) {
  Rules rules{scene_.step, scene_.materials};
  const auto found = std::find_if(rules.materials.begin(), rules.materials.end(),
                                  [&](const MaterialDescription& m) { return m.name == name; });
  if (found == rules.materials.end()) throw Error(ErrorKind::kBadInput, fmt::format("there is no material '{}'", name));
  found->static_friction = static_friction.value_or(found->static_friction);
  found->dynamic_friction = dynamic_friction.value_or(found->dynamic_friction);
  found->restitution = restitution.value_or(found->restitution);
  change(rules);
}

void Timeline::drag(const Drag& drag) {
  const BodyId body = body_in(drag.body);
  if (simulation_.description(body).kind != BodyKind::kDynamic)
    throw Error(ErrorKind::kBadInput,
                fmt::format("'{}' cannot be dragged: it does not move freely", simulation_.body_name(body)));
  Drag flat = drag;
  if (simulation_.dimension() == 2) flat.local.z() = flat.target.z() = 0;
  record({simulation_.step_count(), std::optional<Drag>(flat)});
  drag_ = flat;
}

void Timeline::release() {
  if (!drag_) return;
  record({simulation_.step_count(), std::optional<Drag>()});
  drag_.reset();
}

}  // namespace touchstone::viewer
