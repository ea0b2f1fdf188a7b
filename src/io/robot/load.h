#pragma once
// Robots from files and from texts.
#include <string>

#include "io/robot/xml_document.h"
#include "touchstone/robot.h"

namespace touchstone {

// A robot from a text that stands for the file `path`. As load_robot (touchstone/robot.h), which reads the file.
RobotDescription parse_robot_text(const std::string& text, const std::string& path, const ImportOptions& options = {},
                                  const XmlLimits& limits = {});

// Whether a file is meant to be a robot: its name ends in .urdf, .xml or .mjcf.
bool is_robot_file(const std::string& path);

}  // namespace touchstone
