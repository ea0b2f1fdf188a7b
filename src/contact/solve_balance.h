#pragma once
// Whether the impulses of a solve explain what it did: momentum of each body or mechanism, kinetic energy of all.
#include <vector>

#include "contact/solve_view.h"

namespace touchstone {

// Slower than this part of √(g·L) a body rests: collisions that only hold it up lift it by less than L/800.
inline constexpr double kRestingSpeed = 0.05;

template <int D>
class SolveBalance {
 public:
  // Adds up what contacts and joints gave to each body.
  void gather(const SolveView<D>& view);
  // Of a dynamic body.
  struct OfBody {
    // ‖M(v⁺ − v) − Jᵀr‖ relative to its momentum and to what passed through it, v its velocity with the other forces
    // (of an impact: before it); angular parts count by the body's radius of gyration.
    double momentum_error = 0;
    double energy_gain = 0;  // kinetic, against v, without the work of joints and their motors [J]
  };
  OfBody of_body(const SolveView<D>& view, std::size_t body) const;
  // Whether the body belongs to a mechanism, whose balance is kept instead.
  bool in_mechanism(std::size_t body) const { return !mechanism_of_.empty() && mechanism_of_[body] != kFree; }
  // Of a mechanism, ‖p‖² = pᵀ·M⁻¹·p. With ½·‖p‖² a kinetic energy, that is the measure of a free body, whose linear and
  // angular parts add up here.
  OfBody of_mechanism(const SolveView<D>& view, std::size_t mechanism) const;
  // What conveyors and kinematic bodies put in through the contacts [J]. Friction and impacts only dissipate if the
  // gain of all bodies is not above it.
  static double prescribed_work(const SolveView<D>& view);
  // Of the bodies that the solve may move, the larger of before and after, never zero [J]. Call gather() before.
  double kinetic_energy(const SolveView<D>& view) const;
  // Of all bodies before the solve, never zero [J].
  double kinetic_energy_of_all(const SolveView<D>& view) const;
  // m·g·L of the bodies that received impulses, L twice the radius, if they rest: if they have less kinetic energy than
  // at kRestingSpeed·√(g·L) before and after; otherwise 0 [J]. Call gather() before.
  double rest_energy(const SolveView<D>& view, double gravity) const;

 private:
  // Kinetic, of the dynamic bodies that for_slots visits and of all mechanisms; never zero [J].
  template <class Slots>
  double energy_of(const SolveView<D>& view, std::span<const Twist<D>> twists,
                   std::span<const double> SolvedMechanism<D>::*velocities, const Slots& for_slots) const;

  struct Received {
    Vec<D> linear;
    AngVec<D> angular;
    double size, turning;  // of all impulses, without regard to direction [N·s, N·m·s]
  };
  // The same of a mechanism, in generalised impulses.
  struct Generalised {
    std::vector<double> impulse;
    double size = 0;  // of all impulses of contacts and joints, √(pᵀ·M⁻¹·p) of each [√J]
  };
  static constexpr std::uint32_t kFree = 0xffffffffu;
  void gather_mechanisms(const SolveView<D>& view);
  void give(const SolvedMechanism<D>& to, std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular,
            Generalised& received);

  std::vector<Received> received_;
  std::vector<Generalised> generalised_;
  std::vector<std::uint32_t> mechanism_of_;  // by body; empty without mechanisms
  std::vector<double> row_;
};

}  // namespace touchstone
