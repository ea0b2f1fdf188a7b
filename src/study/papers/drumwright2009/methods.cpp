// The methods of the paper's table, and the models that are these here.
#include <algorithm>

#include "models/registry.h"
#include "study/papers/drumwright2009/drumwright2009.h"

namespace touchstone::drumwright2009 {
namespace {

bool offers(const std::string& model, const std::string& option, const std::string& choice) {
  for (const KeySpec& key : find_model(model).options.keys)
    if (key.name == option) return std::find(key.choices.begin(), key.choices.end(), choice) != key.choices.end();
  return false;
}

// Pivoting, however large: what sweeps would do instead is not the method.
const Options kPivoting{{"max_unknowns", std::int64_t{5000}}};

Method acceleration_lcp() {
  Method m{"acceleration LCP-based",
           {"lcp", kPivoting},
           true,
           "O(n³)",
           3,
           Claim::kYes,
           Claim::kNo,
           Claim::kYes,
           Claim::kNo,
           ""};
  if (offers("lcp", "level", "acceleration"))
    m.model.options["level"] = std::string("acceleration");
  else
    m.remark = "there is no acceleration level here: the velocity level stands in";
  return m;
}

}  // namespace

const char* claim_name(Claim claim) { return claim == Claim::kYes ? "Yes" : claim == Claim::kNo ? "No" : "N/A"; }

std::vector<Method> methods() {
  using enum Claim;
  const Options bare{{"push_out", false}};  // as published
  return {
      {"penalty", {"penalty", {}}, true, "O(1)", 1, kNo, kNone, kNo, kYes, "O(1) is of one contact: n of them are n"},
      acceleration_lcp(),
      {"Hahn", {"hahn", bare}, true, "O(n)", 1, kNo, kNone, kNo, kYes, ""},
      {"Mirtich", {"mirtich", bare}, true, "O(n)", 1, kNo, kNone, kNo, kYes, ""},
      {"Guendelman et al.", {"guendelman", bare}, true, "O(n³)", 3, kYes, kYes, kNo, kYes, ""},
      {"Stewart-Trinkle", {"lcp", kPivoting}, true, "O(n³)", 3, kYes, kYes, kYes, kNo, ""},
      {"convex optimisation", {"convex", {}}, true, "O(n³)", 3, kYes, kYes, kYes, kYes, ""},
      {"(impulses, Bender)", {"impulse", {}}, false, "", 0, kNone, kNone, kNone, kNone, ""},
      {"(exact Coulomb)", {"ncp", {}}, false, "", 0, kNone, kNone, kNone, kNone, ""}};
}

}  // namespace touchstone::drumwright2009
