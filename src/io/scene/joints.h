#pragma once
// The [[joint]] entries.
#include <unordered_set>

#include "io/scene/bodies.h"

namespace touchstone {

class SceneJoints {
 public:
  // The bodies are in the scene already.
  SceneJoints(const SceneNames& names, SceneDescription& scene, SceneErrors& errors)
      : names_(names), scene_(scene), errors_(errors), bodies_right_(errors.count() == 0) {}
  void add(const SceneTable& table);

 private:
  void read_kind(const SceneTable& table, JointDescription& joint) const;
  void check_name(const SceneTable& table, const JointDescription& joint);
  void report_faults(const SceneTable& table, const JointDescription& joint) const;
  const BodyDescription* body(const std::string& name) const;

  const SceneNames& names_;
  SceneDescription& scene_;
  SceneErrors& errors_;
  bool bodies_right_;  // otherwise a joint that does not fit them may be none of its own mistakes
  std::unordered_set<std::string> taken_;
};

}  // namespace touchstone
