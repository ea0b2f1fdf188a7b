#include "study/compare/impact_log.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/json_text.h"

namespace touchstone::compare {
namespace {

using Json = nlohmann::json;

std::string name_of(const SceneFacts& facts, const Simulation& simulation, std::uint32_t slot) {
  const auto found = std::lower_bound(facts.bodies.begin(), facts.bodies.end(), slot,
                                      [](const BodyFacts& body, std::uint32_t s) { return body.slot < s; });
  if (found != facts.bodies.end() && found->slot == slot) return found->name;
  for (const BodyId id : simulation.bodies())
    if (id.index == slot) return simulation.body_name(id);
  return "";
}

}  // namespace

std::uint32_t ImpactLog::root(std::uint32_t slot) {
  while (parents_[slot] != slot) slot = parents_[slot] = parents_[parents_[slot]];
  return slot;
}

// The contacts that carry an impulse, sorted by their island.
void ImpactLog::gather(const Simulation& simulation) {
  if (inverse_mass_.size() != simulation.slot_count()) {
    inverse_mass_.assign(simulation.slot_count(), 0);
    for (const BodyFacts& body : facts_.bodies) inverse_mass_[body.slot] = 1 / body.mass;
  }
  parents_.resize(simulation.slot_count());
  std::iota(parents_.begin(), parents_.end(), 0u);
  points_.clear();
  const double speed = std::max(kStruckSteps * facts_.gravity * simulation.step_size(), kStruckSpeed * facts_.speed());
  for (std::size_t i = 0; i < simulation.contact_count(); ++i) {
    const ContactReport c = simulation.contact(i);
    const double impulse = c.normal.dot(c.impulse);
    if (!(impulse > 0)) continue;
    const std::uint32_t a = c.body_a.index, b = c.body_b.index;
    points_.push_back({a, b, 0, impulse * (inverse_mass_[a] + inverse_mass_[b]) > speed});
    if (inverse_mass_[a] > 0 && inverse_mass_[b] > 0) parents_[root(a)] = root(b);
  }
  for (Point& p : points_) p.island = root(inverse_mass_[p.a] > 0 ? p.a : p.b);
  std::stable_sort(points_.begin(), points_.end(), [](const Point& x, const Point& y) { return x.island < y.island; });
}

void ImpactLog::add_event(const Simulation& simulation, std::size_t begin, std::size_t end) {
  ImpactEvent event{simulation.time(), end - begin, {}};
  for (std::size_t i = begin; i < end; ++i)
    if (points_[i].struck)
      for (const std::uint32_t slot : {points_[i].a, points_[i].b})
        event.bodies.push_back(name_of(facts_, simulation, slot));
  std::sort(event.bodies.begin(), event.bodies.end());
  event.bodies.erase(std::unique(event.bodies.begin(), event.bodies.end()), event.bodies.end());
  events_.push_back(std::move(event));
}

void ImpactLog::observe(const Simulation& simulation) {
  if (simulation.contact_count() < 2 || events_.size() >= kMostEvents) return;
  gather(simulation);
  for (std::size_t begin = 0; begin < points_.size();) {
    std::size_t end = begin;
    bool struck = false;
    for (; end < points_.size() && points_[end].island == points_[begin].island; ++end)
      struck = struck || points_[end].struck;
    if (struck && end - begin > 1) add_event(simulation, begin, end);
    begin = end;
  }
}

void write_events(const std::vector<ImpactEvent>& events, const std::string& path) {
  Json out = Json::array();
  for (const ImpactEvent& e : events) out.push_back({e.time, e.points, e.bodies});
  std::ofstream(path) << json_text(out);
}

std::vector<ImpactEvent> read_events(const std::string& path) {
  std::vector<ImpactEvent> out;
  std::ifstream file(path);
  if (!file) return out;
  const Json all = Json::parse(file, nullptr, false);
  if (!all.is_array()) return out;  // its writer was killed
  for (const Json& e : all)
    out.push_back({e[0].get<double>(), e[1].get<std::size_t>(), e[2].get<std::vector<std::string>>()});
  return out;
}

}  // namespace touchstone::compare
