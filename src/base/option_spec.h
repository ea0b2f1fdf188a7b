#pragma once
// A typed, documented key: what the scene reader checks against, what the models declare their options
// with, and what docs/scene-format.md and the JSON schema are generated from.
#include <limits>
#include <string>
#include <vector>

namespace touchstone {

enum class ValueType {
  kBool,
  kInteger,
  kNumber,
  kString,
  kStringList,
  kVector,         // one number per dimension
  kAngularVector,  // a number in 2D, three in 3D
  kVectorList,
  kNumberOrList,  // a number, or a list of numbers
  kIntegerList,
  kTripleList,  // lists of three integers that are not negative
  kPairList,    // lists of two numbers
  kNumberRows,  // a list of numbers in 2D, a list of such lists of one length in 3D
  kTable,
  kTableList,
};

struct TableSpec;

struct KeySpec {
  std::string name;
  ValueType type = ValueType::kNumber;
  std::string unit;  // "" where there is none
  std::string help;
  std::string default_text;  // "" with required == false: optional, no value
  bool required = false;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;
  std::vector<std::string> choices = {};
  const TableSpec* table = nullptr;  // of kTable and kTableList
  int only_dimension = 0;            // 2 or 3; 0: both
};

struct TableSpec {
  std::string title;
  std::string help;
  std::vector<KeySpec> keys;
};

}  // namespace touchstone
