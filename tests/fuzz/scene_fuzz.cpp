// libFuzzer on the scene reader: any bytes either make a scene that a simulation accepts or refuses with an Error, or
// are refused with an Error. Everything else (a crash, another exception, a sanitiser's finding, a hang) is a bug.
//   cmake --preset fuzz && cmake --build --preset fuzz --target scene_fuzz
//   mkdir -p /tmp/corpus && build/fuzz/tests/fuzz/scene_fuzz -max_total_time=300 -dict=tests/fuzz/scene.dict
//   /tmp/corpus tests/fuzz/corpus
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/scene/reader.h"
#include "touchstone/touchstone.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Few bodies: a lattice of a million is right and slow. No mesh files: what lies on the disk is not the fuzzer's.
  const touchstone::SceneLimits limits{std::size_t{1} << 20, 200, 50, 0};
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const touchstone::SceneDescription scene = touchstone::parse_scene_text(text, "fuzz.toml", {}, limits);
    const touchstone::Simulation simulation(scene);
  } catch (const touchstone::Error&) {
  }
  // The first line as an override of a good scene.
  const std::string line = text.substr(0, text.find('\n'));
  if (const std::size_t equals = line.find('='); equals != std::string::npos && line.size() < 200) {
    const std::string scene =
        "touchstone = 1\ndimension = 3\n[[body]]\nname = \"b\"\nshape = { kind = \"sphere\", radius = 1 }\n";
    try {
      touchstone::parse_scene_text(scene, "fuzz.toml", {{line.substr(0, equals), line.substr(equals + 1)}}, limits);
    } catch (const touchstone::Error&) {
    }
  }
  return 0;
}
