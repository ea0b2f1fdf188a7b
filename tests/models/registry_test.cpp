// What a model does not support is refused by name, with the models that do.
#include "models/registry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "touchstone/error.h"

namespace touchstone {
namespace {

std::string refusal_of(const std::string& model) {
  try {
    require_trees(find_model(model), "arm");
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
    return e.what();
  }
}

const ModelInfo& arms_only() {
  static const ModelInfo& added = []() -> const ModelInfo& {
    ModelInfo info = find_model("free");
    info.name = "arms_only";
    info.capabilities.trees = true;
    return add_model(info);
  }();
  return added;
}

TEST(ModelRegistry, ASceneWithARobotIsRefusedByName) {
  const ModelInfo& able = arms_only();
  EXPECT_EQ(refusal_of(able.name), "");
  for (const ModelInfo& model : registered_models()) {
    if (model.capabilities.trees) continue;
    const std::string said = refusal_of(model.name), begins = "model '" + model.name +
                                                              "' does not support articulated bodies in reduced "
                                                              "coordinates, and the scene has robot 'arm'; use ";
    EXPECT_EQ(said.rfind(begins, 0), 0u) << said;
    EXPECT_NE(said.find(able.name), std::string::npos) << said;
  }
}

// `gauss` makes points of bodies, and `lagrange` holds joints of bodies: neither takes them.
TEST(ModelRegistry, ModelsOfBodiesAloneTakeNoTrees) {
  for (const char* name : {"gauss", "lagrange", "impulse", "hahn", "mirtich"})
    EXPECT_FALSE(find_model(name).capabilities.trees) << name;
}

}  // namespace
}  // namespace touchstone
