#pragma once
// Energy of a run that its causes do not explain.
#include "touchstone/step_report.h"

namespace touchstone {

// Energy, with the part held by contact springs, beyond that of the start and the work of applied forces and drag [J].
// Contacts can only take energy, so anything above 0 is wrong.
inline double energy_made(const StepReport& r) { return r.energy_balance + r.contact_work + r.contact_energy; }

}  // namespace touchstone
