// The fixtures of the page's decoder are what the encoder writes. TOUCHSTONE_WRITE_FIXTURES=1 writes them anew.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "io/export/base64.h"
#include "io/replay/frame_motion.h"
#include "io/replay/pack.h"
#include "pack_reader.h"
#include "replay_samples.h"

namespace touchstone {
namespace {

using namespace replay_samples;

constexpr std::size_t kFrames = 12, kSlots = 3;
constexpr std::size_t kColumns = 5;  // not report_fields(): these may grow

// By sums, products and roots alone, so that every machine gets the same bits.
Frame fixture_frame(std::size_t f, int dimension) {
  const double t = 0.125 * static_cast<double>(f);
  Frame frame;
  frame.step = 4 * f, frame.time = t, frame.slots = f < 2 ? kSlots - 1 : kSlots;
  frame.alive.assign(frame.slots, 1);
  if (f > 8) frame.alive[1] = 0;
  for (std::size_t s = 0; s < frame.slots; ++s) {
    const double k = static_cast<double>(s + 1);
    frame.poses.insert(frame.poses.end(), {k * t, 3 - t * t * k});
    if (dimension == 3) {
      frame.poses.push_back(0.25 * k);
      const Eigen::Quaterniond q =
          Eigen::Quaterniond(1 - t * k, t * t, 0.3 * k * t - 0.1, -0.2 + 0.5 * t * k).normalized();
      frame.poses.insert(frame.poses.end(), {q.w(), q.x(), q.y(), q.z()});
      frame.velocities.insert(frame.velocities.end(), {k, -2 * t * k, 0, 0.5 * k, t, -t * k});
    } else {
      frame.poses.push_back(2.5 * k * t);
      frame.velocities.insert(frame.velocities.end(), {k, -2 * t * k, 2.5 * k});
    }
  }
  for (std::size_t i = 0; i < (f * 5) % 4; ++i) {
    FrameContact c;
    c.body_a = 0, c.body_b = static_cast<std::uint32_t>(i % 2), c.shape_a = 1, c.shape_b = 2;
    c.key = 0x123456789a0000ull + 0x10000ull * i + (f > 6 ? 1 : 0);
    const double d = 0.01 * static_cast<double>(i) + 0.1 * t;
    c.point[0] = 1 + d, c.point[1] = 2 - d, c.normal[1] = 1;
    c.impulse[0] = d, c.impulse[1] = 5 + 100 * d, c.relative_velocity[0] = -0.3 * d;
    c.gap = -1e-5 * (1 + d), c.static_friction = 0.5, c.dynamic_friction = i == 1 ? 0.25 : 0.5, c.restitution = 0.125;
    c.natural_map = 1e-7 * (1 + d);
    c.sticking = (f + i) % 3 == 0;
    frame.contacts.push_back(c);
  }
  // A rope that breaks, a target that moves, and a pin that is made.
  for (const std::uint32_t serial : {0u, 1u, 4u}) {
    if (serial == 4 && f < 7) continue;
    FrameJoint& j = frame.joints.emplace_back();
    j.serial = serial, j.body_b = serial % 2;
    const JointKind kind = serial == 0 ? JointKind::kRope : serial == 1 ? JointKind::kTarget : JointKind::kHinge;
    j.kind = static_cast<std::uint32_t>(kind);
    j.broken = serial == 0 && f > 5;
    j.point_a[0] = 0.5 * t + serial, j.point[1] = 1 - t, j.point[2] = dimension == 3 ? 0.125 : 0.0;
  }
  for (std::size_t c = 0; c < kColumns; ++c)
    frame.report.push_back(c == 3 ? std::nan("") : t * static_cast<double>(c) + 1.0 / static_cast<double>(c + 1));
  return frame;
}

ReplayWorld fixture_world(int dimension) {
  ReplayWorld world;
  world.scene.name = "fixture";
  world.scene.dimension = dimension;
  world.scene.bodies.resize(kSlots);
  world.scene.joints.resize(2);
  for (std::size_t s = 0; s < kSlots; ++s) world.scene.bodies[s].name = "body_" + std::to_string(s + 1);
  world.masses.assign(kSlots, 1.0);
  world.centers.assign(kSlots, Eigen::Vector3d::Zero());
  return world;
}

// What the page's test expects of a frame.
ReplayJson expected_of(const Frame& frame, int dimension, std::span<const ReplayEvent> events,
                       std::span<const std::uint8_t> impacts) {
  ReplayJson out = {{"step", frame.step}, {"time", frame.time}, {"alive", frame.alive}, {"fields", frame.report}};
  ReplayJson poses = ReplayJson::array(), velocities = ReplayJson::array(), contacts = ReplayJson::array(),
             list = ReplayJson::array();
  for (std::size_t s = 0; s < frame.slots; ++s) {
    const FramePose p = pose_in(frame, s, dimension);
    const FrameVelocity v = velocity_in(frame, s, dimension);
    for (int c = 0; c < 3; ++c) poses.push_back(p.position[c]);
    for (const double c : {p.rotation.w(), p.rotation.x(), p.rotation.y(), p.rotation.z()}) poses.push_back(c);
    for (const Eigen::Vector3d& part : {v.linear, v.angular})
      for (int c = 0; c < 3; ++c) velocities.push_back(part[c]);
  }
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const ReplayContact c = replay_contact(frame.contacts[i], impacts[i] != 0);
    ReplayJson numbers = ReplayJson::array();
    for (const float* n = c.point; n < c.point + 17; ++n) numbers.push_back(*n);
    contacts.push_back({{"a", c.a},
                        {"b", c.b},
                        {"shapes", c.shapes},
                        {"key_low", c.key_low},
                        {"key_high", c.key_high},
                        {"flags", c.flags},
                        {"numbers", numbers}});
  }
  for (const ReplayEvent& e : events)
    list.push_back({{"kind", static_cast<std::uint32_t>(e.kind)},
                    {"a", e.a},
                    {"b", e.b},
                    {"key_low", e.key_low},
                    {"key_high", e.key_high},
                    {"value", e.value}});
  std::vector<ReplayJoint> held;
  find_replay_joints(frame, 2, held);
  out["joints"] = ReplayJson::array();
  for (const ReplayJoint& j : held)
    out["joints"].push_back({{"serial", j.serial},
                             {"kind", j.kind},
                             {"a", j.a},
                             {"b", j.b},
                             {"gone", j.flags == ReplayJoint::kGone},
                             {"point_a", j.point_a},
                             {"point_b", j.point_b}});
  out["poses"] = poses, out["velocities"] = velocities, out["contacts"] = contacts, out["events"] = list;
  return out;
}

void check_fixture(int dimension) {
  const ReplayWorld world = fixture_world(dimension);
  ReplayJson manifest = {{"format", 1},
                         {"name", "fixture"},
                         {"dimension", dimension},
                         {"has", {{"poses", true}, {"velocities", true}, {"contacts", true}}}};
  manifest["fields"] = ReplayJson::array();
  for (std::size_t c = 0; c < kColumns; ++c)
    manifest["fields"].push_back({{"name", std::string(1, static_cast<char>('a' + c))}});
  RunPacker packer(manifest, world, {.frames_per_second = 1000, .max_bytes = 1'000'000});
  EventFinder finder(world);
  ReplayJson frames = ReplayJson::array();
  for (std::size_t f = 0; f < kFrames; ++f) {
    const Frame frame = fixture_frame(f, dimension);
    packer.add(frame);
    const auto events = finder.find(frame);
    frames.push_back(expected_of(frame, dimension, events, finder.impacts()));
  }
  const PackedRun run = packer.finish();
  const std::string path =
      std::string(TOUCHSTONE_SOURCE_DIR) + "/web/test/pack_fixture_" + std::to_string(dimension) + "d.json";
  if (std::getenv("TOUCHSTONE_WRITE_FIXTURES")) {
    const ReplayJson fixture = {{"pack", to_base64(run.bytes)},
                                {"position_quantum", run.manifest.at("quantum").at("position")},
                                {"rotation_error", run.manifest.at("quantum").at("rotation")},
                                {"frames", frames}};
    std::ofstream(path) << fixture.dump() << "\n";
  }
  const ReplayJson fixture = ReplayJson::parse(slurp(path));
  EXPECT_EQ(fixture.at("frames").dump(), frames.dump());
  // The bytes before compression: another zlib may compress otherwise.
  const std::string text = fixture.at("pack");
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    static const std::string kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = kLetters.find(c);
    if (value == std::string::npos) break;
    word = word << 6 | static_cast<std::uint32_t>(value);
    if ((bits += 6) >= 8) bytes += static_cast<char>(word >> (bits -= 8));
  }
  EXPECT_TRUE(pack_reader::inflated(bytes) == pack_reader::inflated(run.bytes))
      << "the encoder has changed: see web/src/data/pack.ts, then write the fixtures anew "
         "(TOUCHSTONE_WRITE_FIXTURES=1)";
}

TEST(ReplayFixture, Is2D) { check_fixture(2); }
TEST(ReplayFixture, Is3D) { check_fixture(3); }

}  // namespace
}  // namespace touchstone
