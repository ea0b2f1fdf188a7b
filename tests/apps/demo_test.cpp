// `touchstone demo`: what a newcomer sees, and what it suggests to type next.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

class Demo : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  Folder folder_;
};

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST_F(Demo, DemoShowsWhatItDid) {
  const Result r = run({"demo", "--no-browser"});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part : {"simulated", "wall time", "contacts", "yardstick", "demo.h5", "demo.png", "report"})
    expect_has(r.out, part);
  // It ends with the laws that each model kept and broke.
  for (const char* part : {"under every contact model", "impulse kept the laws", "ncp kept the laws",
                           "penalty broke the laws", "sink into"})
    expect_has(r.out, part);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("demo.png")));
  EXPECT_EQ(r.err, "");  // no progress bar where there is no terminal
}

// Its last lines are for somebody who has never seen the program: they work as they stand there.
TEST_F(Demo, WhatDemoSuggestsCanBePasted) {
  const Result r = run({"demo", "--no-browser"});
  ASSERT_EQ(r.code, 0) << r.err;
  std::stringstream lines(r.out.substr(r.out.find("\nWatch the same scene")));
  int pasted = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("  ") != 0 || line.find(" view ") != std::string::npos) continue;  // view runs until it is stopped
    EXPECT_EQ(std::system(("cd '" + folder_.path(".") + "' && (" + line + ") >pasted.txt 2>&1").c_str()), 0) << line;
    ++pasted;
  }
  EXPECT_EQ(pasted, 5);
  // In the project's folder, git does not see what it leaves behind.
  std::stringstream ignored;
  ignored << std::ifstream(TOUCHSTONE_SOURCE_DIR "/.gitignore").rdbuf();
  for (const char* pattern : {"*.h5\n", "/demo.*\n", "/report.html\n"}) expect_has(ignored.str(), pattern);
}

}  // namespace
}  // namespace touchstone::testing
