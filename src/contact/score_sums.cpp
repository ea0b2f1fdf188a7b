#include "contact/score_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

// The reference impulse of the cone: contacts that bear less than this part of the greatest one count little.
constexpr double kLeastBearing = 1e-3;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What overflowed hides every error that is compared with it: by that comparison the error is infinite.
double relative(double error, double reference) {
  if (!std::isfinite(error) || !std::isfinite(reference)) return kInfinity;
  return reference > 0 ? error / reference : 0.0;
}

// std::max drops NaN.
double greater(double a, double b) { return std::isnan(b) || b > a ? b : a; }

template <int D>
void add_score(const ContactScore<D>& s, double speed, double impulse, StepMeasures& m, std::int64_t& sliding) {
  const std::uint32_t a = s.body_a, b = s.body_b;
  const double reference = greater(kLeastBearing * impulse, s.cone_radius);
  add_to_measure(m.natural_map, relative(s.natural_map, speed), a, b);
  add_to_measure(m.natural_map_velocity, s.natural_map, a, b);
  add_to_measure(m.normal_work, s.normal_work, a, b);
  add_to_measure(m.pulling, s.pulling, a, b);
  add_to_measure(m.closing, s.closing, a, b);
  add_to_measure(m.cone, relative(s.beyond_cone, reference), a, b);
  add_to_measure(m.dissipation, s.dissipation, a, b);
  add_to_measure(m.complementarity, s.complementarity, a, b);
  add_to_measure(m.conic, s.conic, a, b);
  add_to_measure(m.open_gap, s.open_gap, a, b);
  add_to_measure(m.correction, s.correction, a, b);
  if (s.slip <= kSliding * speed) return;
  ++sliding;
  add_to_measure(m.friction_angle, s.friction_angle, a, b);
}

}  // namespace

void add_to_measure(Measure& m, double value, std::uint32_t a, std::uint32_t b) {
  if (std::isnan(value)) value = kInfinity;
  m.mean += value;
  if (!(value > m.worst)) return;
  m.worst = value;
  m.body_a = a;
  m.body_b = b;
}

void divide_measure(Measure& m, std::int64_t count) {
  if (count > 0) m.mean /= static_cast<double>(count);
}

template <int D>
void add_scores(std::span<const ContactScore<D>> scores, double least_speed, StepMeasures& m, std::int64_t& sliding) {
  if (scores.empty()) return;
  double fastest = 0, impulse = 0, siconos = 0, free = 0;
  for (const ContactScore<D>& s : scores) {
    fastest = greater(fastest, s.free_speed2);
    impulse = greater(impulse, s.impulse2);
    siconos += s.siconos;
    free += s.free_speed2;
  }
  const double speed = greater(std::max(least_speed, kLeastSpeed), std::sqrt(fastest));
  impulse = std::sqrt(impulse);
  for (const ContactScore<D>& s : scores) add_score(s, speed, impulse, m, sliding);
  add_to_measure(m.natural_map_norm, relative(std::sqrt(siconos), greater(kLeastSpeed, std::sqrt(free))),
                 Measure::kNobody, Measure::kNobody);
  m.contacts += static_cast<std::int64_t>(scores.size());
}

void finish_scores(StepMeasures& m, std::int64_t sliding) {
  for (Measure* each : {&m.natural_map, &m.natural_map_velocity, &m.normal_work, &m.pulling, &m.closing, &m.cone,
                        &m.dissipation, &m.complementarity, &m.conic, &m.open_gap, &m.correction})
    divide_measure(*each, m.contacts);
  divide_measure(m.natural_map_norm, m.solves);
  divide_measure(m.friction_angle, sliding);
}

template void add_scores<2>(std::span<const ContactScore<2>>, double, StepMeasures&, std::int64_t&);
template void add_scores<3>(std::span<const ContactScore<3>>, double, StepMeasures&, std::int64_t&);

}  // namespace touchstone
