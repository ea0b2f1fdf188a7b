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
  std::vector<std::pair<int, std::string>> parts;
  for (const Verdict& v : all)
    if (v.which == &c && v.row == &r)
      parts.emplace_back(v.dimension, v.supported         ? worst_of(v)
                                      : v.refused.empty() ? "no (" + worst_of(v) + ")"
                                                          : "refused");
  const bool alike =
      std::all_of(parts.begin(), parts.end(), [&](const auto& p) { return p.second == parts[0].second; });
  if (parts.empty() || alike) return parts.empty() ? "" : parts[0].second;
  std::string out;
  for (const auto& [dimension, text] : parts) out += fmt::format("{}{}D {}", out.empty() ? "" : "; ", dimension, text);
  return out;
}

// Entries of a row that say the same are one line.
std::string reasons(const Row& r) {
  std::string out;
  std::vector<bool> told(r.entries.size());
  for (std::size_t i = 0; i < r.entries.size(); ++i) {
    const Entry& e = r.entries[i];
    if (told[i] || (e.which != "*" && !runs(r, e.which))) continue;
    std::string which;
    for (std::size_t k = i; k < r.entries.size(); ++k) {
      const Entry& o = r.entries[k];
      if (o.reason != e.reason || o.supported != e.supported || o.step != e.step) continue;
      told[k] = true;
      which += (which.empty() ? "" : ", ") + o.which + (o.dimension ? fmt::format(" in {}D", o.dimension) : "");
    }
    out += fmt::format("- `{}`, {}: {}{}{}.\n", r.label, which, e.supported ? "" : "not supported: ",
                       e.step > 0 ? fmt::format("at h = {:g} s, because ", e.step) : "", e.reason);
  }
  return out;
}

const char* kHead = R"(# Conformance

What every model makes of every case of the validation catalogue (B01-B36, B63), and of a few more that every model should have in common.
This page is generated:

    TOUCHSTONE_CONFORMANCE=docs/conformance.md build/release/tests/tests_conformance

Scenes and measurements are in `tests/conformance/cases_*.cpp`, each written once; what is expected of which model is the one table
`tests/conformance/tolerances.cpp`. `impulse` is its preset `accurate` here. h = 1 ms unless the table or the case says otherwise.

A cell has the worst relative deviation from the reference; then, where something should rest, how far it moved (m, or rad and m/s where that is
what is asked). "no" is a case that the table calls not supported, with the miss as measured; "refused": the model says so itself. "n.c.": steps that the model reported as not converged. Reasons are below.

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
  for (const Row* r : shown) out += reasons(*r);
  return out;
}

}  // namespace touchstone::conformance
