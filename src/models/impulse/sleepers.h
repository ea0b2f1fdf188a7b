#pragma once
// Which bodies sleep. Islands of bodies that have been slow for a while are left alone: to the rest of the model they
// are bodies that cannot move, until something disturbs them.
#include <array>
#include <span>
#include <vector>

#include "models/impulse/contact_record.h"

namespace touchstone {

template <int D>
class Sleepers {
 public:
  void set_limits(double time, double speed) { time_ = time, speed_ = speed; }

  // A step begins: wakes islands on which other forces act than when they fell asleep.
  void begin(const StepInput<D>& in, const State<D>& state);
  // The bodies of the step, of which sleeping ones cannot move.
  const Bodies<D>& bodies() const { return masked_; }
  bool any() const { return asleep_ > 0; }
  bool all() const { return asleep_ > 0 && asleep_ == dynamic_; }
  // Wakes islands that something else touches, or will within `length` at the velocities that it has; and those that
  // have lost a contact of `memory`. near: gaps up to this touch [m]. Returns whether one woke: then the contacts have
  // to be found again.
  bool wake_touched(std::span<const ContactRecord<D>> records, std::span<const ContactMemory<D>> memory,
                    const Vec<D>& gravity, double length, double near, const State<D>& state);
  // A step ends: islands that rest fall asleep. Returns the energy of motion that is lost by it [J].
  double end(const StepInput<D>& in, std::span<const ContactRecord<D>> records, std::span<const double> gaps,
             double near, State<D>& state);
  // The body is gone, was replaced or was put elsewhere.
  void disturb(std::uint32_t body, std::span<const ContactMemory<D>> memory);
  // Joints were added or removed: all that sleeps with a joint wakes in the next step.
  void forget_joints() { now_.motors.clear(); }

  void restore() { now_ = kept_; }
  void serialize(Archive& ar) {
    ar(now_.island), ar(now_.rested), ar(now_.stirs), ar(now_.force), ar(now_.torque), ar(now_.motors);
  }

 private:
  static constexpr std::uint32_t kAwake = 0xffffffff;
  struct Memory {
    std::vector<std::uint32_t> island;  // of a body that sleeps: the first body of its island
    std::vector<double> rested;         // how long it has been slow [s]
    std::vector<std::uint8_t> stirs;    // for how many steps a body that forces do not move wakes what it touches
    std::vector<Vec<D>> force;          // what acted when it fell asleep, contacts aside
    std::vector<AngVec<D>> torque;
    std::vector<std::array<double, 2>> motors;  // by joint: speed and greatest force of its motor then
  };
  bool sleeps(std::uint32_t body) const { return body < now_.island.size() && now_.island[body] != kAwake; }
  void resize(std::size_t n);
  void wake(std::uint32_t body);  // and its island
  void stir(const StepInput<D>& in, const State<D>& state);
  void wake_pushed(const StepInput<D>& in, const State<D>& state);
  bool pushed(const StepInput<D>& in, std::uint32_t body, const Wrench<D>& wrench) const;
  bool driven(const Joint<D>& joint, std::size_t index) const;
  const std::vector<Wrench<D>>& forces_on(const StepInput<D>& in, const State<D>& state, Evaluation evaluation);
  bool wake_lost(std::span<const ContactRecord<D>> records, std::span<const ContactMemory<D>> memory);
  bool count_rest(const StepInput<D>& in, const State<D>& state);
  void find_islands(const StepInput<D>& in, std::span<const ContactRecord<D>> records, std::span<const double> gaps,
                    double near);
  void connect(const Bodies<D>& bodies, std::uint32_t a, std::uint32_t b);
  std::uint32_t root(std::uint32_t body);

  double time_ = 0, speed_ = 0;
  Memory now_, kept_;
  Bodies<D> masked_;
  const Bodies<D>* real_ = nullptr;  // of the step at hand
  std::size_t asleep_ = 0, dynamic_ = 0;
  std::vector<Vec<D>> start_position_;
  std::vector<Rotation<D>> start_orientation_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> restless_;  // by root
  WrenchSet<D> wrenches_;
};

}  // namespace touchstone
