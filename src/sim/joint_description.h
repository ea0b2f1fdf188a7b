#pragma once
// From the description of a joint to the joint: what it may say, and where the joint is on the two bodies at the start.
#include <optional>
#include <string>
#include <vector>

#include "dynamics/joints/joint.h"

namespace touchstone {

// What is wrong, and with which key: "axis", "is missing: a hinge needs it".
struct JointFault {
  const char* key;
  std::string what;
};

// Everything that is wrong with a description on its own, whatever the bodies are.
std::vector<JointFault> description_faults(const JointDescription& d, int dimension);

// The last of the kinds, as they are numbered.
inline constexpr JointKind kLastJointKind = JointKind::kScrew;
// The names of those that a dimension has: "pin, slider or weld".
std::string joint_kinds_of(int dimension);

// What is wrong with limits of a kind that may have them.
std::vector<JointFault> limits_faults(JointKind kind, const std::optional<double>& lower,
                                      const std::optional<double>& upper);

// Whether the two bodies (null: the world) can be joined at all.
std::optional<JointFault> joined_bodies_fault(JointKind kind, const BodyDescription* a, const BodyDescription* b);

// The first fault of a description, if it has any, for the bodies that it names (null: the world) where they are
// described to be. That the names exist and the joint's own is unique is for others to check.
std::optional<JointFault> joint_fault(const JointDescription& d, int dimension, const BodyDescription* a,
                                      const BodyDescription* b);

// The motor that a description asks for; off if it has none.
MotorCommand described_motor(const JointDescription& d);
// Whether a command needs the motor's row: a speed that is aimed at. A given force has none.
inline bool has_motor_row(const MotorCommand& m) {
  return m.kind == MotorCommand::Kind::kSpeed || m.kind == MotorCommand::Kind::kPosition;
}
// What is wrong with a command for a joint of this kind: "max_force must be positive". Empty: nothing.
std::string motor_command_fault(const MotorCommand& m, JointKind kind, int dimension);

// The joint of a description without fault, its sides in the frames as described: whoever knows the slots, centres of
// mass and principal axes of the bodies puts them there.
template <int D>
Joint<D> described_joint(const JointDescription& d, const BodyDescription* a, const BodyDescription* b);

}  // namespace touchstone
