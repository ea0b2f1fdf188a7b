#pragma once
// Expressions in x and y, such as "x^2/4 + y^2 = 1", with their exact first and second derivatives.
//
// Grammar, in the usual order of precedence (^ binds to the right and before a sign: -x^2 is -(x^2)):
//   equation = sum ["=" sum]                  the left side minus the right one
//   sum      = product {("+" | "-") product}
//   product  = signed {("*" | "/") signed}
//   signed   = {"+" | "-"} power
//   power    = atom ["^" signed]
//   atom     = number | "x" | "y" | "pi" | function "(" sum ")" | "(" sum ")"
// with the functions sin, cos, tan, exp, log (natural) and sqrt.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

// A value with its derivatives. Not finite outside the domain of the expression: log(-1), 1/0.
struct Jet2 {
  double value = 0;
  double x = 0, y = 0;            // first derivatives
  double xx = 0, xy = 0, yy = 0;  // second derivatives
};

// What is wrong with a text, and where: columns are counted in characters from 1.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& what) : std::runtime_error(what), column_(column) {}
  std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

// One operation of a program in postfix order.
struct ExpressionCode {
  enum class Op : std::uint8_t {
    kNumber,
    kX,
    kY,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kNegate,
    kConstantPower,
    kSin,
    kCos,
    kTan,
    kExp,
    kLog,
    kSqrt
  };
  Op op = Op::kNumber;
  double number = 0;  // kNumber: the value; kConstantPower: the exponent
};

class Expression {
 public:
  // Throws ExpressionError.
  explicit Expression(std::string_view text);
  const std::string& text() const { return text_; }
  // Allocates nothing.
  Jet2 at(double x, double y) const;

 private:
  std::string text_;
  std::vector<ExpressionCode> program_;
};

}  // namespace touchstone
