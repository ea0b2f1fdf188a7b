// Damaged certificates and block assemblies. A certificate whose checksum is made to fit again must not prove anything
// else than it did: every answer is a verdict with a reason, or what does not hold. An assembly is refused with the
// block that is wrong, or judged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "attack/attack.h"
#include "statics/certificate.h"
#include "statics/certificate_check.h"
#include "study/statics/assembly.h"
#include "study/statics/buildings.h"
#include "study/statics/stable.h"

namespace touchstone::attack {
namespace {

using namespace statics;

const std::vector<std::string> kLines{
    "verdict", "reason", "dimension", "law",     "units",   "body",     "contact",      "hold",
    "node",    "child",  "p",         "q",       "force",   "slip",     "mechanism",    "branch",
    "leaf",    "empty",  "stick",     "still",   "slide",   "open",     "touch",        "smooth_force",
    "stands",  "falls",  "modes",     "1/0",     "-1/3",    "ground",   "equality",     "limit",
    "held",    "free",   "circle",    "pyramid", "9999999", "checksum", "motion_force", "acceleration"};

std::string certificate_of(const SceneDescription& scene) {
  StableRequest request;
  request.exact = true, request.margins = request.ranges = false;
  const StableReport r = judge(scene, request);
  return certificate_text(r.scaled, r.equations, r.settings, r.assessment);
}

// One held and one free box in the plane, and gravity that may be tilted.
SceneDescription brick(double x, double friction, double slope) {
  SceneDescription scene;
  scene.dimension = 2, scene.gravity = {9.81 * slope, -9.81, 0};
  MaterialDescription m;
  m.static_friction = m.dynamic_friction = friction;
  scene.materials = {m};
  BodyDescription table, top;
  table.name = "table", table.kind = BodyKind::kStatic, table.shapes = {ShapeDescription::box(2, 1)};
  table.placement.position = {-1, -0.5, 0};
  top.name = "top", top.shapes = {ShapeDescription::box(1, 0.25)}, top.placement.position = {x, 0.125, 0};
  scene.bodies = {table, top};
  return scene;
}

std::vector<std::string> certificates() {
  ArchOptions arch;
  arch.voussoirs = 3;
  return {certificate_of(brick(-0.5, 0, 0)), certificate_of(brick(-0.5, 0.5, 0)),
          certificate_of(brick(-0.5, 0.5, 0.25)), certificate_of(brick(0.25, 0.5, 0)),
          certificate_of(arch_scene(arch))};
}

std::string sealed(std::string text) {
  const std::size_t at = text.rfind("checksum");
  if (at != std::string::npos) text.erase(at);
  std::uint64_t h = 14695981039346656037ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return text + fmt::format("checksum {:016x}\n", h);
}

// What a proof is about; the proof itself may be another one that holds.
std::set<std::string> premises(const std::string& text) {
  std::set<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    for (const char* word : {"dimension", "law", "body", "contact", "hold"})
      if (line.starts_with(word)) out.insert(line);
  return out;
}

TEST(Attack, Certificates) {
  const std::vector<std::string> seeds = certificates();
  std::vector<std::string> verdicts;
  for (const std::string& seed : seeds) {
    const CheckResult r = check_certificate(seed);
    ASSERT_TRUE(r.holds) << r.failure;
    verdicts.push_back(r.verdict);
  }
  std::size_t sealed_ones = 0;
  run_cases("certificates", kLines, [&](Mutator& m) {
    const std::size_t which = m.below(seeds.size());
    const bool forged = !m.chance(4);
    std::string text = m.damage(seeds[which], m.pick(seeds));
    if (forged) text = sealed(std::move(text)), ++sealed_ones;
    show(text);
    survives([&] {
      const CheckResult r = check_certificate(text);
      EXPECT_EQ(r.holds, r.failure.empty()) << r.failure;
      if (!forged && text + '\n' != seeds[which] && text != seeds[which]) {
        EXPECT_FALSE(r.holds);
      }
      if (r.holds && premises(text) == premises(seeds[which])) {
        EXPECT_EQ(r.verdict, verdicts[which]);
      }
    });
  });
  if (!campaign().only) {
    EXPECT_GT(sealed_ones, campaign().count / 2);
  }
}

constexpr const char* kAssembly = R"({"name": "two", "blocks": [
{"vertices": [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]], "node": 0, "support": true,
 "faces": [[0,2,3,1],[4,5,7,6],[0,1,5,4],[2,6,7,3],[0,4,6,2],[1,3,7,5]], "density": 2.5},
{"vertices": [[0.2,0,1],[1.2,0,1],[0.2,1,1],[1.2,1,1],[0.2,0,2],[1.2,0,2],[0.2,1,2],[1.2,1,2]], "node": 1,
 "faces": [[0,2,3,1],[4,5,7,6],[0,1,5,4],[2,6,7,3],[0,4,6,2],[1,3,7,5]], "support": false}]})";
constexpr const char* kConcave = R"({"blocks": [
{"vertices": [[0,0,0],[2,0,0],[2,0,1],[1,0,1],[1,0,2],[0,0,2],[0,1,0],[2,1,0],[2,1,1],[1,1,1],[1,1,2],[0,1,2]],
 "faces": [[0,1,2,3,4,5],[11,10,9,8,7,6],[0,6,7,1],[1,7,8,2],[2,8,9,3],[3,9,10,4],[4,10,11,5],[5,11,6,0]]}]})";

TEST(Attack, Assemblies) {
  const std::vector<std::string> seeds{kAssembly, kConcave};
  std::size_t read = 0;
  run_cases("assemblies", {"blocks", "vertices", "faces", "support", "density", "node", "true", "null", "1e300"},
            [&](Mutator& m) {
              const std::string text = m.damage(m.pick(seeds), m.pick(seeds));
              show(text);
              SceneDescription scene;
              AssemblySettings settings;
              if (m.chance(2)) settings.friction = 0.6, settings.degrees = 90;
              if (!survives([&] { scene = parse_assembly(text, "attack.json", settings); }, {"attack.json"})) return;
              ++read;
              survives([&] {
                StableRequest request;
                request.most_nodes = 30, request.margins = request.ranges = false;
                const StableReport r = judge(scene, request);
                EXPECT_FALSE(stable_text(r).empty());
                EXPECT_EQ(stable_text(r).find("nan"), std::string::npos);
              });
            });
  if (!campaign().only) {
    EXPECT_GT(read, campaign().count / 20) << "the damage is too great to reach the verdict";
  }
}

}  // namespace
}  // namespace touchstone::attack
