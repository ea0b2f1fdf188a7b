#include "recording/overwrite_guard.h"

#include <hdf5.h>

#include "recording_fixture.h"

namespace touchstone {
namespace {

using OverwriteGuardTest = RecordingTest;

TEST_F(OverwriteGuardTest, RecordingsAreRefusedAlsoThroughLinks) {
  {
    RecordingWriter recorder(file("journal.h5"), made_info({}));
    record_steps(recorder, {});
    recorder.flush();
    const std::string message = error_of(ErrorKind::kIo, [&] { refuse_recording(file("journal.h5")); });
    EXPECT_NE(message.find("running simulation"), std::string::npos) << message;
  }
  {
    RecordingWriter recorder(file("done.h5"), made_info({}));
    record_steps(recorder, {});
    recorder.finish(true);
  }
  const std::string whole = slurp(file("done.h5"));
  spit(file("rewritten.h5"), whole.substr(0, whole.size() - 40));  // as another program leaves it, without the checksum
  spit(file("cut.h5"), whole.substr(0, whole.size() / 2));
  for (const char* name : {"journal.h5", "done.h5", "rewritten.h5", "cut.h5"}) {
    const std::string soft = file(std::string(name) + ".soft"), hard = file(std::string(name) + ".hard");
    std::filesystem::create_symlink(file(name), soft);
    std::filesystem::create_hard_link(file(name), hard);
    for (const std::string& path : {file(name), soft, hard}) {
      const std::string message = error_of(ErrorKind::kBadInput, [&] { refuse_recording(path); });
      EXPECT_EQ(message.find(path + ": this is a recording"), 0u) << message;
    }
  }
}

TEST_F(OverwriteGuardTest, OtherFilesAreLetThrough) {
  refuse_recording(file("none"));
  refuse_recording(folder_.string());
  refuse_recording("/dev/null");
  spit(file("text"), "TOUCHSTONE is a word");
  refuse_recording(file("text"));
  spit(file("empty"), "");
  refuse_recording(file("empty"));
  H5Fclose(H5Fcreate(file("other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  refuse_recording(file("other.h5"));
}

TEST_F(OverwriteGuardTest, LeftoversAreRemovedUnlessSomebodyWrites) {
  {
    RecordingWriter recorder(file("a.h5"), made_info({}));
    record_steps(recorder, {});
    recorder.flush();
    spit(file("a.h5.tmp"), "half of it");
    EXPECT_FALSE(remove_leftover(file("a.h5"))) << "somebody writes";
    EXPECT_TRUE(std::filesystem::exists(file("a.h5.tmp")));
  }
  EXPECT_TRUE(remove_leftover(file("a.h5")));
  EXPECT_FALSE(std::filesystem::exists(file("a.h5.tmp")));
  EXPECT_FALSE(remove_leftover(file("a.h5")));
  EXPECT_TRUE(is_prefix(Recording::open(file("a.h5")), {}));
}

}  // namespace
}  // namespace touchstone
