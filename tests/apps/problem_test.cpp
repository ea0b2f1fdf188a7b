// `touchstone problem`, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

class Problem : public ::testing::Test {
 protected:
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path(".")); }
  void record(const std::string& model = "ncp") {
    const Result r = run(
        {"run", folder_.write("scene.toml", two_boxes("ncp", "[1, 0.5, 0]")), "-o", "out.h5", "-q", "--model", model});
    ASSERT_EQ(r.code, 0) << r.err;
  }
  static void expect_has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
  }
  Json solve(const std::string& file) {
    const Result r = run({"problem", "solve", file, "--json", "--tolerance", "1e-10"});
    EXPECT_EQ(r.code, 0) << r.out << r.err;
    return Json::parse(r.out);
  }
  Folder folder_;
};

TEST_F(Problem, AStepIsWrittenReadAndSolvedInBothForms) {
  record();
  Result r = run({"problem", "write", "out.h5", "--step", "20", "-o", "step.problem"});
  ASSERT_EQ(r.code, 0) << r.err;
  expect_has(r.out, "8 contacts");
  ASSERT_EQ(run({"problem", "write", "out.h5", "--step", "20", "-o", "step.hdf5"}).code, 0);
  const Json own = solve("step.problem"), fclib = solve("step.hdf5");
  EXPECT_EQ(own["contacts"], 8);
  EXPECT_EQ(own["format"], "touchstone");
  EXPECT_EQ(fclib["format"], "fclib local");
  EXPECT_LT(own["natural_map"].get<double>(), 1e-10);
  EXPECT_LT(own["measures"]["momentum_error"]["worst"].get<double>(), 1e-12);
  // Impulses of two boxes on eight points are not unique, their sums are: weights of both and of the upper one.
  const auto sum = [](const Json& j, std::size_t first) {
    double out = 0;
    for (std::size_t i = first; i < first + 4; ++i) out += j["impulses"][3 * i].get<double>();
    return out;
  };
  const double weight = 8.0 * 9.81 * 0.002;  // of a box of 0.2 m of the default density, 1000 kg/m³
  for (const Json& j : {own, fclib}) {
    const double one = sum(j, 0), other = sum(j, 4);
    EXPECT_NEAR(std::max(one, other), 2 * weight, 1e-8);
    EXPECT_NEAR(std::min(one, other), weight, 1e-8);
  }
}

TEST_F(Problem, OtherModelsStepsAreProblemsToo) {
  record("impulse");
  ASSERT_EQ(run({"problem", "write", "out.h5", "--step", "30", "-o", "step.problem"}).code, 0);
  EXPECT_EQ(solve("step.problem")["contacts"], 8);
}

// README's ball: in the step of its first bounce there are an impact and a solve of what then rests. The impact is
// written; Newton's law says what it gives: m·(1 + e)·v.
TEST_F(Problem, TheImpactOfAStepIsWritten) {
  folder_.write("ball.toml", R"(touchstone = 1
dimension = 3
[simulation]
step = 0.001
duration = 0.5
[[material]]
name = "rubber"
friction = 0.5
restitution = 0.8
[[body]]
name = "floor"
kind = "static"
material = "rubber"
shape = { kind = "half_space", normal = [0, 0, 1] }
[[body]]
name = "ball"
material = "rubber"
position = [0, 0, 1.1]
shape = { kind = "sphere", radius = 0.1 }
)");
  ASSERT_EQ(run({"run", "ball.toml", "-o", "ball.h5", "-q"}).code, 0);
  const Json wrote =
      Json::parse(run({"problem", "write", "ball.h5", "--step", "452", "-o", "a.problem", "--json"}).out);
  const double mass = 4.0 / 3 * M_PI * 1e-3 * 1000, speed = 9.81 * 0.4515;
  EXPECT_EQ(wrote["impact"], true);
  EXPECT_NEAR(wrote["impulse"].get<double>(), 1.8 * mass * speed, 0.01 * mass * speed);
  EXPECT_GE(wrote["solves"], 2);
  const std::string text = run({"problem", "write", "ball.h5", "--step", "452", "-o", "a.problem"}).out;
  expect_has(text, "impact, solve " + std::to_string(wrote["solve"].get<int>()) + " of " +
                       std::to_string(wrote["solves"].get<int>()));
  EXPECT_NEAR(solve("a.problem")["impulses"][0].get<double>(), wrote["impulse"].get<double>(), 1e-9);
  // Every other solve can be asked for, and a number that is too great is named.
  for (int k = 1; k <= wrote["solves"].get<int>(); ++k) {
    const Json one = Json::parse(
        run({"problem", "write", "ball.h5", "--step", "452", "--solve", std::to_string(k), "-o", "b.problem", "--json"})
            .out);
    EXPECT_EQ(one["solve"], k);
    EXPECT_EQ(one["impact"], k == wrote["solve"].get<int>());
  }
  const Result r = run({"problem", "write", "ball.h5", "--step", "452", "--solve", "99", "-o", "x"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "there is no solve 99");
}

TEST_F(Problem, WhatDoesNotConvergeExitsWithOne) {
  record();
  ASSERT_EQ(run({"problem", "write", "out.h5", "--step", "20", "-o", "step.problem"}).code, 0);
  const Result r = run({"problem", "solve", "step.problem", "--max-iterations", "1", "--tolerance", "1e-12"});
  EXPECT_EQ(r.code, 1);
  expect_has(r.out, "not converged (iteration limit)");
  expect_has(r.out, "natural_map");
}

// A pyramid is another law: its solver has ended properly, and Coulomb's law still judges.
TEST_F(Problem, AnotherLawIsSaidToBeOne) {
  const std::string file = folder_.write("slides.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 3 1\n0.5\n");
  for (const char* solver : {"pgs_pyramid", "lemke"}) {
    const Result r = run({"problem", "solve", file, "--solver", solver});
    EXPECT_EQ(r.code, 1);
    expect_has(r.out, "converged under its own law (pyramid of");
    expect_has(r.out, "by Coulomb's law");
  }
  const Result exact = run({"problem", "solve", file, "--solver", "newton", "--tolerance", "1e-10"});
  EXPECT_EQ(exact.code, 0);
  expect_has(exact.out, "status      converged\n");
}

// W and q of one contact, μ = 0.5.
std::string one_contact(const std::string& w, const std::string& q) {
  return "3\n1\n0\n3\n3\n3 3\n" + w + "\n" + q + "\n0.5\n1\n";
}

TEST_F(Problem, WhatIsNotFiniteIsSaidToBeSo) {
  const std::string huge = folder_.write("huge.dat", one_contact("1 0 0 0 1 0 0 0 1", "-1e200 1e200 1e200")),
                    tiny = folder_.write("tiny.dat", one_contact("1e-300 0 0 0 1e-300 0 0 0 1e-300", "-1 1 1")),
                    grows = folder_.write("grows.dat", one_contact("1 3 0 3 1 0 0 0 1", "-1 0.9 0"));
  for (const std::string& file : {huge, tiny, grows})
    for (const char* solver : {"newton", "nsgs", "nsgs_plain", "pgs_cone", "nncg", "pgs_pyramid", "lemke", "dantzig"}) {
      const Result r = run({"problem", "solve", file, "--solver", solver});
      EXPECT_EQ(r.code, 1) << file << solver;
      expect_has(r.out, file == grows ? "not converged" : "not converged (not finite)");
      EXPECT_EQ(r.out.find("nan"), std::string::npos) << r.out;
      EXPECT_EQ(r.out.find("inf"), std::string::npos) << r.out;
      const Json j = Json::parse(run({"problem", "solve", file, "--solver", solver, "--json"}).out);
      EXPECT_EQ(j["converged"], false);
      EXPECT_EQ(j["finite"], file == grows);
      EXPECT_NE(j["reason"], "");
    }
}

TEST_F(Problem, ComplementarityProblemsAreSolvedByLemke) {
  const std::string file = folder_.write("two.dat", "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n\nby hand\n");
  Result r = run({"problem", "solve", file});
  EXPECT_EQ(r.code, 0) << r.err;
  expect_has(r.out, "status      solved\n");
  expect_has(r.out, "by hand");
  const Json j = Json::parse(run({"problem", "solve", file, "--solver", "lemke", "--json"}).out);
  EXPECT_NEAR(j["z"][0].get<double>(), 4.0 / 3, 1e-14);
  EXPECT_NEAR(j["z"][1].get<double>(), 7.0 / 3, 1e-14);
  EXPECT_GT(j["pivots"], 0);
  EXPECT_LT(j["residual"].get<double>(), 1e-14);
  r = run({"problem", "solve", file, "--solver", "nsgs"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "--solver lemke");
  // −z_1 − 1 >= 0 cannot be.
  r = run({"problem", "solve", folder_.write("none.dat", "2\n0\n2\n2\n2 2\n0 -1\n1 0\n1 -1\n")});
  EXPECT_EQ(r.code, 1);
  expect_has(r.out, "not solved: ended on a ray");
}

TEST_F(Problem, WrongNumbersAreNamedAsTheyWereTyped) {
  const std::string file = folder_.write("ok.dat", one_contact("1 0 0 0 1 0 0 0 1", "-1 0.1 0"));
  for (const char* wrong : {"0", "-3", "abc", "1.5", "99999999999999999999"}) {
    Result r = run({"problem", "solve", file, "--max-iterations", wrong});
    EXPECT_EQ(r.code, 2) << wrong;
    expect_has(r.err, std::string("'") + wrong + "' is not a whole number of at least 1");
    r = run({"problem", "write", "x.h5", "-o", "x", "--step", wrong});
    EXPECT_EQ(r.code, 2) << wrong;
    expect_has(r.err, std::string("'") + wrong + "' is not a whole number of at least 1");
  }
  Result r = run({"problem", "solve", file, "--tolerance", "inf"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "finite");
  r = run({"problem", "slove", file});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "did you mean 'solve'");
  expect_has(run({"problem", "solve", file}).out, "1 contact, 3 rows");
}

TEST_F(Problem, WrongUseIsNamed) {
  record();
  Result r = run({"problem", "write", "out.h5", "--step", "51", "-o", "x"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "steps 1 to 50");
  r = run({"problem", "write", "out.h5", "--step", "20", "-o", "nowhere/x.problem"});
  EXPECT_EQ(r.code, 4);
  expect_has(r.err, "cannot write the problem");
  r = run({"problem", "solve", folder_.write("cut.dat", "3\n2\n0\n6\n6\n6 6\n1 2")});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "cut.dat, line");
  r = run(
      {"problem", "solve", folder_.write("ok.dat", "2\n1\n0\n2\n2\n2 2\n4 1\n1 3\n-1 0.5\n0.25\n"), "--solver", "nsg"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "did you mean 'nsgs'");
  r = run({"problem", "solve", "nothing.dat"});
  EXPECT_EQ(r.code, 4);
  r = run({"problem", "solve", "out.h5"});
  EXPECT_EQ(r.code, 2);
  expect_has(r.err, "fclib_local");
  r = run({"problem", "list"});
  EXPECT_EQ(r.code, 0);
  expect_has(r.out, "nsgs");
}

}  // namespace
}  // namespace touchstone::testing
