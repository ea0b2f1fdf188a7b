#pragma once
// Forces on the bodies, kept apart by what their work means for the energy balance.
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "dynamics/bodies.h"

namespace touchstone {

inline constexpr std::uint32_t kWorldBody = 0xffffffffu;

// Conservative: gravity and springs, whose work is in the potential energy. Drag: drag, dampers, table.
// External: applied by the user. Contact: by the contact model.
enum class ForceClass : std::size_t { kConservative, kDrag, kExternal, kContact };
inline constexpr std::size_t kForceClasses = 4;

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
};

template <int D>
struct ForceModel {
  Vec<D> gravity = Vec<D>::Zero();
  std::vector<Spring<D>> springs;
  std::optional<TableDescription> table;
  bool any_drag = false;           // some body has a drag coefficient
  std::vector<Wrench<D>> applied;  // by the user, for the step at hand
  bool any_applied = false;
  std::function<void(double time, const State<D>&, std::vector<Wrench<D>>&)> callback;
};

// All forces but those of contacts, at this instant. h: the step, which table friction needs to stop a body.
template <int D>
void evaluate_forces(const Bodies<D>& bodies, const ForceModel<D>& model, double time, double h, const State<D>& state,
                     WrenchSet<D>& out);

template <int D>
double spring_energy(const ForceModel<D>& model, const State<D>& state);

// Radius at which table friction acts for spinning: that of a ring with the body's inertia, √(I/m).
inline double table_radius(double mass, double inertia) { return std::sqrt(inertia / mass); }

}  // namespace touchstone
