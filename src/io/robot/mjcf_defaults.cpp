// Purpose: includes and default classes of MJCF files. Source: MuJoCo, "Default settings" and "Including files".
// Letters: none. Deviations: none. Fails: with an Error at the element: include cycles, unknown or doubled classes.
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "io/robot/mjcf.h"

namespace touchstone {

void include_mjcf_files(XmlDocument& document) {
  const std::filesystem::path folder = std::filesystem::path(document.files.front()).parent_path();
  // Elements of included files are appended, so that their includes are met in turn.
  for (std::size_t i = 0; i < document.elements.size(); ++i) {
    if (document.elements[i].name != "include") continue;
    const XmlNode node(document, i);
    const std::string file = node.required("file");
    if (document.elements[i].parent == XmlElement::kNone) node.refuse("cannot be the root");
    document.include(i, (folder / file).lexically_normal().string());
  }
}

void MjcfDefaults::read(const XmlNode& mujoco) {
  for (const XmlNode& top : mujoco.children("default")) {
    const std::string name = top.text("class", "main");
    if (name != "main" && !classes_.contains("main")) classes_["main"];
    add(top, name == "main" ? "" : "main");
  }
  classes_["main"];
}

void MjcfDefaults::add(const XmlNode& node, const std::string& parent) {
  const std::string name = parent.empty() ? "main" : node.required("class");
  if (!parent.empty() && classes_.contains(name)) node.refuse("there is a default class of this name already");
  Class& here = classes_[name];
  if (!parent.empty()) here.parent = parent;
  for (const std::size_t child : node.child_places()) {
    if (node.document().elements[child].name == "default")
      add(XmlNode(node.document(), child), name);
    else
      classes_[name].elements.push_back(child);
  }
}

std::vector<std::size_t> MjcfDefaults::chain(const XmlNode& node, const std::string& class_name,
                                             const std::set<std::string>& names) const {
  std::vector<std::size_t> out;
  for (std::string name = class_name.empty() ? "main" : class_name; !name.empty();) {
    const auto found = classes_.find(name);
    if (found == classes_.end()) {
      std::vector<std::string> known;
      for (const auto& [each, ignored] : classes_) known.push_back(each);
      node.refuse(fmt::format("there is no default class '{}'{}", name, did_you_mean(name, known)));
    }
    const std::vector<std::size_t>& elements = found->second.elements;
    for (std::size_t i = elements.size(); i-- > 0;)
      if (names.contains(node.document().elements[elements[i]].name)) {
        node.document().elements[elements[i]].used = true;
        out.push_back(elements[i]);
      }
    name = found->second.parent;
  }
  return out;
}

XmlNode MjcfDefaults::with_defaults(const XmlNode& node, const std::string& inherited, const char* name) const {
  return XmlNode(node.document(), node.place(), chain(node, node.text("class", inherited), {name}));
}

}  // namespace touchstone
