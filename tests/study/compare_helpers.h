#pragma once
// Comparisons of scenes written in a test, in a folder that is gone at the end.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "study/compare/comparison.h"

namespace touchstone::compare::testing {

class CompareTest : public ::testing::Test {
 protected:
  CompareTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "touchstone-study-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~CompareTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return (root_ / name).string();
  }
  Comparison run(const CompareRequest& request, int jobs = 2) const {
    CompareOptions options;
    options.folder = root_.string();
    options.jobs = jobs;
    return run_comparison(make_plan(request), request, options);
  }
  static const ModelRun& of(const Comparison& c, const std::string& label) {
    for (const ModelRun& r : c.runs)
      if (r.label == label && r.compared) return r;
    throw std::runtime_error("no run " + label);
  }
  static const Finding* finding(const Comparison& c, const std::string& label, const std::string& kind) {
    for (const Finding& f : c.findings)
      if (f.model == label && f.kind == kind) return &f;
    return nullptr;
  }
  static bool says(const Comparison& c, const std::string& label, const std::string& kind) {
    return finding(c, label, kind) != nullptr;
  }

  std::filesystem::path root_;
};

inline std::string scene_path(const std::string& name) {
  return std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/" + name;
}

}  // namespace touchstone::compare::testing
