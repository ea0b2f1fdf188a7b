#pragma once
// Recordings for other programs.
#include <string>

#include "recording/recording.h"

namespace touchstone {

// A row per frame and body: step, time, body, pose, velocity; units in the header.
void export_csv(const Recording& recording, const std::string& path);
// A row per frame: step, time and every field of the report; units in the header.
void export_report_csv(const Recording& recording, const std::string& path);
// NumPy's zip of arrays: time, step, hash, poses [frame, body, n], velocities, names, contacts and every report field.
void export_npz(const Recording& recording, const std::string& path);
// glTF 2.0 (.glb or .gltf with an embedded buffer): every body's shapes as meshes, its motion as an animation.
void export_gltf(const Recording& recording, const std::string& path);

}  // namespace touchstone
