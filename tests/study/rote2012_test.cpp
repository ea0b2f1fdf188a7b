// The rows of [rote2012] that take no time hold.
#include <gtest/gtest.h>

#include "study/papers/rote2012/rote2012.h"

namespace touchstone {
namespace {

TEST(Rote2012, RowsHold) {
  PaperOptions options;
  options.scenes = std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes";
  options.quick = true;
  options.only = {"accelerations", "stability", "lengths", "flat"};
  const PaperStudy study = run_paper(rote2012_paper(), options);
  EXPECT_TRUE(study.passed()) << paper_table(study);
  EXPECT_GT(study.rows.size(), 20u);
}

TEST(Rote2012, TheCollapseRuns) {
  PaperOptions options;
  options.scenes = std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes";
  options.quick = true;
  options.only = {"collapse"};
  const PaperStudy study = run_paper(rote2012_paper(), options);
  EXPECT_TRUE(study.passed()) << paper_table(study);
}

}  // namespace
}  // namespace touchstone
