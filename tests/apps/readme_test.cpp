// What README.md tells a newcomer to type works as it stands there.
#include <gtest/gtest.h>

#include <sstream>

#include "apps/program.h"
#include "io/replay/html.h"

namespace touchstone::testing {
namespace {

std::string readme() {
  std::stringstream text;
  text << std::ifstream(TOUCHSTONE_SOURCE_DIR "/README.md").rdbuf();
  return text.str();
}

// The first block of that language at or after a heading.
std::string block(const std::string& text, const std::string& heading, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = text.find(fence, text.find(heading)) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

// The words of a line after ./touchstone, without its comment.
std::vector<std::string> words(const std::string& line) {
  std::stringstream in(line.substr(0, line.find('#')));
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  if (!out.empty()) out.erase(out.begin());
  return out;
}

bool needs_page(const std::string& line) { return line.find("html") != std::string::npos; }

TEST(Readme, CommandsOfTheFirstSceneWork) {
  const std::string text = readme();
  const Folder folder;
  folder.write("bouncing.toml", block(text, "## A first scene", "toml"));
  std::stringstream lines(block(text, "## A first scene", "sh"));
  int tried = 0;
  for (std::string line; std::getline(lines, line);) {
    ASSERT_EQ(line.rfind("./touchstone ", 0), 0u) << line;
    const std::vector<std::string> arguments = words(line);
    if (arguments[0] == "view") continue;  // until it is stopped: view_test.cpp
    if (needs_page(line) && viewer_page().empty()) continue;
    const Result r = run_program(arguments, folder.path("."));
    EXPECT_EQ(r.code, arguments[0] == "diff" ? 1 : 0) << line << "\n" << r.out << r.err;
    if (arguments[0] == "problem") {
      EXPECT_NE(r.out.find(": impact, solve "), std::string::npos) << r.out;
    }
    ++tried;
  }
  EXPECT_GE(tried, 7);
}

// The line of `run --help`, with a scene that comes with the program.
TEST(Readme, TheExampleOfRunWorks) {
  const Folder folder;
  const std::string help = run_program({"run", "--help"}, folder.path(".")).out;
  const std::string mark = "Example: ";
  const std::size_t begin = help.find(mark);
  ASSERT_NE(begin, std::string::npos);
  std::vector<std::string> arguments = words(help.substr(begin + mark.size()));
  ASSERT_GE(arguments.size(), 2u);
  arguments[1] = TOUCHSTONE_SOURCE_DIR "/" + arguments[1];
  const Result r = run_program(arguments, folder.path("."));
  EXPECT_EQ(r.code, 0) << r.err;
}

}  // namespace
}  // namespace touchstone::testing
