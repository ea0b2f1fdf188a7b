// Purpose: reads expressions, and evaluates them with first and second derivatives.
// Source: recursive descent into a postfix program; derivatives by forward differentiation of second order: for
//   g = φ(f), g_i = φ' f_i and g_ij = φ' f_ij + φ'' f_i f_j.
// Letters: f operand, φ function.
// Deviations: -
// Fails: a text that is no expression throws, with the column. Outside the domain the result is not finite.
#include "math/expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

namespace touchstone {
namespace {

using Op = ExpressionCode::Op;

constexpr std::size_t kDeepest = 64;  // of values on the stack: more are refused, so that evaluation needs no memory
constexpr int kNested = 64;           // of parentheses, signs and powers within each other

Jet2 chain(const Jet2& f, double value, double slope, double curvature) {
  // 0·∞ is 0 here: a derivative that is zero stays so (x^1 at x = 0).
  const auto times = [](double a, double b) { return a == 0 || b == 0 ? 0.0 : a * b; };
  return {value,
          times(slope, f.x),
          times(slope, f.y),
          times(slope, f.xx) + times(curvature, f.x * f.x),
          times(slope, f.xy) + times(curvature, f.x * f.y),
          times(slope, f.yy) + times(curvature, f.y * f.y)};
}

Jet2 operator+(const Jet2& a, const Jet2& b) {
  return {a.value + b.value, a.x + b.x, a.y + b.y, a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
}
Jet2 operator-(const Jet2& a) { return {-a.value, -a.x, -a.y, -a.xx, -a.xy, -a.yy}; }
Jet2 operator*(const Jet2& a, const Jet2& b) {
  return {a.value * b.value,
          a.value * b.x + b.value * a.x,
          a.value * b.y + b.value * a.y,
          a.value * b.xx + 2 * a.x * b.x + b.value * a.xx,
          a.value * b.xy + a.x * b.y + a.y * b.x + b.value * a.xy,
          a.value * b.yy + 2 * a.y * b.y + b.value * a.yy};
}

Jet2 constant_power(const Jet2& f, double n) {
  const double first = n == 0 ? 0.0 : n * std::pow(f.value, n - 1);
  const double second = n == 0 || n == 1 ? 0.0 : n * (n - 1) * std::pow(f.value, n - 2);
  return chain(f, std::pow(f.value, n), first, second);
}
Jet2 exponential(const Jet2& f) {
  const double e = std::exp(f.value);
  return chain(f, e, e, e);
}
Jet2 logarithm(const Jet2& f) {
  const double inverse = 1 / f.value;
  return chain(f, std::log(f.value), inverse, -inverse * inverse);
}
Jet2 sine(const Jet2& f) { return chain(f, std::sin(f.value), std::cos(f.value), -std::sin(f.value)); }
Jet2 cosine(const Jet2& f) { return chain(f, std::cos(f.value), -std::sin(f.value), -std::cos(f.value)); }
Jet2 tangent(const Jet2& f) {
  const double t = std::tan(f.value), slope = 1 + t * t;
  return chain(f, t, slope, 2 * t * slope);
}

Jet2 combined(Op op, const Jet2& a, const Jet2& b) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a + (-b);
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a * constant_power(b, -1);
    default:
      return exponential(b * logarithm(a));
  }
}
Jet2 changed(const ExpressionCode& code, const Jet2& f) {
  switch (code.op) {
    case Op::kNegate:
      return -f;
    case Op::kConstantPower:
      return constant_power(f, code.number);
    case Op::kSin:
      return sine(f);
    case Op::kCos:
      return cosine(f);
    case Op::kTan:
      return tangent(f);
    case Op::kExp:
      return exponential(f);
    case Op::kLog:
      return logarithm(f);
    default:
      return constant_power(f, 0.5);
  }
}

Jet2 evaluate(std::span<const ExpressionCode> program, double x, double y) {
  std::array<Jet2, kDeepest> stack;
  std::size_t top = 0;  // how many
  for (const ExpressionCode& code : program) {
    switch (code.op) {
      case Op::kNumber:
        stack[top++] = {code.number};
        break;
      case Op::kX:
        stack[top++] = {x, 1};
        break;
      case Op::kY:
        stack[top++] = {y, 0, 1};
        break;
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kPower:
        --top;
        stack[top - 1] = combined(code.op, stack[top - 1], stack[top]);
        break;
      default:
        stack[top - 1] = changed(code, stack[top - 1]);
    }
  }
  return stack[0];
}

// One text on its way into a program.
class Reader {
 public:
  Reader(std::string_view text, std::vector<ExpressionCode>& program) : text_(text), program_(program) {}

  void read() {
    if (peek() == '\0') fail("there is no expression");
    sum();
    if (take('=')) {
      sum();
      binary(Op::kSubtract);
    }
    peek();
    if (at_ < text_.size())
      fail(peek() == ')' ? "there is no '(' for this ')'" : "expected an operator such as + or *, not " + shown());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(column(at_), what); }
  // Characters, not bytes: those that go on with a character of UTF-8 do not count.
  std::size_t column(std::size_t place) const {
    std::size_t count = 1;
    for (std::size_t i = 0; i < place && i < text_.size(); ++i)
      count += (static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80;
    return count;
  }
  std::string shown() const {
    if (at_ >= text_.size()) return "the end";
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return "'" + std::string(text_.substr(at_, end - at_)) + "'";
  }
  // The next character that is no space; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  void put(Op op, double number = 0) {
    program_.push_back({op, number});
    if (op == Op::kNumber || op == Op::kX || op == Op::kY) {
      if (++height_ > kDeepest) fail("the expression is too deeply nested here; simplify it");
    }
  }
  void binary(Op op) {
    put(op);
    --height_;
  }

  void sum() {
    product();
    for (;;) {
      if (take('+')) {
        product();
        binary(Op::kAdd);
      } else if (take('-')) {
        product();
        binary(Op::kSubtract);
      } else {
        return;
      }
    }
  }
  void product() {
    with_sign();
    for (;;) {
      if (take('*')) {
        with_sign();
        binary(Op::kMultiply);
      } else if (take('/')) {
        with_sign();
        binary(Op::kDivide);
      } else {
        return;
      }
    }
  }
  void with_sign() {
    if (++nested_ > kNested) fail("the expression is too deeply nested here; simplify it");
    if (take('-')) {
      with_sign();
      put(Op::kNegate);
    } else if (take('+')) {
      with_sign();
    } else {
      power();
    }
    --nested_;
  }
  void power() {
    atom();
    if (!take('^')) return;
    const std::size_t exponent = program_.size();
    with_sign();
    if (const std::optional<double> n = constant_since(exponent)) {
      program_.resize(exponent);
      --height_;
      put(Op::kConstantPower, *n);
    } else {
      binary(Op::kPower);
    }
  }
  // The value of what was read from a place on, if it holds neither x nor y.
  std::optional<double> constant_since(std::size_t first) const {
    for (std::size_t i = first; i < program_.size(); ++i)
      if (program_[i].op == Op::kX || program_[i].op == Op::kY) return std::nullopt;
    return evaluate(std::span<const ExpressionCode>(program_).subspan(first), 0, 0).value;
  }

  void atom() {
    const char c = peek();
    if (take('(')) {
      const std::size_t open = at_ - 1;
      sum();
      close(open);
    } else if ((c >= '0' && c <= '9') || c == '.') {
      number();
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      word();
    } else {
      fail("expected a number, x, y, a function or '(', not " + shown());
    }
  }
  void close(std::size_t open) {
    if (take(')')) return;
    const char c = peek();
    if (c != '\0') fail("expected an operator or ')', not " + shown());
    at_ = open;
    fail("this '(' is not closed");
  }
  void number() {
    double value = 0;
    const char* const first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range || (error == std::errc() && !std::isfinite(value)))
      fail("this number is out of the range of double precision");
    if (error != std::errc()) fail("this is no number");
    at_ += static_cast<std::size_t>(end - first);
    put(Op::kNumber, value);
  }
  void word() {
    const std::size_t begin = at_;
    std::size_t end = begin;
    const auto belongs = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (end < text_.size() && belongs(text_[end])) ++end;
    const std::string_view name = text_.substr(begin, end - begin);
    if (name == "x" || name == "y") {
      at_ = end;
      return put(name == "x" ? Op::kX : Op::kY);
    }
    if (name == "pi") {
      at_ = end;
      return put(Op::kNumber, std::numbers::pi);
    }
    const std::optional<Op> function = function_called(name);
    if (!function)
      fail("'" + std::string(name) + "' is unknown; there are x, y, pi, sin, cos, tan, exp, log and sqrt" +
           (name.size() == 2 && belongs(name[0]) ? ", and a product needs a *" : ""));
    at_ = end;
    if (!take('(')) fail(std::string(name) + " needs its argument in parentheses, as in " + std::string(name) + "(x)");
    const std::size_t open = at_ - 1;
    sum();
    close(open);
    put(*function);
  }
  static std::optional<Op> function_called(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Op>, 6> kFunctions{{{"sin", Op::kSin},
                                                                         {"cos", Op::kCos},
                                                                         {"tan", Op::kTan},
                                                                         {"exp", Op::kExp},
                                                                         {"log", Op::kLog},
                                                                         {"sqrt", Op::kSqrt}}};
    for (const auto& [known, op] : kFunctions)
      if (name == known) return op;
    return std::nullopt;
  }

  const std::string_view text_;
  std::vector<ExpressionCode>& program_;
  std::size_t at_ = 0, height_ = 0;
  int nested_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text) : text_(text) { Reader(text_, program_).read(); }

Jet2 Expression::at(double x, double y) const { return evaluate(program_, x, y); }

}  // namespace touchstone
