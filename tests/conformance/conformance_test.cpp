// Every case of the catalogue over every model, as tests named Conformance.B05/ncp. With TOUCHSTONE_CONFORMANCE=FILE
// the page docs/conformance.md is written from what was run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "conformance/conformance.h"
#include "models/registry.h"

namespace touchstone::conformance {
namespace {

std::vector<Verdict>& verdicts() {
  static std::vector<Verdict> all;
  return all;
}

class CaseOfModel : public ::testing::Test {
 public:
  CaseOfModel(const Case& which, const Row& row, bool full) : case_(which), row_(row), full_(full) {}
  void TestBody() override {
    for (const int d : case_.dimensions) {
      SCOPED_TRACE(std::to_string(d) + "D");
      const Verdict v = judge(case_, row_, d, full_);
      for (const Reading& r : v.readings)
        RecordProperty(fmt::format("{}D {}", d, r.what), fmt::format("{:.9g} / {:.9g}", r.value, r.reference));
      RecordProperty(fmt::format("{}D iterations of the worst step", d), static_cast<int>(v.iterations));
      if (v.supported)
        for (const std::string& fault : v.faults) ADD_FAILURE() << fault;
      else
        check_not_supported(v);
      if (!full_) verdicts().push_back(v);
    }
  }

 private:
  void check_not_supported(const Verdict& v) const {
    if (v.faults.empty()) ADD_FAILURE() << "the table says 'not supported: " << v.reason << "', but it is right";
    const bool named = v.refused.find(row_.model) != std::string::npos,
               remedy = v.refused.find("need a step of") != std::string::npos;
    if (!v.refused.empty() && !named && !remedy)
      ADD_FAILURE() << "refused without naming the model or a remedy:  " << v.refused;
  }
  const Case& case_;
  const Row& row_;
  const bool full_;
};

class PageWriter : public ::testing::Environment {
 public:
  void TearDown() override {
    if (const char* path = std::getenv("TOUCHSTONE_CONFORMANCE")) std::ofstream(path) << markdown(verdicts());
  }
};

void add_test(const Case& which, const Row& row, bool full) {
  ::testing::RegisterTest(full ? "LongConformance" : "Conformance", (which.name + "/" + row.label).c_str(), nullptr,
                          nullptr, __FILE__, __LINE__,
                          [&which, &row, full]() -> ::testing::Test* { return new CaseOfModel(which, row, full); });
}

const bool kRegistered = [] {
  for (const Case& c : cases())
    for (const Row& r : rows())
      if (runs(r, c.name)) {
        add_test(c, r, false);
        if (c.longer) add_test(c, r, true);
      }
  ::testing::AddGlobalTestEnvironment(new PageWriter);
  return true;
}();

std::vector<std::string> models() {
  std::vector<std::string> out;
  for (const ModelInfo& m : registered_models()) out.push_back(m.name);
  return out;
}

TEST(Conformance, EveryModelHasARow) {
  for (const std::string& m : without_row(models(), rows()))
    ADD_FAILURE() << "model " << m << " has no row in tolerances";
  for (const Row& r : rows()) EXPECT_NO_THROW(find_model(r.model)) << r.label;
}

// The suite itself: it finds what it is there to find.
const Case& case_named(const std::string& name) {
  return *std::find_if(cases().begin(), cases().end(), [&](const Case& c) { return c.name == name; });
}
Row row_of(const std::string& model, const Tolerance& usual) {
  Row r;
  r.label = r.model = model;
  r.usual = usual;
  return r;
}
TEST(ConformanceItself, FindsAModelWithoutARow) {
  EXPECT_EQ(without_row({"ncp", "new"}, rows()), std::vector<std::string>{"new"});
  Row partial = row_of("new", {});
  partial.only = {"B01"};
  EXPECT_EQ(without_row({"new"}, {partial}), std::vector<std::string>{"new"});
}
TEST(ConformanceItself, FindsAnEntryOutOfDate) {
  Row r = row_of("ncp", {1e-6, 0.005, 1e-6});
  r.entries = {{"B12", 0, false, {}, 0, "said to miss"}};
  const Verdict v = judge(case_named("B12"), r, 2, false);
  EXPECT_FALSE(v.supported);
  EXPECT_TRUE(v.faults.empty());  // which is a failure of the case
}
TEST(ConformanceItself, FindsAModelThatIsWrong) {
  EXPECT_FALSE(judge(case_named("B05"), row_of("free", {1, 0.5, 1}), 2, false).faults.empty());
  EXPECT_FALSE(judge(case_named("B06"), row_of("ncp", {1e-18, 0, 0}), 3, false).faults.empty());
  EXPECT_FALSE(judge(case_named("B22"), row_of("penalty", {1, 1, 1}), 2, false).refused.empty());
}

TEST(Conformance, EveryCaseOfTheCatalogueIsThere) {
  std::vector<std::string> names;
  for (const Case& c : cases()) names.push_back(c.name);
  std::vector<std::string> expected;
  for (int i = 1; i <= 36; ++i) expected.push_back(fmt::format("B{:02}", i));
  expected.insert(expected.end(), {"B63", "coefficients", "creep", "placed", "ratio", "repeat", "tripod"});
  EXPECT_EQ(names, expected);
}

TEST(Conformance, EveryEntryIsOfACaseAndHasAReason) {
  EXPECT_TRUE(kRegistered);
  for (const Row& r : rows())
    for (const Entry& e : r.entries) {
      const auto named = [&](const Case& c) { return c.name == e.which || (c.longer && c.name + " long" == e.which); };
      EXPECT_TRUE(e.which == "*" || std::any_of(cases().begin(), cases().end(), named)) << r.label << " " << e.which;
      EXPECT_FALSE(e.reason.empty()) << r.label << " " << e.which;
    }
}

// What a model says that it lacks, the table says too.
TEST(Conformance, TheTableAgreesWithTheCapabilities) {
  for (const Row& r : rows()) {
    const Capabilities& can = find_model(r.model).capabilities;
    for (const Case& c : cases()) {
      const bool joints = c.name == "B18" || c.name == "B22" || c.name == "B30";
      for (const int d : c.dimensions) {
        const Entry* e = find_entry(r, c.name, d);
        if (!runs(r, c.name) || (can.contacts && (can.joints || !joints))) continue;
        EXPECT_TRUE(e && !e->supported) << r.label << " " << c.name;
      }
    }
  }
}

}  // namespace
}  // namespace touchstone::conformance
