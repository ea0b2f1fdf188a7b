// Files from before contacts had their natural map, from before frames had joints, and from before joints told that
// they are broken.
#include <gtest/gtest.h>

#include "recording/info_json.h"
#include "recording/journal_format.h"
#include "recording_fixture.h"

namespace touchstone {
namespace {

class OlderFiles : public RecordingTest {
 protected:
  static void put_record(std::string& out, std::uint64_t tag, const std::vector<std::byte>& payload) {
    BlockChecksum checksum;
    checksum.word(tag);
    checksum.word(payload.size());
    checksum.bytes(payload.data(), payload.size());
    const std::uint64_t length = payload.size(), sum = checksum.value();
    out.append(reinterpret_cast<const char*>(&tag), 8).append(reinterpret_cast<const char*>(&length), 8);
    out.append(reinterpret_cast<const char*>(payload.data()), payload.size());
    out.append(reinterpret_cast<const char*>(&sum), 8);
  }
  // A journal of format 1, as versions before wrote it.
  static std::string format_1(const MadeRun& run) {
    std::string out(kJournalLine1);
    const RecordingInfo info = made_info(run);
    const std::string json = info_to_json(info, current_report_columns());
    std::vector<std::byte> payload;
    append_bytes(payload, json.data(), json.size());
    put_record(out, kTagInfo, payload);
    FrameShape shape = frame_shape(info, report_fields().size());
    shape.natural_maps = shape.joints = shape.joint_states = false;
    for (std::uint64_t step = 0; step < run.steps; ++step) {
      const StepMark mark = made_mark(step);
      payload.clear();
      append_bytes(payload, &mark, sizeof mark);
      put_record(out, kTagMarks, payload);
      payload.clear();
      encode_frame(made_frame(run, step), shape, payload);
      put_record(out, kTagFrame, payload);
    }
    return out;
  }
  static void expect_old(const Recording& r, const MadeRun& run) {
    EXPECT_FALSE(r.info().natural_maps);
    ASSERT_EQ(r.frame_count(), run.steps);
    std::size_t contacts = 0;
    for (std::uint64_t step = 0; step < run.steps; ++step) {
      Frame frame = r.read_frame(step), wanted = made_frame(run, step);
      for (FrameContact& c : frame.contacts) EXPECT_TRUE(std::isnan(c.natural_map));
      for (std::vector<FrameContact>* list : {&frame.contacts, &wanted.contacts})
        for (FrameContact& c : *list) c.natural_map = 0;
      EXPECT_TRUE(frame.joints.empty());
      wanted.joints.clear();
      contacts += frame.contacts.size();
      EXPECT_TRUE(same_frame(frame, wanted)) << step;
    }
    EXPECT_GT(contacts, 5u);
  }
};

TEST_F(OlderFiles, AJournalOfFormat1IsReadAndConverted) {
  const MadeRun run;
  spit(file("old.h5"), format_1(run));
  expect_old(Recording::open(file("old.h5")), run);
  convert_journal(file("old.h5"));
  const Recording r = Recording::open(file("old.h5"));
  EXPECT_FALSE(r.journal());
  expect_old(r, run);
}

TEST_F(OlderFiles, AJournalOfFormat1IsAppendedToInItsOwnFormat) {
  const MadeRun run, longer{.steps = run.steps + 2};
  spit(file("old.h5"), format_1(run));
  {
    RecordingWriter recorder = RecordingWriter::append_to(file("old.h5"));
    for (std::uint64_t step = run.steps; step < longer.steps; ++step) {
      recorder.mark(made_mark(step));
      recorder.frame(made_frame(longer, step));
    }
  }
  const Recording r = Recording::open(file("old.h5"));
  EXPECT_EQ(r.truncated_bytes(), 0u);
  expect_old(r, longer);
}

// Format 2: as 3, without joints.
TEST_F(OlderFiles, AJournalOfFormat2IsReadConvertedAndAppendedTo) {
  const MadeRun run{.joints = 0}, longer{.steps = run.steps + 2, .joints = 0};
  std::string text(kJournalLine2);
  RecordingInfo info = made_info(run);
  info.joints = info.joint_states = false;
  const std::string json = info_to_json(info, current_report_columns());
  std::vector<std::byte> payload;
  append_bytes(payload, json.data(), json.size());
  put_record(text, kTagInfo, payload);
  const FrameShape shape = frame_shape(info, report_fields().size());
  for (std::uint64_t step = 0; step < run.steps; ++step) {
    const StepMark mark = made_mark(step);
    payload.clear();
    append_bytes(payload, &mark, sizeof mark);
    put_record(text, kTagMarks, payload);
    payload.clear();
    encode_frame(made_frame(run, step), shape, payload);
    put_record(text, kTagFrame, payload);
  }
  spit(file("old.h5"), text);
  EXPECT_TRUE(is_prefix(Recording::open(file("old.h5")), run));
  {
    RecordingWriter recorder = RecordingWriter::append_to(file("old.h5"));
    for (std::uint64_t step = run.steps; step < longer.steps; ++step) {
      recorder.mark(made_mark(step));
      Frame frame = made_frame(longer, step);
      frame.joints.resize(2);  // which the old format has no place for
      recorder.frame(frame);
    }
  }
  EXPECT_TRUE(is_prefix(Recording::open(file("old.h5")), longer));
  convert_journal(file("old.h5"));
  const Recording r = Recording::open(file("old.h5"));
  EXPECT_FALSE(r.info().joints);
  EXPECT_TRUE(r.info().natural_maps);
  EXPECT_TRUE(is_prefix(r, longer));
}

// Format 3: as 4, but joints end with their impulses.
TEST_F(OlderFiles, AJournalOfFormat3IsReadAndConverted) {
  const MadeRun run;
  std::string text(kJournalLine3);
  RecordingInfo info = made_info(run);
  info.joint_states = false;
  const std::string json = info_to_json(info, current_report_columns());
  std::vector<std::byte> payload;
  append_bytes(payload, json.data(), json.size());
  put_record(text, kTagInfo, payload);
  const FrameShape shape = frame_shape(info, report_fields().size());
  for (std::uint64_t step = 0; step < run.steps; ++step) {
    payload.clear();
    encode_frame(made_frame(run, step), shape, payload);
    put_record(text, kTagFrame, payload);
  }
  spit(file("old.h5"), text);
  for (const bool converted : {false, true}) {
    if (converted) convert_journal(file("old.h5"));
    const Recording r = Recording::open(file("old.h5"));
    EXPECT_EQ(r.journal(), !converted);
    EXPECT_TRUE(r.info().joints);
    EXPECT_FALSE(r.info().joint_states);
    ASSERT_EQ(r.frame_count(), run.steps);
    for (std::uint64_t step = 0; step < run.steps; ++step) {
      const Frame frame = r.read_frame(step), wanted = made_frame(run, step);
      ASSERT_EQ(frame.joints.size(), wanted.joints.size());
      for (std::size_t i = 0; i < frame.joints.size(); ++i) {
        EXPECT_EQ(std::memcmp(&frame.joints[i], &wanted.joints[i], offsetof(FrameJoint, point_a)), 0);
        EXPECT_EQ(frame.joints[i].serial, i);
        EXPECT_EQ(frame.joints[i].broken, 0u);
      }
    }
  }
}

// The model's own account of its penetration was called max_penetration.
TEST_F(OlderFiles, AColumnIsFoundUnderItsFormerName) {
  const MadeRun run;
  const std::size_t place = static_cast<std::size_t>(find_report_field("model_penetration") - report_fields().data());
  std::string text(kJournalLine);
  const RecordingInfo info = made_info(run);
  std::vector<ReportColumn> columns = current_report_columns();
  columns[place].name = "max_penetration";
  const std::string json = info_to_json(info, columns);
  std::vector<std::byte> payload;
  append_bytes(payload, json.data(), json.size());
  put_record(text, kTagInfo, payload);
  payload.clear();
  const Frame frame = made_frame(run, 3);
  encode_frame(frame, frame_shape(info, columns.size()), payload);
  put_record(text, kTagFrame, payload);
  spit(file("old.h5"), text);
  for (const bool converted : {false, true}) {
    if (converted) convert_journal(file("old.h5"));
    const Recording r = Recording::open(file("old.h5"));
    EXPECT_EQ(r.series("model_penetration"), (std::vector<double>{frame.report[place]})) << converted;
    EXPECT_EQ(r.read_frame(0).report[place], frame.report[place]) << converted;
  }
}

TEST_F(OlderFiles, ANewerFormatIsRefusedByName) {
  std::string text = format_1({});
  text[kJournalPrefix.size()] = '5';
  spit(file("new.h5"), text);
  EXPECT_NE(error_of(ErrorKind::kUnsupported, [&] { Recording::open(file("new.h5")); }).find("format 5"),
            std::string::npos);
}

}  // namespace
}  // namespace touchstone
