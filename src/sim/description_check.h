#pragma once
// What a description may say, before anything is made of it. Throws Error that names the body and the value.
#include "touchstone/description.h"

namespace touchstone {

template <int D>
void check_body_description(const BodyDescription& body);
template <int D>
void check_scene_values(const SceneDescription& scene);  // gravity, step, table
void check_spring_description(const SpringDescription& spring);
void check_steady_force_description(const SteadyForceDescription& force);

}  // namespace touchstone
