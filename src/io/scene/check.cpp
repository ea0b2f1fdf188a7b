#include "io/scene/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "sim/controller_registry.h"

namespace touchstone {
namespace {

using enum ValueType;

std::string name_of_entry(const toml::node& entry) {
  const toml::table* table = entry.as_table();
  const toml::node* name = table ? table->get("name") : nullptr;
  return name && name->is_string() ? name->as_string()->get() : "";
}

std::string lengths_text(const KeySpec& key, int dimension) {
  std::vector<std::string> words;
  for (const std::size_t n : list_lengths(key, dimension)) words.push_back(fmt::format("{}", n));
  return join_or(words);
}

std::string with_range(const std::string& what, const KeySpec& key) {
  const std::string range = range_text(key);
  return range.empty() ? what : what + (range.front() == '(' ? " " : ", ") + range;
}

std::vector<std::string> names_of(const TableSpec& spec) {
  std::vector<std::string> names;
  for (const KeySpec& key : spec.keys) names.push_back(key.name);
  return names;
}

const KeySpec* find_key(const TableSpec& spec, std::string_view name) {
  for (const KeySpec& key : spec.keys)
    if (key.name == name) return &key;
  return nullptr;
}

class Checker {
 public:
  Checker(int dimension, SceneErrors& errors) : dimension_(dimension), errors_(errors) {}

  void check_table(const toml::table& table, const TableSpec& spec, const ScenePath& path) {
    const std::size_t before = errors_.count();
    for (const auto& [key, node] : table) {
      const ScenePath here{&path, key.str()};
      if (const KeySpec* known = find_key(spec, key.str()))
        check_key(node, *known, here);
      else
        refuse_unknown(key, spec, here);
    }
    for (const KeySpec& key : spec.keys)
      if (key.required && !table.contains(key.name))
        errors_.add_key(table.source(), {&path, key.name}, fmt::format("is missing: {}", expectation(key)));
    if (errors_.count() != before) errors_.mark_bad(table);
  }

 private:
  void refuse_unknown(const toml::key& key, const TableSpec& spec, const ScenePath& path) {
    std::string hint = did_you_mean(key.str(), names_of(spec));
    if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(names_of(spec), ", "));
    errors_.add_key(key.source(), path, "is not known" + hint);
  }

  void check_key(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    if (dimension_ != 0 && key.only_dimension != 0 && key.only_dimension != dimension_) {
      errors_.mark_bad(node);
      errors_.add_key(
          node.source(), path,
          fmt::format("is for {}D scenes only, and dimension is {}: {}", key.only_dimension, dimension_, key.help));
      return;
    }
    switch (key.type) {
      case kBool:
        return require(node.is_boolean(), node, key, path);
      case kString:
        return check_string(node, key, path);
      case kInteger:
      case kNumber:
        return check_number(node, key, path);
      case kStringList:
        return check_strings(node, key, path);
      case kVector:
      case kAngularVector:
      case kNumberOrList:
      case kIntegerList:
        return check_numbers(node, key, path);
      case kVectorList:
        return check_vectors(node, key, path);
      case kTripleList:
        return check_triples(node, key, path);
      case kPairList:
        return check_pairs(node, key, path);
      case kNumberRows:
        return check_rows(node, key, path);
      case kTable:
        return check_subtable(node, key, path);
      case kTableList:
        return check_tables(node, key, path);
    }
  }

  void require(bool right, const toml::node& node, const KeySpec& key, const ScenePath& path) {
    if (!right) errors_.bad_value(node, path, expectation(key));
  }

  void check_string(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    if (!node.is_string()) return require(false, node, key, path);
    const std::string& value = node.as_string()->get();
    if (!key.choices.empty() && std::find(key.choices.begin(), key.choices.end(), value) == key.choices.end())
      errors_.bad_value(node, path, expectation(key) + did_you_mean(value, key.choices));
  }

  void check_number(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const bool integer = key.type == kInteger || key.type == kIntegerList;
    if (integer ? !node.is_integer() : !node.is_number())
      return errors_.bad_value(node, path, with_range(integer ? "must be an integer" : "must be a number", key));
    const double x = node.value<double>().value_or(0.0);
    if (!std::isfinite(x)) return errors_.bad_value(node, path, with_range("must be finite", key));
    if (key.minimum == 0 && key.maximum == 0 && x != 0)
      return errors_.bad_value(node, path, "not supported yet by any model; remove it");
    if (x < key.minimum || x > key.maximum || (key.minimum_excluded && x == key.minimum))
      errors_.bad_value(node, path, "must be " + range_text(key));
  }

  void check_strings(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const toml::array* array = node.as_array();
    if (!array) return require(false, node, key, path);
    for (std::size_t i = 0; i < array->size(); ++i)
      if (!(*array)[i].is_string()) {
        errors_.mark_bad(node);
        errors_.bad_value((*array)[i], {&path, {}, i}, "must be a string");
      }
  }

  void check_numbers(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const std::vector<std::size_t> lengths = list_lengths(key, dimension_ == 0 ? 3 : dimension_);
    if (dimension_ == 0 && !node.is_array() && node.is_number()) return check_number(node, key, path);
    if (lengths.empty() && (dimension_ != 0 || node.is_number())) {
      if (!node.is_number()) return require(false, node, key, path);
      return check_number(node, key, path);
    }
    const toml::array* array = node.as_array();
    const auto fits = [&](std::size_t n) { return std::find(lengths.begin(), lengths.end(), n) != lengths.end(); };
    if (!array || (dimension_ != 0 && !fits(array->size()))) return require(false, node, key, path);
    for (std::size_t i = 0; i < array->size(); ++i) {
      check_number((*array)[i], key, {&path, {}, i});
      if (errors_.is_bad((*array)[i])) errors_.mark_bad(node);
    }
  }

  void check_vectors(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const toml::array* array = node.as_array();
    if (!array) return require(false, node, key, path);
    KeySpec element = key;
    element.type = kVector;
    for (std::size_t i = 0; i < array->size(); ++i) {
      check_numbers((*array)[i], element, {&path, {}, i});
      if (errors_.is_bad((*array)[i])) errors_.mark_bad(node);
    }
  }

  void check_triples(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const toml::array* array = node.as_array();
    if (!array) return require(false, node, key, path);
    const auto index = [](const toml::node& n) {
      const auto value = n.value_exact<std::int64_t>();
      return value && *value >= 0 && *value <= std::numeric_limits<std::uint32_t>::max();
    };
    for (std::size_t i = 0; i < array->size(); ++i) {
      const toml::array* triple = (*array)[i].as_array();
      if (triple && triple->size() == 3 && std::all_of(triple->begin(), triple->end(), index)) continue;
      errors_.mark_bad(node);
      errors_.bad_value((*array)[i], {&path, {}, i}, "must be a list of 3 integers, each at least 0");
    }
  }

  void check_pairs(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const toml::array* array = node.as_array();
    if (!array) return require(false, node, key, path);
    const auto finite = [](const toml::node& n) {
      return n.is_number() && std::isfinite(n.value<double>().value_or(0));
    };
    for (std::size_t i = 0; i < array->size(); ++i) {
      const toml::array* pair = (*array)[i].as_array();
      if (pair && pair->size() == 2 && std::all_of(pair->begin(), pair->end(), finite)) continue;
      errors_.mark_bad(node);
      errors_.bad_value((*array)[i], {&path, {}, i}, "must be a list of 2 finite numbers");
    }
  }

  // In 2D one row, in 3D rows of one length.
  void check_rows(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const toml::array* array = node.as_array();
    if (!array) return require(false, node, key, path);
    if (dimension_ != 3) return check_row(node, node, key, path);
    for (std::size_t i = 0; i < array->size(); ++i) {
      const ScenePath here{&path, {}, i};
      const toml::array *row = (*array)[i].as_array(), *first = (*array)[0].as_array();
      if (!row) {
        errors_.mark_bad(node);
        errors_.bad_value((*array)[i], here, "must be a row, a list of numbers");
        return;
      }
      if (row->size() != first->size()) {
        errors_.mark_bad(node);
        errors_.bad_value((*array)[i], here,
                          fmt::format("has {}, and the first row has {}; rows are of one length",
                                      counted(row->size(), "number"), first->size()));
        return;
      }
      check_row((*array)[i], node, key, here);
    }
  }

  void check_row(const toml::node& row, const toml::node& whole, const KeySpec& key, const ScenePath& path) {
    const toml::array& array = *row.as_array();
    for (std::size_t i = 0; i < array.size(); ++i) {
      check_number(array[i], key, {&path, {}, i});
      if (errors_.is_bad(array[i])) errors_.mark_bad(whole);
    }
  }

  // A section whose keys are not known (an unknown model) is not looked into.
  void check_subtable(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    if (!node.is_table()) return require(false, node, key, path);
    if (key.table) check_table(*node.as_table(), *key.table, path);
  }

  void check_tables(const toml::node& node, const KeySpec& key, const ScenePath& path) {
    const toml::array* array = node.as_array();
    if (!array) return require(false, node, key, path);
    for (std::size_t i = 0; i < array->size(); ++i) {
      const toml::node& entry = (*array)[i];
      const std::string name = name_of_entry(entry);
      const ScenePath here{path.parent, path.key, i, name};
      if (const toml::table* table = entry.as_table())
        check_table(*table, *key.table, here);
      else
        errors_.bad_value(entry, here, "must be a table");
    }
  }

  // What would be right: "must be a list of 3 numbers, above 0 (m)".
  std::string expectation(const KeySpec& key) const {
    switch (key.type) {
      case kBool:
        return "must be true or false";
      case kString:
        return key.choices.empty() ? "must be a string" : fmt::format("must be {}", join_or(key.choices));
      case kStringList:
        return "must be a list of strings";
      case kTable:
        return "must be a table";
      case kTableList:
        return fmt::format("must be a list of tables, as in [[{}]]", key.name);
      case kInteger:
        if (key.name == "touchstone") return fmt::format("must be {}, the version of the format", kSceneFormatVersion);
        if (key.name == "dimension") return "must be 2 or 3";
        return with_range("must be an integer", key);
      case kNumber:
        return with_range("must be a number", key);
      case kIntegerList:
        return with_range(list_expectation(key, "integers"), key);
      case kVectorList:
        return with_range(fmt::format("must be a list of points of {} numbers", lengths_text(key, dimension_)), key);
      case kTripleList:
        return "must be a list of lists of 3 integers";
      case kPairList:
        return "must be a list of lists of 2 numbers";
      case kNumberRows:
        return dimension_ == 2 ? "must be a list of numbers" : "must be a list of rows, each a list of numbers";
      case kVector:
      case kAngularVector:
      case kNumberOrList:
        return with_range(list_expectation(key, "numbers"), key);
    }
    return "";
  }

  std::string list_expectation(const KeySpec& key, const char* noun) const {
    if (dimension_ == 0) return fmt::format("must be a list of {}", noun);
    if (list_lengths(key, dimension_).empty()) return fmt::format("must be a number in {}D", dimension_);
    return fmt::format("must be a list of {} {} in {}D", lengths_text(key, dimension_), noun, dimension_);
  }

  int dimension_;
  SceneErrors& errors_;
};

// The keys of [model] for the model that the file names, or null if there is none of that name.
const TableSpec* find_model_format(const toml::table& root, TableSpec& format, SceneErrors& errors) {
  const toml::node* given = root["model"]["name"].node();
  const std::string name = given && given->is_string() ? given->as_string()->get() : ModelDescription{}.name;
  std::vector<std::string> names;
  for (const ModelInfo& model : registered_models()) {
    names.push_back(model.name);
    if (model.name == name && (!given || given->is_string())) {
      format = model_format(model);
      return &format;
    }
  }
  const ScenePath top, model{&top, "model"};
  if (given)
    errors.bad_value(*given, {&model, "name"},
                     fmt::format("must be a model: {}{}", join_or(names), did_you_mean(name, names)));
  return nullptr;
}

// The kind of a [[controller]] and its parameters, by what is registered.
void check_controller(const toml::table& entry, const ScenePath& path, Checker& checker, SceneErrors& errors) {
  const toml::node* kind = entry.get("kind");
  if (!kind || !kind->is_string()) return;  // the format check said so
  const std::string& name = kind->as_string()->get();
  const auto& kinds = registered_controllers();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ControllerKind& k) { return k.name == name; });
  if (found == kinds.end()) {
    const std::vector<std::string> names = controller_kinds();
    return errors.bad_value(
        *kind, {&path, "kind"},
        fmt::format("must be a registered kind of controller: {}{}", join_or(names), did_you_mean(name, names)));
  }
  const TableSpec format = parameters_format(*found);
  const ScenePath here{&path, "parameters"};
  if (const toml::table* given = entry["parameters"].as_table()) return checker.check_table(*given, format, here);
  for (const KeySpec& key : format.keys)
    if (key.required) errors.add_key(entry.source(), {&here, key.name}, fmt::format("is missing: {}", key.help));
}

void check_controllers(const toml::table& root, Checker& checker, SceneErrors& errors) {
  const toml::array* list = root["controller"].as_array();
  const ScenePath top;
  for (std::size_t i = 0; list && i < list->size(); ++i)
    if (const toml::table* entry = (*list)[i].as_table())
      check_controller(*entry, {&top, "controller", i, name_of_entry(*entry)}, checker, errors);
}

}  // namespace

void check_against_format(const toml::table& root, int dimension, SceneErrors& errors) {
  TableSpec format = scene_format(), model;
  for (KeySpec& key : format.keys)
    if (key.name == "model") key.table = find_model_format(root, model, errors);
  Checker checker(dimension, errors);
  checker.check_table(root, format, ScenePath{});
  check_controllers(root, checker, errors);
}

}  // namespace touchstone
