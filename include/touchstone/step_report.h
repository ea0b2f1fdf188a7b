#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>

#include "touchstone/measures.h"

namespace touchstone {

enum class StepStatus : std::uint8_t { kOk, kNotConverged };

/// What a step did and what the world holds after it. Angular momentum is about the world's origin.
/// Energies are computed from bodies and state alone. Works are booked by the model, from its impulses and forces, each
/// under one class. The energy balance checks them: by how much kinetic + potential energy differ from what all work
/// explains. It is the integrator's error, or work that a model did not book.
struct StepReport {
  std::uint64_t step = 0;
  double time = 0.0;  ///< [s]
  StepStatus status = StepStatus::kOk;
  const char* reason = "";      ///< why it is not kOk, or why the step went another way; empty where models do not tell
  double kinetic_energy = 0.0;  ///< [J]
  double gravity_energy = 0.0;  ///< potential energy in gravity, zero at the origin [J]
  double spring_energy = 0.0;   ///< stored in the scene's springs [J]
  double contact_energy = 0.0;  ///< stored in contact springs (penalty methods) [J]
  double external_work = 0.0;   ///< of applied forces and callbacks since the start [J]
  double drag_work = 0.0;       ///< of drag, spring dampers and table friction since the start [J]
  double contact_work = 0.0;    ///< of contact forces along the relative motion since the start; ≤ 0 by law [J]
  double joint_work = 0.0;      ///< of joints' constraint forces since the start; about 0 for ideal joints [J]
  double motor_work = 0.0;      ///< of joints' motors since the start [J]
  double driven_work = 0.0;     ///< put in by prescribed bodies and belts since the start, by contacts and joints [J]
  double correction_work = 0.0;  ///< potential energy from moving overlapping bodies apart since the start [J]
  double energy_balance = 0.0;   ///< energy now − energy at the start − all work [J]
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();          ///< [kg·m/s]
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  ///< [kg·m²/s]
  double max_penetration = 0.0;                                ///< [m], the model's own account: see measures
  double max_speed = 0.0;                                      ///< fastest centre of mass [m/s]
  std::int64_t contacts = 0;                                   ///< contact points that carried force in the step
  std::int64_t sticking = 0;                                   ///< of those, the ones held by static friction
  std::int64_t collisions = 0;     ///< contact points turned around by Newton's law, once a time; 0: the model has none
  std::int64_t resting = 0;        ///< contact points that rest; 0: the model does not tell them from collisions
  std::int64_t broken_joints = 0;  ///< of all that the world has had and not removed
  std::int64_t substeps = 0;
  std::int64_t iterations = 0;
  /// Of models that solve programs: the worst relative residual (primal, dual, gap) of those of the step, by which an
  /// answer is checked without its solver. 0: the model solves none.
  double certificate = 0.0;
  StepMeasures measures;   ///< by the yardstick, if it is on
  double wall_time = 0.0;  ///< of this step, without the yardstick [s]; not part of the state, differs between runs

  double energy() const { return kinetic_energy + gravity_energy + spring_energy; }
  /// Energy, with what contact springs hold, beyond that of the start and of all work put in by forces, drag, motors,
  /// prescribed bodies and belts, and by pushing overlaps apart. Contacts and joints can only take energy, so anything
  /// well above 0 was made by the model [J].
  double energy_made() const { return energy_balance + contact_work + joint_work + contact_energy; }
};

/// One number of a report, by name and unit: what recordings, plots, CSV and --json list.
struct ReportField {
  const char* name;
  const char* unit;
  const char* help;
  double (*get)(const StepReport&);
};
std::span<const ReportField> report_fields();
const ReportField* find_report_field(const std::string& name);

}  // namespace touchstone
