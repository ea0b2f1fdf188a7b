// Observed orders: of sequences made by formula, and of scenes whose order is known.
#include "study/compare/convergence.h"

#include <cmath>

#include "study/compare_helpers.h"

namespace touchstone::compare::testing {
namespace {

TEST(ObservedOrder, FollowsFromErrorsAgainstTheTruth) {
  for (const double p : {1.0, 2.0, 4.0}) {
    const auto e = [p](double h) { return 3 * std::pow(h, p); };
    EXPECT_NEAR(observed_order(0.1, e(0.1), 0.04, e(0.04), 0, 0).value(), p, 1e-9);
  }
}

// Against a run that has an error itself, the plain ratio of errors would say 1.58 for a method of order one.
TEST(ObservedOrder, AllowsForTheErrorOfTheFinestRun) {
  for (const double p : {0.5, 1.0, 2.0, 4.0}) {
    const auto e = [p](double h) { return 3 * (std::pow(h, p) - std::pow(0.01, p)); };
    EXPECT_NEAR(observed_order(0.04, e(0.04), 0.02, e(0.02), 0.01, 0).value(), p, 1e-9);
    EXPECT_NEAR(observed_order(0.05, e(0.05), 0.02, e(0.02), 0.01, 0).value(), p, 1e-9);
  }
}

TEST(ObservedOrder, IsNoneWhereErrorsDoNotShrinkOrAreRounding) {
  EXPECT_FALSE(observed_order(0.1, 1e-3, 0.05, 1e-3, 0, 0));
  EXPECT_FALSE(observed_order(0.1, 1e-3, 0.05, 2e-3, 0, 0));
  EXPECT_FALSE(observed_order(0.1, 1e-13, 0.05, 1e-14, 0, 1e-12));
  EXPECT_FALSE(observed_order(0.1, 0, 0.05, 0, 0, 0));
  EXPECT_FALSE(observed_order(0.1, std::nan(""), 0.05, 1e-3, 0, 0));
  // Errors from 0.025 that shrink by less than ln 4/ln 2 shrink with no positive order.
  EXPECT_FALSE(observed_order(0.1, 1.9e-3, 0.05, 1e-3, 0.025, 0));
}

class ConvergenceTest : public CompareTest {
 protected:
  // A tumbling body on a spring with drag, as in tests/physics/convergence_test.cpp.
  std::string sprung(const std::string& integrator) const {
    return write(integrator + ".toml", R"(touchstone = 1
dimension = 3
[simulation]
step = 0.01
duration = 1.0
integrator = ")" + integrator + R"("
[model]
name = "free"
[[body]]
name = "body"
mass = 2.0
velocity = [1, 0.5, -0.3]
angular_velocity = [3, 4, -2]
linear_drag = 0.1
shape = { kind = "box", size = [0.5, 0.3, 0.2] }
[[spring]]
body_a = "world"
body_b = "body"
point_a = [0, 1, 0]
point_b = [0.25, 0.1, 0]
stiffness = 40.0
damping = 0.2
rest_length = 0.8
)");
  }
  Convergence study(const std::string& scene, const std::vector<double>& steps,
                    const std::string& reference = "") const {
    CompareRequest request;
    request.scene = scene;
    request.steps = steps;
    request.models = {"free"};
    request.reference = reference;
    return run(request).convergence.value();
  }
};

TEST_F(ConvergenceTest, EulerHasOrderOneAndRungeKuttaFour) {
  for (const auto& [integrator, order] :
       {std::pair("explicit_euler", 1.0), {"semi_implicit_euler", 1.0}, {"rk4", 4.0}}) {
    const double h = order > 2 ? 0.004 : 0.001;
    const Convergence c = study(sprung(integrator), {h, h / 4, h / 2, h / 8});
    ASSERT_EQ(c.rows.size(), 1u);
    EXPECT_GT(c.steps.front(), c.steps.back());
    ASSERT_EQ(c.rows[0].orders.size(), 3u);
    EXPECT_NEAR(c.rows[0].orders[0].value(), order, 0.2) << integrator;
    EXPECT_NEAR(c.rows[0].orders[1].value(), order, 0.15) << integrator;
    EXPECT_FALSE(c.rows[0].orders[2]);  // the finest has nothing to be measured from
    EXPECT_FALSE(c.rows[0].errors[3]);
    EXPECT_NE(c.rows[0].text.find("shrink with order"), std::string::npos) << c.rows[0].text;
  }
}

TEST_F(ConvergenceTest, ErrorsMayBeMeasuredFromARecording) {
  const std::string scene = sprung("rk4");
  CompareRequest request;
  request.scene = scene;
  request.steps = {0.0005};
  request.models = {"free"};
  const std::string truth = run(request).runs[0].recording;
  const std::string kept = (root_ / "truth.h5").string();
  std::filesystem::rename(truth, kept);
  const Convergence c = study(sprung("semi_implicit_euler"), {0.002, 0.001, 0.0005}, kept);
  EXPECT_EQ(c.against, kept);
  for (const auto& order : c.rows[0].orders) EXPECT_NEAR(order.value(), 1, 0.1);
  EXPECT_TRUE(c.rows[0].errors.back());
}

// Semi-implicit Euler in free fall: x = x₀ + v·t − ½·g·t·(t + h), so the error at t = 1 s is ½·g·h.
TEST_F(ConvergenceTest, ErrorsOfFreeFallAreThoseOfTheFormula) {
  const std::string scene = write("fall.toml", R"(touchstone = 1
dimension = 3
[simulation]
duration = 1.0
[model]
name = "free"
[[body]]
name = "stone"
angular_velocity = [0, 0, 2]
shape = { kind = "sphere", radius = 0.1 }
)");
  const Convergence c = study(scene, {0.02, 0.01, 0.005});
  EXPECT_NEAR(c.rows[0].errors[0].value(), 0.5 * 9.81 * 0.015, 1e-9);
  EXPECT_NEAR(c.rows[0].errors[1].value(), 0.5 * 9.81 * 0.005, 1e-9);
  EXPECT_NEAR(c.rows[0].orders[0].value(), 1, 1e-6);
}

TEST_F(ConvergenceTest, StepsMustMeetAtTheEnd) {
  CompareRequest request;
  request.scene = sprung("rk4");
  request.steps = {0.01, 0.003};
  EXPECT_THROW(make_plan(request), Error);
  request.steps = {0.003};  // alone it need not
  EXPECT_NO_THROW(make_plan(request));
  request.steps = {0.01, -0.005};
  EXPECT_THROW(make_plan(request), Error);
}

TEST(ConvergenceText, SayWhereThereIsNoOrder) {
  ConvergenceRow row;
  row.errors = {1e-3, 2e-3, 1.5e-3, std::nullopt};
  row.orders = {std::nullopt, std::nullopt, std::nullopt};
  EXPECT_NE(convergence_text(row, 1).find("do not shrink"), std::string::npos);
  row.errors = {1e-15, 0.0, 1e-16, std::nullopt};
  EXPECT_NE(convergence_text(row, 1).find("rounding"), std::string::npos);
  row.errors = {4e-3, 2e-3, 1.9e-3, std::nullopt};
  row.orders = {1.0, std::nullopt, std::nullopt};
  EXPECT_NE(convergence_text(row, 1).find("not steadily"), std::string::npos);
  row.errors = {4e-3, 2e-3, 1e-3, std::nullopt};
  row.orders = {1.0, 1.0, std::nullopt};
  EXPECT_NE(convergence_text(row, 1).find("order 1.00"), std::string::npos);
  row.errors = {4e-3, std::nullopt};
  row.orders = {std::nullopt};
  EXPECT_NE(convergence_text(row, 1).find("more step sizes"), std::string::npos);
  row.errors = {std::nullopt, std::nullopt};
  EXPECT_NE(convergence_text(row, 1).find("no run"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::compare::testing
