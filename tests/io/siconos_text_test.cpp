// Siconos' sparse matrices and global problems, and the parts of an FCLIB file that nobody needs.
#include "io/problem/siconos_text.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "contact/delassus.h"
#include "io/problem/lcp_file.h"
#include "io/problem/problem_file.h"
#include "recording/fclib_file.h"
#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

class SiconosText : public ::testing::Test {
 protected:
  SiconosText()
      : folder_(fs::temp_directory_path() / ("touchstone_siconos_" + std::to_string(getpid()) + "_" +
                                             ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~SiconosText() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  fs::path folder_;
};

LocalProblem local_of(const std::string& name, std::string_view text) {
  ProblemNotes notes;
  return std::get<LocalProblem>(parse_siconos_text(name, text, notes));
}

// As Siconos 4.4 writes them: CSparse's line, the size, and triplets or columns with six digits.
const std::string kPrinted = "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n";
const std::string kSparseTriplets = "3\n1\n2\n3\n3\n1\n" + kPrinted +
                                    "triplet: 3-by-3, nzmax: 9 nnz: 5\n    0 0 : 0.333333\n    0 1 : 0.1\n"
                                    "    1 0 : 0.1\n    1 1 : 2\n    2 2 : 3\n";
const std::string kSparseColumns =
    "3\n1\n2\n3\n3\n2\n" + kPrinted +
    "3-by-3, nzmax: 5 nnz: 5, 1-norm: 3\n    col 0 : locations 0 to 1\n      0 : 0.333333\n      1 : 0.1\n"
    "    col 1 : locations 2 to 3\n      0 : 0.1\n      1 : 2\n    col 2 : locations 4 to 4\n      2 : 3\n";
const std::string kLocalRest = " -1.0e+00   5.0e-01   0.0e+00 \n  5.0e-01 \n";

TEST_F(SiconosText, SparseMatricesOfSiconosAreRead) {
  Eigen::Matrix3d expected;
  expected << 0.333333, 0.1, 0, 0.1, 2, 0, 0, 0, 3;
  for (const std::string& text : {kSparseTriplets + kLocalRest, kSparseColumns + kLocalRest}) {
    const LocalProblem p = local_of("s", text);
    EXPECT_EQ(Eigen::MatrixXd(p.w), expected);
    EXPECT_EQ(p.q, (std::vector<double>{-1, 0.5, 0}));
    EXPECT_EQ(p.mu, (std::vector<double>{0.5}));
    const ProblemFile file = read_problem(write("sparse.dat", text));
    EXPECT_EQ(file.format, "siconos text");
    ASSERT_FALSE(file.notes.empty());
    EXPECT_NE(file.notes[0].find("six digits"), std::string::npos);
    EXPECT_THROW(local_of("s", text.substr(0, text.size() / 2)), Error);
  }
  // One triangle of a symmetric matrix, and a column without entries.
  const LocalProblem half =
      local_of("s", "2\n1\n2\n2\n2\n4\n" + kPrinted +
                        "triplet: 2-by-2, nzmax: 3 nnz: 3\n 0 0 : 4\n 1 0 : 1\n 1 1 : 3\n-1 0.5\n0.25\n");
  EXPECT_EQ(Eigen::MatrixXd(half.w), (Eigen::Matrix2d() << 4, 1, 1, 3).finished());
  const LocalProblem hollow = local_of("s", "2\n1\n2\n2\n2\n2\n" + kPrinted +
                                                "2-by-2, nzmax: 1 nnz: 1, 1-norm: 4\n col 0 : locations 0 to -1\n col "
                                                "1 : locations 0 to 0\n 1 : 4\n-1 0.5\n0.25\n");
  EXPECT_EQ(Eigen::MatrixXd(hollow.w), (Eigen::Matrix2d() << 0, 0, 0, 4).finished());
}

// M v = H r + q, u = Hᵀ v + b.
const std::string kGlobal =
    "3\n1\n2\n6\n6\n1\n" + kPrinted +
    "triplet: 6-by-6, nzmax: 6 nnz: 6\n    0 0 : 2\n    1 1 : 2\n    2 2 : 2\n    3 3 : 0.5\n"
    "    4 4 : 0.5\n    5 5 : 0.5\n2\n6\n3\n2\n" +
    kPrinted +
    "6-by-3, nzmax: 5 nnz: 5, 1-norm: 1.1\n    col 0 : locations 0 to 0\n      2 : 1\n"
    "    col 1 : locations 1 to 2\n      0 : 1\n      4 : -0.1\n    col 2 : locations 3 to 4\n"
    "      1 : 1\n      3 : 0.1\n"
    " 3.0e-01 0.0e+00 -1.0e+00 0.0e+00 0.0e+00 1.0e-01 \n 0.0e+00 1.0e-02 0.0e+00 \n 5.0e-01 \n";

TEST_F(SiconosText, GlobalTextOfSiconosIsRead) {
  const ProblemFile file = read_problem(write("global.dat", kGlobal));
  EXPECT_EQ(file.format, "siconos text, global");
  ASSERT_EQ(file.data.contacts.size(), 1u);
  EXPECT_EQ(file.data.contacts[0].dynamic_friction, 0.5);
  // The operator and the free velocity of the same problem, written down as W and q by hand.
  Delassus delassus;
  delassus.prepare(file.data.view());
  Eigen::Matrix3d w = Eigen::Vector3d(0.5, 0.5 + 0.01 / 0.5, 0.5 + 0.01 / 0.5).asDiagonal();
  EXPECT_LT((delassus.dense() - w).norm(), 1e-15);
  const ContactProblem view = file.data.view();
  std::vector<double> u(3);
  for (std::size_t row = 0; row < 3; ++row) u[row] = view.surface[row];
  EXPECT_EQ(u, (std::vector<double>{0, 0.01, 0}));
  EXPECT_THROW(read_problem(write("cut.dat", kGlobal.substr(0, kGlobal.size() - 12))), Error);
  // The same with dense matrices, M as large as W would be: three velocities, one contact.
  const std::string square =
      "3\n1\n0\n3\n3\n3 3\n2 0 0 0 2 0 0 0 2\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 0.5 0\n0 0 0\n0.5\n";
  const ProblemFile small = read_problem(write("square.dat", square));
  EXPECT_EQ(small.format, "siconos text, global");
  for (const auto& [row, velocity] : {std::pair{0, -0.5}, std::pair{1, 0.25}, std::pair{2, 0.0}})
    EXPECT_NEAR(small.data.free_velocity.at(static_cast<std::size_t>(row)), velocity, 1e-15);
  try {
    read_problem(write("neither.dat", "3\n1\n0\n4\n4\n4 4\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n0 0 0\n0.5\n"));
    ADD_FAILURE();
  } catch (const Error& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("line 4: the number of W's rows is 4; 1 contact in 3D has 3"), std::string::npos) << what;
    EXPECT_NE(what.find("Nor is it a global problem"), std::string::npos) << what;
  }
}

// A dataset of an FCLIB file that nobody needs, of another length, type or form.
void put_solution(const std::string& file, hid_t type, const std::vector<hsize_t>& dims) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(f, "solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
  const hid_t set = H5Dcreate2(group, "r", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  std::vector<double> ones(64, 1.0);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones.data());
  H5Dclose(set), H5Sclose(space), H5Gclose(group), H5Fclose(f);
}

TEST_F(SiconosText, AnOddSolutionIsLeftOutWithANote) {
  FclibData data;
  data.w = {3, 3, -2, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}};
  data.q = {-1, 0, 0};
  data.mu = {0.5};
  const auto notes_of = [&](hid_t type, const std::vector<hsize_t>& dims) {
    write_fclib(path("odd.hdf5"), data);
    put_solution(path("odd.hdf5"), type, dims);
    const ProblemFile file = read_problem(path("odd.hdf5"));
    EXPECT_EQ(file.data.contacts.size(), 1u);
    EXPECT_EQ(file.solution.empty(), !file.notes.empty());
    return file.notes.empty() ? std::string() : file.notes.front();
  };
  EXPECT_EQ(notes_of(H5T_IEEE_F64LE, {3}), "");
  EXPECT_NE(notes_of(H5T_IEEE_F64LE, {5}).find("5 numbers and the problem 3 rows"), std::string::npos);
  EXPECT_NE(notes_of(H5T_IEEE_F64LE, {3, 2}).find("'solution/r' is left out"), std::string::npos);
}

// One contact in 2D begins like a complementarity problem of two unknowns in blocks; CSparse's line tells them apart.
TEST_F(SiconosText, SparseProblemsAreToldApart) {
  const std::string one = "2\n1\n2\n2\n2\n1\n" + kPrinted + "triplet: 2-by-2, nzmax: 2 nnz: 2\n 0 0 : 4\n 1 1 : 3\n",
                    lcp =
                        "2\n2\n2\n2\n1\n" + kPrinted + "triplet: 2-by-2, nzmax: 2 nnz: 2\n 0 0 : 4\n 1 1 : 3\n-5 -6\n";
  EXPECT_FALSE(looks_like_lcp(one + "-1 0.5\n0.25\n"));
  EXPECT_EQ(read_problem(write("one.dat", one + "-1 0.5\n0.25\n")).data.contacts.size(), 1u);
  EXPECT_TRUE(looks_like_lcp(lcp));
  EXPECT_EQ(parse_lcp_text("x", lcp).m, (Eigen::Matrix2d() << 4, 0, 0, 3).finished());
}

// A file that ends anywhere, or has a byte changed anywhere, is refused or is a problem: nothing else happens.
TEST_F(SiconosText, DamagedTextNeverDoesHarm) {
  for (std::size_t end = 0; end + 8 < kGlobal.size(); ++end) {
    ProblemNotes notes;
    EXPECT_THROW(parse_siconos_text("cut", std::string_view(kGlobal).substr(0, end), notes), Error) << end;
  }
  std::mt19937 dice(1);
  for (int trial = 0; trial < 1000; ++trial) {
    std::string text = trial % 2 ? kGlobal : kSparseColumns + kLocalRest;
    text[dice() % text.size()] = "0919-e.x \n:"[dice() % 11];
    try {
      ProblemNotes notes;
      std::visit([&](const auto& p) { to_problem(p, "x", notes); }, parse_siconos_text("x", text, notes));
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace touchstone::testing
