// docs/scene.schema.json (JSON schema draft-07) from the table of the format, for editors. It is as strict as a schema
// that does not know the dimension can be; the reader checks the rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "io/scene/format.h"

namespace touchstone {
namespace {

using enum ValueType;
using Json = nlohmann::ordered_json;

Json number_schema(const KeySpec& key, const char* type) {
  Json out{{"type", type}};
  if (std::isfinite(key.minimum)) out[key.minimum_excluded ? "exclusiveMinimum" : "minimum"] = key.minimum;
  if (std::isfinite(key.maximum)) out["maximum"] = key.maximum;
  return out;
}

Json list_schema(const Json& items, std::size_t shortest, std::size_t longest) {
  return {{"type", "array"}, {"items", items}, {"minItems", shortest}, {"maxItems", longest}};
}

// A number where some dimension has a single one, a list where some has several.
Json numbers_schema(const KeySpec& key, const char* type) {
  std::vector<std::size_t> lengths;
  bool single = false;
  for (const int dimension : {2, 3}) {
    if (key.only_dimension != 0 && key.only_dimension != dimension) continue;
    const std::vector<std::size_t> some = list_lengths(key, dimension);
    lengths.insert(lengths.end(), some.begin(), some.end());
    single |= some.empty();
  }
  const Json number = number_schema(key, type);
  const auto [low, high] = std::minmax_element(lengths.begin(), lengths.end());
  const Json list = list_schema(number, *low, *high);
  return single ? Json{{"anyOf", Json::array({number, list})}} : list;
}

Json table_schema(const TableSpec& table, Json& definitions);

Json reference(const TableSpec& table, Json& definitions) {
  if (!definitions.contains(table.title)) {
    definitions[table.title] = nullptr;  // keeps the order of first mention
    definitions[table.title] = table_schema(table, definitions);
  }
  return {{"$ref", "#/definitions/" + table.title}};
}

Json type_schema(const KeySpec& key, Json& definitions) {
  switch (key.type) {
    case kBool:
      return {{"type", "boolean"}};
    case kInteger:
      return number_schema(key, "integer");
    case kNumber:
      return number_schema(key, "number");
    case kString:
      return key.choices.empty() ? Json{{"type", "string"}} : Json{{"type", "string"}, {"enum", key.choices}};
    case kStringList:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case kVectorList:
      return {{"type", "array"}, {"items", numbers_schema(key, "number")}};
    case kIntegerList:
      return numbers_schema(key, "integer");
    case kTripleList:
      return {{"type", "array"}, {"items", list_schema({{"type", "integer"}, {"minimum", 0}}, 3, 3)}};
    case kPairList:
      return {{"type", "array"}, {"items", list_schema({{"type", "number"}}, 2, 2)}};
    case kNumberRows: {
      const Json row{{"type", "array"}, {"items", number_schema(key, "number")}};
      return {{"anyOf", Json::array({row, Json{{"type", "array"}, {"items", row}}})}};
    }
    case kVector:
    case kAngularVector:
    case kNumberOrList:
      return numbers_schema(key, "number");
    case kTable:
      if (!key.table) return {{"type", "object"}};  // its keys depend on what is registered
      return {{"allOf", Json::array({reference(*key.table, definitions)})}};
    case kTableList:
      return {{"type", "array"}, {"items", reference(*key.table, definitions)}};
  }
  return {};
}

// A default that is a value; others, such as "the material's", are for people.
void add_default(Json& schema, const KeySpec& key) {
  if (key.default_text.empty()) return;
  if (key.type == kString && (key.default_text.find(' ') == std::string::npos)) schema["default"] = key.default_text;
  const Json value = Json::parse(key.default_text, nullptr, false);
  if (!value.is_discarded()) schema["default"] = value;
}

Json key_schema(const KeySpec& key, Json& definitions) {
  Json out = type_schema(key, definitions);
  if (key.name == "touchstone") out["const"] = kSceneFormatVersion;
  out["description"] = key.unit.empty() ? key.help : fmt::format("{} [{}]", key.help, key.unit);
  add_default(out, key);
  return out;
}

Json table_schema(const TableSpec& table, Json& definitions) {
  Json out{
      {"type", "object"}, {"description", table.help}, {"additionalProperties", false}, {"properties", Json::object()}};
  for (const KeySpec& key : table.keys) {
    out["properties"][key.name] = key_schema(key, definitions);
    if (key.required) out["required"].push_back(key.name);
  }
  return out;
}

// The parameters that a kind of shape needs, and those that it must not have.
Json shape_rules() {
  Json rules = Json::array();
  std::vector<std::string> parameters;
  for (const ShapeFormat& shape : shape_formats())
    for (const auto* keys : {&shape.required, &shape.optional})
      for (const std::string& key : *keys)
        if (std::find(parameters.begin(), parameters.end(), key) == parameters.end()) parameters.push_back(key);
  for (const ShapeFormat& shape : shape_formats()) {
    Json then = Json::object();
    if (!shape.required.empty()) then["required"] = shape.required;
    const auto takes = [&](const std::vector<std::string>& keys, const std::string& key) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const std::string& key : parameters)
      if (!takes(shape.required, key) && !takes(shape.optional, key)) then["properties"][key] = false;
    rules.push_back(
        {{"if", {{"properties", {{"kind", {{"const", shape.name}}}}}, {"required", {"kind"}}}}, {"then", then}});
  }
  return rules;
}

// One alternative per model; the default model needs no name.
Json model_schema(Json& definitions) {
  Json alternatives = Json::array();
  for (const ModelInfo& model : registered_models()) {
    Json one = table_schema(model_format(model), definitions);
    one["description"] = model.summary;
    one["properties"]["name"]["const"] = model.name;
    if (model.name != ModelDescription{}.name) one["required"] = {"name"};
    alternatives.push_back(one);
  }
  return {{"oneOf", alternatives}};
}

}  // namespace

std::string scene_format_json_schema() {
  Json definitions = Json::object();
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Touchstone scene"}};
  schema.update(table_schema(scene_format(), definitions));
  definitions["model"] = model_schema(definitions);
  definitions["shape"]["allOf"] = shape_rules();
  schema["definitions"] = definitions;
  return json_text(schema, 2) + '\n';
}

}  // namespace touchstone
