#pragma once
// Work that may crash or hang, done in a copy of the process so that it takes nothing else with it.
#include <functional>
#include <optional>
#include <string>

#include "touchstone/error.h"

namespace touchstone {

// What `work` returned in the copy. An Error that it throws is thrown here; if the copy crashes or takes longer than so
// many seconds of processor time, an Error says so. For libraries that are not safe with damaged files.
std::string run_apart(const std::function<std::string()>& work, unsigned seconds);

// What came of `work` that was tried in a copy before it is done here; neither: it came to its end.
struct Rehearsal {
  std::string crash;             // how the copy ended ("it crashed (Segmentation fault)")
  std::optional<Error> refusal;  // what it threw: to be thrown here, without trying again
};
Rehearsal rehearse(const std::function<void()>& work, unsigned seconds);

}  // namespace touchstone
