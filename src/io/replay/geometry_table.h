#pragma once
// The shapes of a replay as JSON: equal forms are one geometry, which shapes place and scale (docs/viewer.md).
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "touchstone/description.h"

namespace touchstone {

using ReplayJson = nlohmann::ordered_json;

ReplayJson json_of(const Eigen::Vector3d& v);
ReplayJson json_of(const Eigen::Quaterniond& q);  // w x y z

class GeometryTable {
 public:
  explicit GeometryTable(int dimension) : dimension_(dimension) {}
  // The shape as an entry of its body; what it is made of goes to the table.
  ReplayJson shape(const ShapeDescription& shape);
  ReplayJson take() { return std::move(geometries_); }

 private:
  std::size_t add(const std::string& key, const ReplayJson& geometry);
  std::size_t plain(const char* kind);
  std::size_t flat(const ShapeDescription& shape, Eigen::Vector3d& scale);
  std::size_t solid(const ShapeDescription& shape, Eigen::Vector3d& scale);

  int dimension_;
  ReplayJson geometries_ = ReplayJson::array();
  std::map<std::string, std::size_t> index_;
};

}  // namespace touchstone
