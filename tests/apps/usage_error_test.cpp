// Wrong arguments are answered with a sentence that names the argument, the value and the remedy.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

class UsageError : public ::testing::Test {
 protected:
  void expect_said(const std::vector<std::string>& arguments, const std::string& sentence) {
    const Result r = run_program(arguments, folder_.path("."));
    EXPECT_EQ(r.code, 2) << r.out << r.err;
    EXPECT_EQ(r.err, "touchstone: " + sentence + "\n");
    EXPECT_EQ(r.out, "");
  }
  Folder folder_;
};

TEST_F(UsageError, ACommandIsMissingOrUnknown) {
  expect_said({}, "touchstone needs a command, such as `touchstone demo`; touchstone --help lists them");
  expect_said({"runn"}, "there is no command 'runn' (did you mean 'run'?); touchstone --help lists them");
  expect_said({"problem"},
              "touchstone problem needs a command, such as `touchstone problem solve`; touchstone problem --help lists "
              "them");
}

TEST_F(UsageError, AnArgumentIsMissing) {
  expect_said({"diff", "a.h5"}, "touchstone diff needs b (Second recording); the usage is: touchstone diff a b");
  expect_said({"problem", "write", "a.h5", "-o", "x"},
              "touchstone problem write needs --step (Number of the step, from 1); the usage is: touchstone problem write "
              "recording --step VALUE --output VALUE");
}

TEST_F(UsageError, AValueIsMissingOrWrong) {
  expect_said({"run", "a.toml", "--dt"},
              "--dt needs a value: Step size [s] instead of the scene's; see touchstone run --help");
  expect_said({"run", "a.toml", "--dt", "fast"}, "--dt: 'fast' is not a number; see touchstone run --help");
  expect_said({"run", "a.toml", "--seed", "1.5"}, "--seed: '1.5' is not a whole number; see touchstone run --help");
  expect_said({"view", "a.toml", "--port", "80000"},
              "--port: '80000' is not a whole number from 0 to 65535; see touchstone view --help");
  expect_said({"run", "a.toml", "--threads", "0"},
              "--threads: '0' is not a whole number from 1 to 1024; see touchstone run --help");
  expect_said({"demo", "--folder", "nowhere"},
              "--folder: there is no folder 'nowhere'; make it first; see touchstone demo --help");
  expect_said({"export", "a.h5", "--format", "cvs"},
              "--format: 'cvs' is not csv, contacts, joints, report, npz, gltf or html (did you mean 'csv'?); see "
              "touchstone export --help");
}

TEST_F(UsageError, SomethingIsTooMuch) {
  expect_said({"run", "a.toml", "--thread", "2"},
              "touchstone run does not take '--thread' (did you mean '--threads'?), '2'; see touchstone run --help");
  expect_said({"info", "a.h5", "b.h5"}, "touchstone info does not take 'b.h5'; see touchstone info --help");
  expect_said({"format", "--markdown", "--schema"}, "give --markdown or --schema, not both");
}

TEST_F(UsageError, JsonHasItToo) {
  const Result r = run_program({"diff", "a.h5", "--json"}, folder_.path("."));
  EXPECT_EQ(r.code, 2);
  const nlohmann::json j = nlohmann::json::parse(r.out);
  EXPECT_EQ(j["exit_code"], 2);
  EXPECT_NE(j["error"].get<std::string>().find("needs b"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::testing
