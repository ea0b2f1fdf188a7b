#pragma once
// An element with typed access to its attributes. Access marks an attribute as used; the walk over the rest (notes.h)
// reports the others. Elements of default classes stand behind an element and answer for attributes that it lacks.
#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/robot/xml_document.h"
#include "touchstone/error.h"

namespace touchstone {

class XmlNode {
 public:
  XmlNode(XmlDocument& document, std::size_t element) : document_(&document), element_(element) { use(); }
  // `defaults`: elements that answer for missing attributes, nearest first.
  XmlNode(XmlDocument& document, std::size_t element, std::vector<std::size_t> defaults)
      : document_(&document), element_(element), defaults_(std::move(defaults)) {
    use();
  }

  const std::string& name() const { return me().name; }
  const std::string& body() const { return me().text; }
  std::size_t place() const { return element_; }
  int line() const { return me().line; }
  RobotSource source() const { return {document_->files[me().file], me().line}; }
  XmlDocument& document() const { return *document_; }

  bool has(const char* attribute) const { return find(attribute) != nullptr; }
  std::optional<std::string> text(const char* attribute) const;
  std::string text(const char* attribute, const std::string& otherwise) const;
  std::string required(const char* attribute) const;
  std::optional<double> number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  // A number that may be infinite or beyond all others, which is no limit.
  std::optional<double> limit(const char* attribute) const;
  std::optional<long> integer(const char* attribute) const;
  // "true", "false", and where a format has it "auto" (nullopt, as is a missing attribute).
  std::optional<bool> boolean(const char* attribute) const;
  // Between `least` and `most` numbers.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least, std::size_t most) const;
  // Overwrites the first of `values` with the numbers that stand here, after those of the default classes from the
  // farthest to the nearest. An attribute with fewer numbers keeps the rest. Whether there are any.
  bool overlay(const char* attribute, std::span<double> values) const;
  std::optional<Eigen::Vector3d> vector(const char* attribute) const;
  Eigen::Vector3d vector(const char* attribute, const Eigen::Vector3d& otherwise) const;
  // One of the words; the first if the attribute is missing.
  std::string word(const char* attribute, const std::vector<std::string>& words) const;

  // Children of a name, in their order, marked as used.
  std::vector<XmlNode> children(const char* name) const;
  // The only child of that name. Throws Error if there are two.
  std::optional<XmlNode> child(const char* name) const;
  // All children, without marking any.
  const std::vector<std::size_t>& child_places() const { return me().children; }

  // "<joint> 'elbow'"
  std::string label() const;
  // Throws Error: "file:line: <joint> 'elbow': …".
  [[noreturn]] void refuse(const std::string& what) const;
  // Throws the Error again: as it is if it names a place in one of the files, otherwise at this element.
  [[noreturn]] void throw_here(const Error& error, const std::string& more = "") const;
  [[noreturn]] void refuse_attribute(const char* attribute, const std::string& what) const;

 private:
  const XmlElement& me() const { return document_->elements[element_]; }
  void use() const { document_->elements[element_].used = true; }
  std::vector<double> parse(const XmlAttribute& a, std::size_t holder, std::size_t least, std::size_t most) const;
  [[noreturn]] void refuse_at(const XmlAttribute& a, std::size_t holder, const std::string& what) const;
  const XmlAttribute* find(const char* attribute, std::size_t* holder = nullptr) const;

  XmlDocument* document_;
  std::size_t element_;
  std::vector<std::size_t> defaults_;
};

}  // namespace touchstone
