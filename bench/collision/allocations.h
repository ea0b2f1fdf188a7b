#pragma once

namespace touchstone::bench {

// How often operator new was called so far, by anyone.
long allocations();

}  // namespace touchstone::bench
