// Packs hold what the recording holds, within what they promise, and no more bytes than allowed.
#include "io/replay/pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "io/export/base64.h"
#include "io/replay/frame_motion.h"
#include "io/replay/html.h"
#include "io/replay/pack_bytes.h"
#include "io/replay/pack_report.h"
#include "pack_reader.h"
#include "replay_samples.h"

namespace touchstone {
namespace {

using namespace replay_samples;

std::size_t base64_size(const PackedRun& run) { return (run.bytes.size() + 2) / 3 * 4; }

TEST(ReplayPack, HoldsTheRecordingWithinItsQuanta) {
  const Folder folder;
  record(kScene, folder.file("run.h5"));
  const Recording recording = Recording::open(folder.file("run.h5"));
  const PackedRun run = pack_recording(recording, {.frames_per_second = 1000, .max_bytes = 10'000'000});
  const pack_reader::Pack pack = pack_reader::read(run.bytes);
  ASSERT_EQ(pack.frames, recording.frame_count());
  const double quantum = pack.manifest.at("quantum").at("position"), turn = pack.manifest.at("quantum").at("rotation");
  EXPECT_LT(quantum, 1e-4);
  std::size_t contacts = 0;
  for (std::size_t f = 0; f < pack.frames; ++f) {
    const Frame frame = recording.read_frame(f);
    EXPECT_EQ(pack.times[f], frame.time);
    for (std::size_t c = 0; c < frame.report.size(); ++c)
      EXPECT_EQ(std::memcmp(&pack.report[c][f], &frame.report[c], 8), 0) << report_fields()[c].name;
    for (std::size_t s = 0; s < 4; ++s) {
      const FramePose pose = pose_in(frame, s, 3);
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_LE(std::abs(pack.positions[s * pack.frames + f][c] - pose.position[static_cast<int>(c)]), 0.5 * quantum);
      const auto& q = pack.turns[s * pack.frames + f];
      EXPECT_LE(pose.rotation.angularDistance(Eigen::Quaterniond(q[0], q[1], q[2], q[3])), turn);
    }
    ASSERT_EQ(pack.contacts[f].size(), frame.contacts.size());
    for (std::size_t i = 0; i < frame.contacts.size(); ++i, ++contacts) {
      EXPECT_EQ(pack.contacts[f][i].key, frame.contacts[i].key);
      EXPECT_EQ(static_cast<std::uint32_t>(pack.contacts[f][i].numbers[1]), frame.contacts[i].body_b);
    }
  }
  EXPECT_GT(contacts, 50u);
}

TEST(ReplayPack, FastSpinsKeepTheirPrecision) {
  // Every frame another rotation out of nowhere: nothing can be predicted, every component is left out at times.
  ReplayWorld world;
  world.scene.bodies.resize(1);
  world.masses = {1};
  world.centers = {Eigen::Vector3d::Zero()};
  ReplayJson manifest = {{"dimension", 3}, {"has", {{"poses", true}, {"velocities", false}, {"contacts", false}}}};
  RunPacker packer(manifest, world, {.frames_per_second = 1000, .max_bytes = 1'000'000});
  std::vector<Eigen::Quaterniond> turns;
  for (int f = 0; f < 200; ++f) {
    const double a = f * 0.7391, b = f * 1.317, c = f * 2.11;
    turns.push_back(Eigen::Quaterniond(std::cos(a), std::sin(a) * std::cos(b), std::sin(b), std::cos(c)).normalized());
    Frame frame;
    frame.time = 0.01 * f, frame.step = static_cast<std::uint64_t>(f), frame.slots = 1, frame.alive = {1};
    const Eigen::Quaterniond& q = turns.back();
    frame.poses = {1e6 * std::sin(a), -1e300, 0, q.w(), q.x(), q.y(), q.z()};
    packer.add(frame);
  }
  const pack_reader::Pack pack = pack_reader::read(packer.finish().bytes);
  for (std::size_t f = 0; f < 200; ++f) {
    const auto& q = pack.turns[f];
    EXPECT_LE(turns[f].angularDistance(Eigen::Quaterniond(q[0], q[1], q[2], q[3])), PackQuanta::kRotation) << f;
  }
}

TEST(ReplayPack, ShortFloatsAreRightToTheirPromise) {
  const auto back = [](std::int32_t n) {
    const std::uint32_t bits =
        n < 0 ? (static_cast<std::uint32_t>(-n) << 12 | 0x80000000u) : static_cast<std::uint32_t>(n) << 12;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  };
  for (float v = 1e-30f; v < 1e30f; v *= 1.37f)
    for (const float x : {v, -v}) EXPECT_LE(std::abs(back(short_float(x)) - x), kFloatError * std::abs(x));
  EXPECT_EQ(back(short_float(0)), 0);
  EXPECT_TRUE(std::isnan(back(short_float(NAN))));
  EXPECT_TRUE(std::isinf(back(short_float(INFINITY))));
}

TEST(ReplayPack, ContactsThatMatterStay) {
  std::vector<ReplayContact> contacts(100);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts[i].impulse[2] = i == 10 ? 50.0f : 1.0f;
    contacts[i].natural_map = i == 20 ? 1.0f : std::nanf("");
    contacts[i].gap = i == 30 ? -0.1f : 0.01f;
  }
  EXPECT_EQ(weightiest(contacts, 100).size(), 100u);
  const std::vector<std::uint32_t> kept = weightiest(contacts, 3);
  EXPECT_EQ(kept, (std::vector<std::uint32_t>{10, 20, 30}));
  EXPECT_EQ(weightiest(contacts, 40).size(), 40u);
  EXPECT_TRUE(weightiest(contacts, 0).empty());
}

TEST(ReplayPack, TheWorstOfFramesLeftOutIsKept) {
  const auto fields = report_fields();
  const auto index = [&](const std::string& name) {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (name == fields[i].name) return i;
    return fields.size();
  };
  std::vector<double> first(fields.size(), 1.0), later(fields.size(), 2.0);
  first[index("natural_map")] = 9, first[index("natural_map_a")] = 7;
  merge_report(first, later);
  EXPECT_EQ(first[index("natural_map")], 9);
  EXPECT_EQ(first[index("natural_map_a")], 7);
  EXPECT_EQ(first[index("natural_map_norm")], 2) << "a measure of its own";
  EXPECT_EQ(first[index("kinetic_energy")], 2);
}

TEST(ReplayPack, TheBoundIsMetByLeavingOut) {
  const Folder folder;
  std::string scene = kScene;
  scene.replace(scene.find("every = 2"), 9, "every = 1");
  record(scene, folder.file("run.h5"));
  const Recording recording = Recording::open(folder.file("run.h5"));
  const PackedRun all = pack_recording(recording, {.frames_per_second = 1000, .max_bytes = 10'000'000});
  EXPECT_EQ(all.frames, recording.frame_count());
  EXPECT_EQ(all.contacts, all.contacts_total);
  const PackedRun thirty = pack_recording(recording, {.frames_per_second = 30, .max_bytes = 10'000'000});
  EXPECT_LE(thirty.frames, 20u);
  EXPECT_GE(thirty.frames, 18u);
  EXPECT_NE(thirty.rule.find("recorded frames are here"), std::string::npos) << thirty.rule;
  const pack_reader::Pack pack = pack_reader::read(thirty.bytes);
  EXPECT_EQ(pack.times.back(), recording.frames().back().time) << "the end is always there";
  const auto events = [](const PackedRun& run) {
    std::size_t sum = 0;
    for (const std::uint32_t n : pack_reader::read(run.bytes).event_counts) sum += n;
    return sum;
  };
  EXPECT_EQ(events(thirty), events(all)) << "events between kept frames are kept";
  std::size_t last = base64_size(all);
  for (const std::size_t bound : {last * 9 / 10, last / 2, last / 4}) {
    const PackedRun run = pack_recording(recording, {.frames_per_second = 1000, .max_bytes = bound});
    EXPECT_LE(base64_size(run), bound);
    EXPECT_GT(run.frames, 1u);
    last = base64_size(run);
  }
  EXPECT_THROW(pack_recording(recording, {.frames_per_second = 30, .max_bytes = 1000}), Error);
}

TEST(ReplayHtml, NamesCannotLeaveTheirBlock) {
  const Folder folder;
  record(kScene, folder.file("run.h5"));
  const Recording recording = Recording::open(folder.file("run.h5"));
  const PackedRun run = pack_recording(recording, {});
  const std::string page = "<html><body><!--touchstone:data--><script>0</script></body></html>";
  const std::string title = recording.info().scene_name;  // has a "</script>" of its own
  const ReplayJson report = {{"words", "</script><b>"}};
  const std::string html = html_page(page, title, {run, run}, report);
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("</script>"), 4u) << "the page's own, the block's and one for each run";
  EXPECT_EQ(count("<b>"), 0u);
  EXPECT_EQ(html.find(kDataPlace), std::string::npos);
  EXPECT_EQ(html.size(), html_overhead(page, title, 2, report) + 2 * base64_size(run));
  const std::size_t at = html.find("id=\"touchstone-page\">") + 21;
  const ReplayJson block = ReplayJson::parse(html.substr(at, html.find("</script>", at) - at));
  EXPECT_EQ(block.at("mode"), "embedded");
  EXPECT_EQ(block.at("title"), title);
  EXPECT_EQ(block.at("runs"), 2);
  EXPECT_EQ(block.at("report").at("words"), "</script><b>");
  EXPECT_NE(html.find("id=\"touchstone-run-1\">" + to_base64(run.bytes) + "</script>"), std::string::npos);
  EXPECT_EQ(pack_reader::read(run.bytes).manifest.at("bodies")[1].at("name"), "</script><b>");
}

TEST(ReplayHtml, APageWithoutAPlaceIsRefused) {
  EXPECT_THROW(page_with("<html></html>", "x"), Error);
  EXPECT_THROW(page_with("<!--touchstone:data--><!--touchstone:data-->", "x"), Error);
  EXPECT_EQ(page_with("a<!--touchstone:data-->b", "-"), "a-b");
}

}  // namespace
}  // namespace touchstone
