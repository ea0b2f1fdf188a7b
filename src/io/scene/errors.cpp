#include "io/scene/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <tuple>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::size_t kMaxShown = 50;
// Kept for sorting; a file with more mistakes than this is only counted, so that memory stays bounded.
constexpr std::size_t kMaxKept = 1000;
constexpr std::size_t kMaxValueLength = 60;
constexpr std::size_t kMaxListedElements = 8;

bool is_override(const toml::source_region& place) { return place.path && place.path->starts_with(kOverridePrefix); }

// Names that cannot be mistaken for an index or for more of the path.
bool is_plain_name(std::string_view name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !name.empty() && name.size() <= kMaxValueLength && std::all_of(name.begin(), name.end(), plain) &&
         !std::all_of(name.begin(), name.end(), digit);
}

bool is_long_list(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array) return false;
  const auto nested = [](const toml::node& n) { return n.is_table() || n.is_array(); };
  return array->size() > kMaxListedElements || std::any_of(array->begin(), array->end(), nested);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  // A character of several bytes that the cut goes through is left out.
  std::size_t length = std::min(text.size(), kMaxValueLength);
  while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  for (const char c : valid_utf8(text.substr(0, length))) {
    if (std::iscntrl(static_cast<unsigned char>(c)))
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return text.size() > kMaxValueLength ? out + "..." : out;
}

std::string ScenePath::text() const {
  std::string out = parent ? parent->text() : "";
  if (!out.empty() && !key.empty()) out += '.';
  out += printable(key);
  if (!index) return out;
  return is_plain_name(name) ? out + '.' + std::string(name) : out + fmt::format("[{}]", *index);
}

std::string type_text(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

std::string value_text(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (is_long_list(node)) return fmt::format("a list of {}", node.as_array()->size());
  std::string text;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) text += (text.empty() ? "" : ", ") + value_text(element);
    text = '[' + text + ']';
  } else if (const auto number = node.as_floating_point()) {
    text = fmt::format("{}", number->get());  // the shortest that reads back, as it was most likely written
  } else {
    std::ostringstream stream;
    node.visit([&](const auto& n) { stream << n; });
    text = stream.str();
  }
  return printable(text);
}

void SceneErrors::add(const toml::source_region& place, const std::string& message) {
  ++count_;
  if (entries_.size() >= kMaxKept) return;
  if (is_override(place))
    entries_.push_back({true, 0, 0, fmt::format("{}: {}", printable(*place.path), message)});
  else
    entries_.push_back({false, place.begin.line, place.begin.column,
                        fmt::format("{}:{}:{}: {}", file_, place.begin.line, place.begin.column, message)});
}

void SceneErrors::add_key(const toml::source_region& place, const ScenePath& path, const std::string& what) {
  add(place, fmt::format("key '{}' {}", path.text(), what));
}

void SceneErrors::bad_value(const toml::node& node, const ScenePath& path, const std::string& what) {
  mark_bad(node);
  add_key(node.source(), path, fmt::format("is {}: {}", value_text(node), what));
}

void SceneErrors::throw_if_any() {
  if (count_ == 0) return;
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.from_override, a.line, a.column) < std::tie(b.from_override, b.line, b.column);
  });
  std::string text;
  const std::size_t shown = std::min(kMaxShown, entries_.size());
  for (std::size_t i = 0; i < shown; ++i) text += entries_[i].text + '\n';
  if (count_ > shown) text += fmt::format("... and {} more\n", count_ - shown);
  text += fmt::format("{} error{} in {}", count_, count_ == 1 ? "" : "s", file_);
  throw Error(ErrorKind::kBadInput, valid_utf8(text));
}

}  // namespace touchstone
