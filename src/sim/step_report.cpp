#include "touchstone/step_report.h"

#include <array>

namespace touchstone {
namespace {

#define FIELD(name, unit, help)                                                        \
  ReportField {                                                                        \
#name, unit, help, [](const StepReport& r) { return static_cast<double>(r.name); } \
  }
#define COMPONENT(vector, axis, unit, help)                                            \
  ReportField {                                                                        \
#vector "_" #axis, unit, help, [](const StepReport& r) { return r.vector.axis(); } \
  }

const std::array kFields{
    FIELD(kinetic_energy, "J", "kinetic energy"),
    FIELD(gravity_energy, "J", "potential energy in gravity, zero at the origin"),
    FIELD(spring_energy, "J", "stored in the scene's springs"),
    FIELD(contact_energy, "J", "stored in contact springs"),
    ReportField{"energy", "J", "kinetic, gravity and spring energy together",
                [](const StepReport& r) { return r.energy(); }},
    FIELD(external_work, "J", "work of applied forces and callbacks since the start"),
    FIELD(drag_work, "J", "work of drag, dampers and table friction since the start"),
    FIELD(contact_work, "J", "work of contact forces since the start"),
    FIELD(energy_balance, "J", "energy now minus energy at the start minus all work"),
    COMPONENT(momentum, x, "kg·m/s", "momentum"),
    COMPONENT(momentum, y, "kg·m/s", "momentum"),
    COMPONENT(momentum, z, "kg·m/s", "momentum"),
    COMPONENT(angular_momentum, x, "kg·m²/s", "angular momentum about the origin"),
    COMPONENT(angular_momentum, y, "kg·m²/s", "angular momentum about the origin"),
    COMPONENT(angular_momentum, z, "kg·m²/s", "angular momentum about the origin"),
    FIELD(max_penetration, "m", "deepest penetration met in the step"),
    FIELD(max_speed, "m/s", "fastest centre of mass"),
    FIELD(contacts, "", "contact points that carried force in the step"),
    FIELD(sticking, "", "contact points held by static friction"),
    FIELD(substeps, "", "substeps of the step"),
    FIELD(iterations, "", "iterations of the step"),
    FIELD(status, "", "0: fine; 1: not converged"),
    FIELD(wall_time, "s", "wall time of the step"),
};

#undef FIELD
#undef COMPONENT

}  // namespace

std::span<const ReportField> report_fields() { return kFields; }

const ReportField* find_report_field(const std::string& name) {
  for (const ReportField& field : kFields)
    if (name == field.name) return &field;
  return nullptr;
}

}  // namespace touchstone
