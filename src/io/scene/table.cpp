#include "io/scene/table.h"

namespace touchstone {
namespace {

std::vector<double> numbers_of(const toml::node& node) {
  std::vector<double> out;
  if (const toml::array* array = node.as_array())
    for (const toml::node& element : *array) out.push_back(element.value<double>().value_or(0.0));
  else
    out.push_back(node.value<double>().value_or(0.0));
  return out;
}

Eigen::Vector3d vector_of(const toml::node& node) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  const std::vector<double> values = numbers_of(node);
  for (std::size_t i = 0; i < values.size() && i < 3; ++i) out[static_cast<Eigen::Index>(i)] = values[i];
  return out;
}

}  // namespace

const toml::node* SceneTable::find(const char* key) const {
  const toml::node* node = table_.get(key);
  return node && !errors_.is_bad(*node) ? node : nullptr;
}

std::optional<double> SceneTable::number(const char* key) const {
  const toml::node* node = find(key);
  return node ? node->value<double>() : std::nullopt;
}
double SceneTable::number(const char* key, double fallback) const { return number(key).value_or(fallback); }

std::int64_t SceneTable::integer(const char* key, std::int64_t fallback) const {
  const toml::node* node = find(key);
  return node ? node->value<std::int64_t>().value_or(fallback) : fallback;
}
bool SceneTable::boolean(const char* key, bool fallback) const {
  const toml::node* node = find(key);
  return node ? node->value<bool>().value_or(fallback) : fallback;
}
std::string SceneTable::text(const char* key, const std::string& fallback) const {
  const toml::node* node = find(key);
  return node ? node->value<std::string>().value_or(fallback) : fallback;
}
std::vector<std::string> SceneTable::texts(const char* key) const {
  std::vector<std::string> out;
  if (const toml::node* node = find(key); node && node->is_array())
    for (const toml::node& element : *node->as_array()) out.push_back(element.value<std::string>().value_or(""));
  return out;
}
std::vector<double> SceneTable::numbers(const char* key) const {
  const toml::node* node = find(key);
  return node ? numbers_of(*node) : std::vector<double>{};
}
Eigen::Vector3d SceneTable::vector(const char* key, const Eigen::Vector3d& fallback) const {
  const toml::node* node = find(key);
  return node ? vector_of(*node) : fallback;
}
Eigen::Vector3d SceneTable::angular(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return Eigen::Vector3d::Zero();
  const Eigen::Vector3d value = vector_of(*node);
  return dimension_ == 2 ? Eigen::Vector3d(0, 0, value.x()) : value;
}
std::vector<Eigen::Vector3d> SceneTable::vectors(const char* key) const {
  std::vector<Eigen::Vector3d> out;
  if (const toml::node* node = find(key); node && node->is_array())
    for (const toml::node& element : *node->as_array()) out.push_back(vector_of(element));
  return out;
}

std::vector<std::array<std::uint32_t, 3>> SceneTable::triples(const char* key) const {
  std::vector<std::array<std::uint32_t, 3>> out;
  if (const toml::node* node = find(key); node && node->is_array())
    for (const toml::node& element : *node->as_array()) {
      std::array<std::uint32_t, 3>& triple = out.emplace_back();
      for (std::size_t k = 0; k < 3; ++k)
        triple[k] = static_cast<std::uint32_t>((*element.as_array())[k].value<std::int64_t>().value_or(0));
    }
  return out;
}
std::vector<std::array<double, 2>> SceneTable::pairs(const char* key) const {
  std::vector<std::array<double, 2>> out;
  if (const toml::node* node = find(key); node && node->is_array())
    for (const toml::node& element : *node->as_array()) {
      const std::vector<double> pair = numbers_of(element);
      if (pair.size() == 2) out.push_back({pair[0], pair[1]});
    }
  return out;
}
std::vector<std::vector<double>> SceneTable::rows(const char* key) const {
  std::vector<std::vector<double>> out;
  const toml::node* node = find(key);
  const toml::array* array = node ? node->as_array() : nullptr;
  if (!array) return out;
  if (array->empty() || !array->front().is_array()) return {numbers_of(*node)};
  for (const toml::node& row : *array) out.push_back(numbers_of(row));
  return out;
}

void SceneTable::error(const char* key, const std::string& what) const {
  const ScenePath here{&path_, key};
  if (const toml::node* node = table_.get(key))
    errors_.bad_value(*node, here, what);
  else
    errors_.add_key(table_.source(), here, what);
}

}  // namespace touchstone
