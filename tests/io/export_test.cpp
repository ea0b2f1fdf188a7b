// Recordings made by hand go out and are read back from the files' bytes, by code of its own.
#include "io/export/export.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "io/export/file.h"
#include "io/export/zip.h"
#include "recording/recorder.h"

namespace touchstone {
namespace {

using nlohmann::json;

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof(T), bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

constexpr std::size_t kFrames = 5, kBodies = 4;
constexpr std::size_t kGone = 3;  // the frame from which on body 1 is not there

// Numbers whose shortest decimal form has all its digits.
double coordinate(std::size_t frame, std::size_t body, std::size_t i) {
  return std::sin(1.0 + static_cast<double>(frame) + 10.0 * static_cast<double>(body) +
                  100.0 * static_cast<double>(i)) /
         3.0;
}

class ExportTest : public ::testing::Test {
 protected:
  ExportTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("touchstone-export-") + test->name() + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~ExportTest() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static Frame frame_of(std::size_t f, int dimension) {
    Frame frame;
    frame.step = 10 * f, frame.time = 0.1 * static_cast<double>(f), frame.hash = 0xfedcba9876543210ull + f;
    frame.slots = kBodies;
    frame.alive.assign(kBodies, 1);
    if (f >= kGone) frame.alive[1] = 0;
    for (std::size_t b = 0; b < kBodies; ++b) {
      for (int i = 0; i < dimension; ++i) frame.poses.push_back(coordinate(f, b, static_cast<std::size_t>(i)));
      // A steady turn about z; every other frame has the opposite sign, which is the same rotation.
      const double half = 0.2 * static_cast<double>(f), sign = f % 2 ? -1 : 1;
      if (dimension == 2)
        frame.poses.push_back(2 * half);
      else
        frame.poses.insert(frame.poses.end(), {sign * std::cos(half), 0, 0, sign * std::sin(half)});
      for (int i = 0; i < velocity_width(dimension); ++i)
        frame.velocities.push_back(coordinate(f, b, static_cast<std::size_t>(10 + i)));
    }
    frame.contacts.resize(f % 3);
    for (std::size_t c = 0; c < frame.contacts.size(); ++c) {
      frame.contacts[c].body_b = static_cast<std::uint32_t>(c + 1);
      frame.contacts[c].impulse[2] = 0.5 + static_cast<double>(c);
      frame.contacts[c].key = 77 + f;
      frame.contacts[c].gap = -1e-7;
    }
    for (std::size_t i = 0; i < report_fields().size(); ++i) frame.report.push_back(coordinate(f, 99, i));
    return frame;
  }

  Recording record(int dimension, RecordDescription what = {}) {
    RecordingInfo info;
    info.model = "penalty", info.scene_name = "made up", info.dimension = dimension, info.step_size = 0.01;
    info.record = what;
    info.body_names = {"ground", "ball, \"red\"", "Würfel", "spinner"};
    RecordingWriter recorder(file("made.h5"), info);
    for (std::size_t f = 0; f < kFrames; ++f) {
      Frame frame = frame_of(f, dimension);
      if (!what.poses) frame.poses.clear();
      if (!what.velocities) frame.velocities.clear();
      if (!what.contacts) frame.contacts.clear();
      recorder.mark({frame.step, frame.time, frame.hash});
      recorder.frame(frame);
    }
    recorder.finish(true);
    return Recording::open(file("made.h5"));
  }

  static std::vector<BodyDescription> bodies(int dimension) {
    std::vector<BodyDescription> all(kBodies);
    ShapeDescription half_space, ball, box;
    half_space.kind = ShapeKind::kHalfSpace;
    half_space.normal = dimension == 2 ? Eigen::Vector3d(0, 1, 0) : Eigen::Vector3d(0, 0, 2);
    ball.radius = 0.5;
    box.kind = ShapeKind::kBox;
    box.size = {0.2, 0.4, dimension == 2 ? 0.0 : 0.6};
    all[0].name = "ground", all[0].kind = BodyKind::kStatic, all[0].shapes = {half_space};
    all[1].name = "ball, \"red\"", all[1].shapes = {ball};
    all[2].name = "Würfel", all[2].shapes = {box};
    all[3].name = "spinner", all[3].kind = BodyKind::kKinematic, all[3].shapes = {box, box};
    all[3].shapes[1].placement.position = {1, 0, 0};
    return all;
  }

  std::filesystem::path folder_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Cells of a row; quotes as in RFC 4180.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

TEST_F(ExportTest, CsvBringsBackEveryDouble) {
  export_csv(record(3), file("out.csv"));
  const std::vector<std::string> lines = lines_of(slurp(file("out.csv")));
  ASSERT_EQ(lines.size(), 1 + kFrames * kBodies - (kFrames - kGone));
  EXPECT_EQ(lines[0],
            "step,time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],wy "
            "[rad/s],wz [rad/s]");
  std::size_t row = 1;
  for (std::size_t f = 0; f < kFrames; ++f) {
    const Frame frame = frame_of(f, 3);
    for (std::size_t b = 0; b < kBodies; ++b) {
      if (!frame.alive[b]) continue;
      const std::vector<std::string> cells = cells_of(lines[row++]);
      ASSERT_EQ(cells.size(), 16u);
      EXPECT_EQ(cells[0], std::to_string(frame.step));
      EXPECT_EQ(std::stod(cells[1]), frame.time);
      EXPECT_EQ(cells[2], bodies(3)[b].name);
      for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(std::stod(cells[3 + i]), frame.poses[7 * b + i]);
      for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(std::stod(cells[10 + i]), frame.velocities[6 * b + i]);
    }
  }
}

TEST_F(ExportTest, CsvOfTwoDimensionsAndOfWhatWasRecorded) {
  export_csv(record(2), file("flat.csv"));
  EXPECT_EQ(lines_of(slurp(file("flat.csv")))[0],
            "step,time [s],body,x [m],y [m],angle [rad],vx [m/s],vy [m/s],wz [rad/s]");
  export_csv(record(2, {1, false, true, false}), file("part.csv"));
  const std::vector<std::string> lines = lines_of(slurp(file("part.csv")));
  EXPECT_EQ(lines[0], "step,time [s],body,vx [m/s],vy [m/s],wz [rad/s]");
  EXPECT_EQ(cells_of(lines[1]).size(), 6u);
}

TEST_F(ExportTest, ReportCsvHasEveryFieldWithItsUnit) {
  export_report_csv(record(3), file("report.csv"));
  const std::vector<std::string> lines = lines_of(slurp(file("report.csv")));
  ASSERT_EQ(lines.size(), 1 + kFrames);
  const std::vector<std::string> header = cells_of(lines[0]);
  ASSERT_EQ(header.size(), 2 + report_fields().size());
  EXPECT_EQ(header[2], "kinetic_energy [J]");
  EXPECT_NE(lines[0].find(",contacts,"), std::string::npos);  // a number has no unit
  for (std::size_t f = 0; f < kFrames; ++f) {
    const std::vector<std::string> cells = cells_of(lines[1 + f]);
    ASSERT_EQ(cells.size(), header.size());
    for (std::size_t i = 0; i < report_fields().size(); ++i) EXPECT_EQ(std::stod(cells[2 + i]), coordinate(f, 99, i));
  }
}

// --- NPZ

std::uint32_t slow_crc(const std::string& bytes) {  // bit by bit, from the definition
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

// Entries by name, found through the directory at the end and checked against the local headers.
std::map<std::string, std::string> unzip(const std::string& zip) {
  std::map<std::string, std::string> entries;
  const std::size_t end = zip.size() - 22;
  EXPECT_EQ(number_at<std::uint32_t>(zip, end), 0x06054b50u);
  const auto count = number_at<std::uint16_t>(zip, end + 10);
  std::size_t at = number_at<std::uint32_t>(zip, end + 16);
  EXPECT_EQ(at + number_at<std::uint32_t>(zip, end + 12), end);
  for (std::uint16_t i = 0; i < count; ++i) {
    EXPECT_EQ(number_at<std::uint32_t>(zip, at), 0x02014b50u);
    const auto crc = number_at<std::uint32_t>(zip, at + 16), size = number_at<std::uint32_t>(zip, at + 24);
    const auto length = number_at<std::uint16_t>(zip, at + 28);
    const std::size_t local = number_at<std::uint32_t>(zip, at + 42);
    const std::string name = zip.substr(at + 46, length), data = zip.substr(local + 30 + length, size);
    EXPECT_EQ(number_at<std::uint32_t>(zip, local), 0x04034b50u);
    EXPECT_EQ(number_at<std::uint16_t>(zip, local + 8), 0u) << "stored, not compressed";
    EXPECT_EQ(number_at<std::uint32_t>(zip, local + 14), crc);
    EXPECT_EQ(number_at<std::uint32_t>(zip, local + 18), size);
    EXPECT_EQ(zip.substr(local + 30, length), name);
    EXPECT_EQ(slow_crc(data), crc) << name;
    entries[name] = data;
    at += 46 + length;
  }
  EXPECT_EQ(at, end);
  return entries;
}

struct Npy {
  std::string head, data;
};

Npy parse_npy(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length = number_at<std::uint16_t>(bytes, 8);
  EXPECT_EQ((10 + length) % 64, 0u);
  Npy npy{bytes.substr(10, length), bytes.substr(10 + length)};
  EXPECT_EQ(npy.head.back(), '\n');
  return npy;
}

void expect_head(const Npy& npy, const std::string& type, const std::string& shape) {
  const std::string dict = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  EXPECT_EQ(npy.head.substr(0, dict.size()), dict);
}

TEST_F(ExportTest, NpzHoldsTheArrays) {
  export_npz(record(3), file("out.npz"));
  const auto entries = unzip(slurp(file("out.npz")));
  ASSERT_EQ(entries.size(), 5 + 2 + 16 + report_fields().size());
  const Npy time = parse_npy(entries.at("time.npy")), hash = parse_npy(entries.at("hash.npy"));
  expect_head(time, "<f8", "(5,)");
  expect_head(hash, "<u8", "(5,)");
  EXPECT_EQ(number_at<std::uint64_t>(hash.data, 8), 0xfedcba9876543211ull);
  const Npy poses = parse_npy(entries.at("poses.npy")), alive = parse_npy(entries.at("alive.npy"));
  expect_head(poses, "<f8", "(5, 4, 7)");
  expect_head(alive, "|b1", "(5, 4)");
  ASSERT_EQ(poses.data.size(), kFrames * kBodies * 7 * 8);
  for (std::size_t f = 0; f < kFrames; ++f) {
    const Frame frame = frame_of(f, 3);
    EXPECT_EQ(number_at<double>(time.data, 8 * f), frame.time);
    for (std::size_t b = 0; b < kBodies; ++b) {
      EXPECT_EQ(alive.data[kBodies * f + b], frame.alive[b]);
      for (std::size_t i = 0; i < 7; ++i) {
        const auto value = number_at<double>(poses.data, 8 * (7 * (kBodies * f + b) + i));
        if (frame.alive[b])
          EXPECT_EQ(value, frame.poses[7 * b + i]);
        else
          EXPECT_TRUE(std::isnan(value));
      }
    }
  }
  expect_head(parse_npy(entries.at("velocities.npy")), "<f8", "(5, 4, 6)");
  expect_head(parse_npy(entries.at("report_energy.npy")), "<f8", "(5,)");
}

TEST_F(ExportTest, NpzNamesAreUnicodeAndContactsAreOneTable) {
  export_npz(record(3), file("out.npz"));
  const auto entries = unzip(slurp(file("out.npz")));
  const Npy names = parse_npy(entries.at("names.npy"));
  expect_head(names, "<U11", "(4,)");
  EXPECT_EQ(number_at<std::uint32_t>(names.data, 4 * (2 * 11 + 1)), 0xfcu) << "the ü of Würfel";
  EXPECT_EQ(number_at<std::uint32_t>(names.data, 4 * (2 * 11 + 6)), 0u) << "padded with zeros";
  const Npy offsets = parse_npy(entries.at("contact_offset.npy"));
  expect_head(offsets, "<u8", "(6,)");
  const std::uint64_t expected[] = {0, 0, 1, 3, 3, 4};  // 0, 1, 2, 0, 1 contacts
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(number_at<std::uint64_t>(offsets.data, 8 * i), expected[i]);
  const Npy impulse = parse_npy(entries.at("contacts_impulse.npy"));
  expect_head(impulse, "<f8", "(4, 3)");
  EXPECT_EQ(number_at<double>(impulse.data, 8 * (3 * 2 + 2)), 1.5);
}

TEST_F(ExportTest, NpzLeavesOutWhatWasNotRecorded) {
  export_npz(record(2, {1, true, false, false}), file("out.npz"));
  const auto entries = unzip(slurp(file("out.npz")));
  EXPECT_TRUE(entries.contains("poses.npy"));
  EXPECT_FALSE(entries.contains("velocities.npy"));
  EXPECT_FALSE(entries.contains("contact_offset.npy"));
}

TEST(Zip, ChecksumOfTheStandardsExample) {
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc32("456789", crc32("123")), 0xcbf43926u);
}

// --- glTF

struct Gltf {
  json document;
  std::string buffer;

  template <class T>
  std::vector<T> values(std::size_t accessor) const {
    const json& a = document["accessors"][accessor];
    const json& view = document["bufferViews"][a["bufferView"].get<std::size_t>()];
    static const std::map<std::string, std::size_t> kWidths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
    std::vector<T> out(a["count"].get<std::size_t>() * kWidths.at(a["type"]));
    EXPECT_EQ(out.size() * sizeof(T), view["byteLength"].get<std::size_t>());
    std::memcpy(out.data(), buffer.data() + view["byteOffset"].get<std::size_t>(), out.size() * sizeof(T));
    return out;
  }
  const json& node(const std::string& name) const {
    for (const json& n : document["nodes"])
      if (n.value("name", "") == name) return n;
    throw std::runtime_error("no node " + name);
  }
  std::size_t node_index(const std::string& name) const {
    return static_cast<std::size_t>(&node(name) - &document["nodes"][0]);
  }
  // The output accessor of a body's channel.
  std::optional<std::size_t> channel(const std::string& body, const std::string& path) const {
    for (const json& c : document["animations"][0]["channels"])
      if (c["target"]["node"] == node_index(body) && c["target"]["path"] == path)
        return document["animations"][0]["samplers"][c["sampler"].get<std::size_t>()]["output"].get<std::size_t>();
    return std::nullopt;
  }
};

Gltf parse_glb(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 4), 2u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 8), bytes.size());
  const auto length = number_at<std::uint32_t>(bytes, 12);
  EXPECT_EQ(length % 4, 0u);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  const auto size = number_at<std::uint32_t>(bytes, 20 + length);
  EXPECT_EQ(size % 4, 0u);
  EXPECT_EQ(bytes.substr(24 + length, 4), std::string("BIN\0", 4));
  EXPECT_EQ(bytes.size(), 28 + length + size);
  return {json::parse(bytes.substr(20, length)), bytes.substr(28 + length)};
}

// What the specification's validator would look at in every accessor.
void check_accessors(const Gltf& gltf) {
  EXPECT_EQ(gltf.document["buffers"][0]["byteLength"].get<std::size_t>(), gltf.buffer.size());
  for (const json& view : gltf.document["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0u);
    EXPECT_LE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(), gltf.buffer.size());
  }
  for (std::size_t i = 0; i < gltf.document["accessors"].size(); ++i) {
    const json& a = gltf.document["accessors"][i];
    EXPECT_GT(a["count"].get<std::size_t>(), 0u);
    if (!a.contains("min")) continue;
    const std::vector<float> values = gltf.values<float>(i);
    const std::size_t width = a["min"].size();
    for (std::size_t k = 0; k < width; ++k) {
      float low = values[k], high = values[k];
      for (std::size_t v = k; v < values.size(); v += width)
        low = std::min(low, values[v]), high = std::max(high, values[v]);
      EXPECT_EQ(a["min"][k].get<float>(), low);
      EXPECT_EQ(a["max"][k].get<float>(), high);
    }
  }
}

void check_meshes(const Gltf& gltf) {
  for (const json& mesh : gltf.document["meshes"]) {
    const json& primitive = mesh["primitives"][0];
    const auto positions = gltf.values<float>(primitive["attributes"]["POSITION"]);
    const auto normals = gltf.values<float>(primitive["attributes"]["NORMAL"]);
    const auto indices = gltf.values<std::uint32_t>(primitive["indices"]);
    EXPECT_TRUE(gltf.document["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()].contains("min"));
    ASSERT_EQ(positions.size(), normals.size());
    ASSERT_EQ(indices.size() % 3, 0u);
    const auto vector = [](const std::vector<float>& from, std::uint32_t i) {
      return Eigen::Vector3d(from[3 * i], from[3 * i + 1], from[3 * i + 2]);
    };
    for (std::size_t i = 0; i < indices.size(); i += 3) {
      ASSERT_LT(3 * indices[i], positions.size());
      const Eigen::Vector3d a = vector(positions, indices[i]), b = vector(positions, indices[i + 1]),
                            c = vector(positions, indices[i + 2]);
      const Eigen::Vector3d n = vector(normals, indices[i]);
      EXPECT_NEAR(n.norm(), 1.0, 1e-5);
      EXPECT_GT((b - a).cross(c - a).dot(n), 0) << "counter-clockwise seen from outside";
    }
  }
}

TEST_F(ExportTest, GlbIsWellFormedAndAnimated) {
  export_gltf(record(3), bodies(3), file("out.glb"));
  const Gltf gltf = parse_glb(slurp(file("out.glb")));
  check_accessors(gltf);
  check_meshes(gltf);
  EXPECT_EQ(gltf.document["asset"]["version"], "2.0");
  ASSERT_EQ(gltf.document["animations"].size(), 1u);
  const auto times = gltf.values<float>(gltf.document["animations"][0]["samplers"][0]["input"]);
  ASSERT_EQ(times.size(), kFrames);
  for (const json& sampler : gltf.document["animations"][0]["samplers"])
    EXPECT_EQ(sampler["input"], gltf.document["animations"][0]["samplers"][0]["input"]) << "one time accessor for all";
  const auto positions = gltf.values<float>(gltf.channel("Würfel", "translation").value());
  const auto rotations = gltf.values<float>(gltf.channel("Würfel", "rotation").value());
  ASSERT_EQ(rotations.size(), 4 * kFrames);
  for (std::size_t f = 0; f < kFrames; ++f) {
    EXPECT_FLOAT_EQ(times[f], 0.1f * static_cast<float>(f));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(positions[3 * f + i], static_cast<float>(coordinate(f, 2, i)));
    // x, y, z, w; the made-up signs are gone.
    EXPECT_FLOAT_EQ(rotations[4 * f + 2], static_cast<float>(std::sin(0.2 * static_cast<double>(f))));
    EXPECT_FLOAT_EQ(rotations[4 * f + 3], static_cast<float>(std::cos(0.2 * static_cast<double>(f))));
  }
}

TEST_F(ExportTest, GltfNodesMeshesAndMaterials) {
  export_gltf(record(3), bodies(3), file("out.glb"));
  const Gltf gltf = parse_glb(slurp(file("out.glb")));
  EXPECT_FALSE(gltf.channel("ground", "translation")) << "static bodies stand still";
  EXPECT_TRUE(gltf.channel("spinner", "rotation"));
  // z up becomes y up at the root: (0, 0, 1) goes to (0, 1, 0).
  const json& root = gltf.document["nodes"][gltf.document["scenes"][0]["nodes"][0].get<std::size_t>()];
  EXPECT_EQ(root["children"].size(), kBodies);
  const Eigen::Quaterniond up(root["rotation"][3], root["rotation"][0], root["rotation"][1], root["rotation"][2]);
  EXPECT_LT((up * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitY()).norm(), 1e-12);
  const json& spinner = gltf.node("spinner");
  ASSERT_EQ(spinner["children"].size(), 2u);
  const json &first = gltf.document["nodes"][spinner["children"][0].get<std::size_t>()],
             &second = gltf.document["nodes"][spinner["children"][1].get<std::size_t>()];
  EXPECT_EQ(first["mesh"], second["mesh"]) << "equal shapes share a mesh";
  EXPECT_EQ(second["translation"][0], 1.0);
  // The box of another body has another colour, but the same vertices.
  const json& other = gltf.document["nodes"][gltf.node("Würfel")["children"][0].get<std::size_t>()];
  const auto primitive = [&](const json& node) {
    return gltf.document["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0];
  };
  EXPECT_EQ(primitive(other)["attributes"], primitive(first)["attributes"]);
  EXPECT_NE(primitive(other)["material"], primitive(first)["material"]);
  const auto box = gltf.document["accessors"][primitive(first)["attributes"]["POSITION"].get<std::size_t>()];
  EXPECT_FLOAT_EQ(box["max"][2].get<float>(), 0.3f) << "half of its edge";
}

TEST_F(ExportTest, GltfHidesABodyThatIsGone) {
  export_gltf(record(3), bodies(3), file("out.glb"));
  const Gltf gltf = parse_glb(slurp(file("out.glb")));
  const auto scale = gltf.values<float>(gltf.channel("ball, \"red\"", "scale").value());
  for (std::size_t f = 0; f < kFrames; ++f) EXPECT_EQ(scale[3 * f], f < kGone ? 1.0f : 0.0f);
  const auto positions = gltf.values<float>(gltf.channel("ball, \"red\"", "translation").value());
  EXPECT_EQ(positions[3 * kGone], positions[3 * (kGone - 1)]) << "it stays where it was last";
  EXPECT_FALSE(gltf.channel("Würfel", "scale"));
}

TEST_F(ExportTest, GltfAsTextHoldsTheSameBuffer) {
  const Recording recording = record(2);
  export_gltf(recording, bodies(2), file("out.glb"));
  export_gltf(recording, bodies(2), file("out.gltf"));
  const Gltf binary = parse_glb(slurp(file("out.glb")));
  check_accessors(binary);
  check_meshes(binary);
  json text = json::parse(slurp(file("out.gltf")));
  const std::string uri = text["buffers"][0]["uri"], start = "data:application/octet-stream;base64,";
  ASSERT_EQ(uri.substr(0, start.size()), start);
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string decoded;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : uri.substr(start.size())) {
    if (c == '=') break;
    word = word << 6 | static_cast<std::uint32_t>(letters.find(c));
    if ((bits += 6) >= 8) decoded += static_cast<char>(word >> (bits -= 8) & 255);
  }
  EXPECT_EQ(decoded, binary.buffer);
  text["buffers"][0].erase("uri");
  EXPECT_EQ(text, binary.document);
}

// --- what goes wrong

ErrorKind kind_of(const std::function<void()>& action, const std::string& named) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown for " << named;
  return ErrorKind::kBadInput;
}

TEST_F(ExportTest, UnwritablePathsAreNamed) {
  const Recording recording = record(3);
  const std::string nowhere = file("no/such/folder/out");
  EXPECT_EQ(kind_of([&] { export_csv(recording, nowhere + ".csv"); }, nowhere + ".csv"), ErrorKind::kIo);
  EXPECT_EQ(kind_of([&] { export_report_csv(recording, nowhere + ".csv"); }, nowhere + ".csv"), ErrorKind::kIo);
  EXPECT_EQ(kind_of([&] { export_npz(recording, nowhere + ".npz"); }, nowhere + ".npz"), ErrorKind::kIo);
  EXPECT_EQ(kind_of([&] { export_gltf(recording, bodies(3), nowhere + ".glb"); }, nowhere + ".glb"), ErrorKind::kIo);
}

TEST_F(ExportTest, GltfRefusesWhatItCannotDo) {
  EXPECT_EQ(kind_of([&] { export_gltf(record(3), bodies(3), file("out.obj")); }, "out.obj"), ErrorKind::kBadInput);
  EXPECT_EQ(kind_of(
                [&] {
                  export_gltf(record(3, {1, false, true, true}), bodies(3), file("o.glb"));
                },
                "no poses"),
            ErrorKind::kBadInput);
}

TEST_F(ExportTest, AFullDiskIsAnErrorAndLeavesNothing) {
  const Recording recording = record(3);
  // The disk ends after ten bytes: files of this process may be no longer.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full{10, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  const ErrorKind kind = kind_of([&] { export_csv(recording, file("out.csv")); }, file("out.csv"));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(kind, ErrorKind::kIo);
  EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
  EXPECT_FALSE(std::filesystem::exists(file("out.csv.tmp")));
}

TEST_F(ExportTest, AFileThatIsNotCommittedDoesNotReplaceTheOldOne) {
  std::ofstream(file("out.txt")) << "old";
  {
    OutputFile output(file("out.txt"));
    output.write("new");
  }
  EXPECT_EQ(slurp(file("out.txt")), "old");
  EXPECT_FALSE(std::filesystem::exists(file("out.txt.tmp")));
  OutputFile output(file("out.txt"));
  output.write("new");
  output.commit();
  EXPECT_EQ(slurp(file("out.txt")), "new");
}

}  // namespace
}  // namespace touchstone
