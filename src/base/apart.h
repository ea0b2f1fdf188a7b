#pragma once
// Work that may crash or hang, done in a copy of the process so that it takes nothing else with it.
#include <functional>
#include <string>

namespace touchstone {

// What `work` returned in the copy. An Error that it throws is thrown here; if the copy crashes or takes longer than so
// many seconds of processor time, an Error says so. For libraries that are not safe with damaged files.
std::string run_apart(const std::function<std::string()>& work, unsigned seconds);

// Tries `work` in a copy before it is done here: "" if the copy came to its end, also by an exception, otherwise how it
// ended ("it crashed (Segmentation fault)").
std::string rehearse(const std::function<void()>& work, unsigned seconds);

}  // namespace touchstone
