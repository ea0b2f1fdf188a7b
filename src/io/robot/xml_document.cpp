// Purpose: read XML by tinyxml2 into a flat list with lines. Source: tinyxml2 9,
// https://github.com/leethomason/tinyxml2. Letters: none. Deviations: entities are not expanded beyond the five of XML
// itself, and a file that declares others is refused. Fails: with an Error that names file and line.
#include "io/robot/xml_document.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, int line, const std::string& what) {
  throw Error(ErrorKind::kBadInput,
              line > 0 ? fmt::format("{}:{}: {}", file, line, what) : fmt::format("{}: {}", file, what));
}

std::string read_text(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error || status.type() == fs::file_type::not_found) refuse(path, 0, "there is no such file");
  if (!fs::is_regular_file(status)) refuse(path, 0, "is no ordinary file");
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (error) refuse(path, 0, "cannot be read: " + error.message());
  if (bytes > most_bytes) refuse(path, 0, fmt::format("has {} bytes; at most {} are read", bytes, most_bytes));
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) refuse(path, 0, "cannot be read");
  return text;
}

std::string problem_of(const tinyxml2::XMLDocument& xml) {
  switch (xml.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "holds no XML element";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is closed by the tag of another, or not at all";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is damaged: it needs the form name=\"value\"";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return fmt::format("elements are nested deeper than {}", TINYXML2_MAX_ELEMENT_DEPTH);
    default:
      return fmt::format("is not well-formed XML ({})", xml.ErrorName());
  }
}

std::string trimmed(const std::string& text) {
  const char* const blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

}  // namespace

XmlDocument::XmlDocument(const std::string& path, const XmlLimits& limits) : limits_(limits) {
  read(path, XmlElement::kNone);
}

XmlDocument::XmlDocument(const std::string& path, const std::string& text, const XmlLimits& limits) : limits_(limits) {
  files.push_back(path);
  parse(text, XmlElement::kNone);
}

std::size_t XmlDocument::read(const std::string& path, std::size_t parent) {
  const std::string text = read_text(path, limits_.bytes - std::min(bytes_, limits_.bytes));
  files.push_back(path);
  return parse(text, parent);
}

void XmlDocument::check_limits(const XmlElement& e) const {
  const std::string& file = files[e.file];
  if (elements.size() >= limits_.elements)
    refuse(file, e.line, fmt::format("there are more than {} elements", limits_.elements));
  if (e.depth > limits_.depth) refuse(file, e.line, fmt::format("elements are nested deeper than {}", limits_.depth));
  if (e.attributes.size() > limits_.attributes)
    refuse(file, e.line, fmt::format("<{}> has more than {} attributes", e.name, limits_.attributes));
  for (std::size_t i = 0; i < e.attributes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (e.attributes[i].name == e.attributes[j].name)
        refuse(file, e.attributes[i].line,
               fmt::format("<{}> has the attribute '{}' twice; remove one", e.name, e.attributes[i].name));
}

// Appends the elements of a text and returns the place of its root.
std::size_t XmlDocument::parse(const std::string& text, std::size_t parent) {
  const std::size_t file = files.size() - 1;
  const std::string& path = files[file];
  bytes_ += text.size();
  if (bytes_ > limits_.bytes) refuse(path, 0, fmt::format("more than {} bytes of XML", limits_.bytes));
  if (!is_valid_utf8(text)) refuse(path, 0, "is not UTF-8; save it in this encoding");
  if (text.find('\0') != std::string::npos) refuse(path, 0, "has a zero byte in it; it is no XML");
  tinyxml2::XMLDocument xml;
  if (xml.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) refuse(path, xml.ErrorLineNum(), problem_of(xml));
  for (const tinyxml2::XMLNode* node = xml.FirstChild(); node; node = node->NextSibling())
    if (const tinyxml2::XMLUnknown* unknown = node->ToUnknown();
        unknown && std::string(unknown->Value()).find("ENTITY") != std::string::npos)
      refuse(path, node->GetLineNum(), "declares entities, which are not expanded; write their text instead");
  const tinyxml2::XMLElement* top = xml.RootElement();
  if (!top) refuse(path, 0, "holds no XML element");
  if (const tinyxml2::XMLElement* second = top->NextSiblingElement())
    refuse(path, second->GetLineNum(),
           fmt::format("<{}> stands after the end of the root element <{}>", second->Name(), top->Name()));

  const std::size_t first = elements.size();
  // Depth first, with a stack of our own; the last child is pushed first.
  std::vector<std::pair<const tinyxml2::XMLElement*, std::size_t>> open{{top, parent}};
  std::vector<const tinyxml2::XMLElement*> children;
  while (!open.empty()) {
    const auto [node, above] = open.back();
    open.pop_back();
    XmlElement e;
    e.name = node->Name();
    e.file = file;
    e.line = node->GetLineNum();
    e.parent = above;
    e.depth = above == XmlElement::kNone ? 0 : elements[above].depth + 1;
    for (const tinyxml2::XMLAttribute* a = node->FirstAttribute(); a; a = a->Next())
      e.attributes.push_back({a->Name(), a->Value(), a->GetLineNum()});
    children.clear();
    for (const tinyxml2::XMLNode* c = node->FirstChild(); c; c = c->NextSibling()) {
      if (c->ToText()) e.text += c->Value();
      if (c->ToElement()) children.push_back(c->ToElement());
    }
    e.text = trimmed(e.text);
    check_limits(e);
    const std::size_t here = elements.size();
    elements.push_back(std::move(e));
    if (above != XmlElement::kNone && here != first) elements[above].children.push_back(here);
    for (std::size_t i = children.size(); i-- > 0;) open.emplace_back(children[i], here);
  }
  return first;
}

void XmlDocument::include(std::size_t element, const std::string& path) {
  const XmlElement old = elements[element];
  const std::string at = files[old.file];
  std::error_code error;
  for (const std::string& file : files)
    if (file == path || fs::equivalent(file, path, error))
      refuse(at, old.line,
             fmt::format("<include> names '{}', which was read already; a file can be included once", path));
  std::size_t root = 0;
  try {
    root = read(path, old.parent);
  } catch (const Error& e) {
    refuse(at, old.line, fmt::format("<include>: {}", e.what()));
  }
  XmlElement& top = elements[root];
  if (top.name != elements.front().name && top.name != "mujocoinclude")
    refuse(path, top.line,
           fmt::format("the root of an included file is <{}>, not <{}>", elements.front().name, top.name));
  top.used = true;
  std::vector<std::size_t>& siblings = elements[old.parent].children;
  const auto place = std::find(siblings.begin(), siblings.end(), element);
  const auto next = siblings.erase(place);
  siblings.insert(next, top.children.begin(), top.children.end());
  for (const std::size_t child : top.children) elements[child].parent = old.parent;
}

}  // namespace touchstone
