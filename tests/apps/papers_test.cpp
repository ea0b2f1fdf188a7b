// `touchstone papers`, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

class Papers : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  static void expect_has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
  }
  Folder folder_;
};

TEST_F(Papers, AloneTheWordListsThem) {
  const Result r = run({"papers"});
  EXPECT_EQ(r.code, 0);
  expect_has(r.out, "bender2006");
  expect_has(r.out, "tippe_top");
  const Json j = Json::parse(run({"papers", "--json"}).out);
  EXPECT_EQ(j[0]["name"], "bender2006");
  EXPECT_EQ(j[0]["experiments"].size(), 5u);
}

TEST_F(Papers, AnUnknownNameIsAMistake) {
  const Result paper = run({"papers", "bender2005"});
  EXPECT_EQ(paper.code, 2);
  expect_has(paper.err, "did you mean 'bender2006'");
  const Result experiment = run({"papers", "bender2006", "--only", "funel"});
  EXPECT_EQ(experiment.code, 2);
  expect_has(experiment.err, "did you mean 'funnel'");
  EXPECT_EQ(run({"papers", "bender2006", "--figures", "nowhere"}).code, 2);
}

TEST_F(Papers, QuickRowsHoldAndFiguresAreDrawn) {
  const Result r = run({"papers", "bender2006", "--quick", "--only", "inclines", "--only", "office_toy", "--only",
                        "tippe_top", "--figures", ".", "--json"});
  EXPECT_EQ(r.code, 0) << r.err << r.out;
  const Json j = Json::parse(r.out);
  EXPECT_TRUE(j["passed"]);
  EXPECT_TRUE(j["quick"]);
  EXPECT_GE(j["rows"].size(), 15u);
  for (const Json& row : j["rows"]) EXPECT_NE(row["verdict"], "fail") << row.dump(2);
  ASSERT_EQ(j["figures"].size(), 4u);
  EXPECT_GT(std::filesystem::file_size(folder_.path("inclines.png")), 1000u);
}

// The same rows with a block that is rougher than it should be.
TEST_F(Papers, AVerdictThatFailsIsTheExitCode) {
  std::filesystem::create_directories(folder_.path("scenes"));
  std::filesystem::copy(TOUCHSTONE_SOURCE_DIR "/scenes/papers", folder_.path("scenes/papers"),
                        std::filesystem::copy_options::recursive);
  const std::vector<std::string> arguments{"papers",   "bender2006", "--quick", "--only",
                                           "inclines", "--scenes",   "scenes"};
  const Result right = run(arguments);
  EXPECT_EQ(right.code, 0) << right.out;
  expect_has(right.out, "10 of 10 judged rows hold (quick)");
  const std::string path = "scenes/papers/bender2006/incline_10_2d.toml";
  std::ifstream file(folder_.path(path));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string friction = "friction = 0.3";
  ASSERT_NE(text.find(friction), std::string::npos);
  folder_.write(path, text.replace(text.find(friction), friction.size(), "friction = 0.33"));
  const Result wrong = run(arguments);
  EXPECT_EQ(wrong.code, 1);
  expect_has(wrong.out, "FAIL");
  expect_has(wrong.out, "9 of 10 judged rows hold (quick)");
}

}  // namespace
}  // namespace touchstone::testing
