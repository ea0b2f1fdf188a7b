#pragma once
// Forces on the bodies, kept apart by what their work means for the energy balance.
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "dynamics/bodies.h"
#include "dynamics/user_forces.h"

namespace touchstone {

inline constexpr std::uint32_t kWorldBody = 0xffffffffu;

// Conservative: gravity and springs, whose work is in the potential energy. Drag: drag, dampers, table.
// External: applied by the user. Contact: by the contact model. Motor: motors of joints that give a force.
enum class ForceClass : std::size_t { kConservative, kDrag, kExternal, kContact, kMotor };
inline constexpr std::size_t kForceClasses = 5;

// One wrench a body and class; classes without any force are not touched and cost nothing.
template <int D>
class WrenchSet {
 public:
  void reset(std::size_t bodies);
  // The array to add to; from then on the class counts as used.
  std::vector<Wrench<D>>& use(ForceClass c);
  bool used(ForceClass c) const { return used_[static_cast<std::size_t>(c)]; }
  const std::vector<Wrench<D>>& of(ForceClass c) const { return parts_[static_cast<std::size_t>(c)]; }
  // Sum over the used classes.
  const std::vector<Wrench<D>>& total();
  // Power that kinematic bodies put into the world through springs [W].
  double prescribed_power = 0;

 private:
  std::size_t bodies_ = 0;
  std::array<std::vector<Wrench<D>>, kForceClasses> parts_;
  std::array<bool, kForceClasses> used_{};
  std::vector<Wrench<D>> total_;
};

template <int D>
struct Spring {
  std::uint32_t body_a = kWorldBody, body_b = kWorldBody;
  Vec<D> point_a = Vec<D>::Zero(), point_b = Vec<D>::Zero();  // from the centre of mass in body axes, or in the world
  double stiffness = 0, damping = 0, rest_length = 0;
  Eigen::Vector3d described_a = Eigen::Vector3d::Zero(), described_b = Eigen::Vector3d::Zero();  // as given by the user
};

// A force and a torque that act on a body all the time between two moments, in world axes.
template <int D>
struct SteadyForce {
  std::uint32_t body = 0;
  Vec<D> force = Vec<D>::Zero(), point = Vec<D>::Zero();  // point: from the centre of mass, body axes
  AngVec<D> torque = AngVec<D>::Zero();
  double from = 0, until = 0;
  Eigen::Vector3d described_point = Eigen::Vector3d::Zero();
};

template <int D>
struct Joint;

template <int D>
struct ForceModel {
  Vec<D> gravity = Vec<D>::Zero();
  std::vector<Spring<D>> springs;
  std::vector<SteadyForce<D>> steady;
  std::optional<TableDescription> table;
  bool any_drag = false;           // some body has a drag coefficient
  std::vector<Wrench<D>> applied;  // by the user, for the step at hand; empty until there is one
  bool any_applied = false;
  UserForces<D>* user = nullptr;  // of a callback; null: there is none
  // Those whose coordinates have springs, dampers or motors that give a force (joints/coordinate_force.h).
  const std::vector<Joint<D>>* joints = nullptr;
  bool any_joint_force = false;
};

// All forces but those of contacts and of the table, at this instant. average_over: a drag force that is held for so
// long [s] is the mean of the decaying one, which is stable for any coefficient; 0: the force of the instant.
// evaluation: whether a user's callback is called for it (user_forces.h).
template <int D>
void evaluate_forces(const Bodies<D>& bodies, const ForceModel<D>& model, double time, double average_over,
                     const State<D>& state, WrenchSet<D>& out, Evaluation evaluation = Evaluation::kStage);

// Friction against the table, which needs all other forces: it holds a body that they would move by less than it can.
template <int D>
void add_table_friction(const Bodies<D>& bodies, const TableDescription& table, double h, const State<D>& state,
                        WrenchSet<D>& out);

// The greatest squared frequency of the scene's springs, bounded from above [1/s²], and the spring that has it.
struct SpringRate {
  double squared = 0;
  std::size_t spring = 0;
};
template <int D>
SpringRate fastest_spring(const Bodies<D>& bodies, const ForceModel<D>& model);

// The mean of exp(−x·t) over 0 <= t <= 1.
double mean_decay(double x);

template <int D>
double spring_energy(const ForceModel<D>& model, const State<D>& state);

// Radius at which table friction acts for spinning: that of a ring with the body's inertia, √(I/m).
inline double table_radius(double mass, double inertia) { return std::sqrt(inertia / mass); }

}  // namespace touchstone
