#pragma once
#include <cstdint>
#include <span>

namespace touchstone {

/// One number of the yardstick over one step: the worst of all its solves, where it was, and the mean.
struct Measure {
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  double worst = 0.0;
  double mean = 0.0;                                 ///< over contacts and solves; see measure_infos() for exceptions
  std::uint32_t body_a = kNobody, body_b = kNobody;  ///< slots of the two bodies (BodyId::index) at the worst
  std::uint64_t step = 0;                            ///< in which the worst was
};

/// What the yardstick says of one step: docs/yardstick.md explains each number. The same code judges every model; it
/// uses contacts, impulses and velocities of bodies, and nothing that a solver thinks of itself.
struct StepMeasures {
  bool measured = false;      ///< false: the yardstick was off
  std::int64_t steps = 0;     ///< 1; more where measures of several steps were merged
  std::int64_t solves = 0;    ///< solves of these: substeps and impacts
  std::int64_t contacts = 0;  ///< contacts that were judged, over all solves

  Measure natural_map;           ///< the headline: how far a contact is from its laws, relative to the motion [1]
  Measure natural_map_velocity;  ///< the same in velocity [m/s]
  Measure natural_map_norm;      ///< as Siconos has it: norm over all contacts of a solve over that of q [1]
  Measure normal_work;           ///< |r_N·u_N|: impulse while the contact separates [J]
  Measure pulling;               ///< normal impulse that pulls [N·s]
  Measure closing;               ///< normal velocity left that goes into the other body [m/s]
  Measure cone;                  ///< friction beyond μ·r_N, relative [1]
  Measure dissipation;           ///< what sliding friction should have dissipated and did not [J]
  Measure friction_angle;        ///< between friction and the direction against the sliding [rad]
  Measure complementarity;       ///< De Saxcé's |r·(u + μ|u_T|n)| [J]
  Measure conic;                 ///< |r·u|: zero for convex models, μ·r_N·|u_T| for Coulomb's law [J]
  Measure penetration;           ///< at the end of the step, measured anew [m]
  Measure penetration_ratio;     ///< the same over the size of the smaller body [1]
  Measure open_gap;              ///< gap across which an impulse acted [m]
  Measure correction;            ///< velocity given to push penetrating bodies apart [m/s]
  Measure momentum_error;        ///< change of a body's momentum that no impulse explains, relative [1]
  Measure impact_gain;           ///< kinetic energy that the contacts of an impact gave, relative [1]
  Measure contact_gain;          ///< energy that contacts gave to the bodies in the step, net [J]
  Measure joint_position;        ///< greatest error of a joint's position [m]
  Measure joint_position_ratio;  ///< the same over the size of the smaller body, the world not counted [1]
  Measure joint_angle;           ///< greatest error of a joint's angles [rad]
  Measure joint_velocity;        ///< the same of its velocity [m/s, rad/s]
  Measure gathered_slip;         ///< of a contact, since it began to stick by the laws [m]
  Measure gathered_slip_ratio;   ///< the same over the size of the smaller body [1]
};

/// Name, unit and meaning of a measure. In reports and recordings its numbers are NAME (the worst), NAME_mean, NAME_a
/// and NAME_b (the slots of the two bodies, −1 for none); they are NaN where the yardstick was off.
struct MeasureInfo {
  const char* name;
  const char* unit;
  const char* help;
  Measure StepMeasures::*value;
};
std::span<const MeasureInfo> measure_infos();

/// Adds the measures of later steps: the worst of both, the mean over all steps.
void merge_measures(StepMeasures& into, const StepMeasures& later);

}  // namespace touchstone
