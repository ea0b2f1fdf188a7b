// The table of drumwright2009: its machinery, and that one method can be measured.
#include "study/papers/drumwright2009/drumwright2009.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/registry.h"

namespace touchstone::drumwright2009 {
namespace {

PaperOptions quick_options() {
  PaperOptions options;
  options.scenes = TOUCHSTONE_SOURCE_DIR "/scenes";
  options.quick = true;
  return options;
}

Score perfect() {
  Score s;
  s.converged = 1;
  s.growth_apart = 1, s.growth_together = 2;
  return s;
}

TEST(Drumwright2009, AnExponentIsFittedToTheLastThree) {
  EXPECT_NEAR(fitted_exponent({1, 2, 4, 8}, {100, 12, 96, 768}), 3, 1e-12);
  EXPECT_NEAR(fitted_exponent({2, 8}, {5, 20}), 1, 1e-12);
  EXPECT_TRUE(std::isnan(fitted_exponent({2}, {5})));
  EXPECT_NEAR(fitted_exponent({1, 10, 100}, {1, 20, 100}), 1, 1e-12);  // what is beside the line pulls to both sides
}

TEST(Drumwright2009, EveryMethodOfThePaperIsAModelHere) {
  const std::vector<Method> all = methods();
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Method& m) { return m.in_paper; }), 7);
  for (const Method& m : all) EXPECT_NO_THROW(complete_options(find_model(m.model.name), m.model.options)) << m.label;
}

// Each property has its own number, and a number that is missing is not a yes.
TEST(Drumwright2009, ScoresDecide) {
  Method m = methods().front();
  m.order = 3;
  const Score good = perfect();
  EXPECT_TRUE(prevents_penetration(good) && always_converges(good) && holds_contact(good) && models_impacts(good));
  EXPECT_TRUE(grows_as_printed(m, good));
  Score bad = good;
  bad.penetration = 1e-3, bad.converged = 0.999, bad.stack_creep = 1e-4, bad.one_contact = 0.1, bad.growth_together = 4;
  EXPECT_FALSE(prevents_penetration(bad) || always_converges(bad) || holds_contact(bad) || models_impacts(bad));
  EXPECT_FALSE(grows_as_printed(m, bad));
  Score none = good;
  none.penetration = none.converged = none.slope_creep = none.one_contact = none.growth_apart = std::nan("");
  EXPECT_FALSE(prevents_penetration(none) || always_converges(none) || holds_contact(none) || models_impacts(none));
  EXPECT_FALSE(grows_as_printed(m, none));
}

TEST(Drumwright2009, RowsSayWhetherThePaperAgreesAndJudgeItsOwnMethod) {
  for (const Method& m : methods()) {
    PaperStudy study;
    add_rows(m, perfect(), study);
    EXPECT_EQ(study.rows.size(), 8u);
    EXPECT_TRUE(study.passed());
    EXPECT_EQ(grid_line(m, perfect()).size(), grid_columns().size());
    if (!m.in_paper) continue;
    const char* expected = m.nonpenetration == Claim::kYes ? "paper: Yes, agrees" : "paper: No, differs";
    EXPECT_EQ(study.rows[0].note, expected) << m.label;
    Score deep = perfect();
    deep.penetration = 1;
    PaperStudy other;
    add_rows(m, deep, other);
    EXPECT_EQ(other.passed(), m.model.name != "convex") << m.label;
  }
}

TEST(Drumwright2009, EachRowHasItsOwnVerdict) {
  Method m = methods().front();
  m.in_paper = true, m.order = 1, m.order_text = "O(n)", m.stable = Claim::kYes;
  Score s = perfect();  // grows with n side by side, with n² stacked
  s.stack_creep = 1;
  PaperStudy study;
  add_rows(m, s, study);
  EXPECT_EQ(study.rows[2].note, "paper: Yes, agrees");   // creep on a slope
  EXPECT_EQ(study.rows[3].note, "paper: Yes, differs");  // creep of a stack
  EXPECT_EQ(study.rows[6].note, "paper: O(n), agrees");
  EXPECT_EQ(study.rows[7].note, "paper: O(n), differs");
  EXPECT_FALSE(grows_as_printed(m, s) || holds_contact(s));
}

TEST(Drumwright2009, AMethodIsMeasured) {
  const std::vector<Method> all = methods();
  const auto guendelman =
      std::find_if(all.begin(), all.end(), [](const Method& m) { return m.model.name == "guendelman"; });
  PaperStudy study;
  Score score;
  ASSERT_TRUE(measure(*guendelman, quick_options(), study, score));
  EXPECT_EQ(score.failure, "");
  EXPECT_TRUE(prevents_penetration(score)) << score.penetration;
  EXPECT_TRUE(models_impacts(score)) << score.one_contact;
  EXPECT_GT(score.four_contacts, 0.1);  // corner after corner is not all at once
  EXPECT_GT(score.slope_creep, 0);
  EXPECT_GE(score.sizes.size(), 3u);
  EXPECT_GT(score.growth_together, 0);
}

TEST(Drumwright2009, AMethodThatGivesUpIsSaidToHave) {
  Method m;
  m.label = "free";
  m.model.name = "penalty";
  m.model.options["max_substeps"] = std::int64_t{1};
  PaperStudy study;
  Score score;
  ASSERT_TRUE(measure(m, quick_options(), study, score));
  EXPECT_NE(score.failure, "");
  EXPECT_FALSE(holds_contact(score));
}

TEST(Drumwright2009, AnInterruptionEndsTheTable) {
  PaperOptions options = quick_options();
  options.progress = [](const std::string&, double) { return false; };
  const PaperStudy study = run_paper(find_paper("drumwright2009"), options);
  EXPECT_FALSE(study.finished);
  EXPECT_TRUE(study.grids.empty());
}

TEST(PaperGrid, IsPartOfTextAndJson) {
  PaperStudy study;
  study.grids = {{{"a", "bb"}, {{"μ", "1"}, {"long", "2"}}, {"a note"}}};
  const std::string text = paper_table(study);
  EXPECT_NE(text.find("  a    | bb\n  μ    | 1\n  long | 2\n  a note\n"), std::string::npos) << text;
  EXPECT_EQ(paper_json(study)["grids"][0]["lines"][1][0], "long");
}

}  // namespace
}  // namespace touchstone::drumwright2009
