#include "io/scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/text.h"
#include "io/scene/format.h"

namespace touchstone {
namespace {

constexpr std::size_t kMaxHints = 2000;  // names that are compared for a "did you mean"

// "body.ball.shapes[0].radius" → body, ball, shapes, 0, radius. Quotes hold a segment together.
std::vector<std::string> split_key(const std::string& key) {
  std::vector<std::string> segments(1);
  char quote = 0;
  for (const char c : key) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        segments.back() += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '.' || c == '[') {
      segments.emplace_back();
    } else if (c != ']' && c != ' ') {
      segments.back() += c;
    }
  }
  return segments;
}

std::optional<std::size_t> index_of(const std::string& segment) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
  return error == std::errc() && end == segment.data() + segment.size() ? std::optional(index) : std::nullopt;
}

class Override {
 public:
  Override(const SceneOverride& change, SceneErrors& errors)
      : change_(change), label_(fmt::format("{}{}={}", kOverridePrefix, change.key, change.value)), errors_(errors) {
    place_.path = std::make_shared<const std::string>(label_);
  }

  void apply(toml::table& root) {
    const std::vector<std::string> segments = split_key(change_.key);
    if (std::any_of(segments.begin(), segments.end(), [](const std::string& s) { return s.empty(); }))
      return error("is not a dotted key, such as simulation.step or body.NAME.position");
    if (segments.size() > 2 && segments[0] == "material" && segments[1] == "default") add_default_material(root);
    toml::node* node = &root;
    for (std::size_t i = 0; i + 1 < segments.size() && node; ++i) node = enter(*node, segments[i], i == 0);
    if (!node) return;
    try {
      put(*node, segments.back());
    } catch (const toml::parse_error& e) {
      error(fmt::format("has a value that is not text: {}", e.description()));
    }
  }

 private:
  void error(const std::string& what) { errors_.add(place_, fmt::format("key '{}' {}", printable(change_.key), what)); }

  // Every scene has the material "default"; one that does not describe it gets an entry to change.
  void add_default_material(toml::table& root) {
    toml::table tree = parsed("[{ name = 'default' }]");
    toml::array& fresh = *tree["value"].as_array();
    toml::node* given = root.get("material");
    if (!given) {
      root.insert_or_assign(toml::key("material", place_), std::move(fresh));
      return;
    }
    toml::array* list = given->as_array();
    const auto is_default = [](const toml::node& n) {
      return n.is_table() && (*n.as_table())["name"].value_or(std::string()) == "default";
    };
    if (list && std::none_of(list->begin(), list->end(), is_default)) list->push_back(std::move(*fresh[0].as_table()));
  }

  toml::node* enter(toml::node& node, const std::string& segment, bool top) {
    if (toml::array* array = node.as_array()) return entry(*array, segment);
    toml::table* table = node.as_table();
    if (!table) {
      error(fmt::format("leads nowhere: there is no '{}' in {}", segment, type_text(node)));
      return nullptr;
    }
    if (toml::node* found = table->get(segment)) return found;
    if (top && is_list(segment)) {
      error(fmt::format("leads nowhere: the scene has no [[{}]]", segment));
      return nullptr;
    }
    toml::table tree = parsed("{}");
    return &table->insert_or_assign(toml::key(segment, place_), std::move(*tree["value"].as_table())).first->second;
  }

  static bool is_list(const std::string& section) {
    const auto& keys = scene_format().keys;
    return std::any_of(keys.begin(), keys.end(),
                       [&](const KeySpec& k) { return k.name == section && k.type == ValueType::kTableList; });
  }

  toml::node* entry(toml::array& array, const std::string& segment) {
    std::vector<std::string> names;
    for (toml::node& element : array) {
      const toml::table* table = element.as_table();
      const std::string name = table ? (*table)["name"].value_or(std::string()) : "";
      if (!name.empty() && name == segment) return &element;
      if (!name.empty() && names.size() < kMaxHints) names.push_back(name);
    }
    if (const auto index = index_of(segment); index && *index < array.size()) return array.get(*index);
    error(fmt::format("leads nowhere: there is no '{}' in a list of {}{}", segment, array.size(),
                      did_you_mean(segment, names)));
    return nullptr;
  }

  // The tree of "value = ..." with this override as its source.
  toml::table parsed(const std::string& value) const {
    return toml::parse(std::string_view("value = " + value), std::string_view(label_));
  }
  // A value that is not TOML is a string.
  toml::table parsed_value() const {
    try {
      toml::table tree = parsed(change_.value);
      if (tree.size() == 1) return tree;
    } catch (const toml::parse_error&) {
    }
    std::ostringstream quoted;
    quoted << toml::value<std::string>(change_.value);
    return parsed(quoted.str());
  }

  void put(toml::node& node, const std::string& segment) {
    toml::table tree = parsed_value();
    toml::node& value = *tree.get("value");
    if (toml::array* array = node.as_array()) {
      const toml::node* old = entry(*array, segment);
      if (!old) return;
      const auto at = std::find_if(array->cbegin(), array->cend(), [&](const toml::node& n) { return &n == old; });
      value.visit([&](auto& v) { array->replace(at, std::move(v)); });
    } else if (toml::table* table = node.as_table()) {
      table->erase(segment);  // with its key, whose place would otherwise stay the file's
      value.visit([&](auto& v) { table->insert_or_assign(toml::key(segment, place_), std::move(v)); });
    } else {
      error(fmt::format("leads nowhere: there is no '{}' in {}", segment, type_text(node)));
    }
  }

  const SceneOverride& change_;
  std::string label_;
  toml::source_region place_;
  SceneErrors& errors_;
};

void change_model(toml::table& root, const SceneOverride& change, SceneErrors& errors) {
  const auto name = [&] { return root["model"]["name"].value_or(ModelDescription{}.name); };
  const std::string before = name();
  toml::table* model = root["model"].as_table();
  Override(change, errors).apply(root);
  if (!model || name() == before) return;
  std::vector<std::string> options;
  for (const auto& [key, node] : *model)
    if (key.str() != "name") options.emplace_back(key.str());
  for (const std::string& option : options) model->erase(option);
}

}  // namespace

void apply_overrides(toml::table& root, const std::vector<SceneOverride>& overrides, SceneErrors& errors) {
  const auto is_model = [](const SceneOverride& change) { return change.key == "model.name"; };
  for (const SceneOverride& change : overrides)
    if (is_model(change)) change_model(root, change, errors);
  for (const SceneOverride& change : overrides)
    if (!is_model(change)) Override(change, errors).apply(root);
}

}  // namespace touchstone
