// Purpose: observed orders of models in the step size, from the distances of the ends of runs. The run that errors are
// measured from may be one of the same study: its own error is taken into account.
// Source: the usual ratio of errors; with a reference at a finite step, the equation that the same expansion gives.
// Letters: h step, e error, p order: x(h) = x + C·hᵖ.
// Deviations: none.
// Fails: where x(h) has no such expansion (chaotic scenes, contacts that come and go in other steps) no order is given.
#include "study/compare/convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "study/compare/halving.h"

namespace touchstone::compare {
namespace {

// Below this part of the bodies' size (at least of 1 m) differences are rounding.
constexpr double kRounding = 1e-12;

double floor_of(const SceneFacts& facts) { return kRounding * std::max(1.0, facts.size); }

// ln of the ratio of errors for order p; grows with p.
double log_ratio(double h1, double h2, double h0, double p) {
  if (!(h0 > 0)) return p * std::log(h1 / h2);
  const double a = std::log(h1 / h0), b = std::log(h2 / h0);
  if (std::abs(p) < 1e-9) return std::log(a / b);
  return std::log(std::expm1(p * a) / std::expm1(p * b));
}

bool usable(const ModelRun& run) { return run.outcome == Outcome::kFinished && !run.recording.empty(); }

std::vector<const ModelRun*> runs_of(const Comparison& c, const std::string& label, const std::vector<double>& steps) {
  std::vector<const ModelRun*> out(steps.size(), nullptr);
  for (const ModelRun& run : c.runs)
    for (std::size_t k = 0; k < steps.size(); ++k)
      if (run.label == label && run.step == steps[k] && usable(run)) out[k] = &run;
  return out;
}

// A model that cuts its steps decides about the step itself: two step sizes may come to the same.
std::string substep_text(const std::vector<const ModelRun*>& runs) {
  std::string list;
  for (const ModelRun* run : runs)
    if (run) list += fmt::format("{}{:.3g} s", list.empty() ? "" : ", ", run->step / run->numbers.substeps_mean);
  return fmt::format("; the model divides its steps into substeps of {} on average, which determine the error", list);
}

ConvergenceRow row_of(const Comparison& c, const std::string& label, const std::vector<double>& steps,
                      const std::optional<Frame>& truth) {
  const std::vector<const ModelRun*> runs = runs_of(c, label, steps);
  ConvergenceRow row;
  row.label = label;
  row.errors.resize(steps.size());
  row.orders.resize(steps.size() - 1);
  const bool own = !truth;
  std::optional<Frame> from = truth;
  if (own && runs.back()) from = last_frame(runs.back()->recording);
  if (!from) {
    row.text = "its run with the smallest step did not reach its end, so there is no end to measure from";
    return row;
  }
  const std::size_t judged = steps.size() - (own ? 1 : 0);
  for (std::size_t k = 0; k < judged; ++k)
    if (runs[k]) row.errors[k] = state_distance(c.facts, last_frame(runs[k]->recording), *from).mean;
  for (std::size_t k = 0; k + 1 < judged; ++k)
    if (row.errors[k] && row.errors[k + 1])
      row.orders[k] = observed_order(steps[k], *row.errors[k], steps[k + 1], *row.errors[k + 1], own ? steps.back() : 0,
                                     floor_of(c.facts));
  row.text = convergence_text(row, c.facts.size);
  const auto cut = [](const ModelRun* run) { return run && run->numbers.substeps_mean > 1; };
  if (std::any_of(runs.begin(), runs.end(), cut)) row.text += substep_text(runs);
  return row;
}

}  // namespace

std::optional<double> observed_order(double h1, double e1, double h2, double e2, double h0, double floor) {
  if (!(e2 > floor) || !(e1 > e2) || !(h1 > h2) || !(h2 > h0)) return std::nullopt;
  const double wanted = std::log(e1 / e2);
  double low = -5, high = 15;  // no method is outside
  if (log_ratio(h1, h2, h0, low) > wanted || log_ratio(h1, h2, h0, high) < wanted) return std::nullopt;
  for (int i = 0; i < 60; ++i) {
    const double p = 0.5 * (low + high);
    (log_ratio(h1, h2, h0, p) < wanted ? low : high) = p;
  }
  if (high <= 0) return std::nullopt;
  return high;
}

std::string convergence_text(const ConvergenceRow& row, double size) {
  std::vector<double> errors, orders;
  for (const auto& e : row.errors)
    if (e) errors.push_back(*e);
  for (const auto& p : row.orders)
    if (p) orders.push_back(*p);
  const double rounding = kRounding * std::max(1.0, size);
  if (errors.empty()) return "no run reached its end, so there are no errors";
  if (std::all_of(errors.begin(), errors.end(), [&](double e) { return e <= rounding; }))
    return fmt::format("the end does not depend on the step: differences are rounding, {:.2g} m at most",
                       *std::max_element(errors.begin(), errors.end()));
  if (errors.size() < 2) return "a single error gives no order; give more step sizes";
  const auto [least, most] = std::minmax_element(orders.begin(), orders.end());
  if (orders.empty())
    return fmt::format(
        "the errors do not shrink with the step ({:.3g} m to {:.3g} m), so there is no order; where small "
        "differences grow, use a shorter --duration",
        errors.front(), errors.back());
  const std::size_t pairs = errors.size() - 1;
  if (orders.size() < pairs || *least < 0.5 * *most)
    return fmt::format(
        "the errors go from {:.3g} m to {:.3g} m, but not steadily (orders {:.2f} to {:.2f}, {} of {} pairs): "
        "the steps are too large, or contacts begin and end in different steps",
        errors.front(), errors.back(), *least, *most, orders.size(), pairs);
  return fmt::format("the errors shrink with order {:.2f} ({:.3g} m to {:.3g} m)", orders.back(), errors.front(),
                     errors.back());
}

Convergence study_convergence(const Comparison& c, const std::vector<double>& steps, const std::string& reference) {
  Convergence out;
  out.steps = steps;
  const bool named = std::any_of(c.runs.begin(), c.runs.end(), [&](const ModelRun& r) { return r.label == reference; });
  std::optional<Frame> truth;
  if (!reference.empty() && !named && std::filesystem::exists(reference)) truth = last_frame(reference);
  out.against = truth ? reference : fmt::format("the same model at h = {:g} s", steps.back());
  std::vector<std::string> labels;
  for (const ModelRun& run : c.runs)
    if (std::find(labels.begin(), labels.end(), run.label) == labels.end()) labels.push_back(run.label);
  for (const std::string& label : labels) out.rows.push_back(row_of(c, label, steps, truth));
  return out;
}

}  // namespace touchstone::compare
