#pragma once
// A finding about a run: data first, then a sentence made from the data. Nobody reads fields back out of the sentence.
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace touchstone {

struct Finding {
  std::string kind;                                         // "penetration", "creep", ...; docs/compare.md lists them
  std::string model = {};                                   // label of the run
  std::vector<std::string> bodies = {};                     // the bodies it is about; none: no single one
  std::optional<double> time = {};                          // [s]; none: of the whole run
  double value = std::numeric_limits<double>::quiet_NaN();  // measured; NaN: nothing to measure
  std::string unit = {};                                    // of `value` and `bound`
  double bound = std::numeric_limits<double>::quiet_NaN();  // what `value` is compared with; NaN: nothing
  bool fault = true;                                        // a law is broken; otherwise a note
  std::string text = {};                                    // a sentence, made from the fields above
};

// {"kind", "model", "bodies", "time", "value", "unit", "bound", "fault", "text"}; null where there is nothing.
nlohmann::ordered_json finding_json(const Finding& finding);
nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

// "at t = 1.200 s"
std::string at_time(double time);
// "between floor and cube_17 at t = 1.200 s", "of cube_17 at t = ...", "at t = ..."
std::string place_text(const std::vector<std::string>& bodies, double time);
// "3.1 mm", "4 µm/s": three digits and the prefix that fits. The unit is m, m/s, s, J or the like.
std::string with_unit(double value, const std::string& unit);
// "2 %", "0.013 %"
std::string percent(double fraction);

}  // namespace touchstone
