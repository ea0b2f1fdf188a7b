#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>

#include "recording_fixture.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
}

// What the child has done, in memory that outlives it: when it recorded which step.
struct Diary {
  static constexpr std::uint64_t kMost = 20000;
  std::atomic<std::uint64_t> steps;
  std::int64_t when[kMost];
};

class KillTest : public RecordingTest {
 protected:
  KillTest() {
    void* memory = ::mmap(nullptr, sizeof(Diary), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    diary_ = memory == MAP_FAILED ? nullptr : new (memory) Diary{};
  }
  ~KillTest() override { ::munmap(diary_, sizeof(Diary)); }

  [[noreturn]] void record_until_killed(const std::string& path, const MadeRun& run) {
    RecordingWriter recorder(path, made_info(run));
    for (std::uint64_t step = 0; step < run.steps; ++step) {
      record_step(recorder, run, step);
      diary_->when[step] = now_ms();
      diary_->steps = step + 1;
      ::usleep(1000);
    }
    ::pause();
    ::_exit(0);
  }

  Diary* diary_ = nullptr;
};

TEST_F(KillTest, NothingOlderThanHalfASecondIsLost) {
  ASSERT_NE(diary_, nullptr);
  const MadeRun run{.dimension = 2, .steps = Diary::kMost, .every = 2};
  std::mt19937_64 random(20240607);
  std::size_t kept = 0;
  for (int kill_number = 0; kill_number < 20; ++kill_number) {
    const std::string path = file("k" + std::to_string(kill_number) + ".h5");
    diary_->steps = 0;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) record_until_killed(path, run);
    while (diary_->steps == 0) ::usleep(500);
    ::usleep(static_cast<useconds_t>(random() % 1'100'000));
    ::kill(child, SIGKILL);
    const std::int64_t killed = now_ms();
    ::waitpid(child, nullptr, 0);
    std::uint64_t old = 0;
    while (old < diary_->steps && diary_->when[old] <= killed - 500) ++old;

    const Recording r = Recording::open(path);
    EXPECT_GE(r.steps().size(), old);
    EXPECT_GE(r.frame_count(), old / 2);
    EXPECT_TRUE(is_prefix(r, run));
    kept += r.steps().size();
    convert_journal(path);
    EXPECT_TRUE(is_prefix(Recording::open(path), run));
  }
  EXPECT_GT(kept, 1000u) << "the children recorded too little for this test to mean anything";
}

// Runs `act` in a child that may not make files larger than `bytes`; true if it returned true there.
template <class Act>
bool with_file_limit(rlim_t bytes, const Act& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    bool good = false;
    try {
      good = act();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "in the child: %s\n", e.what());
    }
    ::exit(good ? 0 : 1);  // through the library's own clean-up, which must survive too
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool says(const Error& e, std::initializer_list<const char*> words) {
  bool all = e.kind() == ErrorKind::kIo;
  for (const char* word : words) all = all && std::string(e.what()).find(word) != std::string::npos;
  if (!all) std::fprintf(stderr, "message: %s\n", e.what());
  return all;
}

using FullDiskTest = RecordingTest;

TEST_F(FullDiskTest, KeepsEverythingRecordedBeforeAndSaysSo) {
  const MadeRun run{.steps = 1000, .growing = false, .bodies = 20};
  const std::string path = file("full.h5");
  EXPECT_TRUE(with_file_limit(1'000'000, [&] {
    RecordingWriter recorder(path, made_info(run));
    std::uint64_t handed_over = 0;
    int errors = 0;
    for (std::uint64_t step = 0; step < run.steps && errors == 0; ++step) try {
        record_step(recorder, run, step);
        recorder.flush();
        handed_over = step + 1;
      } catch (const Error& e) {
        errors += says(e, {"full.h5", "File too large", "free some space", "touchstone resume"});
      }
    if (errors != 1 || handed_over < 100) return false;
    // It goes on to say so, and never crashes.
    for (int i = 0; i < 3; ++i) try {
        if (i == 0) recorder.mark(made_mark(handed_over));
        if (i == 1) recorder.frame(made_frame(run, handed_over));
        if (i == 2) recorder.finish(false);
      } catch (const Error& e) {
        errors += says(e, {"full.h5"});
      }
    const Recording r = Recording::open(path);
    return errors == 4 && r.truncated_bytes() == 0 && r.frame_count() >= handed_over && is_prefix(r, run);
  }));
  const Recording r = Recording::open(path);
  EXPECT_GT(r.frame_count(), 100u);
  EXPECT_TRUE(is_prefix(r, run));
  EXPECT_EQ(files_left(), 1u);
}

TEST_F(FullDiskTest, GoesOnWhenThereIsRoomAgain) {
  const MadeRun run{.steps = 200, .growing = false, .bodies = 20};
  EXPECT_TRUE(with_file_limit(RLIM_INFINITY, [&] {
    RecordingWriter recorder(file("full.h5"), made_info(run));
    const auto limit = [](rlim_t bytes) {
      const rlimit l{bytes, RLIM_INFINITY};
      ::setrlimit(RLIMIT_FSIZE, &l);
    };
    bool failed = false;
    for (std::uint64_t step = 0; step < run.steps; ++step) {
      if (step == 100) {
        recorder.flush();
        limit(std::filesystem::file_size(file("full.h5")) + 1000);
      }
      record_step(recorder, run, step);
      if (step == 100) {
        try {
          recorder.flush();
        } catch (const Error&) {
          failed = true;
        }
        limit(RLIM_INFINITY);
      }
    }
    recorder.finish(true);
    return failed;
  }));
  expect_whole(Recording::open(file("full.h5")), run);
}

// The conversion has room for a part of the HDF5 file only, wherever that may end.
TEST_F(FullDiskTest, FailedConversionKeepsTheJournal) {
  const MadeRun run{.steps = 60, .growing = false, .bodies = 200};
  std::size_t failed = 0;
  for (const rlim_t limit : {0, 100, 3'000, 60'000, 200'000, 600'000}) {
    {
      RecordingWriter recorder(file("a.h5"), made_info(run));
      record_steps(recorder, run);
    }
    const std::string before = slurp(file("a.h5"));
    EXPECT_TRUE(with_file_limit(limit, [&] {
      try {
        convert_journal(file("a.h5"));
      } catch (const Error& e) {
        return says(e, {"a.h5", "File too large", "journal", "touchstone recover"});
      }
      return false;
    })) << limit;
    failed += slurp(file("a.h5")) == before;
    EXPECT_EQ(files_left(), 1u) << "the temporary file is still there";
  }
  EXPECT_EQ(failed, 6u);
  convert_journal(file("a.h5"));
  expect_whole(Recording::open(file("a.h5")), run);
}

TEST_F(FullDiskTest, FinishFailsAndCanBeTriedAgain) {
  const MadeRun run{.steps = 60, .growing = false, .bodies = 200};
  EXPECT_TRUE(with_file_limit(RLIM_INFINITY, [&] {
    RecordingWriter recorder(file("a.h5"), made_info(run));
    record_steps(recorder, run);
    // Something in the way of the temporary file, as a lack of rights would be (root has them all).
    std::filesystem::create_directories(file("a.h5.tmp/in the way"));
    bool failed = false;
    try {
      recorder.finish(true);
    } catch (const Error& e) {
      failed = says(e, {"a.h5", "journal", "touchstone recover"});
    }
    const Recording kept = Recording::open(file("a.h5"));
    if (!failed || !kept.journal() || !kept.complete() || kept.frame_count() != run.steps) return false;
    std::filesystem::remove_all(file("a.h5.tmp"));
    recorder.finish(true);
    return true;
  }));
  const Recording r = Recording::open(file("a.h5"));
  EXPECT_FALSE(r.journal());
  EXPECT_TRUE(r.complete());
  expect_whole(r, run);
}

TEST_F(FullDiskTest, PlacesThatCannotBeWrittenAreNamed) {
  const auto begin = [&](const std::string& path) {
    return error_of(ErrorKind::kIo, [&] { RecordingWriter(path, made_info({})); });
  };
  EXPECT_NE(begin("/dev/full").find("/dev/full"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "the device was replaced by a file";
  EXPECT_NE(begin(folder_.string()).find("folder"), std::string::npos);
  EXPECT_NE(begin(file("no/such/a.h5")).find("No such file"), std::string::npos);
  EXPECT_NE(begin(file(std::string(300, 'x'))).find("too long"), std::string::npos);
  spit(file("old.h5"), "precious");
  EXPECT_TRUE(with_file_limit(10, [&] {
    try {
      RecordingWriter recorder(file("old.h5"), made_info({}));
    } catch (const Error& e) {
      return says(e, {"old.h5", "File too large"});
    }
    return false;
  }));
  EXPECT_EQ(slurp(file("old.h5")), "precious");
  EXPECT_EQ(files_left(), 1u);
}

}  // namespace
}  // namespace touchstone
