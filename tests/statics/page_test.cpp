// The page of a verdict: bodies, places and centres are those of the simulator.
#include <gtest/gtest.h>

#include "io/replay/html.h"
#include "io/replay/manifest.h"
#include "study/statics/stable_page.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone::statics {
namespace {

// An angle piece that lies on its side, turned by 90 degrees about x: its centre of mass is beside its origin.
constexpr const char* kScene = R"(touchstone = 1
name = "</script>"
dimension = 3
[[material]]
name = "default"
density = 500.0
friction = 0.4
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space", normal = [0, 0, 1] }
[[body]]
name = "angle"
position = [1, 2, 0.1]
orientation = [0.7071067811865476, 0.7071067811865476, 0, 0]
shapes = [
  { kind = "box", size = [1.0, 0.2, 0.4], position = [0.5, 0, 0] },
  { kind = "box", size = [0.2, 0.2, 1.0], position = [0.1, 0, 0.7] },
]
)";

ReplayJson data_of(const std::string& page) {
  const std::size_t begin = page.find('{');
  return ReplayJson::parse(page.substr(begin, page.find("</script>") - begin));
}

void expect_near(const ReplayJson& a, const ReplayJson& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k].get<double>(), b[k].get<double>(), 1e-12);
}

TEST(StablePage, HoldsTheBodiesOfTheSimulator) {
  const SceneDescription scene = parse_scene(kScene, "a.toml");
  StableRequest request;
  request.margins = request.ranges = false;  // they take most of the time, and nothing here
  const StableReport report = judge(scene, request);
  const std::string page = stable_page(scene, report, std::string("<body>") + std::string(kDataPlace) + "</body>");
  const ReplayJson data = data_of(page), statics = data.at("statics");
  EXPECT_EQ(data.at("title"), "</script>");  // it does not end the block
  EXPECT_EQ(statics.at("result").dump(), stable_json(report).dump());
  const Simulation simulation(scene);
  const ReplayJson own = replay_manifest(simulation, replay_world(simulation, scene)).at("bodies")[1];
  const ReplayJson& body = statics.at("manifest").at("bodies")[1];
  EXPECT_GT(std::abs(own.at("com")[2].get<double>()), 0.1);
  expect_near(body.at("com"), own.at("com"));
  expect_near(body.at("inertia"), own.at("inertia"));
  EXPECT_NEAR(body.at("mass").get<double>(), own.at("mass").get<double>(), 1e-12);
  EXPECT_EQ(body.at("shapes"), own.at("shapes"));
  const ReplayJson& pose = statics.at("poses")[1];
  EXPECT_EQ(pose.size(), 7u);
  EXPECT_EQ(pose[2], 0.1);
  EXPECT_NEAR(pose[3].get<double>(), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(pose[4].get<double>(), std::sqrt(0.5), 1e-15);
}

}  // namespace
}  // namespace touchstone::statics
