#pragma once
// Laws of restitution: how much of an impact comes back.
#include <cstdint>
#include <string_view>

namespace touchstone {

// kNewton: of the normal velocity, u_N⁺ = −e·u_N⁻. kPoisson: of the normal impulse, r_E = e·r_C, where C is compression
// (until u_N = 0) and E expansion. kEnergetic, after Stronge: of the work of the normal impulse, W_E = −e²·W_C.
enum class RestitutionLaw : std::uint8_t { kNewton, kPoisson, kEnergetic };

// Of one of "newton", "poisson" and "energetic".
inline RestitutionLaw restitution_law_of(std::string_view name) {
  return name == "poisson"     ? RestitutionLaw::kPoisson
         : name == "energetic" ? RestitutionLaw::kEnergetic
                               : RestitutionLaw::kNewton;
}

}  // namespace touchstone
