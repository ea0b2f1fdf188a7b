// libFuzzer on the readers of robots: any bytes either make a robot of finite numbers or are refused with an Error.
// Everything else (a crash, another exception, a sanitiser's finding, a hang) is a bug. The root element chooses the
// reader, and the corpus has seeds for both.
//   cmake --preset fuzz && cmake --build --preset fuzz --target robot_fuzz
//   mkdir -p /tmp/robots && build/fuzz/tests/fuzz/robot_fuzz -max_total_time=600 -dict=tests/fuzz/robot.dict
//   /tmp/robots tests/fuzz/robot_corpus
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/text.h"
#include "io/robot/kinematics.h"
#include "io/robot/load.h"
#include "io/robot/robot_text.h"
#include "touchstone/error.h"

namespace {

void require(bool right) {
  if (!right) std::abort();
}

void use(const touchstone::RobotDescription& robot) {
  using namespace touchstone;
  require(std::isfinite(robot.mass()));
  for (const RobotPose& pose : link_poses(robot, reference_coordinates(robot)))
    require(pose.orientation.coeffs().allFinite());
  require(!robot_text(robot).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  const std::string text(reinterpret_cast<const char*>(data), size);
  XmlLimits limits;
  limits.bytes = std::size_t{1} << 20;
  limits.elements = 2000;
  ImportOptions options;
  options.most_bytes = 0;  // no mesh files: what lies on the disk is not the fuzzer's
  try {
    use(parse_robot_text(text, "/nowhere/fuzz.xml", options, limits));
  } catch (const Error& e) {
    require(*e.what() != '\0' && is_valid_utf8(e.what()));
  }
  return 0;
}
