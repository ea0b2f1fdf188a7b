#include "models/ncp_options.h"

namespace touchstone {

NcpOptions read_ncp_options(const Options& o) {
  return {number_option(o, "tolerance"),      integer_option(o, "max_iterations"),
          std::get<bool>(o.at("accelerate")), number_option(o, "joint_tolerance"),
          number_option(o, "bounce_gap"),     number_option(o, "push_speed"),
          number_option(o, "slop"),           number_option(o, "margin")};
}

TableSpec ncp_option_table() {
  TableSpec t{"model = \"ncp\"", "See docs/models/ncp.md.", {}};
  const auto key = [&](const char* name, ValueType type, const char* unit, const char* fallback, const char* help) {
    KeySpec k;
    k.name = name, k.type = type, k.unit = unit, k.default_text = fallback, k.help = help;
    if (type == ValueType::kNumber) k.minimum = 0, k.minimum_excluded = true;
    if (type == ValueType::kInteger) k.minimum = 1;
    t.keys.push_back(k);
  };
  key("tolerance", ValueType::kNumber, "m/s", "1e-10", "How far any contact may be from its laws: its natural map.");
  key("max_iterations", ValueType::kInteger, "", "20000",
      "Sweeps of a solve at most; a step that needs more is reported.");
  key("accelerate", ValueType::kBool, "", "true",
      "Whether impulses are extrapolated between sweeps; plain sweeps otherwise.");
  key("joint_tolerance", ValueType::kNumber, "m", "1e-9", "Errors of joints at the end of a step, in m or rad.");
  key("bounce_gap", ValueType::kNumber, "m", "1e-6",
      "Contacts slower than √(2·g·bounce_gap), or than g times the step, do not bounce.");
  key("push_speed", ValueType::kNumber, "m/s", "0.5",
      "The greatest speed at which bodies that overlap are pushed apart.");
  key("slop", ValueType::kNumber, "m", "1e-7", "Penetration that is left alone.");
  key("margin", ValueType::kNumber, "m", "0.01", "Contacts are found when bodies are this near.");
  return t;
}

}  // namespace touchstone
