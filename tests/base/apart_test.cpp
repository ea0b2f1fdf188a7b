#include "base/apart.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>

#include "touchstone/error.h"

namespace touchstone {
namespace {

std::string error_of(const std::function<std::string()>& work, unsigned seconds = 10) {
  try {
    return "no error, but " + run_apart(work, seconds);
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(Apart, AnswersComeBackAndErrorsToo) {
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(run_apart([&] { return large; }, 10), large);
  EXPECT_EQ(run_apart([] { return std::string(); }, 10), "");
  EXPECT_EQ(error_of([]() -> std::string { throw Error(ErrorKind::kIo, "no such thing"); }), "no such thing");
}

TEST(Apart, ACrashIsSaid) {
  EXPECT_NE(error_of([]() -> std::string {
              std::raise(SIGABRT);
              return "";
            }).find("crashed"),
            std::string::npos);
}

TEST(Apart, ARehearsalTellsCrashesFromRefusals) {
  const Rehearsal good = rehearse([] {}, 10);
  EXPECT_EQ(good.crash, "");
  EXPECT_FALSE(good.refusal);
  const Rehearsal refused = rehearse([] { throw Error(ErrorKind::kUnsupported, "refused"); }, 10);
  EXPECT_EQ(refused.crash, "");
  ASSERT_TRUE(refused.refusal);
  EXPECT_EQ(refused.refusal->kind(), ErrorKind::kUnsupported);
  EXPECT_STREQ(refused.refusal->what(), "refused");
  EXPECT_NE(rehearse([] { std::raise(SIGSEGV); }, 10).crash.find("crashed"), std::string::npos);
  EXPECT_NE(rehearse(
                [] {
                  std::atomic<int> turns{0};
                  while (turns >= 0) turns = 1;
                },
                1)
                .crash.find("stopped after 1 s"),
            std::string::npos);
}

}  // namespace
}  // namespace touchstone
