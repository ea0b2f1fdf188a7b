#pragma once
// Typed access to a table that was checked against the format: a value that is absent, or was refused there,
// reads as the fallback, so that the second stage can go on and find further mistakes.
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/scene/errors.h"

namespace touchstone {

class SceneTable {
 public:
  SceneTable(const toml::table& table, const ScenePath& path, int dimension, SceneErrors& errors)
      : table_(table), path_(path), dimension_(dimension), errors_(errors) {}

  const toml::table& toml() const { return table_; }
  const ScenePath& path() const { return path_; }
  int dimension() const { return dimension_; }
  bool has(const char* key) const { return table_.contains(key); }
  const toml::node* find(const char* key) const;                                         // null if absent or refused
  const toml::table* subtable(const char* key) const { return table_[key].as_table(); }  // also one with mistakes in it

  double number(const char* key, double fallback) const;
  std::optional<double> number(const char* key) const;
  std::int64_t integer(const char* key, std::int64_t fallback) const;
  bool boolean(const char* key, bool fallback) const;
  std::string text(const char* key, const std::string& fallback) const;
  std::vector<std::string> texts(const char* key) const;
  std::vector<double> numbers(const char* key) const;  // a single number is a list of one
  Eigen::Vector3d vector(const char* key, const Eigen::Vector3d& fallback = Eigen::Vector3d::Zero()) const;
  Eigen::Vector3d angular(const char* key) const;  // 2D: along z
  std::vector<Eigen::Vector3d> vectors(const char* key) const;
  std::vector<std::array<std::uint32_t, 3>> triples(const char* key) const;
  std::vector<std::array<double, 2>> pairs(const char* key) const;
  std::vector<std::vector<double>> rows(const char* key) const;  // a plain list of numbers is one row

  // A mistake at the key's value if it is there, otherwise at the table.
  void error(const char* key, const std::string& what) const;
  void error(const std::string& what) const { errors_.add_key(table_.source(), path_, what); }
  SceneErrors& errors() const { return errors_; }

 private:
  const toml::table& table_;
  const ScenePath& path_;
  int dimension_;
  SceneErrors& errors_;
};

}  // namespace touchstone
