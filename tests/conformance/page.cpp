// docs/conformance.md from what was run.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

// The worst of each kind, as a reader wants it: a deviation in per cent, or how far something came that should rest.
std::string worst_of(const Verdict& v) {
  double part = -1, still = -1, creep = -1, gate = -1;
  bool missed = false;
  for (const Reading& r : v.readings) {
    if (r.grade == Grade::kStill) still = std::max(still, deviation(r));
    if (r.grade == Grade::kSolve || r.grade == Grade::kStepped) part = std::max(part, deviation(r));
    if (r.grade == Grade::kCreep) creep = std::max(creep, deviation(r));
    if (r.grade == Grade::kGate) gate = std::max(gate, deviation(r));
    if (r.grade == Grade::kHappens) missed |= deviation(r) > 0;
  }
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (part >= 0) add(100 * part < 1e-4 ? "<1e-4 %" : fmt::format("{:.2g} %", 100 * part));
  if (still >= 0) add(still < 1e-9 ? "<1e-9" : fmt::format("{:.0e}", still));
  if (creep >= 0) add(fmt::format("{:.1e} m/s", creep));
  if (gate >= 0) add(fmt::format("map {:.1e}", gate));
  if (missed) add("misses");
  if (v.unconverged > 0) add(fmt::format("{}/{} n.c.", v.unconverged, v.steps));
  return out;
}

std::string cell(const std::vector<Verdict>& all, const Case& c, const Row& r) {
  std::string out;
  for (const Verdict& v : all) {
    if (v.which != &c || v.row != &r) continue;
    std::string text = v.supported ? worst_of(v) : v.refused.empty() ? "no: " + worst_of(v) : "refused";
    if (!out.empty() && out.substr(4) == text) {  // the same in both dimensions
      out = text;
      continue;
    }
    out += (out.empty() ? "" : "; ") + fmt::format("{}D {}", v.dimension, text);
  }
  if (out.size() > 3 && out[2] == ' ' && out.find("; ") == std::string::npos) out = out.substr(3);
  return out;
}

const char* kHead = R"(# Conformance

What every model makes of every case of the validation catalogue. This page is generated:

    TOUCHSTONE_CONFORMANCE=docs/conformance.md build/release/tests/tests_conformance

Scenes and measurements are in `tests/conformance/cases_*.cpp`, each written once; what is expected of which model is the one table
`tests/conformance/tolerances.cpp`. h = 1 ms unless the table or the case says otherwise.

A cell has the worst relative deviation from the reference; then, where something should rest, how far it moved (m, or rad and m/s where that is
what is asked). "no" is a case that the table calls not supported, with the miss as measured; "refused": the model says so when the scene is
loaded. "n.c.": steps that the model reported as not converged. Reasons are below.

)";

}  // namespace

std::string markdown(const std::vector<Verdict>& all) {
  std::string out = kHead;
  std::vector<const Row*> shown;
  for (const Row& r : rows())
    if (r.label != "free") shown.push_back(&r);
  out += "| case |";
  for (const Row* r : shown) out += " " + r->label + " |";
  out += "\n| --- |";
  for (std::size_t i = 0; i < shown.size(); ++i) out += " --- |";
  out += "\n";
  for (const Case& c : cases()) {
    out += fmt::format("| **{}** {} |", c.name, c.set_up);
    for (const Row* r : shown) out += " " + cell(all, c, *r) + " |";
    out += "\n";
  }
  out += "\nThe model `free` has no contacts, and is off in every case.\n\n## What is not as the catalogue asks\n\n";
  for (const Row* r : shown)
    for (const Entry& e : r->entries) {
      const std::string where = e.dimension == 0 ? "" : fmt::format(" in {}D", e.dimension);
      const std::string step = e.step > 0 ? fmt::format(" (h = {:g} s)", e.step) : "";
      out += fmt::format("- `{}`, {}{}{}: {}{}.\n", r->label, e.which, where, step,
                         e.supported ? "" : "not supported: ", e.reason);
    }
  return out;
}

}  // namespace touchstone::conformance
