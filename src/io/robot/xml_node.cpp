#include "io/robot/xml_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Products of several such numbers, as of densities and lengths, are still finite.
constexpr double kMost = 1e20;

std::string quoted(const std::string& value) {
  return fmt::format("'{}'", valid_utf8(value.size() > 80 ? value.substr(0, 80) + "…" : value));
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < text.size();) {
    while (i < text.size() && is_blank(text[i])) ++i;
    const std::size_t first = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    if (i > first) out.push_back(text.substr(first, i - first));
  }
  return out;
}

// Without the locale of the program. Nothing if the word is no number.
std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) return std::nullopt;
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

// The attribute of the element, or of the nearest default class that has it. It is marked in every class: those behind
// it are read as well, and only overridden.
const XmlAttribute* XmlNode::find(const char* attribute, std::size_t* holder) const {
  document_->asked.emplace(me().name, attribute);
  const XmlAttribute* found = nullptr;
  const auto seek = [&](std::size_t place) {
    for (XmlAttribute& a : document_->elements[place].attributes) {
      if (a.name != attribute) continue;
      a.used = true;
      if (!found && holder) *holder = place;
      if (!found) found = &a;
    }
  };
  seek(element_);
  for (const std::size_t place : defaults_) seek(place);
  return found;
}

std::string XmlNode::label() const {
  for (const char* key : {"name", "mesh", "joint", "class"})
    for (const XmlAttribute& a : me().attributes)
      if (a.name == key) return fmt::format("<{}> {}", name(), quoted(a.value));
  return fmt::format("<{}>", name());
}

void XmlNode::refuse(const std::string& what) const {
  throw Error(ErrorKind::kBadInput,
              fmt::format("{}:{}: {}: {}", document_->files[me().file], me().line, label(), what));
}

void XmlNode::throw_here(const Error& error, const std::string& more) const {
  const std::string what = error.what() + more;
  for (const std::string& file : document_->files)
    if (what.starts_with(file + ":")) throw Error(error.kind(), what);
  refuse(what);
}

void XmlNode::refuse_attribute(const char* attribute, const std::string& what) const {
  std::size_t holder = element_;
  const XmlAttribute* a = find(attribute, &holder);
  if (!a) refuse(fmt::format("{} {}", attribute, what));
  refuse_at(*a, holder, what);
}

void XmlNode::refuse_at(const XmlAttribute& a, std::size_t holder, const std::string& what) const {
  const XmlElement& at = document_->elements[holder];
  const std::string whose =
      holder == element_ ? label() : fmt::format("{} (by a default class of line {})", label(), at.line);
  throw Error(ErrorKind::kBadInput, fmt::format("{}:{}: {}: {} = {} {}", document_->files[at.file], a.line, whose,
                                                a.name, quoted(a.value), what));
}

std::optional<std::string> XmlNode::text(const char* attribute) const {
  const XmlAttribute* a = find(attribute);
  return a ? std::optional(a->value) : std::nullopt;
}

std::string XmlNode::text(const char* attribute, const std::string& otherwise) const {
  return text(attribute).value_or(otherwise);
}

std::string XmlNode::required(const char* attribute) const {
  const auto value = text(attribute);
  if (!value) refuse(fmt::format("the attribute '{}' is missing", attribute));
  if (value->empty()) refuse_attribute(attribute, "is empty");
  return *value;
}

std::vector<double> XmlNode::parse(const XmlAttribute& a, std::size_t holder, std::size_t least,
                                   std::size_t most) const {
  std::vector<double> out;
  for (const std::string_view word : words_of(a.value)) {
    const auto value = number_of(word);
    if (!value) refuse_at(a, holder, fmt::format("has {} in it, which is no number", quoted(std::string(word))));
    if (!std::isfinite(*value)) refuse_at(a, holder, "must be finite");
    if (std::abs(*value) > kMost) refuse_at(a, holder, fmt::format("is beyond {:g}, more than any robot needs", kMost));
    out.push_back(*value);
    if (out.size() > most) break;
  }
  if (out.size() < least || out.size() > most)
    refuse_at(a, holder,
              least == most ? fmt::format("must have {}", counted(least, "number"))
                            : fmt::format("must have {} to {} numbers", least, most));
  return out;
}

std::optional<std::vector<double>> XmlNode::numbers(const char* attribute, std::size_t least, std::size_t most) const {
  std::size_t holder = element_;
  const XmlAttribute* a = find(attribute, &holder);
  return a ? std::optional(parse(*a, holder, least, most)) : std::nullopt;
}

bool XmlNode::overlay(const char* attribute, std::span<double> values) const {
  if (!find(attribute)) return false;
  const auto apply = [&](std::size_t place) {
    for (const XmlAttribute& a : document_->elements[place].attributes) {
      if (a.name != attribute) continue;
      const std::vector<double> numbers = parse(a, place, 0, values.size());
      std::copy(numbers.begin(), numbers.end(), values.begin());
    }
  };
  for (std::size_t i = defaults_.size(); i-- > 0;) apply(defaults_[i]);
  apply(element_);
  return true;
}

std::optional<double> XmlNode::number(const char* attribute) const {
  const auto list = numbers(attribute, 1, 1);
  return list ? std::optional(list->front()) : std::nullopt;
}

double XmlNode::number(const char* attribute, double otherwise) const { return number(attribute).value_or(otherwise); }

std::optional<double> XmlNode::limit(const char* attribute) const {
  const XmlAttribute* a = find(attribute);
  if (!a) return std::nullopt;
  const auto words = words_of(a->value);
  if (words.size() == 1)
    if (const auto value = number_of(words[0]); value && std::abs(*value) > kMost) return std::nullopt;
  return number(attribute);
}

std::optional<long> XmlNode::integer(const char* attribute) const {
  const auto value = number(attribute);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > 4294967295.0)
    refuse_attribute(attribute, "must be a whole number");
  return static_cast<long>(*value);
}

std::optional<bool> XmlNode::boolean(const char* attribute) const {
  const XmlAttribute* a = find(attribute);
  if (!a || a->value == "auto") return std::nullopt;
  if (a->value == "true" || a->value == "1") return true;
  if (a->value == "false" || a->value == "0") return false;
  refuse_attribute(attribute, "must be true or false");
}

std::optional<Eigen::Vector3d> XmlNode::vector(const char* attribute) const {
  const auto list = numbers(attribute, 3, 3);
  return list ? std::optional(Eigen::Vector3d((*list)[0], (*list)[1], (*list)[2])) : std::nullopt;
}

Eigen::Vector3d XmlNode::vector(const char* attribute, const Eigen::Vector3d& otherwise) const {
  return vector(attribute).value_or(otherwise);
}

std::string XmlNode::word(const char* attribute, const std::vector<std::string>& words) const {
  const auto value = text(attribute);
  if (!value) return words.front();
  if (std::find(words.begin(), words.end(), *value) == words.end())
    refuse_attribute(attribute, fmt::format("must be {}{}", join_or(words), did_you_mean(*value, words)));
  return *value;
}

std::vector<XmlNode> XmlNode::children(const char* name) const {
  std::vector<XmlNode> out;
  for (const std::size_t place : me().children)
    if (document_->elements[place].name == name) out.emplace_back(*document_, place);
  return out;
}

std::optional<XmlNode> XmlNode::child(const char* name) const {
  const std::vector<XmlNode> all = children(name);
  if (all.size() > 1) all[1].refuse(fmt::format("{} has more than one; keep one", label()));
  return all.empty() ? std::nullopt : std::optional(all.front());
}

}  // namespace touchstone
