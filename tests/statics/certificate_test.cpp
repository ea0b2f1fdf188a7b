// Certificates: every proven verdict has one that holds, and none that was changed does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "statics/certificate.h"
#include "statics/certificate_check.h"
#include "statics/structures.h"
#include "study/statics/buildings.h"
#include "touchstone/error.h"

namespace touchstone::statics::testing {
namespace {

std::string certificate_of(const Structure& s, const StableSettings& settings = exactly()) {
  const Judged j = judge_structure(s, settings);
  return certificate_text(j.scaled, j.equations, settings, j.assessment);
}

Structure incline(int dimension, double slope, double mu) {
  Maker m(dimension);
  const Eigen::Vector3d up = Eigen::Vector3d::Unit(dimension - 1);
  const std::uint32_t ground = m.held("incline 1%"), block = m.free("block", 1, 0.25 * up);
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) {
      if (dimension == 2 && y > 0) continue;
      m.touch(ground, block, dimension == 2 ? Eigen::Vector3d(x, 0, 0) : Eigen::Vector3d(x, y, 0), up, mu);
    }
  m.s.bodies[block].weight = -10 * up + 10 * slope * Eigen::Vector3d::UnitX();
  return m.s;
}

// A line with its checksum made to fit again, as a careful forger does.
std::string resealed(std::string text) {
  text.erase(text.rfind("checksum"));
  std::uint64_t h = 14695981039346656037ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return text + fmt::format("checksum {:016x}\n", h);
}

std::string with(const std::string& text, const std::string& pattern, const std::string& by) {
  const std::string out = std::regex_replace(text, std::regex(pattern), by, std::regex_constants::format_first_only);
  EXPECT_NE(out, text) << pattern;
  return resealed(out);
}

TEST(Certificate, HoldsForEveryKindOfProof) {
  StableSettings pyramid = exactly(20000);
  pyramid.law = FrictionLaw::kPyramid;
  struct Case {
    std::string text, verdict, reason;
  };
  for (const Case& c : {Case{certificate_of(wedge(0, true)), "stands", "frictionless"},
                        Case{certificate_of(wedge(0.5, true)), "stands", "supported"},
                        Case{certificate_of(wedge(0.5, false)), "falls", "no_forces"},
                        Case{certificate_of(wedge(0.8, false)), "may_stand", "two_answers"},
                        Case{certificate_of(incline(2, 0.3, 0.5)), "stands", "modes"},
                        Case{certificate_of(incline(3, 0.3, 0.5), pyramid), "stands", "modes"},
                        Case{certificate_of(incline(3, 0.6, 0.5)), "falls", "no_forces"}}) {
    const CheckResult r = check_certificate(c.text);
    EXPECT_TRUE(r.holds) << c.reason << ": " << r.failure;
    EXPECT_EQ(r.verdict, c.verdict);
    EXPECT_EQ(r.reason, c.reason);
    EXPECT_EQ(r.leaves > 0, c.reason == "modes");
  }
}

// A structure that holds only by friction, in fractions: an arch, whose normal forces alone would not balance it.
TEST(Certificate, ArchesWithFrictionAreProven) {
  ArchOptions o;
  o.voussoirs = 7;
  const Structure s = structure_of(arch_scene(o), {}).structure;
  const CheckResult r = check_certificate(certificate_of(s));
  EXPECT_TRUE(r.holds) << r.failure;
  EXPECT_EQ(r.reason, "modes");
  EXPECT_GT(r.leaves, 5u);
}

TEST(Certificate, CircularConesAreCheckedAsCircles) {
  const CheckResult r = check_certificate(certificate_of(incline(3, 0.3, 0.5), exactly(40000)));
  EXPECT_TRUE(r.holds) << r.failure;
  EXPECT_EQ(r.reason, "modes");
}

TEST(Certificate, EveryChangedByteIsFound) {
  const std::string text = certificate_of(incline(2, 0.3, 0.5));
  int changed = 0;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::string bad = text;
    bad[i] = bad[i] == '1' ? '2' : '1';
    if (bad == text) continue;
    ++changed;
    EXPECT_FALSE(check_certificate(bad).holds) << i;
  }
  EXPECT_GT(changed, 100);
  EXPECT_FALSE(check_certificate(text.substr(0, text.size() / 2)).holds);
  EXPECT_FALSE(check_certificate("").holds);
  EXPECT_FALSE(check_certificate(text + "force 0 1\n").holds);
}

// With the checksum made to fit, the proof itself must fail.
TEST(Certificate, ForgedOnesFail) {
  const std::string stands = certificate_of(incline(2, 0.3, 0.5)), falls = certificate_of(wedge(0.5, false)),
                    may = certificate_of(wedge(0.8, false)), smooth = certificate_of(wedge(0, true));
  for (const std::string& bad :
       {with(stands, "weight \\S+ ", "weight 9/10 "),          // another load
        with(stands, "friction 1/2", "friction 1/10"),         // less friction than the forces need
        with(stands, "force 0 \\S+", "force 0 7"),             // another force
        with(stands, "verdict stands", "verdict falls"),       //
        with(stands, "reason modes", "reason supported"),      //
        with(stands, "reason modes", "reason frictionless"),   //
        with(stands, "child \\d+ slide 1 0 1 0\\n", ""),       // a mode left out
        with(stands, "slide 1 0 1 0", "slide 1/99 0 1/99 0"),  // friction that is less than all of it
        with(stands, "still", "stick"),                        // one contact of the group may be open
        with(stands, "slip 1 0 ", "slip 1 1 "),                // each for itself
        with(stands, "slip 1 0 \\S+", "slip 1 0 1/7"),         // another slip than its leader's
        with(stands, "slip 0 0 \\S+\\n", ""),                  //
        with(stands, "\\np (\\d+) \\S+", "\np $1 5/7"),        // a multiplier
        with(stands, "node (\\d+) leaf", "node $1 empty"),     //
        with(falls, "friction 1/2", "friction 9/10"),          // more friction than the mechanism overcomes
        with(falls, "mechanism 1 \\S+", "mechanism 1 1"),      // upwards
        with(may, "acceleration 1 \\S+", "acceleration 1 0"),  // no motion
        with(may, "friction 4/5", "friction 7/10"),            //
        with(smooth, "friction 0", "friction 1/2"),            // no longer frictionless
        with(smooth, "mass \\S+", "mass -1"),                  //
        with(smooth, "contact 0 0 2", "contact 0 0 9"),        //
        with(smooth, "force 0 ", "force 99 "),                 //
        with(smooth, "body 2 free", "body 2 held")}) {
    const CheckResult r = check_certificate(bad);
    EXPECT_FALSE(r.holds);
    EXPECT_FALSE(r.failure.empty());
  }
}

// Each of these would make a weaker statement look like Coulomb's law.
TEST(Certificate, TheLawItselfCannotBeForged) {
  StableSettings settings = exactly(20000);
  settings.law = FrictionLaw::kPyramid;
  const std::string flat = certificate_of(incline(2, 0.3, 0.5)), falls = certificate_of(incline(3, 0.6, 0.5)),
                    pyramid = certificate_of(incline(3, 0.3, 0.5), settings);
  const std::string tiny = std::regex_replace(flat, std::regex("slide (-?)1 0 -?1 0"), "slide $011/99 0 $011/99 0"),
                    turned = std::regex_replace(std::regex_replace(pyramid, std::regex("slide 1 1 "), "slide 9/10 1 "),
                                                std::regex("(slide \\S+ \\S+) 1 1\n"), "$1 9/10 1\n");
  struct Case {
    std::string text, failure;
  };
  for (const Case& c : {Case{resealed(tiny), "not 1 or -1"}, Case{resealed(turned), "crosses a diagonal"},
                        Case{with(falls, "tangents (\\S+) (\\S+) (\\S+)", "tangents 0 1/2 0"), "unit vectors"},
                        Case{with(falls, "normal 0 0 1", "normal 0 0 2"), "unit vectors"},
                        Case{with(flat, "dimension 2", "dimension 2\ndimension 3"), "given twice"},
                        Case{with(flat, "\nforce 0", "\nlaw pyramid\nforce 0"), "given twice"},
                        Case{with(flat, "law circle\n", ""), "'law' is missing"},
                        Case{with(flat, "force 0 \\S+", "force 0 1" + std::string(300000, '0')), "300001 digits"}}) {
    const CheckResult r = check_certificate(c.text);
    EXPECT_FALSE(r.holds);
    EXPECT_NE(r.failure.find(c.failure), std::string::npos) << c.failure << ": " << r.failure;
  }
}

TEST(Certificate, ThereIsNoneWithoutAProof) {
  const Judged j = judge_structure(incline(3, 0.3, 0.5), exactly(1));
  EXPECT_THROW(certificate_text(j.scaled, j.equations, exactly(1), j.assessment), Error);
}

// The checker must not lean on what it checks.
TEST(Certificate, CheckerSharesNothingWithTheSolver) {
  for (const char* file :
       {"certificate_check.cpp", "certificate_check.h", "certificate_equations.cpp", "certificate_equations.h",
        "certificate_reader.cpp", "certificate_reader.h", "certificate_sectors.cpp", "certificate_sectors.h"}) {
    std::ifstream in(std::string(TOUCHSTONE_SOURCE_DIR) + "/src/statics/" + file);
    ASSERT_TRUE(in) << file;
    std::string line;
    while (std::getline(in, line))
      if (line.starts_with("#include \"")) {
        EXPECT_NE(line.find("statics/certificate_"), std::string::npos) << line;
      }
  }
}

}  // namespace
}  // namespace touchstone::statics::testing
