#pragma once
// Reading a certificate: its own fractions (Boost's, where the solver has GMP's) and its own data.
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace touchstone::statics::certificate {

using Fraction = boost::multiprecision::cpp_rational;
using Whole = boost::multiprecision::cpp_int;
using Triple = std::array<Fraction, 3>;

[[noreturn]] void fail(const std::string& what);

struct Body {
  bool held = true;
  std::size_t first = 0;  // freedom
  Fraction mass;
  Triple center, weight, force, torque;
  std::array<Fraction, 6> inertia;  // xx yy zz xy xz yz
};
struct Contact {
  std::size_t a = 0, b = 0;
  Triple point;
  std::array<Triple, 3> frame;
  Fraction friction;
};
// A way in which a branch of the tree goes on.
struct Mode {
  enum class Kind { kUnknown, kOpen, kTouch, kStick, kStill, kSlide } kind = Kind::kUnknown;
  std::array<Fraction, 2> from{}, to{};
};
// The slip of a contact is J_T − shear·J_N (first tangent); it is that of its leader.
struct Slip {
  std::size_t leader = 0;
  Fraction shear;
};
struct Node {
  enum class Kind { kNone, kBranch, kLeaf, kEmpty } kind = Kind::kNone;
  std::size_t contact = 0;
  std::vector<std::pair<std::size_t, Mode>> children;
  std::map<std::size_t, Fraction> p, q;
};

inline constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

struct Certificate {
  std::size_t dimension = 3;
  bool pyramid = false;
  std::string verdict, reason;
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<std::array<std::size_t, 2>> hold_sides;
  std::vector<std::array<Triple, 4>> hold_parts;
  std::vector<std::uint8_t> limits;  // by joint row
  std::map<std::string, std::map<std::size_t, Fraction>> values;
  std::map<std::size_t, Slip> slips;  // by contact
  std::vector<Node> nodes;
};

// Throws std::runtime_error with the line that is wrong.
Certificate read(const std::string& text);

}  // namespace touchstone::statics::certificate
