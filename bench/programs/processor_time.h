#pragma once
#include <ctime>

namespace touchstone::bench {

// Of this process, all threads [s].
inline double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace touchstone::bench
