#pragma once
// The kinds of controllers by name, and their parameters as the scene format describes keys.
#include <deque>
#include <string>

#include "base/option_spec.h"
#include "touchstone/controller.h"

namespace touchstone {

// References stay valid.
const std::deque<ControllerKind>& registered_controllers();
const ControllerKind& find_controller_kind(const std::string& name);  // throws Error with the names there are
// The parameters as keys: what the scene reader checks [controller.parameters] against.
TableSpec parameters_format(const ControllerKind& kind);
// Fills in defaults; throws Error, naming the controller, for unknown parameters, wrong types and values out of range.
ControllerParameters complete_parameters(const ControllerKind& kind, const ControllerDescription& given, int dimension);

// The library's own.
ControllerKind robot_controller();

}  // namespace touchstone
