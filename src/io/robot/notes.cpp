#include "io/robot/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/text.h"

namespace touchstone {
namespace {

// The nearest entry: an exact one before one for any element.
const KnownPart* find_part(const std::vector<KnownPart>& known, const std::string& element,
                           const std::string& attribute) {
  const KnownPart* any = nullptr;
  for (const KnownPart& part : known) {
    if (std::string_view(part.attribute) != attribute) continue;
    if (std::string_view(part.element) == element) return &part;
    if (*part.element == '\0' && !any) any = &part;
  }
  return any;
}

}  // namespace

void ImportNotes::add(ImportNote::Kind kind, const RobotSource& source, const std::string& thing,
                      const std::string& reason, bool affects) {
  notes_.push_back({kind, source, valid_utf8(thing), valid_utf8(reason), affects});
}

void ImportNotes::approximated(const XmlNode& node, const std::string& thing, const std::string& reason) {
  add(ImportNote::Kind::kApproximated, node.source(), fmt::format("{}{}", thing, node.label()), reason, true);
}

void ImportNotes::ignored(const XmlNode& node, const std::string& thing, const std::string& reason, bool affects) {
  add(ImportNote::Kind::kIgnored, node.source(), fmt::format("{}{}", thing, node.label()), reason, affects);
}

void ImportNotes::unused(const XmlNode& node, const std::string& thing, const std::string& reason) {
  add(ImportNote::Kind::kUnused, node.source(), fmt::format("{}{}", thing, node.label()), reason, false);
}

void ImportNotes::note_attribute(const XmlElement& e, const XmlAttribute& a, bool in_defaults,
                                 const std::vector<KnownPart>& known) {
  const RobotSource source{document_->files[e.file], a.line};
  const std::string thing = fmt::format("{} of <{}>", a.name, e.name);
  if (const KnownPart* part = find_part(known, e.name, a.name))
    return add(ImportNote::Kind::kIgnored, source, thing, part->reason, part->affects_motion);
  const auto asked_of = [&](const std::string& element) {
    const auto place = document_->asked.lower_bound({element, ""});
    return place != document_->asked.end() && place->first == element;
  };
  if (in_defaults && (document_->asked.contains({e.name, a.name}) || !asked_of(e.name)))
    return add(ImportNote::Kind::kUnused, source, thing, "no element of the file takes this default", false);
  add(ImportNote::Kind::kIgnored, source, thing, "unknown attribute", true);
}

// Recursion is bounded by XmlLimits::depth.
void ImportNotes::walk(std::size_t place, bool in_defaults, const std::vector<KnownPart>& known, const char* defaults) {
  const XmlElement& e = document_->elements[place];
  if (!e.used && !in_defaults) {
    const KnownPart* part = find_part(known, e.name, "");
    add(ImportNote::Kind::kIgnored, {document_->files[e.file], e.line}, XmlNode(*document_, place).label(),
        part ? part->reason : "unknown element", part ? part->affects_motion : true);
    return;
  }
  for (const XmlAttribute& a : e.attributes)
    if (!a.used) note_attribute(e, a, in_defaults, known);
  const bool inside = in_defaults || e.name == defaults;
  for (const std::size_t child : e.children) {
    const XmlElement& c = document_->elements[child];
    const KnownPart* part = inside && !c.used ? find_part(known, c.name, "") : nullptr;
    if (part)
      add(ImportNote::Kind::kIgnored, {document_->files[c.file], c.line}, fmt::format("<{}>", c.name), part->reason,
          part->affects_motion);
    else
      walk(child, inside, known, defaults);
  }
}

void ImportNotes::finish(const std::vector<KnownPart>& known, const char* defaults, ImportReport& report) {
  // Counted first: the walk makes nodes, which marks elements as used.
  std::map<std::string, std::size_t> place_of;
  for (const XmlElement& e : document_->elements) {
    if (!e.used) continue;
    const auto [place, added] = place_of.emplace(e.name, report.read.size());
    if (added) report.read.push_back({valid_utf8(e.name), 0, e.line});
    ++report.read[place->second].number;
  }
  walk(0, false, known, defaults);
  std::map<std::string, std::size_t> file_order;
  for (const std::string& file : document_->files) file_order.emplace(file, file_order.size());
  std::stable_sort(notes_.begin(), notes_.end(), [&](const ImportNote& a, const ImportNote& b) {
    const auto fa = file_order.find(a.source.file), fb = file_order.find(b.source.file);
    const std::size_t pa = fa == file_order.end() ? file_order.size() : fa->second;
    const std::size_t pb = fb == file_order.end() ? file_order.size() : fb->second;
    return pa != pb ? pa < pb : a.source.line < b.source.line;
  });
  for (const std::string& file : document_->files) report.files.push_back(file);
  report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
}

}  // namespace touchstone
