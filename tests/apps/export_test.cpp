// export --html, --frames and --video, by the real program.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "io/replay/html.h"
#include "program.h"

namespace touchstone::testing {
namespace {

using Json = nlohmann::json;

const char* const kScene = R"(touchstone = 1
name = "</script> two balls"
dimension = 2
[simulation]
step = 0.002
duration = 0.5
[record]
every = 5
[[body]]
name = "ground"
kind = "static"
shape = { kind = "half_space", normal = [0, 1] }
[[body]]
name = "ball"
position = [0, 0.5]
shape = { kind = "circle", radius = 0.1 }
[[body]]
name = "box"
position = [0.5, 0.2]
velocity = [1, 0]
shape = { kind = "box", size = [0.2, 0.2] }
)";

class Export : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("scene.toml", kScene);
    ASSERT_EQ(run({"run", "scene.toml", "-o", "out.h5", "-q"}).code, 0);
  }
  Result run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path("")); }
  std::string content(const std::string& name) {
    std::ifstream in(folder_.path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool exists(const std::string& name) { return std::filesystem::exists(folder_.path(name)); }
  Folder folder_;
};

TEST_F(Export, HtmlIsOneFileWithinItsBound) {
  if (viewer_page().empty()) GTEST_SKIP() << "built without the viewer's page";
  const Result r = run({"export", "out.h5", "--html", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  const Json j = Json::parse(r.out);
  EXPECT_EQ(j.at("export"), "out.html");
  EXPECT_GE(j.at("frames"), 15);
  EXPECT_NE(j.at("rule").get<std::string>().find("recorded frames are here"), std::string::npos);
  const std::string html = content("out.html");
  EXPECT_EQ(html.size(), j.at("bytes").get<std::size_t>());
  EXPECT_LT(html.size(), 10'000'000u);
  EXPECT_NE(html.find("\"mode\":\"embedded\""), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script> two balls"), std::string::npos);
  EXPECT_EQ(html.find("</script> two balls"), std::string::npos);
  const Result small = run({"export", "out.h5", "-o", "small.html", "--max-size", std::to_string(html.size() - 1000)});
  ASSERT_EQ(small.code, 0) << small.err;
  EXPECT_LT(content("small.html").size(), html.size() - 999);
}

TEST_F(Export, WithoutAPageItSaysSo) {
  if (!viewer_page().empty()) GTEST_SKIP() << "built with the viewer's page";
  const Result r = run({"export", "out.h5", "--html"});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("nodejs"), std::string::npos) << r.err;
  EXPECT_FALSE(exists("out.html"));
}

TEST_F(Export, ARecordingCutShortGivesWhatIsThere) {
  const std::string whole = content("out.h5");
  folder_.write("cut.h5", whole.substr(0, whole.size() / 2));
  const Result broken = run({"export", "cut.h5", "--frames", "a"});
  EXPECT_EQ(broken.code, 2) << "an HDF5 file without its end";
  EXPECT_NE(broken.err.find("cut.h5"), std::string::npos);
  // The journal of a run that was killed: started, and cut off by the size that a file may have.
  run_program({"run", "scene.toml", "-o", "killed.h5", "-q"}, folder_.path(""), 40'000);
  const Result r = run({"export", "killed.h5", "--frames", "b", "--fps", "20", "--width", "100", "--height", "80"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.err.find("note: killed.h5: "), std::string::npos) << r.err;
  EXPECT_TRUE(exists("b/frame_000000.png"));
}

TEST_F(Export, FilmsWhereThereIsFfmpeg) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg here";
  for (const char* name : {"out.mp4", "out.webm"}) {
    const Result r = run({"export", "out.h5", "--video", name, "--fps", "10", "--width", "161", "--height", "101"});
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_GT(content(name).size(), 1000u) << name;
  }
  EXPECT_EQ(content("out.mp4").substr(4, 4), "ftyp");
  EXPECT_EQ(content("out.webm").substr(0, 4), "\x1a\x45\xdf\xa3");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) ++files;
  EXPECT_LE(files, 6u) << "nothing is left behind";
}

TEST_F(Export, WithoutFfmpegAFilmIsRefused) {
  const char* path = std::getenv("PATH");
  const std::string old = path ? path : "";
  ::setenv("PATH", "/nowhere", 1);
  const Result r = run({"export", "out.h5", "--video", "out.mp4"});
  ::setenv("PATH", old.c_str(), 1);
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("ffmpeg"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("--frames"), std::string::npos) << r.err;
}

TEST_F(Export, WishesThatMakeNoSense) {
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"export", "out.h5", "--html", "--frames", "x"},
                                             {"export", "out.h5", "--html", "--format", "csv"},
                                             {"export", "out.h5", "--html", "--fps", "0"},
                                             {"export", "out.h5", "--frames", "x", "--fps", "nan"},
                                             {"export", "out.h5", "--video", "x.gif"},
                                             {"export", "out.h5", "--html", "--max-size", "ten"},
                                             {"export", "out.h5", "--html", "--max-size", "10 parsecs"},
                                             {"export", "out.h5", "--html", "--max-size", "1kB"},
                                             {"export", "scene.toml", "--html"}}) {
    const Result r = run(bad);
    EXPECT_EQ(r.code, 2) << bad[2] << " " << bad.back() << r.out;
    EXPECT_GT(r.err.size(), 20u);
  }
}

}  // namespace
}  // namespace touchstone::testing
