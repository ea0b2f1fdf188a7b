#pragma once
// Block assemblies as JSON: a list of blocks with vertices, faces (outward), `support` and `density`, along −z gravity.
#include <array>
#include <optional>
#include <string>

#include "touchstone/description.h"

namespace touchstone::statics {

struct AssemblySettings {
  std::optional<double> friction;  // of all blocks; default: a material's
  int axis = 1;                    // turn about it, through the origin; gravity stays
  double degrees = 0;
};

// "y=90"; throws Error (kBadInput).
void parse_rotation(const std::string& text, AssemblySettings& settings);

bool is_assembly_file(const std::string& path);  // by its ending, .json

// Concave blocks become bodies of convex parts. Throws Error: kIo if the file cannot be read, kBadInput for what is
// wrong in it, with the block and the value.
SceneDescription read_assembly(const std::string& path, const AssemblySettings& settings);
SceneDescription parse_assembly(const std::string& text, const std::string& path, const AssemblySettings& settings);

}  // namespace touchstone::statics
