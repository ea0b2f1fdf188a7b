// stable, check and make as a user calls them.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/program.h"
#include "io/replay/html.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

std::string brick(double x, const std::string& friction = "0") {
  return R"(touchstone = 1
name = "edge"
dimension = 2
[[material]]
name = "default"
density = 4.0
friction = )" +
         friction + R"(
[[body]]
name = "table"
kind = "static"
position = [-1.0, -0.5]
shape = { kind = "box", size = [2.0, 1.0] }
[[body]]
name = "brick"
position = [)" +
         std::to_string(x) + R"(, 0.125]
shape = { kind = "box", size = [1.0, 0.25] }
)";
}

// Two walls with a block between them and nothing below it: it may stand if they squeeze it.
std::string squeezed() {
  return R"(touchstone = 1
name = "squeezed"
dimension = 2
[[material]]
name = "default"
density = 4.0
friction = 0.5
[[body]]
name = "left"
kind = "static"
position = [-1.0, 0.0]
shape = { kind = "box", size = [1.0, 2.0] }
[[body]]
name = "right"
kind = "static"
position = [1.0, 0.0]
shape = { kind = "box", size = [1.0, 2.0] }
[[body]]
name = "block"
shape = { kind = "box", size = [1.0, 1.0] }
)";
}

// What a page of `stable` holds.
Json data_of(const std::string& html) {
  std::stringstream text;
  text << std::ifstream(html).rdbuf();
  const std::string page = text.str(), head = "id=\"touchstone-page\">";
  const std::size_t begin = page.find(head) + head.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Stable, VerdictsHaveExitCodes) {
  const Folder folder;
  const std::string stands = folder.write("stands.toml", brick(-0.1, "0.5")),
                    falls = folder.write("falls.toml", brick(0.1));
  const Result a = run_program({"stable", stands}, folder.path("."));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("edge: STANDS"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("proven in exact fractions"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("push +x"), std::string::npos);
  const Result b = run_program({"stable", falls}, folder.path("."));
  EXPECT_EQ(b.code, 1) << b.err;
  EXPECT_NE(b.out.find("edge: FALLS"), std::string::npos) << b.out;
  EXPECT_NE(b.out.find("-9.95518"), std::string::npos) << b.out;  // B37
  EXPECT_EQ(run_program({"stable", folder.path("none.toml")}, folder.path(".")).code, 2);
  EXPECT_EQ(run_program({"stable", stands, "--cone", "square"}, folder.path(".")).code, 2);
  EXPECT_EQ(run_program({"stable", stands, "--load", "brik"}, folder.path(".")).code, 2);
}

TEST(Stable, JsonHasTheFieldsOfTheVerdict) {
  const Folder folder;
  const std::string stands = folder.write("stands.toml", brick(-0.25, "0.5")),
                    falls = folder.write("falls.toml", brick(0.25));
  const Json a =
      Json::parse(run_program({"stable", stands, "--json", "--exact", "--load", "brick:down"}, folder.path(".")).out);
  EXPECT_EQ(a["verdict"], "stands");
  EXPECT_EQ(a["exact"], true);
  ASSERT_EQ(a["forces"].size(), 1u);
  EXPECT_EQ(a["forces"][0]["least"], "981/100");
  EXPECT_EQ(a["forces"][0]["greatest"], "981/100");
  EXPECT_EQ(a["forces"][0]["points"].size(), 2u);
  EXPECT_EQ(a["margins"][0]["kind"], "load");
  EXPECT_TRUE(a["margins"][0]["limit"].is_null());
  EXPECT_EQ(a["margins"][1]["limit"], "1/2");
  EXPECT_EQ(a["margins"][1]["within"], "stands");
  EXPECT_EQ(a["margins"][1]["beyond"], "falls");
  EXPECT_TRUE(a["accelerations"].is_null());
  const Json b = Json::parse(run_program({"stable", falls, "--json"}, folder.path(".")).out);
  EXPECT_EQ(b["verdict"], "falls");
  EXPECT_NEAR(b["accelerations"]["brick"]["angular_acceleration"][0].get<double>(), -16.237241, 1e-6);
  EXPECT_TRUE(b["mechanism"].contains("brick"));
}

TEST(Stable, JsonSaysWhatContactsDo) {
  const Folder folder;
  const std::string falls = folder.write("falls.toml", brick(0.25)), both = folder.write("both.toml", squeezed());
  const Json a = Json::parse(run_program({"stable", falls, "--json"}, folder.path(".")).out);
  EXPECT_EQ(a["reason"], "no_forces");
  EXPECT_TRUE(a["forces"].empty());
  ASSERT_EQ(a["contact_motion"].size(), 1u);
  const Json& pair = a["contact_motion"][0];
  EXPECT_EQ(pair["change"], "opens");
  ASSERT_EQ(pair["points"].size(), 2u);
  for (const Json& point : pair["points"]) {
    const double x = point["point"][0], alpha = a["accelerations"]["brick"]["angular_acceleration"][0];
    // The brick turns about the end of the table, x = 0.
    EXPECT_EQ(point["change"], x < -1e-9 ? "opens" : "slides") << x;
    EXPECT_NEAR(point["opening"].get<double>(), alpha * x, 1e-9);
    // Without friction the centre falls straight down, and the corner below it moves by α·h/2.
    EXPECT_NEAR(point["slip"].get<double>(), std::abs(alpha) * 0.125, 1e-9);
    EXPECT_NEAR(point["force"][1].get<double>(), 0, 1e-12);
    if (x < -1e-9) {
      EXPECT_NEAR(point["force"][0].get<double>(), 0, 1e-12);
      continue;
    }
    const double fall = a["accelerations"]["brick"]["acceleration"][1];
    EXPECT_NEAR(point["force"][0].get<double>(), 9.81 + fall, 1e-9);  // m = 1 kg
  }
  const Result r = run_program({"stable", both, "--json", "--exact"}, folder.path("."));
  EXPECT_EQ(r.code, 5) << r.err;
  const Json b = Json::parse(r.out);
  EXPECT_EQ(b["verdict"], "may_stand");
  EXPECT_EQ(b["reason"], "two_answers");
  EXPECT_EQ(b["accelerations"]["block"]["acceleration"], Json({"0", "-981/100"}));
  ASSERT_EQ(b["contact_motion"].size(), 2u);
  for (const Json& wall : b["contact_motion"]) {
    EXPECT_EQ(wall["change"], "slides");
    EXPECT_EQ(wall["points"][0]["force"], Json({"0", "0"}));
    EXPECT_NEAR(wall["points"][0]["slip"].get<double>(), 9.81, 1e-9);
  }
  // Half of the weight at each wall, over μ = 1/2, is the least squeeze.
  for (const Json& wall : b["forces"]) {
    EXPECT_EQ(wall["least"], "981/25");
    EXPECT_TRUE(wall["greatest"].is_null());
    EXPECT_EQ(wall["points"][0]["tangents"].size(), 1u);
  }
  // As little friction as one likes is enough.
  EXPECT_EQ(b["margins"].back()["kind"], "least_friction");
  EXPECT_NEAR(b["margins"].back()["limit"].get<double>(), 0, 1e-12);
  EXPECT_EQ(b["margins"].back()["beyond"], "falls");
}

TEST(Stable, ATableSaysWhichContactsOpen) {
  const Folder folder;
  const Result r = run_program({"stable", folder.write("falls.toml", brick(0.25))}, folder.path("."));
  const std::size_t table = r.out.find("contacts that open or slide");
  ASSERT_NE(table, std::string::npos) << r.out;
  const std::string line = r.out.substr(r.out.find("table - brick", table));
  std::stringstream words(line.substr(13));
  std::size_t points = 0, open = 0, slide = 0;
  double opening = 0;
  words >> points >> open >> slide >> opening;
  EXPECT_EQ(points, 2u);
  EXPECT_EQ(open, 1u);
  EXPECT_EQ(slide, 1u);
  EXPECT_NEAR(opening, 16.237241 * 0.25, 1e-5);
}

TEST(Stable, PagesHoldWhatJsonPrints) {
  if (viewer_page().empty()) GTEST_SKIP() << "built without the page";
  const Folder folder;
  const std::string scene = folder.write("falls.toml", brick(0.25)), html = folder.path("a.html");
  const Result r = run_program({"stable", scene, "--html", html, "--json"}, folder.path("."));
  EXPECT_EQ(r.code, 1) << r.err;
  Json printed = Json::parse(r.out);
  EXPECT_EQ(printed["html"], html);
  printed.erase("html");
  const Json page = data_of(html);
  EXPECT_EQ(page["mode"], "statics");
  EXPECT_EQ(page["statics"]["result"], printed);
  const Json& manifest = page["statics"]["manifest"];
  ASSERT_EQ(manifest["bodies"].size(), 2u);
  EXPECT_EQ(manifest["bodies"][1]["name"], "brick");
  EXPECT_EQ(manifest["bodies"][1]["com"], Json({0.0, 0.0, 0.0}));
  EXPECT_TRUE(manifest["bodies"][0]["mass"].is_null());
  EXPECT_EQ(page["statics"]["poses"][1], Json({0.25, 0.125, 0.0, 1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(run_program({"stable", scene, "--no-browser"}, folder.path(".")).code, 2);
  // Nothing is written over the scene.
  EXPECT_EQ(run_program({"stable", scene, "--html", scene}, folder.path(".")).code, 2);
  EXPECT_EQ(run_program({"stable", scene, "--html", ""}, folder.path(".")).code, 2);
  EXPECT_EQ(run_program({"stable", scene, "--html", folder.path("none/a.html")}, folder.path(".")).code, 4);
}

TEST(Stable, ThePageIsServedUntilInterrupted) {
  if (viewer_page().empty()) GTEST_SKIP() << "built without the page";
  const Folder folder;
  const std::string scene = folder.write("falls.toml", brick(0.25));
  const pid_t process = start_program({"stable", scene, "--view", "--no-browser", "--json"}, folder.path("."));
  Json said;
  for (int i = 0; i < 400 && said.empty(); ++i) {
    std::stringstream text;
    text << std::ifstream(folder.path("stdout.txt")).rdbuf();
    if (text.str().find("\n}") != std::string::npos)
      said = Json::parse(text.str());
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  EXPECT_EQ(said["verdict"], "falls");
  EXPECT_EQ(said["url"].get<std::string>().find("http://127.0.0.1:"), 0u) << said.dump();
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 1);
}

TEST(Stable, CertificatesAreCheckedAndTamperingIsFound) {
  const Folder folder;
  const std::string scene = folder.write("a.toml", brick(-0.1, "0.5")), file = folder.path("a.cert");
  const Result made = run_program({"stable", scene, "--certificate", file, "--no-margins"}, folder.path("."));
  ASSERT_EQ(made.code, 0) << made.err;
  const Result good = run_program({"check", file}, folder.path("."));
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_NE(good.out.find("the certificate holds: stands"), std::string::npos);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::string bad = text.str();
  bad[bad.find("friction ") + 9] = '3';
  folder.write("b.cert", bad);
  const Result wrong = run_program({"check", folder.path("b.cert")}, folder.path("."));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.out.find("does not hold"), std::string::npos) << wrong.out;
  EXPECT_EQ(run_program({"check", folder.path("none")}, folder.path(".")).code, 4);
}

TEST(Stable, PicturesAreDrawn) {
  const Folder folder;
  const std::string scene = folder.write("a.toml", brick(0.1));
  EXPECT_EQ(run_program({"stable", scene, "--svg", folder.path("a.svg")}, folder.path(".")).code, 1);
  EXPECT_GT(std::filesystem::file_size(folder.path("a.svg")), 1000u);
  EXPECT_EQ(run_program({"stable", scene, "--svg", folder.path("a.txt")}, folder.path(".")).code, 2);
}

TEST(Make, ScenesOfEveryKindAreJudged) {
  const Folder folder;
  struct Case {
    std::vector<std::string> words;
    int code;
  };
  for (const Case& c : {Case{{"stack", "4", "--overhang", "0.1"}, 0}, Case{{"harmonic", "3", "--shift=-0.001"}, 0},
                        Case{{"harmonic", "3", "--shift=0.001"}, 1}, Case{{"diamond", "4"}, 0},
                        Case{{"diamond", "5"}, 1}, Case{{"triangle", "2"}, 0}, Case{{"triangle", "3"}, 1},
                        Case{{"spinal", "3"}, 0}, Case{{"wall", "--rows", "4", "--columns", "3"}, 0},
                        Case{{"arch", "--voussoirs", "7", "--thickness", "0.08"}, 1}}) {
    const std::string scene = folder.path(c.words[0] + ".toml");
    std::vector<std::string> make{"make"};
    make.insert(make.end(), c.words.begin(), c.words.end());
    make.insert(make.end(), {"-o", scene});
    const Result made = run_program(make, folder.path("."));
    ASSERT_EQ(made.code, 0) << made.err;
    const Result judged = run_program({"stable", scene, "--no-margins"}, folder.path("."));
    EXPECT_EQ(judged.code, c.code) << c.words[0] << "\n" << judged.out << judged.err;
  }
  EXPECT_EQ(run_program({"make", "wall", "--rows", "0"}, folder.path(".")).code, 2);
  EXPECT_EQ(run_program({"make", "arch", "--thickness", "-1"}, folder.path(".")).code, 2);
}

TEST(Make, AssembliesBecomeScenes) {
  const Folder folder;
  // A unit cube on a held one.
  const auto cube = [](double low, bool support) {
    Json v = Json::array(), f = Json::parse("[[0,2,3,1],[4,5,7,6],[0,1,5,4],[2,6,7,3],[0,4,6,2],[1,3,7,5]]");
    for (const double z : {low, low + 1})
      for (const double y : {0.0, 1.0})
        for (const double x : {0.0, 1.0}) v.push_back({x, y, z});
    return Json{{"vertices", v}, {"faces", f}, {"support", support}, {"density", 2}};
  };
  const std::string file =
      folder.write("two.json", Json{{"name", "two"}, {"blocks", {cube(0, true), cube(1, false)}}}.dump());
  EXPECT_EQ(run_program({"stable", file, "--no-margins"}, folder.path(".")).code, 0);
  // On its side the upper cube hangs beside the held one.
  EXPECT_EQ(run_program({"stable", file, "--rotate", "y=90", "--friction", "0"}, folder.path(".")).code, 1);
  EXPECT_EQ(run_program({"stable", file, "--rotate", "w=90"}, folder.path(".")).code, 2);
  const std::string scene = folder.path("two.toml");
  ASSERT_EQ(run_program({"make", "assembly", file, "-o", scene, "--friction", "0.7"}, folder.path(".")).code, 0);
  const Result r = run_program({"stable", scene}, folder.path("."));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.out.find("friction 0.7"), std::string::npos) << r.out;
  const std::string broken = folder.write("broken.json", R"({"blocks": [{"vertices": [[0, 0]], "faces": []}]})");
  const Result bad = run_program({"stable", broken}, folder.path("."));
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("block 0"), std::string::npos) << bad.err;
  EXPECT_EQ(run_program({"stable", folder.write("none.json", R"({"blocks": []})")}, folder.path(".")).code, 2);
}

TEST(Stable, MistakesNameTheFileAndTheRemedy) {
  const Folder folder;
  const auto said = [&](const std::vector<std::string>& words, int code) {
    const Result r = run_program(words, folder.path("."));
    EXPECT_EQ(r.code, code) << r.out << r.err;
    return r.err;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  };
  const std::string scene = folder.write("a.toml", brick(-0.1, "0.5"));
  has(said({"stable", scene, "--svg", "x.svg", "--certificate", "x.svg"}, 2), "name two files");
  EXPECT_FALSE(std::filesystem::exists(folder.path("x.svg")));
  // Half of the brick is in the table: no tolerance that the program takes would be enough.
  std::string deep = brick(-0.1);
  deep.replace(deep.find("0.125]"), 6, "0.025]");
  const std::string overlap = said({"stable", folder.write("deep.toml", deep)}, 2);
  has(overlap, "deep.toml: 1 pair of bodies overlaps: 'table' and 'brick' by 0.1 m; move them apart");
  EXPECT_EQ(overlap.find("--tolerance"), std::string::npos) << overlap;
  deep.replace(deep.find("0.025]"), 6, "0.124]");
  has(said({"stable", folder.write("slight.toml", deep)}, 2), "--tolerance 0.00");
  const std::string many(100000, '['), ends(100000, ']');
  has(said({"stable", folder.write("d.json", R"({"name": )" + many + ends + "}")}, 2), "nested deeper");
  has(said({"make", "assembly", folder.write("n.json", R"({"name": 3, "blocks": []})")}, 2), "`name` must be a text");
  has(said({"stable", folder.write("v.json", R"({"blocks": [{"vertices": [[0, 0, 1e99]], "faces": []}]})")}, 2),
      "a coordinate is 1e+99 m");
  has(said({"check", folder.path(".")}, 4), "is a folder, not a certificate");
  has(said({"check", "/dev/zero"}, 4), "not a regular file");
}

TEST(Stable, NotesOfManyBodiesAreCutShort) {
  const Folder folder;
  std::string text = "touchstone = 1\ndimension = 2\n";
  for (int i = 0; i < 25; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nposition = [" + std::to_string(3 * i) +
            ", 0]\nshape = { kind = \"box\", size = [1, 1] }\n";
  const Result r = run_program({"stable", folder.write("many.toml", text)}, folder.path("."));
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.out.find("note: 'b9' touches no body"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("note: 'b10'"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("note: and 15 more bodies that touch nothing"), std::string::npos) << r.out;
}

// The verdict is printed all the same, and its exit code tells.
TEST(Stable, AnUndecidedVerdictHasNoCertificate) {
  const Folder folder;
  const std::string scene = folder.path("arch.toml"), proof = folder.path("arch.cert");
  ASSERT_EQ(run_program({"make", "arch", "--friction", "0.8", "-o", scene}, folder.path(".")).code, 0);
  const Result r = run_program({"stable", scene, "--nodes", "1", "--no-margins", "--certificate", proof, "--json"},
                               folder.path("."));
  EXPECT_EQ(r.code, 5) << r.err;
  EXPECT_NE(r.err.find("was not written"), std::string::npos) << r.err;
  const Json j = Json::parse(r.out);
  EXPECT_EQ(j["verdict"], "undecided");
  EXPECT_TRUE(j["certificate"].is_null());
  EXPECT_FALSE(std::filesystem::exists(proof));
}

TEST(Make, WhatNoSceneMayHaveIsNotWritten) {
  const Folder folder;
  const std::string scene = folder.path("m.toml");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"wall", "--rows", "100000", "--columns", "100000"},
                                             {"vault", "--voussoirs", "10001", "--courses", "1000"},
                                             {"stack", "2", "--width", "1e300"},
                                             {"stack", "2", "--overhang", "nan"},
                                             {"diamond", "2", "--gap", "inf"}}) {
    std::vector<std::string> make{"make"};
    make.insert(make.end(), words.begin(), words.end());
    make.insert(make.end(), {"-o", scene});
    const Result r = run_program(make, folder.path("."));
    EXPECT_EQ(r.code, 2) << words[0] << r.err;
    EXPECT_FALSE(std::filesystem::exists(scene)) << words[0];
  }
  const std::string blocks = folder.write("b.json", R"({"blocks": []})");
  EXPECT_EQ(run_program({"make", "assembly", blocks, "-o", blocks}, folder.path(".")).code, 2);
  EXPECT_EQ(std::filesystem::file_size(blocks), 14u);
}

}  // namespace
}  // namespace touchstone::testing
