#pragma once
// Joints as lines and dots of a still picture.
#include <vector>

#include "io/picture/picture.h"
#include "recording/frame.h"

namespace touchstone {

// Of the joints that hold in this frame: the line between the two places of a distance, a rope, a spring (with its
// coils), a gear and a target; the curve of a bead; the axis of a hinge, slider, cylindrical or screw joint in 3D; and
// a line from each body's frame to the place of a joint that is one point. Empty if the frame does not have its joints.
std::vector<PictureMark> joint_marks(const SceneDescription& scene, const Frame& frame);

}  // namespace touchstone
