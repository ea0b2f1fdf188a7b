#include "collision/toi/time_of_impact.h"

#include <array>

namespace touchstone {

template <int D>
std::span<const TimeOfImpactMethod<D>> time_of_impact_methods() {
  static constexpr std::array<TimeOfImpactMethod<D>, 3> kMethods{{
      {"conservative_advancement", conservative_advancement<D>},
      {"bisection", bisection<D>},
      {"regula_falsi", regula_falsi<D>},
  }};
  return kMethods;
}

template <int D>
TimeOfImpact<D> find_time_of_impact(std::string_view name) {
  for (const TimeOfImpactMethod<D>& method : time_of_impact_methods<D>())
    if (method.name == name) return method.find;
  return nullptr;
}

template std::span<const TimeOfImpactMethod<2>> time_of_impact_methods();
template std::span<const TimeOfImpactMethod<3>> time_of_impact_methods();
template TimeOfImpact<2> find_time_of_impact(std::string_view);
template TimeOfImpact<3> find_time_of_impact(std::string_view);

}  // namespace touchstone
