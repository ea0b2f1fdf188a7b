// Damaged recordings: journals, whose records are sealed again with a right checksum so that their content is read, and
// HDF5 files, half of them without the checksum that would give the damage away. What opens is read as a whole.
#include <gtest/gtest.h>

#include <cstring>

#include "attack/attack.h"
#include "io/replay/manifest.h"
#include "io/replay/series.h"
#include "io/replay/world.h"
#include "recording/hdf5_layout.h"
#include "recording/journal_format.h"
#include "study/runner.h"
#include "study/verify.h"

namespace touchstone::attack {
namespace {

constexpr const char* kScene = R"(touchstone = 1
dimension = 2
name = "attacked"
[simulation]
step = 0.01
duration = 0.06
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "ball"
position = [0, 0.1]
shape = { kind = "circle", radius = 0.1 }
[[body]]
name = "box"
position = [0.5, 0.1]
shape = { kind = "box", size = [0.2, 0.2] }
)";

// A run as a journal, finished or not.
std::string recorded(const Folder& folder, bool finished) {
  const LoadedScene loaded = load_scene_text(kScene, "attack.toml", {}, {});
  const std::string path = folder.path("seed.h5");
  Simulation simulation(loaded.scene);
  RecordingWriter recorder(path, recording_info(simulation, loaded, "attack.toml", {}));
  run_simulation(simulation, loaded.scene.duration, loaded.scene.record, &recorder, {});
  if (finished)
    recorder.finish(true);
  else
    recorder.flush();
  return read_bytes(path);
}

struct Record {
  std::uint64_t tag = 0;
  std::string payload;
};

std::vector<Record> records_of(const std::string& journal) {
  std::vector<Record> out;
  for (std::size_t at = kJournalLine.size(); at + kRecordHeaderBytes <= journal.size();) {
    Record r;
    std::uint64_t length = 0;
    std::memcpy(&r.tag, journal.data() + at, 8);
    std::memcpy(&length, journal.data() + at + 8, 8);
    r.payload = journal.substr(at + kRecordHeaderBytes, length);
    out.push_back(r);
    at += kRecordHeaderBytes + length + kRecordTrailerBytes;
  }
  return out;
}

std::string sealed(const Record& r) {
  const std::uint64_t length = r.payload.size();
  BlockChecksum checksum;
  checksum.word(r.tag), checksum.word(length);
  checksum.bytes(reinterpret_cast<const std::byte*>(r.payload.data()), r.payload.size());
  const std::uint64_t sum = checksum.value();
  std::string out(kRecordHeaderBytes, '\0');
  std::memcpy(out.data(), &r.tag, 8);
  std::memcpy(out.data() + 8, &length, 8);
  out += r.payload;
  out.append(reinterpret_cast<const char*>(&sum), 8);
  return out;
}

// Damage inside a record, and a right checksum over it. Snapshots are left alone: they are bits of this very build, and
// the checksum is what guards them.
std::string resealed(Mutator& m, const std::string& journal) {
  std::vector<Record> records = records_of(journal);
  for (std::uint64_t n = 1 + m.below(2); n > 0; --n) {
    const std::size_t i = m.below(records.size());
    if (records[i].tag == kTagInfo)
      records[i].payload = m.damage(records[i].payload);
    else if (records[i].tag != kTagSnapshot)
      records[i].payload = m.damage_bytes(records[i].payload);
    if (m.chance(8)) std::swap(records[i], records[m.below(records.size())]);
    if (m.chance(8)) records.push_back(records[m.below(records.size())]);
  }
  std::string out(kJournalLine);
  for (const Record& r : records) out += sealed(r);
  return out;
}

void read_all(const std::string& path) {
  const Recording recording = Recording::open(path);
  for (std::size_t i = 0; i < recording.frame_count(); ++i) recording.read_frame(i);
  for (const ReportField& field : report_fields()) recording.series(field.name);
  recording.last_snapshot();
  count_not_converged(recording);
  if (has_measures(recording)) survives([&] { verify_recording(recording); });
  survives([&] {
    const ReplayWorld world = replay_world(recording);
    replay_text(replay_manifest(recording, world));
    series_bytes(recording, world);
  });
}

TEST(Attack, Journals) {
  const Folder folder;
  const std::string seed = recorded(folder, false);
  ASSERT_GT(records_of(seed).size(), 5u);
  run_cases("journals", {}, [&](Mutator& m) {
    const std::string path = folder.write("run.h5", m.chance(4) ? m.damage_bytes(seed) : resealed(m, seed));
    survives([&] { read_all(path); }, {"run.h5"});
  });
}

TEST(Attack, RecordingsAsHdf5) {
  const Folder folder;
  const std::string seed = recorded(folder, true);
  const std::string bare = seed.substr(0, seed.size() - kChecksumTrailerBytes);
  run_cases("recordings as HDF5", {}, [&](Mutator& m) {
    const std::string path = folder.write("run.h5", m.damage_bytes(m.chance(4) ? seed : bare));
    survives([&] { read_all(path); }, {"run.h5"});
  });
}

}  // namespace
}  // namespace touchstone::attack
