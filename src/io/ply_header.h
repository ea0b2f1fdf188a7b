#pragma once
// The header of a PLY file, read before assimp sees it: assimp 5.2 never comes back from one without an end, and loops
// for as long as damaged counts say.
#include <cstdint>
#include <string>

namespace touchstone {

// Throws Error (kBadInput) that names the file and the line that is no header's, or an element that the file is too
// short for. `bytes`: of the whole file.
void check_ply_header(const std::string& path, std::uintmax_t bytes);

}  // namespace touchstone
