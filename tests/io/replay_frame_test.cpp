// The bytes of frames hold what the frames hold, and events are found on frames made by hand.
#include "io/replay/frame_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "replay_samples.h"

namespace touchstone {
namespace {

using namespace replay_samples;

// The sections of a frame's bytes, found from its header by sums of their own.
struct Sections {
  ReplayFrameHeader header;
  std::size_t fields, poses, velocities, alive, contacts, events, joints, end;
  explicit Sections(std::span<const std::byte> bytes) {
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto up = [](std::size_t n) { return (n + 7) & ~std::size_t{7}; };
    fields = 64;
    poses = fields + std::size_t{8} * header.fields;
    velocities = poses + (header.flags & 1 ? up(std::size_t{28} * header.slots) : 0);
    alive = velocities + (header.flags & 2 ? up(std::size_t{24} * header.slots) : 0);
    contacts = alive + up(header.slots);
    events = contacts + std::size_t{96} * header.contacts;
    joints = events + std::size_t{32} * header.events;
    end = joints + std::size_t{48} * header.joints;
  }
};

TEST(ReplayFrame, HoldsWhatTheRecordingHolds) {
  const Folder folder;
  record(kScene, folder.file("run.h5"));
  const Recording recording = Recording::open(folder.file("run.h5"));
  std::vector<std::byte> bytes;
  std::size_t contacts = 0;
  for (std::size_t f = 0; f < recording.frame_count(); ++f) {
    const Frame frame = recording.read_frame(f);
    bytes.clear();
    append_replay_frame(frame, 3, {}, bytes);
    const Sections s(bytes);
    ASSERT_EQ(s.end, bytes.size());
    ASSERT_EQ(s.header.bytes, bytes.size());
    ASSERT_EQ(s.header.magic, 0x31465354u);
    EXPECT_EQ(s.header.step, frame.step);
    EXPECT_EQ(s.header.time, frame.time);
    EXPECT_EQ(s.header.flags, 7u);
    for (std::size_t i = 0; i < frame.report.size(); ++i) {
      const double value = number_at<double>(bytes, s.fields + 8 * i);
      EXPECT_EQ(std::memcmp(&value, &frame.report[i], 8), 0) << i;
    }
    for (std::size_t i = 0; i < 28; ++i)
      EXPECT_EQ(number_at<float>(bytes, s.poses + 4 * i), static_cast<float>(frame.poses[i]));
    for (std::size_t i = 0; i < 24; ++i)
      EXPECT_EQ(number_at<float>(bytes, s.velocities + 4 * i), static_cast<float>(frame.velocities[i]));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(number_at<std::uint8_t>(bytes, s.alive + i), 1);
    for (std::size_t i = 0; i < frame.contacts.size(); ++i, ++contacts) {
      const FrameContact& c = frame.contacts[i];
      const std::size_t at = s.contacts + 96 * i;
      EXPECT_EQ(number_at<std::uint32_t>(bytes, at), c.body_a);
      EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 4), c.body_b);
      EXPECT_EQ(number_at<std::uint64_t>(bytes, at + 12), c.key);
      EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 20), c.sticking);
      EXPECT_EQ(number_at<float>(bytes, at + 24 + 8), static_cast<float>(c.point[2]));
      EXPECT_EQ(number_at<float>(bytes, at + 48 + 8), static_cast<float>(c.impulse[2]));
      EXPECT_EQ(number_at<float>(bytes, at + 72), static_cast<float>(c.gap));
      EXPECT_EQ(number_at<float>(bytes, at + 88), static_cast<float>(c.natural_map));
      EXPECT_TRUE(std::isfinite(c.natural_map)) << "the yardstick was on";
    }
  }
  EXPECT_GT(contacts, 50u);
}

TEST(ReplayFrame, InThePlaneARotationIsAboutZ) {
  Frame frame;
  frame.slots = 3;
  frame.alive = {1, 0, 1};
  frame.poses = {1, 2, 0.6, 9, 9, 9, std::nan(""), 0, 0};
  std::vector<std::byte> bytes;
  append_replay_frame(frame, 2, {.contacts_known = false}, bytes);
  const Sections s(bytes);
  ASSERT_EQ(s.end, bytes.size());
  EXPECT_EQ(s.header.flags, 1u);
  EXPECT_EQ(number_at<float>(bytes, s.poses + 12), static_cast<float>(std::cos(0.3)));
  EXPECT_EQ(number_at<float>(bytes, s.poses + 24), static_cast<float>(std::sin(0.3)));
  EXPECT_EQ(number_at<float>(bytes, s.poses + 28), 0.0f) << "a slot without a body is at the origin";
  EXPECT_EQ(number_at<float>(bytes, s.poses + 40), 1.0f);
  EXPECT_EQ(number_at<std::uint8_t>(bytes, s.alive + 2), 0) << "a pose that is not finite is not shown";
}

FrameJoint joint_of(std::uint32_t serial, JointKind kind, bool broken = false) {
  FrameJoint j;
  j.serial = serial, j.kind = static_cast<std::uint32_t>(kind), j.broken = broken;
  j.body_b = serial + 10;
  for (int i = 0; i < 3; ++i) j.point_a[i] = serial + 0.25 * i, j.point[i] = -1.0 - serial;
  return j;
}

// What the scene does not tell: joints that are gone or broken, targets, and joints that were made.
TEST(ReplayFrame, TellsWhatBecameOfJoints) {
  Frame frame;
  frame.joints = {joint_of(0, JointKind::kHinge), joint_of(2, JointKind::kRope, true), joint_of(3, JointKind::kTarget),
                  joint_of(6, JointKind::kHinge, true), joint_of(7, JointKind::kHinge)};
  std::vector<ReplayJoint> found;
  find_replay_joints(frame, 5, found);
  ASSERT_EQ(found.size(), 5u);  // 1 and 4 were removed, 2 is broken, 3 is a target, 7 was made; 6 was, and broke
  const std::uint32_t serials[] = {1, 2, 3, 4, 7};
  const bool gone[] = {true, true, false, true, false};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(found[i].serial, serials[i]);
    EXPECT_EQ(found[i].flags, gone[i] ? ReplayJoint::kGone : 0u) << i;
  }
  find_replay_joints(Frame{}, 0, found);
  EXPECT_TRUE(found.empty());
  frame.joints = {joint_of(0, JointKind::kHinge)};
  find_replay_joints(frame, 1, found);
  EXPECT_TRUE(found.empty());
  frame.joints.push_back(joint_of(4, JointKind::kRope));
  find_replay_joints(frame, 1, found);
  std::vector<std::byte> bytes;
  append_replay_frame(frame, 2, {.joints = found}, bytes);
  const Sections s(bytes);
  ASSERT_EQ(s.end, bytes.size());
  ASSERT_EQ(s.header.joints, 1u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, s.joints), 4u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, s.joints + 4), static_cast<std::uint32_t>(JointKind::kRope));
  EXPECT_EQ(number_at<std::uint32_t>(bytes, s.joints + 8), 0xffffffffu);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, s.joints + 12), 14u);
  EXPECT_EQ(number_at<float>(bytes, s.joints + 28), 4.5f);
  EXPECT_EQ(number_at<float>(bytes, s.joints + 32), -5.0f);
}

// In a live world: a joint breaks, one is made, one is removed, a target moves.
TEST(ReplayFrame, FollowsTheJointsOfALiveWorld) {
  const SceneDescription scene = parse_scene(R"(touchstone = 1
dimension = 2
[[body]]
name = "weight"
position = [0, -1]
mass = 1
shape = { kind = "circle", radius = 0.1 }
[[body]]
name = "hand"
position = [2, 0]
shape = { kind = "circle", radius = 0.1 }
[[joint]]
name = "thread"
kind = "distance"
body_b = "weight"
break_force = 1
[[joint]]
name = "grip"
kind = "target"
body_b = "hand"
motor_max_force = 1000
)",
                                             "s.toml");
  Simulation simulation(scene);
  LiveFrames frames(replay_world(simulation, scene));
  const auto joints = [&] {
    const auto bytes = frames.capture(simulation);
    const Sections s(bytes);
    std::vector<ReplayJoint> out(s.header.joints);
    if (!out.empty()) std::memcpy(out.data(), bytes.data() + s.joints, out.size() * sizeof(ReplayJoint));
    return out;
  };
  auto now = joints();
  ASSERT_EQ(now.size(), 1u);
  EXPECT_EQ(now[0].serial, 1u);
  EXPECT_EQ(now[0].point_a[0], 2.0f);
  simulation.step();  // 9.81 N
  simulation.set_target(1, {2.5, 1, 0});
  now = joints();
  ASSERT_EQ(now.size(), 2u);
  EXPECT_EQ(now[0].flags, ReplayJoint::kGone);
  EXPECT_EQ(now[1].point_a[0], 2.5f);
  JointDescription rope;
  rope.kind = JointKind::kRope, rope.body_a = "hand", rope.body_b = "weight";
  simulation.add_joint(rope);
  simulation.remove_joint(1);
  now = joints();
  ASSERT_EQ(now.size(), 3u);
  EXPECT_TRUE(now[0].flags && now[1].flags && !now[2].flags);
  EXPECT_EQ(now[2].serial, 2u);
  EXPECT_EQ(now[2].kind, static_cast<std::uint32_t>(JointKind::kRope));
  EXPECT_EQ(now[2].a, 1u);
  simulation.remove_joint(1);
  simulation.add_joint(rope);
  EXPECT_EQ(joints()[2].serial, 3u);  // another one, though at the same place of the list
}

TEST(ReplayFrame, ALiveWorldNeedsNoFile) {
  const SceneDescription scene = parse_scene(kScene, "scene.toml");
  Simulation simulation(scene);
  LiveFrames frames(replay_world(simulation, scene));
  std::size_t events = 0;
  for (int i = 0; i < 100; ++i) {
    const auto bytes = frames.capture(simulation);
    const Sections s(bytes);
    ASSERT_EQ(s.end, bytes.size());
    EXPECT_EQ(s.header.step, simulation.step_count());
    EXPECT_EQ(s.header.contacts, simulation.contact_count());
    events += s.header.events;
    simulation.step();
  }
  EXPECT_GT(events, 3u);
  const ReplayEvent edit{.kind = ReplayEventKind::kEdit};
  const Sections s(frames.capture(simulation, true, {&edit, 1}));
  EXPECT_EQ(s.header.flags & 8u, 8u);
  EXPECT_GE(s.header.events, 1u);
}

// A ground (slot 0) and two balls of radius 1 in 3D, without a run.
struct HandMade {
  ReplayWorld world;
  HandMade() {
    world.scene.gravity = {0, 0, -10};
    world.scene.bodies.resize(3);
    world.centers.assign(3, Eigen::Vector3d::Zero());
    world.masses.assign(3, 1.0);
  }
  static Frame frame(double time) {
    Frame f;
    f.time = time;
    f.slots = 3;
    f.alive.assign(3, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = static_cast<double>(3 * i);
      f.poses.insert(f.poses.end(), {x, 0, i == 0 ? 0.0 : 1.0, 1, 0, 0, 0});
    }
    f.velocities.assign(18, 0.0);
    f.report.assign(report_fields().size(), 0.0);
    return f;
  }
  static FrameContact touch(std::uint32_t body, std::uint64_t feature, bool sticking) {
    FrameContact c;
    c.body_a = 0, c.body_b = body;
    c.key = std::uint64_t{body} << 16 | feature;
    c.point[0] = 3.0 * body;
    c.normal[2] = 1;
    c.sticking = sticking;
    return c;
  }
};

std::vector<ReplayEventKind> kinds_of(std::span<const ReplayEvent> events) {
  std::vector<ReplayEventKind> kinds;
  for (const ReplayEvent& e : events) kinds.push_back(e.kind);
  return kinds;
}
using enum ReplayEventKind;
using Kinds = std::vector<ReplayEventKind>;

TEST(ReplayEvents, PairsAreMadeAndLost) {
  const HandMade hand;
  EventFinder finder(hand.world);
  Frame f = HandMade::frame(0);
  f.contacts = {HandMade::touch(1, 0, true)};
  EXPECT_TRUE(finder.find(f).empty()) << "the first frame has nothing before it";
  f = HandMade::frame(0.01);
  f.contacts = {HandMade::touch(1, 7, true), HandMade::touch(2, 1, true), HandMade::touch(2, 2, true)};
  auto events = finder.find(f);
  ASSERT_EQ(kinds_of(events), Kinds{kMade}) << "another feature of the same pair is no new contact";
  EXPECT_EQ(events[0].b, 2u);
  EXPECT_EQ(events[0].key_low, (2u << 16) + 1);
  f = HandMade::frame(0.02);
  f.contacts = {HandMade::touch(2, 2, true)};
  events = finder.find(f);
  ASSERT_EQ(kinds_of(events), Kinds{kLost});
  EXPECT_EQ(events[0].b, 1u);
  finder.reset();
  EXPECT_TRUE(finder.find(HandMade::frame(0)).empty());
}

TEST(ReplayEvents, StickAndSlipAreOfOnePoint) {
  const HandMade hand;
  EventFinder finder(hand.world);
  Frame f = HandMade::frame(0);
  f.contacts = {HandMade::touch(2, 2, false), HandMade::touch(1, 1, true)};  // not in order of their keys
  finder.find(f);
  f.contacts = {HandMade::touch(1, 1, false), HandMade::touch(2, 2, true)};
  const auto events = finder.find(f);
  ASSERT_EQ(kinds_of(events), (Kinds{kSlip, kStick}));
  EXPECT_EQ(events[0].b, 1u);
  EXPECT_EQ(events[1].b, 2u);
}

TEST(ReplayEvents, AnImpactIsAnApproachThatContactEnds) {
  const HandMade hand;
  EventFinder finder(hand.world);
  Frame f = HandMade::frame(0);
  f.velocities[6 + 2] = -2;     // ball 1 falls
  f.velocities[12 + 2] = -0.1;  // ball 2 comes down slower than gravity explains
  finder.find(f);
  f = HandMade::frame(0.02);
  f.contacts = {HandMade::touch(1, 0, false), HandMade::touch(2, 0, false)};
  f.velocities[6 + 2] = -1;  // a soft contact has not turned it around yet
  auto events = finder.find(f);
  ASSERT_EQ(kinds_of(events), (Kinds{kImpact, kMade, kMade}));
  EXPECT_EQ(events[0].b, 1u);
  EXPECT_DOUBLE_EQ(events[0].value, 2);
  ASSERT_EQ(finder.impacts().size(), 2u);
  EXPECT_EQ(finder.impacts()[0], 1);
  EXPECT_EQ(finder.impacts()[1], 0);
  f.time = 0.04;
  EXPECT_TRUE(finder.find(f).empty()) << "the same impact";
}

TEST(ReplayEvents, RollingIsNoImpact) {
  const HandMade hand;
  EventFinder finder(hand.world);
  Frame f = HandMade::frame(0);
  f.contacts = {HandMade::touch(1, 0, true)};
  f.velocities[6] = 20, f.velocities[6 + 4] = 20;  // v = ω·r
  finder.find(f);
  f.time = 0.02;
  f.poses[7] += 0.4;
  f.contacts[0].point[0] += 0.4;
  EXPECT_TRUE(finder.find(f).empty());
}

TEST(ReplayEvents, ASolverThatDoesNotConvergeIsAWarning) {
  const HandMade hand;
  EventFinder finder(hand.world);
  Frame f = HandMade::frame(0);
  finder.find(f);
  for (std::size_t i = 0; i < f.report.size(); ++i) {
    if (std::string(report_fields()[i].name) == "status") f.report[i] = 1;
    if (std::string(report_fields()[i].name) == "iterations") f.report[i] = 123;
  }
  const auto events = finder.find(f);
  ASSERT_EQ(kinds_of(events), Kinds{kWarning});
  EXPECT_EQ(events[0].a, 0xffffffffu);
  EXPECT_EQ(events[0].value, 123);
  std::vector<std::byte> bytes;
  append_replay_frame(f, 3, {.events = events}, bytes);
  EXPECT_EQ(Sections(bytes).header.flags & 16u, 16u);
}

}  // namespace
}  // namespace touchstone
