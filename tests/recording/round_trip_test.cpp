#include <hdf5.h>

#include <thread>

#include "recording_fixture.h"

namespace touchstone {
namespace {

void expect_same_info(const RecordingInfo& a, const RecordingInfo& b) {
  EXPECT_EQ(a.program_version, b.program_version);
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.scene_name, b.scene_name);
  EXPECT_EQ(a.scene_text, b.scene_text);
  EXPECT_EQ(a.scene_path, b.scene_path);
  EXPECT_EQ(a.scene_files, b.scene_files);
  EXPECT_EQ(a.overrides, b.overrides);
  EXPECT_EQ(a.dimension, b.dimension);
  EXPECT_EQ(a.step_size, b.step_size);
  EXPECT_EQ(a.duration, b.duration);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.record.every, b.record.every);
  EXPECT_EQ(a.record.poses, b.record.poses);
  EXPECT_EQ(a.record.velocities, b.record.velocities);
  EXPECT_EQ(a.record.contacts, b.record.contacts);
  EXPECT_EQ(a.body_names, b.body_names);
}

void expect_series(const Recording& r, const MadeRun& run) {
  const auto fields = report_fields();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    std::vector<double> expected;
    for (std::uint64_t step = 0; step < run.steps; ++step)
      if (recorded(run, step)) expected.push_back(made_frame(run, step).report[f]);
    EXPECT_TRUE(same_bits(r.series(fields[f].name), expected)) << fields[f].name;
  }
}

struct Case {
  const char* name;
  MadeRun run;
};
class RoundTrip : public RecordingTest, public ::testing::WithParamInterface<Case> {};

TEST_P(RoundTrip, JournalAndHdf5GiveBackEveryBit) {
  const MadeRun& run = GetParam().run;
  const std::string path = file("a.h5");
  RecordingWriter recorder(path, made_info(run));
  record_steps(recorder, run);
  recorder.flush();
  for (const bool finished : {false, true}) {
    if (finished) recorder.finish(true);
    const Recording r = Recording::open(path);
    EXPECT_EQ(r.journal(), !finished);
    EXPECT_EQ(r.complete(), finished);
    EXPECT_EQ(r.truncated_bytes(), 0u);
    EXPECT_EQ(r.path(), path);
    expect_same_info(r.info(), made_info(run));
    expect_whole(r, run);
    expect_series(r, run);
    EXPECT_EQ(r.last_snapshot().has_value(), run.snapshots && run.steps > 3);
  }
  EXPECT_EQ(files_left(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, RoundTrip,
    ::testing::Values(Case{"In3D", {}}, Case{"In2D", {.dimension = 2}}, Case{"FixedBodies", {.growing = false}},
                      Case{"EveryThird", {.steps = 11, .every = 3}}, Case{"NoPoses", {.poses = false}},
                      Case{"NoVelocities", {.velocities = false}}, Case{"NoContacts", {.contacts = false}},
                      Case{"ReportOnly", {.poses = false, .velocities = false, .contacts = false}},
                      Case{"NoSnapshots", {.snapshots = false}}, Case{"NoBodies", {.growing = false, .bodies = 0}},
                      Case{"NothingAtAll", {.steps = 0}}, Case{"OneStep", {.steps = 1}},
                      // Several chunks in every table, several blocks of the checksum in a record.
                      Case{"Large", {.steps = 60, .growing = false, .bodies = 2500}},
                      Case{"Large2D", {.dimension = 2, .steps = 9001, .every = 100, .bodies = 40}}),
    [](const auto& test) { return test.param.name; });

class RecorderTest : public RecordingTest {};

TEST_F(RecorderTest, JournalSaysWhatItIsInItsFirstLine) {
  RecordingWriter recorder(file("a.h5"), made_info({}));
  std::ifstream in(file("a.h5"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line.rfind("TOUCHSTONE JOURNAL 4: ", 0), 0u) << line;
  EXPECT_NE(line.find("touchstone resume"), std::string::npos);
}

// Ordinary programs must open the file although our checksum follows the HDF5 data.
TEST_F(RecorderTest, Hdf5IsReadableWithoutTouchstone) {
  const MadeRun run{.growing = false};
  RecordingWriter recorder(file("a.h5"), made_info(run));
  record_steps(recorder, run);
  recorder.finish(true);
  const hid_t h5 = H5Fopen(file("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(h5, 0);
  const hid_t poses = H5Dopen2(h5, "poses", H5P_DEFAULT);
  const hid_t space = H5Dget_space(poses);
  hsize_t dims[3] = {};
  ASSERT_EQ(H5Sget_simple_extent_ndims(space), 3);
  H5Sget_simple_extent_dims(space, dims, nullptr);
  EXPECT_EQ(dims[0], run.steps);
  EXPECT_EQ(dims[1], run.bodies);
  EXPECT_EQ(dims[2], 7u);
  std::vector<double> all(dims[0] * dims[1] * dims[2]);
  EXPECT_GE(H5Dread(poses, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
  const Frame last = made_frame(run, run.steps - 1);
  EXPECT_EQ(std::memcmp(all.data() + all.size() - last.poses.size(), last.poses.data(), 8 * last.poses.size()), 0);
  for (const char* name : {"scene", "overrides", "steps/hash", "frames/contact_offset", "frames/alive", "bodies/name",
                           "velocities", "contacts/impulse", "report/kinetic_energy", "snapshot"})
    EXPECT_GT(H5Oexists_by_name(h5, name, H5P_DEFAULT), 0) << name;
  EXPECT_GT(H5Aexists_by_name(h5, "report/kinetic_energy", "unit", H5P_DEFAULT), 0);
  H5Sclose(space), H5Dclose(poses), H5Fclose(h5);
}

TEST_F(RecorderTest, KilledRunIsConvertedLaterAndIsNotComplete) {
  const MadeRun run;
  {
    RecordingWriter recorder(file("a.h5"), made_info(run));
    record_steps(recorder, run);
  }
  ASSERT_TRUE(Recording::open(file("a.h5")).journal());
  convert_journal(file("a.h5"));
  const Recording r = Recording::open(file("a.h5"));
  EXPECT_FALSE(r.journal());
  EXPECT_FALSE(r.complete());
  expect_whole(r, run);
  EXPECT_NE(error_of(ErrorKind::kBadInput, [&] { convert_journal(file("a.h5")); }).find("finished"), std::string::npos);
}

TEST_F(RecorderTest, RunThatWasInterruptedIsNotComplete) {
  RecordingWriter recorder(file("a.h5"), made_info({}));
  recorder.finish(false);
  EXPECT_FALSE(Recording::open(file("a.h5")).complete());
}

TEST_F(RecorderTest, JournalIsReadableWhileItIsWritten) {
  MadeRun run{.steps = 40};
  RecordingWriter recorder(file("a.h5"), made_info(run));
  for (std::uint64_t step = 0; step < run.steps; ++step) {
    record_step(recorder, run, step);
    recorder.flush();
    const Recording r = Recording::open(file("a.h5"));
    ASSERT_EQ(r.steps().size(), step + 1);
    ASSERT_TRUE(is_prefix(r, run));
  }
  const Recording before = Recording::open(file("a.h5"));
  recorder.finish(true);
  expect_whole(before, run);  // still the journal, which has lost its name only
}

// Nobody calls again, and yet nothing waits in memory for long.
TEST_F(RecorderTest, HandsOverByItself) {
  const MadeRun run{.steps = 1};
  RecordingWriter recorder(file("a.h5"), made_info(run));
  record_step(recorder, run, 0);
  for (int i = 0; i < 200 && Recording::open(file("a.h5")).steps().empty(); ++i) ::usleep(10'000);
  expect_whole(Recording::open(file("a.h5")), run);
}

TEST_F(RecorderTest, FlushWithSecondsWaits) {
  RecordingWriter recorder(file("a.h5"), made_info({}));
  const auto before = std::filesystem::file_size(file("a.h5"));
  recorder.mark(made_mark(0));
  recorder.flush(100.0);
  EXPECT_EQ(std::filesystem::file_size(file("a.h5")), before);
  recorder.flush();
  EXPECT_GT(std::filesystem::file_size(file("a.h5")), before);
}

TEST_F(RecorderTest, ReplacesAnOldFileButNotOneThatIsBeingWritten) {
  spit(file("a.h5"), "precious");
  RecordingWriter first(file("a.h5"), made_info({}));
  EXPECT_EQ(Recording::open(file("a.h5")).info().model, "penalty");
  const auto second = [&] { RecordingWriter(file("a.h5"), made_info({})); };
  EXPECT_NE(error_of(ErrorKind::kIo, second).find("running"), std::string::npos);
  error_of(ErrorKind::kIo, [&] { RecordingWriter::append_to(file("a.h5")); });
  error_of(ErrorKind::kIo, [&] { convert_journal(file("a.h5")); });
  first.finish(true);
  second();
  EXPECT_TRUE(Recording::open(file("a.h5")).journal());
}

TEST_F(RecorderTest, FollowsASymbolicLink) {
  std::filesystem::create_directory(folder_ / "real");
  spit(file("real/b.h5"), "old");
  std::filesystem::create_symlink("real/b.h5", folder_ / "a.h5");
  RecordingWriter recorder(file("a.h5"), made_info({}));
  recorder.finish(true);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "a.h5"));
  EXPECT_FALSE(Recording::open(file("real/b.h5")).journal());
}

TEST_F(RecorderTest, RefusesAFrameOfAnotherShape) {
  const MadeRun run{.growing = false};
  RecordingWriter recorder(file("a.h5"), made_info(run));
  record_step(recorder, run, 0);
  for (int what = 0; what < 5; ++what) {
    Frame bad = made_frame(run, 1);
    if (what == 0) bad.poses.pop_back();
    if (what == 1) bad.alive.pop_back();
    if (what == 2) bad.velocities.clear();
    if (what == 3) bad.report.pop_back();
    if (what == 4) bad.slots = std::uint64_t{1} << 60;
    error_of(ErrorKind::kBadInput, [&] { recorder.frame(bad); });
  }
  for (std::uint64_t step = 1; step < run.steps; ++step) record_step(recorder, run, step);
  recorder.finish(true);
  expect_whole(Recording::open(file("a.h5")), run);
}

TEST_F(RecorderTest, TwoRecordingsInTwoThreads) {
  const MadeRun run{.steps = 100};
  const auto work = [&](const std::string& path) {
    for (int i = 0; i < 5; ++i) {
      RecordingWriter recorder(path, made_info(run));
      record_steps(recorder, run);
      recorder.finish(true);
      expect_whole(Recording::open(path), run);
    }
  };
  std::thread other(work, file("a.h5"));
  work(file("b.h5"));
  other.join();
}

TEST_F(RecorderTest, UnknownSeriesAndFrameAreErrors) {
  RecordingWriter recorder(file("a.h5"), made_info({}));
  const Recording r = Recording::open(file("a.h5"));
  EXPECT_NE(error_of(ErrorKind::kBadInput, [&] { r.series("kinetic_enrgy"); }).find("kinetic_energy"),
            std::string::npos);
  error_of(ErrorKind::kBadInput, [&] { r.read_frame(0); });
}

}  // namespace
}  // namespace touchstone
