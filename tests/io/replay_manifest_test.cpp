// The manifest says what the scene says.
#include "io/replay/manifest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/replay/series.h"
#include "replay_samples.h"

namespace touchstone {
namespace {

using namespace replay_samples;

Eigen::Vector3d vector_of(const ReplayJson& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}
Eigen::Quaterniond rotation_of(const ReplayJson& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>(), j.at(3).get<double>()};
}

TEST(ReplayManifest, ARecordingTellsItsScene) {
  const Folder folder;
  record(kScene, folder.file("run.h5"));
  const Recording recording = Recording::open(folder.file("run.h5"));
  const ReplayJson m = ReplayJson::parse(replay_text(replay_manifest(recording, replay_world(recording))));
  EXPECT_EQ(m.at("format"), 1);
  EXPECT_EQ(m.at("name"), "three </script> cubes");
  EXPECT_EQ(m.at("model"), "impulse");
  EXPECT_EQ(m.at("dimension"), 3);
  EXPECT_EQ(m.at("step_size"), 0.005);
  EXPECT_EQ(m.at("source"), "run.h5");
  EXPECT_EQ(m.at("complete"), true);
  EXPECT_EQ(m.at("truncated"), "");
  EXPECT_EQ(m.at("frames"), recording.frame_count());
  EXPECT_EQ(m.at("frame_every"), 2);
  EXPECT_EQ(m.at("fields").size(), report_fields().size());
  EXPECT_EQ(m.at("measures").size(), measure_infos().size());
  ASSERT_EQ(m.at("bodies").size(), 4u);
  const ReplayJson& box = m.at("bodies")[1];
  EXPECT_EQ(box.at("name"), "</script><b>");
  EXPECT_EQ(box.at("kind"), "dynamic");
  EXPECT_NEAR(box.at("mass").get<double>(), 1000 * 0.2 * 0.3 * 0.4, 1e-9);
  const double twelfth = 1000 * 0.2 * 0.3 * 0.4 / 12;
  const double moments[] = {twelfth * (0.09 + 0.16), twelfth * (0.04 + 0.16), twelfth * (0.04 + 0.09), 0, 0, 0};
  ASSERT_EQ(box.at("inertia").size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(box.at("inertia")[k].get<double>(), moments[k], 1e-12) << k;
  EXPECT_FALSE(m.at("bodies")[0].contains("inertia")) << "it does not move freely";
  EXPECT_EQ(vector_of(box.at("shapes")[0].at("scale")), Eigen::Vector3d(0.2, 0.3, 0.4));
  EXPECT_TRUE(m.at("bodies")[0].at("mass").is_null());
  // Two spheres: their centre of mass is between them, and all three boxes and spheres share geometries.
  EXPECT_LT((vector_of(m.at("bodies")[3].at("com")) - Eigen::Vector3d(0.15, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(m.at("geometries").size(), 3u);
  EXPECT_EQ(m.at("geometries")[box.at("shapes")[0].at("geometry").get<std::size_t>()].at("kind"), "box");
}

TEST(ReplayManifest, InertiaIsInTheFrameOfTheBody) {
  const auto inertia_of = [](const std::string& body) {
    const SceneDescription scene = parse_scene("touchstone = 1\n" + body, "s.toml");
    const Simulation simulation(scene);
    return replay_manifest(simulation, replay_world(simulation, scene)).at("bodies")[0].at("inertia");
  };
  // A rod along (1, 1, 0): its products of inertia do not vanish, and turning the body changes nothing.
  const std::string rod = R"(dimension = 3
[[body]]
axis_angle = [1, 0, 0, 0.7]
mass = 12
shape = { kind = "box", size = [2, 0.2, 0.1], axis_angle = [0, 0, 1, 0.7853981633974483] }
)";
  const double along = 0.04 + 0.01, across = 4 + 0.01;  // m²: a box of 12 kg has b² + c² about its own axes
  const ReplayJson j = inertia_of(rod);
  EXPECT_NEAR(j[0].get<double>(), (along + across) / 2, 1e-12);
  EXPECT_NEAR(j[1].get<double>(), (along + across) / 2, 1e-12);
  EXPECT_NEAR(j[2].get<double>(), 4 + 0.04, 1e-12);
  EXPECT_NEAR(j[3].get<double>(), (along - across) / 2, 1e-12);
  EXPECT_NEAR(j[4].get<double>(), 0, 1e-12);
  EXPECT_NEAR(j[5].get<double>(), 0, 1e-12);
  const ReplayJson flat = inertia_of(R"(dimension = 2
[[body]]
mass = 2
shape = { kind = "circle", radius = 0.5 }
)");
  EXPECT_NEAR(flat.get<double>(), 0.25, 1e-12);
}

TEST(ReplayManifest, EveryShapeHasAGeometry) {
  const auto manifest_of = [](const std::string& dimension, const std::string& shapes) {
    const SceneDescription scene = parse_scene(
        "touchstone = 1\ndimension = " + dimension + "\n[[body]]\nkind = \"static\"\nshapes = [" + shapes + "]\n",
        "s.toml");
    const Simulation simulation(scene);
    return replay_manifest(simulation, replay_world(simulation, scene));
  };
  const ReplayJson solid = manifest_of("3", R"({ kind = "capsule", radius = 0.1, length = 0.5 },
    { kind = "half_space", normal = [1, 0, 1] }, { kind = "cylinder", radius = 0.2, length = 0.5 },
    { kind = "ellipsoid", radii = [1, 2, 3] },
    { kind = "convex", vertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]] },
    { kind = "convex", vertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], position = [1, 2, 3] })");
  const ReplayJson& shapes = solid.at("bodies")[0].at("shapes");
  ASSERT_EQ(shapes.size(), 6u);
  const auto geometry = [&](const ReplayJson& m, std::size_t i) -> const ReplayJson& {
    return m.at("geometries")[m.at("bodies")[0].at("shapes")[i].at("geometry").get<std::size_t>()];
  };
  EXPECT_EQ(geometry(solid, 0).at("radius"), 0.1);
  EXPECT_EQ(geometry(solid, 1).at("kind"), "half_space");
  const Eigen::Vector3d normal = rotation_of(shapes[1].at("rotation")) * Eigen::Vector3d::UnitZ();
  EXPECT_LT((normal - Eigen::Vector3d(1, 0, 1).normalized()).norm(), 1e-12);
  EXPECT_EQ(vector_of(shapes[2].at("scale")), Eigen::Vector3d(0.2, 0.2, 0.5));
  EXPECT_EQ(geometry(solid, 3).at("kind"), "sphere");
  EXPECT_EQ(geometry(solid, 4).at("vertices").size(), 12u) << "four corners";
  EXPECT_EQ(geometry(solid, 4).at("triangles").size(), 12u) << "four sides";
  EXPECT_EQ(shapes[4].at("geometry"), shapes[5].at("geometry"));

  const ReplayJson flat = manifest_of("2", R"({ kind = "half_space", normal = [0, -1] },
    { kind = "box", size = [1, 2], angle = 0.5 }, { kind = "circle", radius = 0.3 })");
  const ReplayJson& flats = flat.at("bodies")[0].at("shapes");
  const Eigen::Vector3d down = rotation_of(flats[0].at("rotation")) * Eigen::Vector3d::UnitY();
  EXPECT_LT((down - Eigen::Vector3d(0, -1, 0)).norm(), 1e-12);
  EXPECT_EQ(geometry(flat, 1).at("kind"), "rectangle");
  EXPECT_NEAR(flats[1].at("rotation")[3].get<double>(), std::sin(0.25), 1e-12);
  EXPECT_EQ(geometry(flat, 2).at("kind"), "disc");
}

TEST(ReplayManifest, JointsAndSpringsAreOnTheirBodies) {
  const SceneDescription scene = parse_scene(R"(touchstone = 1
dimension = 3
[[body]]
name = "post"
kind = "static"
position = [0, 0, 2]
shape = { kind = "sphere", radius = 0.1 }
[[body]]
name = "arm"
position = [1, 0, 2]
axis_angle = [0, 0, 1, 1.5707963267948966]
shape = { kind = "sphere", radius = 0.1 }
[[joint]]
kind = "hinge"
body_a = "post"
body_b = "arm"
point = [0.5, 0, 2]
axis = [0, 1, 0]
[[spring]]
body_a = "arm"
stiffness = 1
point_b = [1, 2, 3]
)",
                                             "s.toml");
  const Simulation simulation(scene);
  const ReplayJson m = replay_manifest(simulation, replay_world(simulation, scene));
  const ReplayJson& j = m.at("joints").at(0);
  EXPECT_EQ(j.at("kind"), "hinge");
  EXPECT_EQ(j.at("a"), 0);
  EXPECT_EQ(j.at("b"), 1);
  EXPECT_LT((vector_of(j.at("point_a")) - Eigen::Vector3d(0.5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((vector_of(j.at("point_b")) - Eigen::Vector3d(0, 0.5, 0)).norm(), 1e-12);
  EXPECT_LT((vector_of(j.at("axis_a")) - Eigen::Vector3d(0, 1, 0)).norm(), 1e-12);
  EXPECT_EQ(m.at("springs").at(0).at("b"), -1);
  EXPECT_GE(m.at("models").size(), 3u);
  for (const ReplayJson& model : m.at("models")) EXPECT_NE(model.at("name"), "penalty") << "it has no joints";
  EXPECT_EQ(replay_manifest(simulation, replay_world(simulation, scene), false).at("models").size(), 0u);
  // The same scene at rest has no run and no report.
  const ReplayJson rest = replay_manifest(replay_world(simulation, scene));
  for (const char* key : {"bodies", "geometries", "materials", "joints", "springs", "gravity", "dimension", "name"})
    EXPECT_EQ(rest.at(key), m.at(key)) << key;
  EXPECT_TRUE(rest.at("fields").empty());
  EXPECT_EQ(rest.at("frames"), 0);
}

// The wire of a bead goes with A, and lies on its curve.
TEST(ReplayManifest, ABeadHasItsWire) {
  const SceneDescription scene = parse_scene(R"(touchstone = 1
dimension = 2
[[body]]
name = "frame"
kind = "static"
position = [3, 1]
angle = 1.5707963267948966
shape = { kind = "box", size = [1, 1] }
[[body]]
name = "bead"
position = [2, 1]
shape = { kind = "circle", radius = 0.1 }
[[joint]]
kind = "bead"
body_a = "frame"
body_b = "bead"
point_a = [0, -0.5]
curve = "x^2 + y^2 = 2.25"
)",
                                             "s.toml");
  const Simulation simulation(scene);
  const ReplayJson m = replay_manifest(simulation, replay_world(simulation, scene));
  const std::vector<double> curve = m.at("joints").at(0).at("curve");
  ASSERT_GT(curve.size(), 60u);
  double most = 0;
  for (std::size_t i = 0; i + 1 < curve.size(); i += 2) {
    EXPECT_NEAR(std::hypot(curve[i], curve[i + 1] + 0.5), 1.5, 1e-5);
    if (i > 1) most = std::max(most, std::hypot(curve[i] - curve[i - 2], curve[i + 1] - curve[i - 1]));
  }
  EXPECT_NEAR(curve[0], curve[curve.size() - 2], 1e-6);  // once around
  EXPECT_LT(most, 0.3);
}

TEST(ReplayManifest, OffersTheModelsThatSupportTheScene) {
  const auto offered = [](const std::string& integrator) {
    const SceneDescription scene = parse_scene(
        "touchstone = 1\ndimension = 2\n[simulation]\nintegrator = \"" + integrator + "\"\n[model]\nname = \"free\"\n",
        "s.toml");
    const Simulation simulation(scene);
    std::vector<std::string> names;
    const ReplayJson manifest = replay_manifest(simulation, replay_world(simulation, scene));
    for (const ReplayJson& model : manifest.at("models")) names.push_back(model.at("name"));
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_EQ(offered("rk4"), (std::vector<std::string>{"free", "lagrange", "penalty"}));
  EXPECT_EQ(offered("explicit_euler"), (std::vector<std::string>{"free", "lagrange"}));
  EXPECT_GE(offered("semi_implicit_euler").size(), 8u);
}

TEST(ReplayManifest, AKilledRunSaysSo) {
  const Folder folder;
  record(kScene, folder.file("run.h5"), false);
  const Recording recording = Recording::open(folder.file("run.h5"));
  const ReplayJson m = replay_manifest(recording, replay_world(recording));
  EXPECT_EQ(m.at("complete"), false);
  EXPECT_NE(m.at("truncated").get<std::string>().find("did not reach its end"), std::string::npos);
}

TEST(ReplaySeries, ColumnsAndEventsOfARecording) {
  const Folder folder;
  record(kScene, folder.file("run.h5"));
  const Recording recording = Recording::open(folder.file("run.h5"));
  const std::vector<std::byte> bytes = series_bytes(recording, replay_world(recording));
  const auto frames = number_at<std::uint32_t>(bytes, 0), fields = number_at<std::uint32_t>(bytes, 4);
  ASSERT_EQ(frames, recording.frame_count());
  ASSERT_EQ(fields, report_fields().size());
  const std::vector<double> energy = recording.series("kinetic_energy");
  for (std::size_t i = 0; i < frames; ++i) EXPECT_EQ(number_at<double>(bytes, 8 + 8 * i), energy[i]);
  const std::size_t at = 8 + std::size_t{8} * frames * fields;
  const auto events = number_at<std::uint32_t>(bytes, at);
  ASSERT_EQ(bytes.size(), at + 4 + std::size_t{40} * events);
  bool impact = false;
  for (std::size_t i = 0; i < events; ++i) {
    EXPECT_LT(number_at<std::uint32_t>(bytes, at + 4 + 40 * i), frames);
    impact = impact || (number_at<std::uint32_t>(bytes, at + 12 + 40 * i) == 0 &&
                        number_at<std::uint32_t>(bytes, at + 20 + 40 * i) == 1);
  }
  EXPECT_TRUE(impact) << "the box falls onto the ground";
}

}  // namespace
}  // namespace touchstone
