#include "recording_fixture.h"

namespace touchstone {
namespace {

class ResumeTest : public RecordingTest {
 protected:
  // Records the first `steps` of the run and stops in the way that is asked for.
  void record_part(const std::string& path, const MadeRun& run, std::uint64_t steps, bool finish) {
    RecordingWriter recorder(path, made_info(run));
    for (std::uint64_t step = 0; step < steps; ++step) record_step(recorder, run, step);
    if (finish) recorder.finish(false);
  }
};

TEST_F(ResumeTest, CopyEndsAtTheSnapshotAndTheRunGoesOn) {
  for (const bool from_hdf5 : {false, true})
    for (const std::int64_t every : {1, 3}) {
      const MadeRun run{.steps = 20, .every = every};
      record_part(file("a.h5"), run, 14, from_hdf5);
      EXPECT_EQ(copy_up_to_snapshot(file("a.h5"), file("b.h5")), 11u);
      {
        const Recording copy = Recording::open(file("b.h5"));
        EXPECT_TRUE(copy.journal());
        EXPECT_FALSE(copy.complete());
        EXPECT_EQ(copy.steps().size(), 12u);
        EXPECT_EQ(copy.frames().back().step, every == 1 ? 11u : 9u);
        EXPECT_TRUE(is_prefix(copy, run));
        ASSERT_TRUE(copy.last_snapshot());
        EXPECT_EQ(copy.last_snapshot()->bytes, made_snapshot(11));
      }
      RecordingWriter recorder = RecordingWriter::append_to(file("b.h5"));
      for (std::uint64_t step = 12; step < run.steps; ++step) record_step(recorder, run, step);
      recorder.finish(true);
      const Recording whole = Recording::open(file("b.h5"));
      EXPECT_TRUE(whole.complete());
      expect_whole(whole, run);
      EXPECT_EQ(whole.info().overrides, made_info(run).overrides);
    }
}

TEST_F(ResumeTest, CopyInPlaceDropsTheTornEnd) {
  const MadeRun run{.steps = 20};
  record_part(file("a.h5"), run, 14, false);
  spit(file("a.h5"), slurp(file("a.h5")) + "TS-FRAME torn");
  EXPECT_NE(error_of(ErrorKind::kBadInput, [&] { RecordingWriter::append_to(file("a.h5")); }).find("incomplete"),
            std::string::npos);
  EXPECT_EQ(copy_up_to_snapshot(file("a.h5"), file("a.h5")), 11u);
  EXPECT_EQ(files_left(), 1u);
  RecordingWriter recorder = RecordingWriter::append_to(file("a.h5"));
  for (std::uint64_t step = 12; step < run.steps; ++step) record_step(recorder, run, step);
  recorder.finish(true);
  expect_whole(Recording::open(file("a.h5")), run);
}

TEST_F(ResumeTest, FinishedRunCanBeMadeLonger) {
  MadeRun run{.steps = 12};
  {
    RecordingWriter recorder(file("a.h5"), made_info(run));
    record_steps(recorder, run);
    recorder.finish(true);
  }
  EXPECT_NE(error_of(ErrorKind::kBadInput, [&] { RecordingWriter::append_to(file("a.h5")); }).find("finished"),
            std::string::npos);
  EXPECT_EQ(copy_up_to_snapshot(file("a.h5"), file("a.h5")), 11u);
  run.steps = 25;
  RecordingWriter recorder = RecordingWriter::append_to(file("a.h5"));
  for (std::uint64_t step = 12; step < run.steps; ++step) record_step(recorder, run, step);
  recorder.flush();
  EXPECT_FALSE(Recording::open(file("a.h5")).complete());
  recorder.finish(true);
  expect_whole(Recording::open(file("a.h5")), run);
}

TEST_F(ResumeTest, WithoutASnapshotItSaysWhy) {
  const MadeRun run{.snapshots = false};
  for (const bool finish : {false, true}) {
    record_part(file("a.h5"), run, 5, finish);
    const std::string message =
        error_of(ErrorKind::kBadInput, [&] { copy_up_to_snapshot(file("a.h5"), file("b.h5")); });
    EXPECT_NE(message.find("cannot be resumed"), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(file("b.h5")));
  }
}

}  // namespace
}  // namespace touchstone
