// `touchstone view`, as a user meets it. Without the page in the program only its absence can be tested.
#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "apps/program.h"
#include "io/replay/html.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kScene = R"(touchstone = 1
dimension = 2
[[body]]
name = "ball"
shape = { kind = "circle", radius = 0.1 }
)";

class View : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  static void expect_has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
  }
  // The address that a started program prints.
  Json printed() const {
    for (int i = 0; i < 400; ++i) {
      std::ifstream in(folder_.path("stdout.txt"));
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      if (text.find("\n}") != std::string::npos) return Json::parse(text);
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return {};
  }
  Folder folder_;
};

TEST_F(View, WithoutThePageItSaysSo) {
  if (!viewer_page().empty()) GTEST_SKIP() << "the page is there";
  const Result r = run({"view", folder_.write("a.toml", kScene)});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "nodejs");
}

TEST_F(View, WrongFilesAndArgumentsEndAtOnce) {
  if (viewer_page().empty()) GTEST_SKIP() << "the page is not there";
  EXPECT_EQ(run({"view"}).code, 2);
  EXPECT_NE(run({"view", "none.toml"}).code, 0);
  const Result missing = run({"view", "none.h5"});
  EXPECT_NE(missing.code, 0);
  expect_has(missing.err, "none.h5");
  const Result other = run({"view", folder_.write("x.h5", "nothing of the kind")});
  EXPECT_EQ(other.code, 2);
  expect_has(other.err, "x.h5");
  const std::string scene = folder_.write("a.toml", kScene);
  const std::vector<std::vector<std::string>> wrong{{"--address", "here"}, {"--port", "99999"}, {"--model", "none"}};
  for (const std::vector<std::string>& option : wrong) {
    const Result r = run({"view", scene, option[0], option[1]});
    EXPECT_EQ(r.code, 2);
    expect_has(r.err, option[1]);
  }
}

TEST_F(View, RunsUntilInterrupted) {
  if (viewer_page().empty()) GTEST_SKIP() << "the page is not there";
  const std::string scene = folder_.write("a.toml", kScene);
  const pid_t process = start_program({"view", scene, "--no-browser", "--json"}, folder_.path("."));
  const Json said = printed();
  ASSERT_TRUE(said.contains("url"));
  expect_has(said["url"], "http://127.0.0.1:");
  expect_has(said["url"], said["token"]);
  const Result second = run({"view", scene, "--no-browser", "--port", std::to_string(said["port"].get<int>())});
  EXPECT_EQ(second.code, 2);
  expect_has(second.err, "in use");
  expect_has(second.err, "--port");
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 0);
}

}  // namespace
}  // namespace touchstone::testing
