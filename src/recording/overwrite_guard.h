#pragma once
// Keeps recordings from being replaced by files of another kind.
#include <string>

namespace touchstone {

// For a file that is about to be written under this name and is no recording itself. Throws Error if a recording is
// there, by its own name or by a symbolic or hard link: kIo while a simulation writes it, kBadInput otherwise. Any
// other file, and none, is let through. `path` is also the name that messages use.
void refuse_recording(const std::string& path);

}  // namespace touchstone
