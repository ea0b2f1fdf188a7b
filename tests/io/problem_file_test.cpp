// Problems as files: what is written comes back, and what is wrong with a file is named.
#include "io/problem/problem_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "contact/random_pile.h"
#include "dynamics/joint_builders.h"
#include "io/problem/lcp_file.h"
#include "io/problem/siconos_text.h"
#include "recording/fclib_file.h"
#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

class ProblemFiles : public ::testing::Test {
 protected:
  ProblemFiles()
      : folder_(fs::temp_directory_path() / ("touchstone_problem_" + std::to_string(getpid()) + "_" +
                                             ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~ProblemFiles() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  fs::path folder_;
};

template <int D>
ProblemFile pile_problem(unsigned seed, bool motors, bool joints = true) {
  RandomPile<D> pile(seed);
  Dice dice(seed);
  std::vector<Joint<D>> list;
  for (const JointKind kind : joints_of_equations<D>()) {
    Joint<D> j = random_joined<D>(kind, dice).joint;
    if (motors) give_limits_and_motor(j);
    j.body_a = list.empty() ? kWorldBody : 1 + static_cast<std::uint32_t>(list.size());
    j.body_b = 5 + static_cast<std::uint32_t>(list.size());
    if (joints) list.push_back(j);
  }
  ProblemInput<D> in = pile.input();
  in.joints = list;
  ProblemBuilder<D> builder;
  const ContactProblem p = builder.build(in);
  ProblemFile out;
  out.gravity = 9.81;
  out.origin = "a pile, seed 1";
  ProblemData& d = out.data;
  d.h = p.h;
  const auto take = [](auto& to, auto from) { to.assign(from.begin(), from.end()); };
  take(d.cliques, p.cliques), take(d.mass, p.mass), take(d.inverse_mass, p.inverse_mass);
  take(d.start_velocity, p.start_velocity), take(d.free_velocity, p.free_velocity);
  take(d.blocks, p.blocks), take(d.jacobian, p.jacobian), take(d.restitution, p.restitution);
  take(d.correction, p.correction), take(d.surface, p.surface), take(d.lower, p.lower), take(d.upper, p.upper);
  take(d.contacts, p.contacts);
  for (std::size_t i = 0; i < p.rows(); ++i) out.guess.push_back(pile.number(-1, 1) / 3);
  return out;
}

void expect_equal(const ProblemFile& a, const ProblemFile& b) {
  const ProblemData &x = a.data, &y = b.data;
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.guess, b.guess);
  EXPECT_EQ(x.h, y.h);
  EXPECT_EQ(x.mass, y.mass);
  EXPECT_EQ(x.inverse_mass, y.inverse_mass);
  EXPECT_EQ(x.start_velocity, y.start_velocity);
  EXPECT_EQ(x.free_velocity, y.free_velocity);
  EXPECT_EQ(x.jacobian, y.jacobian);
  EXPECT_EQ(x.restitution, y.restitution);
  EXPECT_EQ(x.correction, y.correction);
  EXPECT_EQ(x.surface, y.surface);
  EXPECT_EQ(x.lower, y.lower);
  EXPECT_EQ(x.upper, y.upper);
  ASSERT_EQ(x.cliques.size(), y.cliques.size());
  for (std::size_t i = 0; i < x.cliques.size(); ++i) {
    EXPECT_EQ(x.cliques[i].size, y.cliques[i].size);
    EXPECT_EQ(x.cliques[i].first, y.cliques[i].first);
    EXPECT_EQ(x.cliques[i].mass, y.cliques[i].mass);
  }
  ASSERT_EQ(x.blocks.size(), y.blocks.size());
  for (std::size_t i = 0; i < x.blocks.size(); ++i) {
    const RowBlock &p = x.blocks[i], &q = y.blocks[i];
    EXPECT_EQ(p.kind, q.kind);
    EXPECT_EQ(p.rows, q.rows);
    EXPECT_EQ(p.first_row, q.first_row);
    EXPECT_EQ(p.clique_a, q.clique_a);
    EXPECT_EQ(p.clique_b, q.clique_b);
    EXPECT_EQ(p.key, q.key);
    EXPECT_EQ(p.jacobian_a, q.jacobian_a);
    EXPECT_EQ(p.jacobian_b, q.jacobian_b);
  }
  ASSERT_EQ(x.contacts.size(), y.contacts.size());
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    const ContactLaw &p = x.contacts[i], &q = y.contacts[i];
    EXPECT_EQ(p.frame, q.frame);
    EXPECT_EQ(p.gap, q.gap);
    EXPECT_EQ(p.static_friction, q.static_friction);
    EXPECT_EQ(p.dynamic_friction, q.dynamic_friction);
    EXPECT_EQ(p.restitution, q.restitution);
    EXPECT_EQ(p.normal_velocity_before, q.normal_velocity_before);
  }
}

TEST_F(ProblemFiles, OurOwnComesBackBitByBit) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const ProblemFile two = pile_problem<2>(seed, true), three = pile_problem<3>(seed, true);
    write_problem(path("two.problem"), two);
    write_problem(path("three.problem"), three);
    expect_equal(read_problem(path("two.problem")), two);
    expect_equal(read_problem(path("three.problem")), three);
  }
  ProblemFile infinite = pile_problem<3>(1, true);
  infinite.data.contacts[0].static_friction = infinite.data.contacts[0].dynamic_friction =
      std::numeric_limits<double>::infinity();
  expect_equal(parse_problem_text("x", problem_text(infinite)), infinite);
}

// W, q and μ of what was written, made by dense matrices.
template <int D>
void expect_same_problem(const ProblemFile& from, const ProblemFile& back) {
  const ContactProblem p = from.data.view(), b = back.data.view();
  ASSERT_EQ(p.rows(), b.rows());
  Delassus before, after;
  before.prepare(p), after.prepare(b);
  const Eigen::MatrixXd w = before.dense();
  EXPECT_LT((w - after.dense()).norm(), 1e-13 * w.norm());
  std::vector<double> q(p.rows()), r(p.rows());
  free_relative_velocity(p, q), free_relative_velocity(b, r);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], r[i], 1e-14);
  for (std::size_t i = 0; i < p.contacts.size(); ++i)
    EXPECT_EQ(p.contacts[i].dynamic_friction, b.contacts[i].dynamic_friction);
}

TEST_F(ProblemFiles, FclibGivesTheSameOperatorVelocityAndFriction) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const ProblemFile two = pile_problem<2>(seed, false), three = pile_problem<3>(seed, false);
    const ProblemNotes notes = write_problem(path("two.hdf5"), two);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("dynamic"), std::string::npos);
    write_problem(path("three.h5"), three);
    const ProblemFile back = read_problem(path("three.h5"));
    EXPECT_EQ(back.format, "fclib local");
    expect_same_problem<2>(two, read_problem(path("two.hdf5")));
    expect_same_problem<3>(three, back);
    // What came from FCLIB goes back to the last bit.
    write_problem(path("again.hdf5"), back);
    const ProblemFile again = read_problem(path("again.hdf5"));
    EXPECT_EQ(again.data.inverse_mass, back.data.inverse_mass);
    EXPECT_EQ(again.data.free_velocity, back.data.free_velocity);
  }
  EXPECT_THROW(write_problem(path("motors.hdf5"), pile_problem<3>(0, true)), Error);
  EXPECT_FALSE(fs::exists(path("motors.hdf5")));
}

const char* kDense = "2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3\n-1 0.5\n0.25\n0\n";
const char* kBlocks =
    "2\n2\n1\n4\n4\n3\n2\n2\n2 4\n2 4\n3\n3\n0 1 3\n0 0 1\n"
    "0\n 4\n 1\n 1\n 3\n1\n 7\n 8\n 9\n 10\n2\n 5\n 2\n 2\n 6\n -1 0.5 -2 0.125\n 0.25 0.5\n";

LocalProblem local_of(const std::string& name, std::string_view text) {
  ProblemNotes notes;
  return std::get<LocalProblem>(parse_siconos_text(name, text, notes));
}

TEST_F(ProblemFiles, ABlockWithoutRowsIsNamed) {
  std::string text = problem_text(pile_problem<3>(1, false));
  const std::size_t at = text.find("contact 3 ");
  ASSERT_NE(at, std::string::npos);
  text[at + 8] = '0';
  try {
    read_problem(write("rows.txt", text));
    FAIL() << "taken";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("rows.txt, line"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("no rows"), std::string::npos) << e.what();
  }
}

TEST_F(ProblemFiles, SiconosTextIsColumnMajorInBothStorages) {
  const LocalProblem dense = local_of("d", kDense), blocks = local_of("b", kBlocks);
  EXPECT_EQ(dense.dimension, 2);
  EXPECT_EQ(dense.w.coeff(1, 0), 1);
  EXPECT_EQ(dense.q, (std::vector<double>{-1, 0.5}));
  EXPECT_EQ(dense.mu, (std::vector<double>{0.25}));
  Eigen::Matrix4d expected;
  expected << 4, 1, 0, 0, 1, 3, 0, 0, 7, 9, 5, 2, 8, 10, 2, 6;
  EXPECT_EQ(Eigen::MatrixXd(blocks.w), expected);
  EXPECT_EQ(blocks.q, (std::vector<double>{-1, 0.5, -2, 0.125}));
  const ProblemFile file = read_problem(write("b.dat", kBlocks));
  Delassus delassus;
  delassus.prepare(file.data.view());
  EXPECT_EQ(delassus.dense(), expected);  // to the last bit
  ASSERT_FALSE(file.notes.empty());
  EXPECT_NE(file.notes[0].find("not symmetric"), std::string::npos);
}

void expect_refused(const std::string& text, const std::string& part) {
  try {
    ProblemNotes notes;
    std::visit([&](const auto& p) { to_problem(p, "file.dat", notes); }, parse_siconos_text("file.dat", text, notes));
    FAIL() << "taken: " << text;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(e.what()).find("file.dat"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST_F(ProblemFiles, WhatIsWrongIsNamed) {
  expect_refused("4\n1\n", "line 1");
  expect_refused("1\n1\n", "2 or 3");
  expect_refused("2\n1\n0\n3\n3\n", "line 4");
  expect_refused("2\n1\n7\n", "storage");
  expect_refused("2\n1\n0\n2\n2\n2 2\n 4 1\n", "cut short");
  expect_refused("2\n1\n0\n2\n2\n2 2\n 4 1\n 1 nan\n-1 0.5\n0.25\n", "line 8");
  expect_refused("2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3\n-1 inf\n0.25\n", "infinite");
  expect_refused("2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3x\n-1 0.5\n0.25\n", "3x");
  expect_refused("2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3\n-1 0.5\n-0.25\n", "mu[0]");
  expect_refused("3\n1000000\n0\n3000000\n3000000\n3000000 3000000\n1 2\n", "cut short");
  EXPECT_THROW(read_problem(path("none.dat")), Error);
  EXPECT_THROW(read_problem(write("empty.dat", "\n")), Error);
  EXPECT_THROW(read_problem(write("words.dat", "hello")), Error);
  EXPECT_THROW(read_problem(folder_.string()), Error);
}

// A file that ends anywhere, or has a byte changed anywhere, is refused or is a problem: nothing else happens.
TEST_F(ProblemFiles, DamagedTextNeverDoesHarm) {
  const std::string own = problem_text(pile_problem<2>(3, true)), blocks = kBlocks;
  for (std::size_t end = 0; end + 4 < own.size(); end += 97)
    EXPECT_THROW(parse_problem_text("own", std::string_view(own).substr(0, end)), Error) << end;
  for (std::size_t end = 0; end + 4 < blocks.size(); ++end)
    EXPECT_THROW(local_of("blocks", std::string_view(blocks).substr(0, end)), Error) << end;
  std::mt19937 dice(1);
  for (int trial = 0; trial < 400; ++trial) {
    std::string a = own, b = blocks;
    a[dice() % a.size()] = "0919-e.x \n"[dice() % 10];
    b[dice() % b.size()] = "0919-e.x \n"[dice() % 10];
    try {
      parse_problem_text("own", a);
    } catch (const Error&) {
    }
    try {
      ProblemNotes notes;
      std::visit([&](const auto& p) { to_problem(p, "blocks", notes); }, parse_siconos_text("blocks", b, notes));
    } catch (const Error&) {
    }
  }
}

TEST_F(ProblemFiles, DamagedHdf5IsNamed) {
  write_problem(path("good.hdf5"), pile_problem<3>(1, false, false));
  std::ifstream in(path("good.hdf5"), std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  for (const double part : {0.1, 0.5, 0.9}) {
    const std::string cut =
        write("cut.hdf5", good.substr(0, static_cast<std::size_t>(part * static_cast<double>(good.size()))));
    try {
      read_problem(cut);
      ADD_FAILURE() << part;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("cut.hdf5"), std::string::npos);
    }
  }
  std::string renamed = good;
  for (std::size_t at = renamed.find("spacedim"); at != std::string::npos; at = renamed.find("spacedim"))
    renamed.replace(at, 8, "spacedom");
  try {
    read_problem(write("renamed.hdf5", renamed));
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("fclib_local/spacedim"), std::string::npos) << e.what();
  }
  ProblemFile nan = pile_problem<3>(1, false, false);
  nan.data.inverse_mass[0] = std::numeric_limits<double>::quiet_NaN();
  write_problem(path("nan.hdf5"), nan);
  try {
    read_problem(path("nan.hdf5"));
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("W("), std::string::npos) << e.what();
  }
}

// Sizes of two thousand millions in a small file: refused before memory is taken, by the name of the dataset.
TEST_F(ProblemFiles, SizesThatNoDatasetHasAreNamed) {
  const auto refused = [&](const FclibData& data, const char* dataset) {
    write_fclib(path("huge.hdf5"), data);
    try {
      read_problem(path("huge.hdf5"));
      ADD_FAILURE() << dataset;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("huge.hdf5"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(dataset), std::string::npos) << e.what();
    }
  };
  FclibData good;
  good.w = {3, 3, -2, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}};
  good.q = {-1, 0, 0};
  good.mu = {0.5};
  write_fclib(path("good.hdf5"), good);
  EXPECT_EQ(read_problem(path("good.hdf5")).data.contacts.size(), 1u);
  FclibData data = good;
  data.w.n = 2000000000;
  refused(data, "'fclib_local/W/n' is 2000000000");
  data = good;
  data.w.nz = -1, data.w.m = 2000000000;
  refused(data, "'fclib_local/W/m' is 2000000000");
  data.w = {2000000000, 2000000000, 1, {0}, {0}, {1}};
  refused(data, "'fclib_local/W/m' is 2000000000");
  data = good;
  data.s = {0};
  data.v = {3, 2000000000, -2, {0, 0, 0, 0}, {}, {}};
  data.r = {1, 1, -2, {0, 1}, {0}, {1}};
  refused(data, "'fclib_local/V/n' is 2000000000");
}

TEST_F(ProblemFiles, WhatFollowsTheNumbersIsNotPassedOver) {
  const std::string one = "2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3\n-1 0.5\n0.25\n";
  EXPECT_EQ(read_problem(write("a.dat", one)).data.contacts.size(), 1u);
  EXPECT_EQ(read_problem(write("b.dat", one + "1\n\n")).data.contacts.size(), 1u);  // as Siconos writes it
  expect_refused(one + "1\n7 8 9\n", "more follows");
  expect_refused(one + "garbage\n", "garbage");
}

TEST_F(ProblemFiles, ComplementarityProblemsAreToldApart) {
  const std::string dense = "2\n0\n2\n2\n2 2\n 1 3\n 2 4\n-5 -6\n\nA remark.\n of two lines\n",
                    blocks = "2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n0\n1\n3\n2\n4\n-5 -6";
  for (const std::string& text : {dense, blocks}) {
    EXPECT_TRUE(looks_like_lcp(text));
    const LcpProblem p = parse_lcp_text("x", text);
    EXPECT_EQ(p.m, (Eigen::Matrix2d() << 1, 2, 3, 4).finished());
    EXPECT_EQ(p.q, Eigen::Vector2d(-5, -6));
    EXPECT_EQ(p.remark, text == dense ? "A remark. of two lines" : "");
    EXPECT_THROW(read_problem(write("lcp.dat", text)), Error);
    EXPECT_TRUE(is_lcp_file(path("lcp.dat")));
  }
  EXPECT_FALSE(looks_like_lcp(kBlocks));
  EXPECT_FALSE(looks_like_lcp("2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3\n-1 0.5\n0.25\n"));
  EXPECT_FALSE(looks_like_lcp("touchstone-problem 1"));
  EXPECT_THROW(parse_lcp_text("x", dense.substr(0, 20)), Error);
  EXPECT_THROW(parse_lcp_text("x", "2000000000\n0\n2000000000\n2000000000\n"), Error);
}

TEST_F(ProblemFiles, NoContactsAreAProblemToo) {
  const ProblemFile file = read_problem(write("none.dat", "3\n0\n0\n0\n0\n"));
  EXPECT_EQ(file.data.blocks.size(), 0u);
}

}  // namespace
}  // namespace touchstone::testing
