#pragma once
// An XML file as a flat list of elements that know their lines and whether a reader has used them. What no reader used
// becomes a note of the import report.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "touchstone/robot.h"

namespace touchstone {

struct XmlAttribute {
  std::string name, value;
  int line = 0;
  bool used = false;
};

struct XmlElement {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::string name, text;  // the text between its tags, without white space at the ends
  std::size_t file = 0;    // a place in XmlDocument::files
  int line = 0, depth = 0;
  bool used = false;
  std::size_t parent = kNone;
  std::vector<XmlAttribute> attributes;
  std::vector<std::size_t> children;  // in the order of the file
};

struct XmlLimits {
  std::size_t bytes = std::size_t{64} << 20;  // of all files of a document
  std::size_t elements = 1'000'000;
  int depth = 200;  // includes can nest deeper than tinyxml2's own limit of a file, 100
  std::size_t attributes = 200;
};

class XmlDocument {
 public:
  // Reads a file. Throws Error that names the file and the line: missing, too large, no XML, nested too deeply, text
  // that is not UTF-8, an attribute given twice, a declaration of entities.
  XmlDocument(const std::string& path, const XmlLimits& limits);
  // The same with a text instead of a file; for tests and fuzzers.
  XmlDocument(const std::string& path, const std::string& text, const XmlLimits& limits);

  const XmlElement& root() const { return elements.front(); }
  // Puts the children of another file's root in the place of an element. Throws Error at the element's line if the
  // file was read before.
  void include(std::size_t element, const std::string& path);

  std::vector<std::string> files;
  std::vector<XmlElement> elements;  // parents before children; the first is the root
  // Names of attributes that a reader has asked for, present or not, by element name.
  std::set<std::pair<std::string, std::string>> asked;

 private:
  std::size_t read(const std::string& path, std::size_t parent);
  std::size_t parse(const std::string& text, std::size_t parent);
  void check_limits(const XmlElement& element) const;

  XmlLimits limits_;
  std::size_t bytes_ = 0;
};

}  // namespace touchstone
