#include "base/stop.h"

#include "touchstone/error.h"

namespace touchstone {

void StopFlag::interrupt() {
  throw Error(ErrorKind::kInterrupted, "the step was interrupted on request; the state is the one before it");
}

}  // namespace touchstone
