// The rows of [thompson2003]: they hold in short runs, they can fail, and the figures are drawn.
#include "study/papers/thompson2003/thompson2003.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace touchstone {
namespace {

PaperOptions quick_options(const std::string& experiment) {
  PaperOptions options;
  options.scenes = std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes";
  options.quick = true;
  options.only = {experiment};
  return options;
}

class Thompson2003 : public ::testing::TestWithParam<const char*> {};

TEST_P(Thompson2003, RowsHold) {
  const PaperStudy study = run_paper(thompson2003_paper(), quick_options(GetParam()));
  EXPECT_TRUE(study.passed()) << paper_table(study);
  EXPECT_TRUE(std::any_of(study.rows.begin(), study.rows.end(),
                          [](const PaperRow& row) { return row.verdict() == Verdict::kPass; }));
}

INSTANTIATE_TEST_SUITE_P(Experiments, Thompson2003,
                         ::testing::Values("collisions", "pinned_boxes", "robots", "pendulum", "bead", "door",
                                           "impacts"),
                         [](const auto& p) { return std::string(p.param); });

TEST(Thompson2003Paper, HasTheseExperiments) { EXPECT_EQ(thompson2003_paper().experiments.size(), 7u); }

// A number that is off by a thousandth of itself fails, where a value is expected.
TEST(Thompson2003Paper, ImpactsCanFail) {
  PaperStudy study = run_paper(thompson2003_paper(), quick_options("impacts"));
  int judged = 0;
  for (PaperRow row : study.rows) {
    if (!row.expected) continue;
    ++judged;
    row.ours *= 1.001;
    EXPECT_EQ(row.verdict(), Verdict::kFail) << row.quantity;
  }
  EXPECT_GE(judged, 13);
}

TEST(Thompson2003Paper, DrawsItsFigures) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("touchstone-thompson2003-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::vector<std::string> drawn;
  for (const char* experiment : {"collisions", "pinned_boxes", "pendulum", "bead", "door"}) {
    PaperOptions options = quick_options(experiment);
    options.figures = folder.string();
    for (const std::string& path : run_paper(thompson2003_paper(), options).figures) {
      EXPECT_GT(std::filesystem::file_size(path), 3000u) << path;
      drawn.push_back(std::filesystem::path(path).filename());
    }
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(drawn, (std::vector<std::string>{"figure_1.png", "pinned_boxes.png", "figure_3.png", "pendulum_heights.png",
                                             "bead.png", "door.png"}));
}

}  // namespace
}  // namespace touchstone
