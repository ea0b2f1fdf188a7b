#pragma once
// A robot and the report of its import for people, and as JSON.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "touchstone/robot.h"

namespace touchstone {

std::string robot_text(const RobotDescription& robot);
nlohmann::ordered_json robot_json(const RobotDescription& robot);
const char* name_of(RobotJointKind kind);
const char* name_of(ImportNote::Kind kind);

}  // namespace touchstone
