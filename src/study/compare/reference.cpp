#include "study/compare/reference.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "study/compare/findings.h"
#include "study/compare/halving.h"

namespace touchstone::compare {
namespace {

bool at_its_end(const ModelRun& run) { return run.outcome == Outcome::kFinished && !run.recording.empty(); }

// The finest run of a model is judged, not the compared one: with the step its errors shrink, too.
bool keeps_laws(const std::string& path) {
  const Recording recording = Recording::open(path);
  if (!has_measures(recording)) return false;
  const Verification found = verify_recording(recording);
  return found.of("natural_map").mean <= kNaturalMap && found.of("penetration_ratio").worst <= kPenetrationRatio;
}

Reference of_run(const ModelRun& run) {
  Reference out;
  out.label = run.label;
  const Halving& halving = run.halving;
  out.step = halving.steps.empty() ? run.step : halving.steps.back();
  out.recording = halving.recordings.empty() ? run.recording : halving.recordings.back();
  if (halving.settled)
    out.error = halving.error;
  else
    out.why = halving.ended.empty() ? "its step was not halved" : halving.ended;
  return out;
}

// Why none of the models gives a reference.
std::string why_none(const Comparison& c) {
  std::string out;
  for (const ModelRun& run : c.runs) {
    if (!run.compared) continue;
    const bool done = at_its_end(run);
    const std::string reason = !done                 ? "did not reach its end"
                               : run.halving.settled ? "settles, but breaks the laws of contact at its finest step"
                               : run.halving.recordings.empty() ? "its step was not halved"
                                                                : "does not settle: " + run.halving.ended;
    out += fmt::format("{}{} {}", out.empty() ? "" : "; ", run.label, reason);
  }
  return out;
}

Reference chosen(const Comparison& c) {
  const ModelRun* best = nullptr;
  for (const ModelRun& run : c.runs) {
    if (!run.compared || !at_its_end(run) || !run.halving.settled) continue;
    if (c.facts.can_touch && !run.contacts) continue;  // obeys no law of contact
    if (best && !(run.halving.error < best->halving.error)) continue;
    if (keeps_laws(run.halving.recordings.back())) best = &run;
  }
  if (best) return of_run(*best);
  Reference none;
  none.why = why_none(c);
  return none;
}

Reference named(const Comparison& c, const std::string& asked) {
  Reference out;
  for (const ModelRun& run : c.runs) {
    if (!run.compared || run.label != asked) continue;
    if (at_its_end(run)) return of_run(run);
    out.why = fmt::format("{} did not reach its end", asked);
    return out;
  }
  if (!std::filesystem::exists(asked)) return out;
  out.label = out.recording = asked;
  out.why = "it is a recording, and its step was not halved";
  return out;
}

}  // namespace

void measure_from_reference(Comparison& c, const std::string& asked) {
  c.reference = asked.empty() ? chosen(c) : named(c, asked);
  if (c.reference.label.empty()) return;
  const Frame end = last_frame(c.reference.recording);
  for (ModelRun& run : c.runs)
    if (at_its_end(run) && std::abs(run.numbers.time - end.time) < 1e-6 * run.step)
      run.numbers.distance = state_distance(c.facts, last_frame(run.recording), end);
}

std::string reference_text(const Reference& r) {
  if (r.label.empty()) return fmt::format("no reference: {}", r.why);
  const std::string who = r.step > 0 ? fmt::format("{} at h = {:g} s", r.label, r.step) : r.label;
  if (std::isnan(r.error)) return fmt::format("{}, whose error is not known: {}", who, r.why);
  return fmt::format("{}, whose error is about {} (measured by halving the step)", who, with_unit(r.error, "m"));
}

}  // namespace touchstone::compare
