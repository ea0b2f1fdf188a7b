// Expressions: values and derivatives against formulas and differences, and the column of each mistake.
#include "math/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace touchstone {
namespace {

double value(const std::string& text, double x = 0, double y = 0) { return Expression(text).at(x, y).value; }

TEST(Expression, PrecedenceAndSigns) {
  EXPECT_EQ(value("1 + 2*3 - 4/8"), 6.5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("1 - 2 - 3"), -4);
  EXPECT_EQ(value("--3 + +2"), 5);
  EXPECT_EQ(value("(1 + 2)*(3)"), 9);
  EXPECT_EQ(value("1e3 + .5"), 1000.5);
  EXPECT_EQ(value("x^2 = 4*y", 3, 2), 1);
  EXPECT_NEAR(value("sin(pi/6) + cos(0) + exp(log(2)) + sqrt(9) + tan(pi/4)"), 0.5 + 1 + 2 + 3 + 1, 1e-15);
  EXPECT_DOUBLE_EQ(value("x^y", 2, 0.5), std::sqrt(2.0));
  EXPECT_EQ(value("x^3", -2), -8);
}

// Central differences of the value and of the first derivatives.
TEST(Expression, DerivativesAreThoseOfTheValue) {
  std::mt19937 dice(5);
  std::uniform_real_distribution<double> number(0.3, 1.8);
  constexpr double kStep = 1e-5;  // truncation and rounding both about 1e-10 of the terms
  for (const char* text :
       {"x^2/4 + y^2 - 1", "y - 0.05*x^2 - 0.1*sin(3*x)", "exp(-x*y) + log(x + y)", "sqrt(x^2 + y^2)",
        "x/y + 1/(x^2 + 1)", "x^y + y^x", "tan(0.5*x*y)", "(x - y)^5 * cos(y^2)", "x^2.5 - y^(-1/2)"}) {
    const Expression e(text);
    for (int i = 0; i < 20; ++i) {
      const double x = number(dice), y = number(dice);
      const Jet2 at = e.at(x, y), right = e.at(x + kStep, y), left = e.at(x - kStep, y), above = e.at(x, y + kStep),
                 below = e.at(x, y - kStep);
      const auto slope = [&](double Jet2::*part, const Jet2& a, const Jet2& b) {
        return (a.*part - b.*part) / (2 * kStep);
      };
      SCOPED_TRACE(std::string(text) + " at " + std::to_string(x) + ", " + std::to_string(y));
      const auto near = [](double a, double b) { EXPECT_NEAR(a, b, 1e-8 * (1 + std::abs(b))); };
      near(at.x, slope(&Jet2::value, right, left));
      near(at.y, slope(&Jet2::value, above, below));
      near(at.xx, slope(&Jet2::x, right, left));
      near(at.xy, slope(&Jet2::x, above, below));
      near(at.xy, slope(&Jet2::y, right, left));
      near(at.yy, slope(&Jet2::y, above, below));
    }
  }
}

// x^1 and x^2 at zero, where powers of the derivatives would be 0·∞.
TEST(Expression, PowersAtZero) {
  const Jet2 first = Expression("x^1 + y^0").at(0, 0), second = Expression("x^2").at(0, 0);
  EXPECT_EQ(first.value, 1);
  EXPECT_EQ(first.x, 1);
  EXPECT_EQ(first.xx, 0);
  EXPECT_EQ(second.x, 0);
  EXPECT_EQ(second.xx, 2);
  EXPECT_FALSE(std::isfinite(value("log(x)", -1)));
  EXPECT_FALSE(std::isfinite(value("1/x")));
}

void refused(const std::string& text, std::size_t column, const std::string& part) {
  try {
    const Expression e(text);
    ADD_FAILURE() << text << " was taken";
  } catch (const ExpressionError& e) {
    EXPECT_EQ(e.column(), column) << text << ": " << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << text << ": " << e.what();
  }
}

TEST(Expression, MistakesNameTheirColumn) {
  refused("", 1, "no expression");
  refused("  ", 3, "no expression");
  refused("x + ", 5, "expected a number");
  refused("x + z", 5, "'z' is unknown");
  refused("2*xy", 3, "a product needs a *");
  refused("2 x", 3, "expected an operator");
  refused("(x + 1", 1, "not closed");
  refused("x + 1)", 6, "no '('");
  refused("sin x", 5, "parentheses");
  refused("sin(x", 4, "not closed");
  refused("x = y = 1", 7, "expected an operator");
  refused("x ÷ 2", 3, "'÷'");
  refused("·x", 1, "'·'");
  refused("ä + y", 1, "'ä'");
  refused("1e999 + x", 1, "out of the range");
  refused("x + .", 5, "no number");
  refused("x $ y", 3, "'$'");
  refused(std::string("x\0y", 3), 2, "expected an operator");
}

TEST(Expression, DeepOnesAreRefusedAndLongOnesTaken) {
  EXPECT_THROW(Expression(std::string(1000, '(') + "x" + std::string(1000, ')')), ExpressionError);
  EXPECT_THROW(Expression(std::string(100000, '-') + "x"), ExpressionError);
  std::string nested = "x";
  for (int i = 0; i < 100; ++i) nested = "x + (" + nested + ")";
  EXPECT_THROW(Expression{nested}, ExpressionError);
  std::string sum = "x";
  for (int i = 0; i < 1000; ++i) sum += " + x";
  EXPECT_EQ(value(sum, 1), 1001);
}

}  // namespace
}  // namespace touchstone
