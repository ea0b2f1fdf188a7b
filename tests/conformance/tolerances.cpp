// The table: what is expected of which model, case by case. Tolerances are the catalogue's unless an entry says
// otherwise, with the reason. "Not supported" is checked: a model that refuses the scene, or misses, is as the table
// says; where it does neither the entry is out of date and the suite fails.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

// {one solve, stepped, still}: the head of the catalogue.
constexpr Tolerance kDirect{1e-9, 0.005, 1e-6}, kIterative{1e-6, 0.005, 1e-6}, kBarrier{1e-4, 0.005, 1e-6},
    kSprings{0.03, 0.03, 1e-3};

[[maybe_unused]] Entry allow(const std::string& which, const Tolerance& tolerance, const std::string& reason, double step = 0,
            int dimension = 0) {
  return {which, dimension, true, tolerance, step, reason};
}
Entry not_supported(const std::string& which, const std::string& reason, int dimension = 0) {
  return {which, dimension, false, {}, 0, reason};
}

Row impulse() {
  Row r;
  r.label = r.model = "impulse";
  r.options = {{"preset", std::string("accurate")}};
  r.usual = kIterative;
  r.cradle = Cradle::kSequential;
  r.creep = 1e-9, r.gate = 1e-6;
  return r;
}

Row impulse_default() {
  Row r;
  r.label = "impulse-default", r.model = "impulse";
  r.usual = kIterative;
  r.cradle = Cradle::kSequential;
  r.creep = 1e-7, r.gate = 1e-6;
  return r;
}

Row ncp() {
  Row r;
  r.label = r.model = "ncp";
  r.usual = kIterative;
  r.creep = 1e-9, r.gate = 1e-6;
  return r;
}

Row lcp() {
  Row r;
  r.label = r.model = "lcp";
  r.usual = kDirect;
  r.creep = 1e-6, r.gate = 1e-10;
  return r;
}

Row convex() {
  Row r;
  r.label = r.model = "convex";
  r.usual = kBarrier;
  r.creep = 1e-7, r.gate = 1e-4;
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
  static const std::vector<Row> all{impulse(), impulse_default(), ncp(),     lcp(),
                                    convex(),  convex_printed(),  penalty(), free_motion()};
  return all;
}

}  // namespace touchstone::conformance
