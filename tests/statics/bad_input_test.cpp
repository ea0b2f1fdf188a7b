// What is wrong is refused with its name, its place and a remedy; what is only odd is judged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>

#include "statics/certificate.h"
#include "statics/certificate_check.h"
#include "statics/structures.h"
#include "study/statics/assembly.h"
#include "study/statics/buildings.h"
#include "touchstone/error.h"

namespace touchstone::statics::testing {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

#define EXPECT_SAYS(text, ...)                                 \
  do {                                                         \
    const std::string said = message_of([&] { __VA_ARGS__; }); \
    EXPECT_NE(said.find(text), std::string::npos) << said;     \
  } while (false)

// The tolerance is 1e-6 of the smaller body's size.
TEST(BadInput, SmallOverlapsAndGapsTouch) {
  for (const double off : {-5e-7, 0.0, 5e-7}) {
    Bricks b(0.5);
    b.add(0, 0), b.add_at(0.25, 0.375 + off, 1, 0.25);
    const StableReport r = judge(b.scene, request());
    EXPECT_EQ(r.assessment.verdict, Verdict::kStands) << off;
    EXPECT_TRUE(r.detected.gaps.empty()) << off;
  }
  Bricks deep(0.5);
  deep.add(0, 0), deep.add_at(0.25, 0.375 - 1e-5, 1, 0.25);
  EXPECT_SAYS("'brick_1' and 'brick_2' by 1e-05 m", judge(deep.scene, request()));
}

TEST(BadInput, GapsAndFloatingBricksAreSaidInTheReport) {
  Bricks b(0.5);
  b.add(0, 0), b.add_at(0, 0.375 + 1e-4, 1, 0.25);
  const StableReport r = judge(b.scene, request());
  EXPECT_EQ(r.assessment.verdict, Verdict::kFalls);
  const std::string text = stable_text(r);
  EXPECT_NE(text.find("brick_2"), std::string::npos);
  EXPECT_NE(text.find("0.0001"), std::string::npos) << text;
  EXPECT_NE(text.find("touches no body and has no joint"), std::string::npos) << text;
}

TEST(BadInput, OutlinesThatCrossThemselves) {
  Bricks b(0.5);
  b.add(0, 0);
  b.scene.bodies[1].shapes = {
      ShapeDescription::chain({{-0.5, -0.125, 0}, {0.5, 0.125, 0}, {0.5, -0.125, 0}, {-0.5, 0.5, 0}}, true)};
  b.scene.bodies[1].mass = 1;
  b.scene.bodies[1].inertia = Eigen::Matrix3d::Identity();
  EXPECT_SAYS("cross", judge(b.scene, request()));
}

TEST(BadInput, AbsurdSizesAndNumbersOfBuildings) {
  ArchOptions arch;
  arch.thickness = 1e-300;
  EXPECT_SAYS("the thickness is 1e-300; it must be from 1e-12 to 1e+12", arch_scene(arch));
  arch = {}, arch.radius = std::nan("");
  EXPECT_SAYS("the radius is nan", arch_scene(arch));
  arch = {}, arch.thickness = 3;
  EXPECT_SAYS("less than twice the radius", arch_scene(arch));
  arch = {}, arch.courses = 1000, arch.voussoirs = 10001;
  EXPECT_SAYS("are 10001000 voussoirs; at most 999999 are possible", arch_scene(arch));
  WallOptions wall;
  wall.rows = wall.columns = 100000;
  EXPECT_SAYS("are 10000000000 bricks; at most 999999 are possible", wall_scene(wall));
  wall = {}, wall.width = 1e308;
  EXPECT_SAYS("the width is 1e+308", wall_scene(wall));
  wall = {}, wall.rows = 0;
  EXPECT_SAYS("the number of rows is 0", wall_scene(wall));
  SpinalOptions spinal;
  spinal.overhang = 0.25;
  EXPECT_SAYS("between 0 and 0.25", spinal_scene(spinal));
}

TEST(BadInput, DamagedAssembliesNameTheBlock) {
  const auto read = [](const std::string& text) { parse_assembly(text, "a.json", {}); };
  EXPECT_SAYS("a.json: not valid JSON", read("{\"blocks\": [\xff"));
  EXPECT_SAYS("a.json: an assembly is an object with a list `blocks`", read("[]"));
  EXPECT_SAYS("a.json: there are 0 blocks", read(R"({"blocks": []})"));
  EXPECT_SAYS("a.json: `name` must be a text, not 3", read(R"({"name": 3, "blocks": []})"));
  EXPECT_SAYS("a.json: block 0: `vertices` is missing", read(R"({"blocks": [{}]})"));
  EXPECT_SAYS("a.json: block 0: a vertex must be three numbers",
              read(R"({"blocks": [{"vertices": [[1, 2]], "faces": []}]})"));
  EXPECT_SAYS("a.json: block 0: a face has the index 7; there are 1 vertex, counted from 0",
              read(R"({"blocks": [{"vertices": [[1, 2, 3]], "faces": [[7]]}]})"));
  EXPECT_SAYS("a.json: block 0", read(R"({"blocks": [{"vertices": [[1, 2, 3]], "faces": [[0, 0, 0]]}]})"));
  EXPECT_SAYS("a.json: block 0", read(R"({"blocks": [{"vertices": [], "faces": []}]})"));
}

// Certificates. With the checksum made to fit, no line of a proof can be left out.
std::string sealed(std::string text) {
  std::uint64_t h = 14695981039346656037ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return text + fmt::format("checksum {:016x}\n", h);
}

std::string certificate_of(const Structure& s) {
  const Judged j = judge_structure(s);
  return certificate_text(j.scaled, j.equations, exactly(), j.assessment);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  out.pop_back();  // the checksum
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST(BadInput, NoLineOfACertificateCanBeLeftOutOrDoubled) {
  ArchOptions o;
  o.voussoirs = 3;
  std::map<std::string, int> kinds;
  for (const Structure& s : {wedge(0, true), wedge(0.5, true), wedge(0.5, false), wedge(0.8, false),
                             structure_of(arch_scene(o), {}).structure}) {
    const std::vector<std::string> lines = lines_of(certificate_of(s));
    ASSERT_TRUE(check_certificate(sealed(joined(lines))).holds);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string word = lines[i].substr(0, lines[i].find(' '));
      const int seen = kinds[word]++;
      if ((word == "p" || word == "q") && seen % 7 != 0) continue;  // there are hundreds
      std::vector<std::string> less = lines, more = lines;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
      const CheckResult missing = check_certificate(sealed(joined(less)));
      if (word != "contact") {  // without the last one it is another structure, and may be a proof of that
        EXPECT_FALSE(missing.holds) << "without: " << lines[i];
        EXPECT_FALSE(missing.failure.empty());
      }
      EXPECT_FALSE(check_certificate(sealed(joined(more))).holds) << "twice: " << lines[i];
    }
  }
  EXPECT_GE(kinds.size(), 17u);
}

TEST(BadInput, TruncatedAndHugeCertificates) {
  const std::string good = certificate_of(wedge(0.5, true));
  for (std::size_t n = 0; n + 1 < good.size(); n += 7) EXPECT_FALSE(check_certificate(good.substr(0, n)).holds) << n;
  std::vector<std::string> lines = lines_of(good);
  const auto with = [&](const std::string& line) {
    std::vector<std::string> more = lines;
    more.push_back(line);
    return check_certificate(sealed(joined(more)));
  };
  EXPECT_NE(with("force 0 " + std::string(200000, '7')).failure.find("at most 20000 are read"), std::string::npos);
  EXPECT_FALSE(with("force 999999999 1").holds);
  EXPECT_FALSE(with("node 99999999 leaf").holds);
  EXPECT_FALSE(with("force 1e9 1").holds);
  EXPECT_FALSE(with(std::string(1 << 20, 'x')).holds);
  EXPECT_FALSE(check_certificate(std::string(1 << 22, '\n')).holds);
  std::string many = joined(lines);
  for (int i = 0; i < 100000; ++i) many += fmt::format("node {} branch 0\n", i);
  EXPECT_TRUE(check_certificate(sealed(many)).holds);  // no tree is asked for
}

}  // namespace
}  // namespace touchstone::statics::testing
