#pragma once
// Words in which the tables of the format are written.
#include <string>
#include <vector>

#include "base/option_spec.h"

namespace touchstone {

inline KeySpec key_of(const char* name, ValueType type, const char* unit, const char* fallback, const char* help) {
  KeySpec key;
  key.name = name, key.type = type, key.unit = unit, key.default_text = fallback, key.help = help;
  return key;
}
inline KeySpec number(const char* name, const char* unit, const char* fallback, const char* help) {
  return key_of(name, ValueType::kNumber, unit, fallback, help);
}
inline KeySpec vector(const char* name, const char* unit, const char* fallback, const char* help) {
  return key_of(name, ValueType::kVector, unit, fallback, help);
}
inline KeySpec boolean(const char* name, const char* fallback, const char* help) {
  return key_of(name, ValueType::kBool, "", fallback, help);
}
inline KeySpec text(const char* name, const char* fallback, const char* help) {
  return key_of(name, ValueType::kString, "", fallback, help);
}
inline KeySpec section(const char* name, ValueType type, const TableSpec* table, const char* help) {
  KeySpec key = key_of(name, type, "", "", help);
  key.table = table;
  return key;
}
inline KeySpec above(double limit, KeySpec key) {
  key.minimum = limit, key.minimum_excluded = true;
  return key;
}
inline KeySpec at_least(double limit, KeySpec key) {
  key.minimum = limit;
  return key;
}
inline KeySpec between(double low, double high, KeySpec key) {
  key.minimum = low, key.maximum = high;
  return key;
}
inline KeySpec required(KeySpec key) {
  key.required = true;
  return key;
}
inline KeySpec only(int dimension, KeySpec key) {
  key.only_dimension = dimension;
  return key;
}
inline KeySpec one_of(std::vector<std::string> choices, KeySpec key) {
  key.choices = std::move(choices);
  return key;
}

// The keys of a rotation, for shapes and bodies.
void add_rotation(TableSpec& table);
const TableSpec& shape_format();
const TableSpec& joint_format();
const TableSpec& scatter_format();
const TableSpec& controller_format();
// Of bodies, joints and controllers: one for each body of another entry.
KeySpec each_key(const char* help);

}  // namespace touchstone
