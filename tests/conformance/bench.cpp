// Runs a case and judges it.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/conformance.h"
#include "models/registry.h"
#include "touchstone/error.h"

namespace touchstone::conformance {
namespace {

constexpr double kLongestImpact = 0.2;  // [s] of a soft model

double allowed(const Reading& r, const Tolerance& t) {
  switch (r.grade) {
    case Grade::kSolve:
      return r.ease * t.solve;
    case Grade::kStepped:
      return r.ease * t.stepped;
    case Grade::kStill:
      return r.ease * t.still;
    case Grade::kHappens:
      return 0;
    case Grade::kCreep:
      return t.creep;
    case Grade::kGate:
      return t.gate;
  }
  return 0;
}

std::vector<std::string> faults_of(const Verdict& v, const Tolerance& t) {
  std::vector<std::string> out;
  for (const Reading& r : v.readings)
    if (!(deviation(r) <= allowed(r, t)))
      out.push_back(fmt::format("{}: {:.9g}, should be {:.9g}; off by {:.3g}, allowed {:.3g}", r.what, r.value,
                                r.reference, deviation(r), allowed(r, t)));
  if (static_cast<double>(v.unconverged) > t.unconverged * static_cast<double>(v.steps))
    out.push_back(fmt::format("{} of {} steps not converged", v.unconverged, v.steps));
  if (v.readings.empty()) out.push_back("nothing was measured");
  return out;
}

}  // namespace

double deviation(const Reading& r) {
  return std::isfinite(r.value) ? std::abs(r.value - r.reference) / r.scale : std::numeric_limits<double>::infinity();
}

bool Bench::offers(const std::string& option) const {
  const std::vector<KeySpec>& keys = find_model(row_.model).options.keys;
  return std::any_of(keys.begin(), keys.end(), [&](const KeySpec& k) { return option == k.name; });
}

Simulation Bench::simulate(SceneDescription scene, const Options& more) const {
  scene.model.name = row_.model;
  scene.model.options = row_.options;
  for (const auto& [name, value] : more) scene.model.options[name] = value;
  scene.integrator = row_.integrator;
  return Simulation(scene);
}

void Bench::step(Simulation& sim) {
  const StepReport& r = sim.step();
  unconverged_ += r.status != StepStatus::kOk;
  iterations_ = std::max(iterations_, r.iterations);
  ++steps_;
}

void Bench::run(Simulation& sim, double seconds) {
  for (auto n = std::llround(seconds / sim.step_size()); n > 0; --n) step(sim);
}

Eigen::Vector3d Bench::impact(Simulation& sim, const std::string& body) {
  const BodyId id = sim.find_body(body);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  bool touched = false;
  do {
    step(sim);
    sum += sim.body_impulse(id);
    if (touched && sim.contact_count() == 0) break;
    touched |= sim.contact_count() > 0;
  } while (row_.soft && sim.time() < kLongestImpact);
  return sum;
}

double Bench::moved(const SceneDescription& scene, double seconds) {
  Simulation sim = simulate(scene);
  std::vector<Eigen::Vector3d> start;
  for (const BodyId b : sim.bodies()) start.push_back(sim.state(b).center_of_mass);
  run(sim, seconds);
  double most = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    most = std::max(most, (sim.state(sim.bodies()[i]).center_of_mass - start[i]).norm());
  return most;
}

void Bench::solve(const std::string& what, double value, double reference, double scale) {
  readings_.push_back({what, value, reference, scale > 0 ? scale : std::abs(reference), Grade::kSolve, 1});
}
void Bench::stepped(const std::string& what, double value, double reference, double ease) {
  readings_.push_back({what, value, reference, std::abs(reference), Grade::kStepped, ease});
}
void Bench::still(const std::string& what, double value, double ease) {
  readings_.push_back({what, value, 0, 1, Grade::kStill, ease});
}
void Bench::happens(const std::string& what, bool yes) {
  readings_.push_back({what, yes ? 1.0 : 0.0, 1, 1, Grade::kHappens, 1});
}

void Bench::creep(const std::string& what, double speed) { readings_.push_back({what, speed, 0, 1, Grade::kCreep, 1}); }
void Bench::gate(const std::string& what, double natural_map) {
  readings_.push_back({what, natural_map, 0, 1, Grade::kGate, 1});
}

bool runs(const Row& row, const std::string& which) {
  return row.only.empty() || std::find(row.only.begin(), row.only.end(), which) != row.only.end();
}

const Entry* find_entry(const Row& row, const std::string& which, int dimension, bool full) {
  if (full)
    if (const Entry* of_long = find_entry(row, which + " long", dimension); of_long && of_long->which != "*")
      return of_long;
  const Entry* general = nullptr;
  for (const Entry& e : row.entries) {
    if (e.dimension != 0 && e.dimension != dimension) continue;
    if (e.which == which) return &e;
    if (e.which == "*") general = &e;
  }
  return general;
}

std::vector<std::string> without_row(const std::vector<std::string>& models, const std::vector<Row>& table) {
  std::vector<std::string> out;
  for (const std::string& m : models) {
    const auto of_it = [&](const Row& r) { return r.model == m && r.label == m && r.only.empty(); };
    if (std::none_of(table.begin(), table.end(), of_it)) out.push_back(m);
  }
  return out;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    for (const auto& part : {friction_cases(), rolling_cases(), impact_cases(), joined_cases(), rocking_cases(),
                             statics_cases(), resting_cases(), arch_cases(), law_cases()})
      out.insert(out.end(), part.begin(), part.end());
    std::sort(out.begin(), out.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
    return out;
  }();
  return all;
}

// What the table calls not supported is run all the same, against the row's usual tolerance: a model that refuses it or
// misses is as the table says; one that does not makes the entry a fault.
Verdict judge(const Case& which, const Row& row, int dimension, bool full) {
  const Entry* entry = find_entry(row, which.name, dimension, full);
  Verdict out;
  out.which = &which, out.row = &row, out.dimension = dimension;
  out.supported = !entry || entry->supported;
  if (entry) out.reason = entry->reason;
  Bench bench(row, entry, dimension, full);
  try {
    which.measure(bench);
  } catch (const Error& e) {
    out.refused = e.what();
  }
  out.readings = bench.readings(), out.steps = bench.steps(), out.unconverged = bench.unconverged();
  out.iterations = bench.iterations();
  if (!out.refused.empty())
    out.faults = {"refused: " + out.refused};
  else
    out.faults = faults_of(out, entry && entry->supported ? entry->tolerance : row.usual);
  return out;
}

}  // namespace touchstone::conformance
