#pragma once
// Files that robots name: package:// and model:// addresses, file:// addresses and plain paths.
#include <string>
#include <vector>

namespace touchstone {

struct FoundFile {
  std::string path;   // empty: not found
  std::string note;   // how it was found if its package was not; empty otherwise
  std::string tried;  // the places, for a message
};

// `from`: the file that names it. package://NAME/REST is sought as ROOT/NAME/REST (or ROOT/REST where the last folder
// of ROOT is NAME) in `roots`, in the folders of $TOUCHSTONE_PACKAGES and $ROS_PACKAGE_PATH (separated by colons), and
// in all folders above `from`. If no folder has it, the longest tail of NAME/REST (at least two parts) below a folder
// above `from` is taken, with a note.
FoundFile find_robot_file(const std::string& address, const std::string& from, const std::vector<std::string>& roots);

}  // namespace touchstone
