#pragma once
// Notes of an import: approximations that readers state, and the parts of the files that no reader used.
#include <string>
#include <vector>

#include "io/robot/xml_node.h"

namespace touchstone {

// Why an element or an attribute is not simulated. An empty attribute stands for the element and what is in it; an
// empty element for any.
struct KnownPart {
  const char* element;
  const char* attribute;
  const char* reason;
  bool affects_motion;
};

class ImportNotes {
 public:
  explicit ImportNotes(XmlDocument& document) : document_(&document) {}

  void add(ImportNote::Kind kind, const RobotSource& source, const std::string& thing, const std::string& reason,
           bool affects);
  void approximated(const XmlNode& node, const std::string& thing, const std::string& reason);
  // An attribute or an element that was understood, and is left out.
  void ignored(const XmlNode& node, const std::string& thing, const std::string& reason, bool affects_motion);
  void unused(const XmlNode& node, const std::string& thing, const std::string& reason);

  // Adds a note for each unused element and attribute, counts the used ones, and sorts the notes by file and line.
  // `known`: reasons; other parts are called unknown. Unused attributes inside of elements `defaults` are compared
  // with those that readers asked for.
  void finish(const std::vector<KnownPart>& known, const char* defaults, ImportReport& report);

 private:
  void walk(std::size_t element, bool in_defaults, const std::vector<KnownPart>& known, const char* defaults);
  void note_attribute(const XmlElement& e, const XmlAttribute& a, bool in_defaults,
                      const std::vector<KnownPart>& known);

  XmlDocument* document_;
  std::vector<ImportNote> notes_;
};

}  // namespace touchstone
