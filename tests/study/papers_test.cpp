// The frame of `touchstone papers`: what a verdict is, and that text and JSON say the same.
#include "study/papers/papers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/papers/bender2006/bender2006.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

TEST(PaperRow, BoundsAreIncludedAndDecide) {
  EXPECT_EQ(row_near("x", "m", 2, 0.5, 1.5).verdict(), Verdict::kPass);
  EXPECT_EQ(row_near("x", "m", 2, 0.5, 2.5).verdict(), Verdict::kPass);
  EXPECT_EQ(row_near("x", "m", 2, 0.5, 1.49).verdict(), Verdict::kFail);
  EXPECT_EQ(row_near("x", "m", 2, 0.5, 2.51).verdict(), Verdict::kFail);
  EXPECT_EQ(row_at_most("x", "m", 1, 1).verdict(), Verdict::kPass);
  EXPECT_EQ(row_at_most("x", "m", 1, std::nextafter(1.0, 2)).verdict(), Verdict::kFail);
  EXPECT_EQ(row_at_least("x", "m", 1, 1).verdict(), Verdict::kPass);
  EXPECT_EQ(row_at_least("x", "m", 1, std::nextafter(1.0, 0)).verdict(), Verdict::kFail);
  EXPECT_EQ(row_between("x", "m", 1, 2, 3).verdict(), Verdict::kFail);
  EXPECT_EQ(row_between("x", "m", 1, 2, 0).verdict(), Verdict::kFail);
  EXPECT_EQ(row_between("x", "m", 1, 2, 1.5).verdict(), Verdict::kPass);
}

TEST(PaperRow, WhatIsNoNumberFailsUnlessItIsForInformation) {
  const double nan = std::nan(""), infinite = HUGE_VAL;
  EXPECT_EQ(row_at_most("x", "m", 1, nan).verdict(), Verdict::kFail);
  EXPECT_EQ(row_near("x", "m", 1, 1, nan).verdict(), Verdict::kFail);
  EXPECT_EQ(row_at_least("x", "m", 1, infinite).verdict(), Verdict::kFail);
  EXPECT_EQ(row_at_most("x", "m", 1, -infinite).verdict(), Verdict::kFail);
  EXPECT_EQ(row_info("x", "m", 3, nan).verdict(), Verdict::kInformation);
}

PaperStudy three_rows() {
  PaperStudy study;
  study.paper = "somebody1999";
  study.rows = {row_near("length", "m", 2, 0.1, 2.05), row_at_most("μ-creep", "m/s", 1e-9, 3e-9),
                row_info("time", "s", 4.0, std::nan(""))};
  study.rows[0].experiment = study.rows[1].experiment = "first";
  study.rows[2].experiment = "second";
  study.figures = {"a.png"};
  return study;
}

TEST(PaperStudy, OneFailingRowIsEnough) {
  PaperStudy study = three_rows();
  EXPECT_FALSE(study.passed());
  study.rows[1].ours = 1e-10;
  EXPECT_TRUE(study.passed());
  study.finished = false;
  EXPECT_FALSE(study.passed());
}

TEST(PaperStudy, TableAndJsonSayTheSame) {
  const PaperStudy study = three_rows();
  const std::string table = paper_table(study);
  for (const char* part : {"first\n", "second\n", "length", "2.05", "1.9 to 2.1", "at most 1e-09", "FAIL",
                           "1 of 2 judged rows hold", "wrote a.png"})
    EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
  const nlohmann::ordered_json j = nlohmann::ordered_json::parse(paper_json(study).dump());
  EXPECT_EQ(j["paper"], "somebody1999");
  EXPECT_FALSE(j["passed"]);
  ASSERT_EQ(j["rows"].size(), 3u);
  EXPECT_EQ(j["rows"][0]["verdict"], "ok");
  EXPECT_EQ(j["rows"][0]["expected"], 2.0);
  EXPECT_EQ(j["rows"][0]["low"], 1.9);
  EXPECT_EQ(j["rows"][1]["verdict"], "fail");
  EXPECT_TRUE(j["rows"][1]["low"].is_null());
  EXPECT_EQ(j["rows"][2]["verdict"], "information");
  EXPECT_TRUE(j["rows"][2]["ours"].is_null());
}

void count_first(const PaperOptions&, PaperStudy& study) { study.rows.push_back(row_info("a", "", {}, 1)); }
void stop_second(const PaperOptions&, PaperStudy& study) { study.finished = false; }

TEST(RunPaper, RunsWhatIsAskedForAndStopsWhenInterrupted) {
  const Paper paper{"p", "", {{"first", "", count_first}, {"second", "", stop_second}, {"third", "", count_first}}};
  const PaperStudy all = run_paper(paper, {});
  EXPECT_FALSE(all.finished);
  ASSERT_EQ(all.rows.size(), 1u);
  EXPECT_EQ(all.rows[0].experiment, "first");
  PaperOptions options;
  options.only = {"third"};
  const PaperStudy one = run_paper(paper, options);
  EXPECT_TRUE(one.passed());
  ASSERT_EQ(one.rows.size(), 1u);
  EXPECT_EQ(one.rows[0].experiment, "third");
  options.only = {"fourth"};
  EXPECT_THROW(run_paper(paper, options), Error);
}

TEST(Papers, AreFoundByName) {
  EXPECT_EQ(find_paper("bender2006").experiments.size(), 5u);
  try {
    find_paper("bendr2006");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(e.what()).find("did you mean 'bender2006'"), std::string::npos) << e.what();
  }
}

PaperOptions quick_options() {
  PaperOptions options;
  options.scenes = TOUCHSTONE_SOURCE_DIR "/scenes";
  options.quick = true;
  return options;
}

// The rows judge: a scene with another friction than the formula's must fail.
TEST(Bender2006, RowsOfTheInclinesHoldAndCanFail) {
  PaperOptions options = quick_options();
  options.only = {"inclines"};
  const PaperStudy study = run_paper(find_paper("bender2006"), options);
  EXPECT_TRUE(study.passed()) << paper_table(study);
  EXPECT_EQ(study.rows.size(), 10u);  // two dimensions; two blocks that stop with two rows each, one that slides on
  int distances = 0;
  for (PaperRow row : study.rows) {
    if (row.quantity.find("stopping distance") == std::string::npos) continue;
    ++distances;
    row.ours *= 1.01;
    EXPECT_EQ(row.verdict(), Verdict::kFail) << row.quantity;
  }
  EXPECT_EQ(distances, 4);
}

TEST(Bender2006, AnInterruptionEndsTheStudy) {
  PaperOptions options = quick_options();
  int calls = 0;
  options.progress = [&](const std::string&, double) { return ++calls < 1; };
  const PaperStudy study = run_paper(find_paper("bender2006"), options);
  EXPECT_FALSE(study.finished);
  EXPECT_FALSE(study.passed());
  EXPECT_TRUE(study.rows.empty());
}

TEST(Bender2006, AllItsScenesAreValid) {
  const PaperOptions options = quick_options();
  for (const char* name : {"incline_10_2d", "incline_10_3d", "incline_15_2d", "incline_15_3d", "incline_20_2d",
                           "incline_20_3d", "funnel", "tippe_top_0.1", "tippe_top_0.2", "tippe_top_0.3", "office_toy_1",
                           "office_toy_2", "office_toy_3", "one_contact_rod", "one_contact_box"}) {
    const SceneDescription scene = bender2006::scene_of(options, name);
    EXPECT_EQ(scene.model.name, "impulse") << name;
  }
}

}  // namespace
}  // namespace touchstone
