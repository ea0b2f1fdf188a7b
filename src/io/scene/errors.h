#pragma once
// The mistakes of a scene, each with its place, collected so that all are shown at once.
#include <toml++/toml.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace touchstone {

// A key's place in the scene as a chain of frames on the stack; text is only made when there is an error.
struct ScenePath {
  const ScenePath* parent = nullptr;
  std::string_view key = {};
  std::optional<std::size_t> index = {};  // in a list
  std::string_view name = {};             // of the entry, shown instead of the index

  // "body.ball.shapes[0].radius", which is also what --set takes.
  std::string text() const;
};

// Keys may hold anything in TOML; in a message they stay on its line, in UTF-8, and are cut if they are long.
std::string printable(std::string_view text);

class SceneErrors {
 public:
  explicit SceneErrors(std::string file) : file_(std::move(file)) {}

  // "file:line:column: message", or "--set key=value: message" for what came from an override.
  void add(const toml::source_region& place, const std::string& message);
  // "key 'path' is value: must be ..."; the node counts as bad from then on.
  void bad_value(const toml::node& node, const ScenePath& path, const std::string& what);
  void add_key(const toml::source_region& place, const ScenePath& path, const std::string& what);
  void mark_bad(const toml::node& node) { bad_.insert(&node); }
  // Whether a value, or anything in a table, was refused; later stages then leave it alone.
  bool is_bad(const toml::node& node) const { return !bad_.empty() && bad_.contains(&node); }

  std::size_t count() const { return count_; }
  const std::string& file() const { return file_; }
  void throw_if_any();

 private:
  struct Entry {
    bool from_override;
    toml::source_index line, column;
    std::string text;
  };
  std::string file_;
  std::vector<Entry> entries_;
  std::size_t count_ = 0;
  std::unordered_set<const toml::node*> bad_;
};

// A value as a message shows it: short, with control characters escaped.
std::string value_text(const toml::node& node);
// "a string", "an integer", ...
std::string type_text(const toml::node& node);
// Marks the source of nodes that come from an override.
inline constexpr std::string_view kOverridePrefix = "--set ";

}  // namespace touchstone
