// The table: what is expected of which model, case by case. Tolerances are the catalogue's unless an entry says
// otherwise, with the reason. "Not supported" is checked: a model that refuses the scene, or misses, is as the table
// says; where it does neither the entry is out of date and the suite fails.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

// {one solve, stepped, still, creep, gate}: the head of the catalogue, and the bounds of creep.
constexpr Tolerance kDirect{1e-9, 0.005, 1e-6, 1e-6, 1e-10}, kIterative{1e-6, 0.005, 1e-6, 1e-9, 1e-6},
    kBarrier{1e-4, 0.005, 1e-6, 1e-7, 1e-4}, kSprings{0.03, 0.03, 1e-3, 1e-6, 1e-4};

Entry allow(const std::string& which, const Tolerance& tolerance, const std::string& reason, double step = 0,
            int dimension = 0) {
  return {which, dimension, true, tolerance, step, reason};
}
Entry not_supported(const std::string& which, const std::string& reason, int dimension = 0) {
  return {which, dimension, false, {}, 0, reason};
}
// The usual tolerance in shorter steps.
Entry shorter(const std::string& which, const Tolerance& tolerance, double step) {
  return allow(which, tolerance, "a bounce happens at a step's end: order one in h, 2.3 % at 1 ms", step);
}

Row impulse() {
  Row r;
  r.label = r.model = "impulse";
  r.options = {{"preset", std::string("accurate")}};
  r.usual = kIterative;
  r.cradle = Cradle::kSequential;
  r.entries = {allow("B36", {1e-5, 0.005, 0}, "gaps at the end of a step count, to 1e-7 m"),
               allow("B63", {1e-4, 0, 0},
                     "the tip is held where it is at the end of a step: second order in the turn within it"),
               allow("ratio", {0, 0, 1e-6, 0, 1e-4}, "ends at 1e-10 m, its own measure: 1e-7 m/s in a step of 1 ms")};
  return r;
}

Row impulse_events() {
  Row r = impulse();
  r.label = "impulse-events";
  r.options["timing"] = std::string("events");
  r.events = true;
  r.only = {"B13", "B14", "B15", "B16", "B17", "B19", "B20", "B21"};
  return r;
}

Row impulse_default() {
  Row r;
  r.label = "impulse-default", r.model = "impulse";
  r.usual = kIterative;
  r.usual.creep = 1e-7;
  r.cradle = Cradle::kSequential;
  r.entries = {shorter("B14", r.usual, 1e-4),
               allow("B11", {0, 0.01, 1e-6}, "a few sweeps a substep; the slip is what is left of 2 %"),
               not_supported("B18", "four passes of collisions in a substep; what still collides then is stopped"),
               allow("B23", {0, 0.01, 0}, "a few sweeps a substep"),
               allow("B30", {0, 0, 1e-4}, "the preset's tolerance is 1e-4 m"),
               not_supported("B63", "a few sweeps do not find the impact without collision"),
               allow("ratio", {0, 0, 1e-6, 0, 1e-3}, "the preset's tolerance is 1e-4 m: a few sweeps a substep")};
  return r;
}

Row ncp() {
  Row r;
  r.label = r.model = "ncp";
  r.usual = kIterative;
  r.entries = {shorter("B14", r.usual, 1e-4)};
  return r;
}

Row lcp() {
  Row r;
  r.label = r.model = "lcp";
  r.usual = kDirect;
  r.entries = {
      shorter("B14", r.usual, 1e-4),
      not_supported("B08", "a pyramid of 8 facets is weaker by up to 8 % between them, and pulls aside"),
      not_supported("B29", "between the facets of its pyramid friction is below the bracket of 2 %"),
      allow("ratio", {0, 0, 1e-6, 0, 1e-8, 0.1},
            "impulses of 1e4 N·s round to 1e-10 of the motion; some steps are lost to rounding, and reported", 0, 2),
      not_supported("ratio", "pivoting loses faces of four points to rounding; such steps are reported", 3)};
  return r;
}

Row convex() {
  Row r;
  r.label = r.model = "convex";
  r.usual = kBarrier;
  r.entries = {shorter("B14", r.usual, 1e-4),
               allow("ratio", {0, 0, 1e-6, 0, 1e-3},
                     "the sum of impulses is relaxed by a millionth, which is the weight of the light one", 0, 2)};
  // Checked against `ncp`: with friction the normal impulses of the first step sum up to 1.0005 (B26) to 1.58 (B32)
  // times those without.
  for (const char* which : {"tripod", "B04 long"})
    r.entries.push_back(not_supported(which,
                                      "least slip over points that are not spread evenly about the centre turns what "
                                      "slides straight (a block, too, when one of its corners is open by 0.2 nm)",
                                      3));
  for (const char* which : {"B18", "B23", "B24", "B25", "B26", "B27", "B28", "B29", "B32", "B33", "B63"})
    r.entries.push_back(not_supported(
        which, "needs friction that presses contacts harder; the sum of normal impulses may not exceed that without"));
  return r;
}

Row convex_printed() {
  Row r;
  r.label = "convex-printed", r.model = "convex";
  r.options = {{"form", std::string("printed")}};
  r.usual = kBarrier;
  r.only = {"B06"};
  r.entries = {not_supported("B06", "the printed bound on the norm of the normal impulses forbids friction")};
  return r;
}

Row penalty() {
  Row r;
  r.label = r.model = "penalty";
  r.usual = kSprings;
  r.soft = true;
  r.entries = {
      allow("B14", {0, 0.025, 0}, "5 %, as the catalogue has it"),
      not_supported("placed", "it slips before its springs carry it, and then slides under the dynamic coefficient"),
      not_supported("B13", "springs of all contacts act at once, for a time: neither answer"),
      not_supported("B18", "no joints"),
      not_supported("B22", "no joints"),
      not_supported("B30", "no joints"),
      allow("B20", {0.2, 0, 0}, "a ball that sticks is turned back by the friction spring"),
      allow("B21", {0.1, 0, 0}, "a ball that sticks is turned back by the friction spring"),
      not_supported("B24 long", "an impact takes milliseconds, in which gravity goes on; what is wrong adds up"),
      not_supported("B23", "the edge that it turns about carries no load yet, and a spring gives it back"),
      allow("B24", {0, 0.05, 0}, "an impact takes milliseconds, in which gravity goes on"),
      not_supported("B26", "within 0.1° of the limits the swing of the first load on its springs is too much"),
      allow("B31", {0, 0, 5e-3}, "the jaws swing on their springs when the load comes"),
      not_supported("B32", "settling on its springs takes more than the margin of 3 %"),
      not_supported("B33", "settling on its springs takes more than the margin of 3 %"),
      allow("B34", {0, 0.03, 0.06}, "the stiffness is that of the heavier body of a pair: the light one sinks in"),
      not_supported("B63", "an impact without collision is not a matter of springs"),
      not_supported("ratio", "springs for a million kilograms need a shorter step for one")};
  return r;
}

Row free_motion() {
  Row r;
  r.label = r.model = "free";
  r.usual = kIterative;
  r.entries = {not_supported("*", "has no contacts")};
  return r;
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all{impulse(), impulse_events(), impulse_default(), ncp(),        lcp(),
                                    convex(),  convex_printed(), penalty(),         free_motion()};
  return all;
}

}  // namespace touchstone::conformance
