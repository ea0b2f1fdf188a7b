// The public face of verify.
#include <fmt/format.h>

#include "base/text.h"
#include "study/verify.h"
#include "touchstone/verify.h"

namespace touchstone {

const VerifiedMeasure& VerifyReport::of(const std::string& name) const {
  std::vector<std::string> names;
  for (const VerifiedMeasure& m : measures) {
    if (name == m.name) return m;
    names.push_back(m.name);
  }
  throw Error(ErrorKind::kBadInput, fmt::format("there is no measure '{}'{}; there are {}", name,
                                                did_you_mean(name, names), fmt::join(names, ", ")));
}

VerifyReport verify(const std::string& recording) {
  const Verification found = verify_recording(Recording::open(recording));
  VerifyReport out;
  out.steps = found.steps;
  out.measured_steps = found.judged;
  for (const MeasureSummary& m : found.measures)
    out.measures.push_back(
        {m.info->name, m.info->unit, m.info->help, m.worst, m.mean, m.step, m.time, m.body_a, m.body_b});
  return out;
}

}  // namespace touchstone
