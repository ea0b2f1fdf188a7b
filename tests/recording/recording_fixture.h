#pragma once
// Hand-made recordings in a folder of their own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "recording/recorder.h"
#include "recording/recording.h"
#include "touchstone/error.h"

namespace touchstone {

class RecordingTest : public ::testing::Test {
 protected:
  RecordingTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        std::string("touchstone-") + test->test_suite_name() + "-" + test->name() + "-" + std::to_string(::getpid());
    for (char& c : name)
      if (c == '/') c = '-';
    folder_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(folder_);
  }
  ~RecordingTest() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  // Nothing but the named files is left in the folder: no temporary one was forgotten.
  std::size_t files_left() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

  std::filesystem::path folder_;
};

// What a made-up run looks like.
struct MadeRun {
  int dimension = 3;
  std::uint64_t steps = 10;  // simulated, step 0 included
  std::int64_t every = 1;
  bool poses = true, velocities = true, contacts = true;
  bool growing = true;    // bodies come and go
  bool snapshots = true;  // at every fourth step
  std::size_t bodies = 3;
  std::size_t joints = 2;
};

inline RecordingInfo made_info(const MadeRun& run) {
  RecordingInfo info;
  info.program_version = "9.8.7";
  info.model = "penalty";
  info.scene_name = "made up";
  info.scene_text = "# a scene\nname = \"Käfig\"\n";
  info.scene_path = "/somewhere/scene.toml";
  info.scene_files = {{"part.obj", "{\"objects\": []}"}, {"ä b.stl", "text\n"}};
  info.overrides = {{"model.stiffness", "1e5"}, {"name", "\"a, b\""}};
  info.dimension = run.dimension;
  info.step_size = 0.1;
  info.duration = 1.0 / 3.0;
  info.seed = 0xfedcba9876543210ull;
  info.record = {run.every, run.poses, run.velocities, run.contacts};
  for (std::size_t i = 0; i < run.bodies; ++i) info.body_names.push_back("body " + std::to_string(i));
  for (std::size_t i = 0; i < run.joints; ++i) info.joint_names.push_back("joint, " + std::to_string(i));
  return info;
}

inline StepMark made_mark(std::uint64_t step) {
  return {step, 0.1 * static_cast<double>(step), 0x9e3779b97f4a7c15ull * (step + 1)};
}

inline FrameContact made_contact(std::mt19937_64& random) {
  std::normal_distribution<double> number;
  FrameContact c;
  c.body_a = static_cast<std::uint32_t>(random()), c.body_b = static_cast<std::uint32_t>(random());
  c.shape_a = static_cast<std::uint32_t>(random()), c.shape_b = static_cast<std::uint32_t>(random());
  c.key = random();
  for (int i = 0; i < 3; ++i) {
    c.point[i] = number(random), c.normal[i] = number(random), c.impulse[i] = number(random);
    c.relative_velocity[i] = number(random);
  }
  c.gap = number(random), c.static_friction = number(random), c.dynamic_friction = number(random);
  c.restitution = number(random), c.natural_map = number(random);
  c.sticking = random() % 2;
  return c;
}

inline FrameJoint made_joint(std::mt19937_64& random) {
  std::normal_distribution<double> number;
  FrameJoint j;
  j.coordinate = number(random), j.coordinate_rate = number(random);
  j.position_error = number(random), j.angle_error = number(random);
  for (int i = 0; i < 3; ++i)
    j.point[i] = number(random), j.impulse[i] = number(random), j.angular_impulse[i] = number(random);
  for (double& x : j.point_a) x = number(random);
  j.serial = static_cast<std::uint32_t>(random()), j.kind = static_cast<std::uint32_t>(random() % 14);
  j.body_a = static_cast<std::uint32_t>(random()), j.body_b = FrameJoint::kNoBody;
  j.broken = random() % 2;
  return j;
}

// The same numbers for the same step, some of them awkward: -0, infinities, NaN, the smallest there is.
inline Frame made_frame(const MadeRun& run, std::uint64_t step) {
  std::mt19937_64 random(step * 7919 + static_cast<std::uint64_t>(run.dimension));
  std::normal_distribution<double> number;
  Frame f;
  const StepMark mark = made_mark(step);
  f.step = mark.step, f.time = mark.time, f.hash = mark.hash;
  f.slots = run.growing ? (step * step) % 7 + (step > 3 ? run.bodies : 0) : run.bodies;
  for (std::uint64_t i = 0; i < f.slots; ++i) f.alive.push_back(random() % 4 != 0);
  const auto fill = [&](std::vector<double>& values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values.push_back(number(random));
    if (count > 2) values[0] = -0.0, values[1] = std::numeric_limits<double>::denorm_min(), values[2] = INFINITY;
  };
  if (run.poses) fill(f.poses, f.slots * static_cast<std::size_t>(pose_width(run.dimension)));
  if (run.velocities) fill(f.velocities, f.slots * static_cast<std::size_t>(velocity_width(run.dimension)));
  if (run.contacts)
    for (std::uint64_t i = 0; i < (step % 3) * 2; ++i) f.contacts.push_back(made_contact(random));
  // Joints may come later, too.
  for (std::size_t i = 0; i < run.joints + (step > 5 ? 1 : 0) && run.joints > 0; ++i)
    f.joints.push_back(made_joint(random));
  fill(f.report, report_fields().size());
  f.report.back() = std::nan("7");
  return f;
}

inline std::vector<std::byte> made_snapshot(std::uint64_t step) {
  std::vector<std::byte> bytes(100 + step);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + step);
  return bytes;
}

inline bool recorded(const MadeRun& run, std::uint64_t step) {
  return step % static_cast<std::uint64_t>(run.every) == 0 || step + 1 == run.steps;
}
inline bool has_snapshot(const MadeRun& run, std::uint64_t step) { return run.snapshots && step % 4 == 3; }

inline void record_step(RecordingWriter& recorder, const MadeRun& run, std::uint64_t step) {
  recorder.mark(made_mark(step));
  if (recorded(run, step)) recorder.frame(made_frame(run, step));
  if (has_snapshot(run, step)) recorder.snapshot(step, made_snapshot(step));
}

inline void record_steps(RecordingWriter& recorder, const MadeRun& run) {
  for (std::uint64_t step = 0; step < run.steps; ++step) record_step(recorder, run, step);
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline bool same_mark(const StepMark& a, const StepMark& b) {
  return a.step == b.step && a.hash == b.hash && std::memcmp(&a.time, &b.time, sizeof a.time) == 0;
}

inline bool same_contact(const FrameContact& a, const FrameContact& b) {
  return std::memcmp(&a, &b, offsetof(FrameContact, sticking)) == 0 && a.sticking == b.sticking;
}

inline ::testing::AssertionResult same_frame(const Frame& a, const Frame& b) {
  using ::testing::AssertionFailure;
  if (!same_mark({a.step, a.time, a.hash}, {b.step, b.time, b.hash})) return AssertionFailure() << "step, time or hash";
  if (a.slots != b.slots || !same_bits(a.alive, b.alive)) return AssertionFailure() << "slots or alive";
  if (!same_bits(a.poses, b.poses)) return AssertionFailure() << "poses";
  if (!same_bits(a.velocities, b.velocities)) return AssertionFailure() << "velocities";
  if (!same_bits(a.report, b.report)) return AssertionFailure() << "report";
  if (!std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(), same_contact))
    return AssertionFailure() << "contacts";
  if (!same_bits(a.joints, b.joints)) return AssertionFailure() << "joints";
  return ::testing::AssertionSuccess();
}

// Whether the first steps and frames are those of the run, to the last bit; more may follow.
inline ::testing::AssertionResult is_prefix(const Recording& r, const MadeRun& run) {
  using ::testing::AssertionFailure;
  if (r.steps().size() > run.steps) return AssertionFailure() << r.steps().size() << " steps";
  for (std::size_t i = 0; i < r.steps().size(); ++i)
    if (!same_mark(r.steps()[i], made_mark(i))) return AssertionFailure() << "mark " << i;
  std::size_t frame = 0;
  for (std::uint64_t step = 0; step < run.steps && frame < r.frame_count(); ++step) {
    if (!recorded(run, step)) continue;
    const auto same = same_frame(r.read_frame(frame), made_frame(run, step));
    if (!same) return AssertionFailure() << "frame " << frame << ": " << same.message();
    if (!same_mark(r.frames()[frame], made_mark(step))) return AssertionFailure() << "index of frame " << frame;
    if (step >= r.steps().size()) return AssertionFailure() << "frame " << frame << " came before its mark";
    ++frame;
  }
  if (frame != r.frame_count()) return AssertionFailure() << r.frame_count() << " frames";
  if (const auto snapshot = r.last_snapshot(); snapshot && snapshot->bytes != made_snapshot(snapshot->step))
    return AssertionFailure() << "snapshot";
  return ::testing::AssertionSuccess();
}

inline std::size_t frames_of(const MadeRun& run) {
  std::size_t n = 0;
  for (std::uint64_t step = 0; step < run.steps; ++step) n += recorded(run, step);
  return n;
}

inline void expect_whole(const Recording& r, const MadeRun& run) {
  EXPECT_EQ(r.steps().size(), run.steps);
  EXPECT_EQ(r.frame_count(), frames_of(run));
  EXPECT_TRUE(is_prefix(r, run));
}

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void spit(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // ext4 writes a file that is cut to nothing and rewritten to the disk at once
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The message of the Error that `act` throws; fails the test if it throws none or another kind.
template <class Act>
std::string error_of(ErrorKind kind, const Act& act) {
  try {
    act();
  } catch (const Error& e) {
    EXPECT_EQ(static_cast<int>(e.kind()), static_cast<int>(kind)) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

}  // namespace touchstone
