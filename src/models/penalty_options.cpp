#include "models/penalty_options.h"

namespace touchstone {

PenaltyOptions read_penalty_options(const Options& o) {
  return {o.contains("stiffness") ? number_option(o, "stiffness") : 0.0,
          number_option(o, "sag"),
          number_option(o, "share_distance"),
          number_option(o, "tangential_ratio"),
          number_option(o, "steps_per_contact"),
          integer_option(o, "max_substeps")};
}

TableSpec penalty_option_table() {
  TableSpec t{"model = \"penalty\"", "See docs/models/penalty.md.", {}};
  const auto number = [&](const char* name, const char* unit, const char* fallback, const char* help) {
    KeySpec key;
    key.name = name, key.type = ValueType::kNumber, key.unit = unit, key.default_text = fallback, key.help = help;
    key.minimum = 0, key.minimum_excluded = true;
    t.keys.push_back(key);
  };
  number("stiffness", "N/m", "", "Stiffness of every pair of shapes. Without it, the stiffness follows from `sag`.");
  number("sag", "m", "5e-5",
         "Depth to which a body sinks under its own weight: stiffness = mass of the heavier body · g / sag.");
  number("share_distance", "m", "1e-3",
         "Points nearer than this share the pair's stiffness, in part before they touch.");
  number("tangential_ratio", "", "1", "Stiffness of the friction spring over that of the normal spring.");
  t.keys.back().maximum = 1;
  number("steps_per_contact", "", "25", "Number of substeps in the shortest impact (half a period of its spring).");
  KeySpec cap;
  cap.name = "max_substeps", cap.type = ValueType::kInteger, cap.default_text = "200", cap.minimum = 1;
  cap.help =
      "Greatest number of substeps. A step that needs more fails, and the error names the step size that it needs.";
  t.keys.push_back(cap);
  return t;
}

}  // namespace touchstone
