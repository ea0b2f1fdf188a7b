#include <hdf5.h>

#include "recording_fixture.h"

namespace touchstone {
namespace {

class DamageTest : public RecordingTest {
 protected:
  std::string journal_of(const MadeRun& run) {
    {
      RecordingWriter recorder(file("whole.h5"), made_info(run));
      for (std::uint64_t step = 0; step < run.steps; ++step) {
        record_step(recorder, run, step);
        recorder.flush();
      }
    }
    return slurp(file("whole.h5"));
  }
  std::string hdf5_of(const MadeRun& run) {
    RecordingWriter recorder(file("whole.h5"), made_info(run));
    record_steps(recorder, run);
    recorder.finish(true);
    return slurp(file("whole.h5"));
  }
  // Opens and reads everything. True: it opened; false: a clean Error that names the file.
  template <class Check>
  bool opens(const std::string& bytes, const Check& check) {
    spit(file("damaged.h5"), bytes);
    try {
      const Recording r = Recording::open(file("damaged.h5"));
      check(r);
      return true;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("damaged.h5: "), std::string::npos) << e.what();
      return false;
    }
  }
  std::string message_of(ErrorKind kind, const std::string& bytes) {
    spit(file("x.h5"), bytes);
    return error_of(kind, [&] { Recording::open(file("x.h5")); });
  }
};

TEST_F(DamageTest, JournalCutAnywhereGivesItsBeginning) {
  const MadeRun run{.dimension = 2, .steps = 6};
  const std::string whole = journal_of(run);
  std::size_t steps = 0, frames = 0, unopened = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const bool opened = opens(whole.substr(0, size), [&](const Recording& r) {
      ASSERT_TRUE(is_prefix(r, run)) << "cut at " << size;
      ASSERT_GE(r.steps().size(), steps) << "a longer file gave fewer steps";
      ASSERT_GE(r.frame_count(), frames);
      ASSERT_LT(r.truncated_bytes(), size);
      steps = r.steps().size(), frames = r.frame_count();
    });
    if (opened) continue;
    ASSERT_EQ(unopened++, size) << "opened, and then not with more bytes";
  }
  EXPECT_EQ(steps, run.steps);
  EXPECT_EQ(frames, run.steps);
  EXPECT_LT(unopened, whole.size() / 2) << "most of the file should be steps, not the description";
}

TEST_F(DamageTest, JournalWithAFlippedByteNeverLies) {
  const MadeRun run{.dimension = 2, .steps = 6};
  const std::string whole = journal_of(run);
  std::size_t shorter = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (at % 9 == 8 ? 0xff : 1 << at % 9));
    opens(bytes, [&](const Recording& r) {
      ASSERT_TRUE(is_prefix(r, run)) << "flipped at " << at;
      ASSERT_EQ(r.info().scene_text, made_info(run).scene_text);
      ASSERT_GT(r.truncated_bytes(), 0u) << "flipped at " << at << " and nobody noticed";
      ++shorter;
    });
  }
  EXPECT_GT(shorter, whole.size() / 2) << "most of the file should be steps, not the description";
}

TEST_F(DamageTest, Hdf5WithAFlippedByteIsRefusedOrRight) {
  const MadeRun run{.dimension = 2, .steps = 40};
  const std::string whole = hdf5_of(run);
  const std::size_t stride = whole.size() / 3000 + 1;
  std::size_t refused = 0, tried = 0;
  const auto flip = [&](std::size_t at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    ++tried;
    if (!opens(bytes, [&](const Recording& r) { ASSERT_TRUE(is_prefix(r, run)) << "flipped at " << at; })) ++refused;
  };
  for (std::size_t at = 0; at < whole.size() - 60; at += stride) flip(at);
  for (std::size_t at = whole.size() - 60; at < whole.size(); ++at) flip(at);
  EXPECT_GE(refused + 24, tried) << "only the 24 letters of the trailer may be flipped unnoticed";
}

TEST_F(DamageTest, Hdf5CutShortIsRefused) {
  const std::string whole = hdf5_of({.dimension = 2});
  for (std::size_t size = 0; size + 40 < whole.size(); size += 97)
    EXPECT_FALSE(opens(whole.substr(0, size), [](const Recording&) {})) << size;
}

TEST_F(DamageTest, Hdf5WithoutItsChecksumStillOpens) {
  const MadeRun run;
  const std::string whole = hdf5_of(run);
  EXPECT_TRUE(opens(whole.substr(0, whole.size() - 40), [&](const Recording& r) { expect_whole(r, run); }));
}

TEST_F(DamageTest, WhatIsNoRecordingIsNamed) {
  EXPECT_NE(error_of(ErrorKind::kIo, [&] { Recording::open(file("none.h5")); }).find("none.h5: "), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::kIo, [&] { Recording::open(folder_.string()); }).find("folder"), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::kIo, [&] { Recording::open("/dev/null"); }).find("regular"), std::string::npos);
  EXPECT_NE(message_of(ErrorKind::kBadInput, "").find("is empty"), std::string::npos);
  EXPECT_NE(message_of(ErrorKind::kBadInput, "name = 1\n").find("is not a touchstone recording"), std::string::npos);
  EXPECT_NE(message_of(ErrorKind::kBadInput, "TOUCH").find("cut short"), std::string::npos);
  const std::string journal = journal_of({});
  std::string newer = journal;
  newer[std::string("TOUCHSTONE JOURNAL ").size()] = '9';
  EXPECT_NE(message_of(ErrorKind::kUnsupported, newer).find("newer"), std::string::npos);
  std::string broken = journal;
  broken[broken.find("program_version")] ^= 1;
  EXPECT_NE(message_of(ErrorKind::kBadInput, broken).find("description"), std::string::npos);
}

// An HDF5 file with attributes of our choice.
void make_hdf5(const std::string& path, const char* format, std::uint64_t version) {
  const hid_t h5 = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t scalar = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  for (const char* name : {"format", "program_version"}) {
    if (!format) continue;
    const hid_t a = H5Acreate2(h5, name, text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, text, &format);
    H5Aclose(a);
  }
  const hid_t a = H5Acreate2(h5, "format_version", H5T_NATIVE_UINT64, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_UINT64, &version);
  H5Aclose(a), H5Tclose(text), H5Sclose(scalar), H5Fclose(h5);
}

TEST_F(DamageTest, Hdf5OfOthersIsNamed) {
  const auto open = [&] { Recording::open(file("o.h5")); };
  make_hdf5(file("o.h5"), nullptr, 1);
  EXPECT_NE(error_of(ErrorKind::kBadInput, open).find("another program"), std::string::npos);
  make_hdf5(file("o.h5"), "somebody's", 1);
  EXPECT_NE(error_of(ErrorKind::kBadInput, open).find("another program"), std::string::npos);
  make_hdf5(file("o.h5"), "touchstone-recording", 2);
  EXPECT_NE(error_of(ErrorKind::kUnsupported, open).find("format 2"), std::string::npos);
  make_hdf5(file("o.h5"), "touchstone-recording", 1);
  EXPECT_NE(error_of(ErrorKind::kBadInput, open).find("damaged"), std::string::npos);
}

// A table that claims to be huge must be refused before memory is asked for.
TEST_F(DamageTest, Hdf5WithAHugeTableIsRefused) {
  hdf5_of({.dimension = 2});
  const hid_t h5 = H5Fopen(file("whole.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(h5, 0);
  const hsize_t rows = hsize_t{1} << 50, chunk = 1024;
  const hid_t space = H5Screate_simple(1, &rows, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  for (const char* name : {"steps/step", "steps/time", "steps/hash"}) {
    H5Ldelete(h5, name, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(h5, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  }
  H5Pclose(creation), H5Sclose(space), H5Fclose(h5);
  const std::string message = error_of(ErrorKind::kBadInput, [&] { Recording::open(file("whole.h5")); });
  EXPECT_NE(message.find("impossible size"), std::string::npos) << message;
}

TEST_F(DamageTest, RecoveringADamagedJournalKeepsItAside) {
  const MadeRun run{.steps = 6};
  std::string bytes = journal_of(run);
  // Within what the fifth frame holds, not in its size: a size beyond the end is taken for a write that was cut off.
  bytes[bytes.rfind("TS-FRAME", bytes.rfind("TS-FRAME") - 1) + 64] ^= 1;
  spit(file("whole.h5"), bytes);
  convert_journal(file("whole.h5"));
  const Recording r = Recording::open(file("whole.h5"));
  EXPECT_FALSE(r.journal());
  EXPECT_TRUE(is_prefix(r, run));
  EXPECT_LT(r.steps().size(), run.steps);
  EXPECT_EQ(slurp(file("whole.h5.damaged")), bytes);
}

}  // namespace
}  // namespace touchstone
