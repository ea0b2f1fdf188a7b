#pragma once
// Recordings for other programs.
#include <string>
#include <vector>

#include "recording/recording.h"
#include "touchstone/description.h"

namespace touchstone {

// Each writes path.tmp and renames it; what fails is an Error that names the file.

// A row per frame and living body: step, time, body, pose, velocity; units in the header. Numbers are written
// with as few digits as bring back the same double.
void export_csv(const Recording& recording, const std::string& path);
// A row per frame and contact: bodies, shapes, point, normal, impulse on B over the step, relative velocity, gap, laws.
// Throws Error if contacts were not recorded.
void export_contacts_csv(const Recording& recording, const std::string& path);
// A row per frame and joint: coordinate, errors, place, impulse and angular impulse on B over the step, motor included.
// Throws Error if the recording has none.
void export_joints_csv(const Recording& recording, const std::string& path);
// A row per frame: step, time and every field of the report; units in the header.
void export_report_csv(const Recording& recording, const std::string& path);
// NumPy's zip of arrays, F frames and N slots: time [F], step [F], hash [F], names [N], alive [F, N], poses
// [F, N, 3 or 7], velocities [F, N, 3 or 6], contact_offset [F + 1] with contacts_body_a, contacts_point, ...
// (those of frame f are rows contact_offset[f] to contact_offset[f + 1]), joint_names, joint_offset [F + 1] with
// joints_coordinate, joints_impulse, ... in the same way, and report_FIELD [F]. What was not
// recorded is left out; the numbers of a slot without a body are NaN. Throws Error (kUnsupported) beyond
// zip's 4 GB.
void export_npz(const Recording& recording, const std::string& path);
// glTF 2.0 (.glb, or .gltf with an embedded buffer): every body's shapes as meshes, its motion as an
// animation. bodies: slot i of the recording has the shapes of bodies[i] (read the scene again from
// recording.info()).
void export_gltf(const Recording& recording, const std::vector<BodyDescription>& bodies, const std::string& path);

}  // namespace touchstone
