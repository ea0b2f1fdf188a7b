#include "touchstone/step_report.h"

#include <array>
#include <limits>

namespace touchstone {
namespace {

#define FIELD(name, unit, help)                                                        \
  ReportField {                                                                        \
#name, unit, help, [](const StepReport& r) { return static_cast<double>(r.name); } \
  }
#define NAMED(name, member, unit, help)                                                  \
  ReportField {                                                                          \
#name, unit, help, [](const StepReport& r) { return static_cast<double>(r.member); } \
  }
#define COMPONENT(vector, axis, unit, help)                                            \
  ReportField {                                                                        \
#vector "_" #axis, unit, help, [](const StepReport& r) { return r.vector.axis(); } \
  }

// Name, unit, meaning: the order of measure_infos(), recordings and tables.
#define TOUCHSTONE_MEASURES(X)                                                                             \
  X(natural_map, "", "how far a contact is from its laws, relative to the motion (the headline)")          \
  X(natural_map_velocity, "m/s", "the same in velocity")                                                   \
  X(natural_map_norm, "", "natural map as Siconos norms it: over all contacts, against the free velocity") \
  X(normal_work, "J", "normal impulse times separating velocity")                                          \
  X(pulling, "N·s", "normal impulse that pulls")                                                           \
  X(closing, "m/s", "normal velocity left into the other body")                                            \
  X(cone, "", "friction beyond the Coulomb limit, relative to it")                                         \
  X(dissipation, "J", "work that sliding friction should have taken and did not")                          \
  X(friction_angle, "rad", "between friction and the direction against the sliding")                       \
  X(complementarity, "J", "impulse times velocity in De Saxce's form: both laws at once")                  \
  X(conic, "J", "impulse times velocity: zero for convex models, not for Coulomb's law")                   \
  X(penetration, "m", "depth at the end of the step, measured anew; its mean is the root mean square")     \
  X(penetration_ratio, "", "the same over the size of the smaller body")                                   \
  X(open_gap, "m", "gap across which an impulse acted")                                                    \
  X(correction, "m/s", "velocity given to push penetrating bodies apart")                                  \
  X(momentum_error, "", "change of a body's momentum that no impulse explains, relative")                  \
  X(impact_gain, "", "kinetic energy that the contacts of an impact gave, relative")                       \
  X(contact_gain, "J", "energy that contacts gave to the bodies in the step, net")                         \
  X(joint_position, "m", "error of a joint's position")                                                    \
  X(joint_position_ratio, "", "the same over the size of the smaller body")                                \
  X(joint_angle, "rad", "error of a joint's angles")                                                       \
  X(joint_velocity, "", "error of a joint's velocity [m/s or rad/s]")                                      \
  X(gathered_slip, "m", "slip that a sticking contact has gathered since it began to stick")               \
  X(gathered_slip_ratio, "", "the same over the size of the smaller body")

template <Measure StepMeasures::*M, double Measure::*Part>
double number_of(const StepReport& r) {
  return r.measures.measured ? r.measures.*M.*Part : std::numeric_limits<double>::quiet_NaN();
}
template <Measure StepMeasures::*M>
double step_of(const StepReport& r) {
  return r.measures.measured ? static_cast<double>((r.measures.*M).step) : std::numeric_limits<double>::quiet_NaN();
}
template <Measure StepMeasures::*M, std::uint32_t Measure::*Body>
double slot_of(const StepReport& r) {
  if (!r.measures.measured) return std::numeric_limits<double>::quiet_NaN();
  const std::uint32_t slot = r.measures.*M.*Body;
  return slot == Measure::kNobody ? -1.0 : static_cast<double>(slot);
}

#define INFO(name, unit, help) MeasureInfo{#name, unit, help, &StepMeasures::name},
// Only the first explains itself: every recording carries all these texts.
#define MEASURE(name, unit, help)                                                           \
  ReportField{#name, unit, help, number_of<&StepMeasures::name, &Measure::worst>},          \
      ReportField{#name "_mean", unit, "", number_of<&StepMeasures::name, &Measure::mean>}, \
      ReportField{#name "_a", "", "", slot_of<&StepMeasures::name, &Measure::body_a>},      \
      ReportField{#name "_b", "", "", slot_of<&StepMeasures::name, &Measure::body_b>},      \
      ReportField{#name "_step", "", "", step_of<&StepMeasures::name>},

constexpr std::array kMeasures{TOUCHSTONE_MEASURES(INFO)};

const std::array kFields{FIELD(kinetic_energy, "J", "kinetic energy"),
                         FIELD(gravity_energy, "J", "potential energy in gravity, zero at the origin"),
                         FIELD(spring_energy, "J", "stored in the scene's springs"),
                         FIELD(contact_energy, "J", "stored in contact springs"),
                         ReportField{"energy", "J", "kinetic, gravity and spring energy together",
                                     [](const StepReport& r) { return r.energy(); }},
                         FIELD(external_work, "J", "work of applied forces and callbacks since the start"),
                         FIELD(drag_work, "J", "work of drag, dampers and table friction since the start"),
                         FIELD(contact_work, "J", "work of contact forces along the relative motion since the start"),
                         FIELD(joint_work, "J", "work of joints' constraint forces since the start"),
                         FIELD(motor_work, "J", "work of joints' motors since the start"),
                         FIELD(driven_work, "J", "work put in by prescribed bodies and belts since the start"),
                         FIELD(correction_work, "J", "potential energy from moving overlaps apart since the start"),
                         FIELD(energy_balance, "J", "energy now minus energy at the start minus all work"),
                         COMPONENT(momentum, x, "kg·m/s", "momentum"),
                         COMPONENT(momentum, y, "kg·m/s", "momentum"),
                         COMPONENT(momentum, z, "kg·m/s", "momentum"),
                         COMPONENT(angular_momentum, x, "kg·m²/s", "angular momentum about the origin"),
                         COMPONENT(angular_momentum, y, "kg·m²/s", "angular momentum about the origin"),
                         COMPONENT(angular_momentum, z, "kg·m²/s", "angular momentum about the origin"),
                         NAMED(model_penetration, max_penetration, "m",
                               "deepest penetration by the model's own account; `penetration` is measured"),
                         FIELD(max_speed, "m/s", "fastest centre of mass"),
                         FIELD(contacts, "", "contact points that carried force in the step"),
                         FIELD(sticking, "", "contact points held by static friction"),
                         FIELD(collisions, "", "contact points turned around by restitution in the step"),
                         FIELD(resting, "", "contact points that rest, where the model tells them from collisions"),
                         FIELD(broken_joints, "", "joints that are broken"),
                         FIELD(substeps, "", "substeps of the step"),
                         FIELD(iterations, "", "iterations of the step"),
                         FIELD(certificate, "", "worst relative residual of the programs of the step; 0: none"),
                         FIELD(status, "", "0: fine; 1: not converged"),
                         FIELD(wall_time, "s", "wall time of the step, without the yardstick"),
                         ReportField{"judged_steps", "", "steps that the yardstick has judged since the frame before",
                                     [](const StepReport& r) {
                                       return r.measures.measured ? static_cast<double>(r.measures.steps)
                                                                  : std::numeric_limits<double>::quiet_NaN();
                                     }},
                         TOUCHSTONE_MEASURES(MEASURE)};

#undef FIELD
#undef NAMED
#undef COMPONENT
#undef INFO
#undef MEASURE
#undef TOUCHSTONE_MEASURES

}  // namespace

std::span<const MeasureInfo> measure_infos() { return kMeasures; }

void merge_measures(StepMeasures& into, const StepMeasures& later) {
  if (!later.measured) return;
  const double before = static_cast<double>(into.steps), more = static_cast<double>(later.steps);
  for (const MeasureInfo& info : kMeasures) {
    Measure& sum = into.*info.value;
    const Measure& each = later.*info.value;
    const double mean = (before * sum.mean + more * each.mean) / (before + more);
    if (!into.measured || each.worst > sum.worst) sum = each;
    sum.mean = mean;
  }
  into.measured = true;
  into.steps += later.steps;
  into.solves += later.solves;
  into.contacts += later.contacts;
}

std::span<const ReportField> report_fields() { return kFields; }

const ReportField* find_report_field(const std::string& name) {
  for (const ReportField& field : kFields)
    if (name == field.name) return &field;
  return nullptr;
}

}  // namespace touchstone
