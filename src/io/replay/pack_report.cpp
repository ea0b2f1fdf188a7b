#include "io/replay/pack_report.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "touchstone/step_report.h"

namespace touchstone {
namespace {

// Columns that go together: the first decides.
struct Group {
  std::size_t first, count;
};

std::vector<Group> groups() {
  std::vector<Group> out;
  const auto fields = report_fields();
  const auto add = [&](const std::string& name) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name != name) continue;
      std::size_t count = 1;
      while (i + count < fields.size() && std::string(fields[i + count].name).starts_with(name + "_") &&
             std::string(fields[i + count].help).empty())
        ++count;
      out.push_back({i, count});
    }
  };
  for (const MeasureInfo& m : measure_infos()) add(m.name);
  add("model_penetration");
  add("max_speed");
  return out;
}

}  // namespace

void merge_report(std::vector<double>& into, const std::vector<double>& later) {
  static const std::vector<Group> kGroups = groups();
  const std::vector<double> before = into;
  into = later;
  if (before.size() != later.size()) return;
  for (const Group& g : kGroups) {
    if (g.first + g.count > later.size() || !(before[g.first] > later[g.first])) continue;
    std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(g.first), g.count,
                into.begin() + static_cast<std::ptrdiff_t>(g.first));
  }
}

}  // namespace touchstone
