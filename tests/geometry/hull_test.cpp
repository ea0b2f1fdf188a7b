// Hulls of random and of degenerate point sets: either a named error, or a closed convex surface around all points.
#include "geometry/hull.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "touchstone/error.h"

namespace touchstone {
namespace {

using Random = std::mt19937;

double uniform(Random& r, double low = -1, double high = 1) {
  return std::uniform_real_distribution<double>(low, high)(r);
}
Vec<3> direction(Random& r) {
  std::normal_distribution<double> g;
  return Vec<3>(g(r), g(r), g(r)).normalized();
}

// The kinds of sets; `flat` is the thickness of those that are nearly flat.
constexpr int kKinds = 9;
std::vector<Vec<3>> make_points(int kind, Random& r, double flat) {
  std::vector<Vec<3>> p;
  const auto count = static_cast<int>(uniform(r, 4, 200));
  switch (kind) {
    case 0:  // in a ball
      for (int i = 0; i < count; ++i) p.push_back(direction(r) * std::cbrt(uniform(r, 0, 1)));
      break;
    case 1:  // on a sphere
      for (int i = 0; i < count; ++i) p.push_back(direction(r));
      break;
    case 2: {  // a grid in a cube: many coplanar, most inside
      const int n = 2 + count % 6;
      for (int i = 0; i < n * n * n; ++i) p.emplace_back(i % n, i / n % n, i / n / n);
      break;
    }
    case 3:  // nearly coplanar
      for (int i = 0; i < count; ++i) p.emplace_back(uniform(r), uniform(r), flat * uniform(r));
      break;
    case 4:  // nearly on a line
      for (int i = 0; i < count; ++i) p.emplace_back(uniform(r), flat * uniform(r), flat * uniform(r));
      break;
    case 5:  // on the faces of a box, with noise of the last bits, and doubled
      for (int i = 0; i < count; ++i) {
        Vec<3> v(uniform(r), uniform(r), uniform(r));
        v[i % 3] = i & 8 ? 1 : -1;
        p.push_back(v);
        if (i % 3 == 0) p.push_back(v * (1 + 1e-16 * uniform(r)));
      }
      break;
    case 6:  // a prism of many sides
      for (int i = 0; i < count; ++i)
        for (const double z : {-1.0, 1.0})
          p.emplace_back(std::cos(6.283185307179586 * i / count), std::sin(6.283185307179586 * i / count), z);
      break;
    case 7:  // clusters: a tetrahedron whose corners are clouds
      for (int i = 0; i < count; ++i) p.push_back(Vec<3>(i % 4 == 1, i % 4 == 2, i % 4 == 3) + flat * direction(r));
      break;
    default:  // single precision on a sphere, as from a file
      for (int i = 0; i < count; ++i) p.push_back(direction(r).cast<float>().cast<double>());
  }
  // Turned and moved at random: coplanar only up to rounding.
  const Mat<3> turn =
      Eigen::Quaterniond(uniform(r), uniform(r), uniform(r), uniform(r)).normalized().toRotationMatrix();
  const Vec<3> move = uniform(r, 0, 1) < 0.3 ? Vec<3>(100 * direction(r)) : Vec<3>::Zero();
  const double scale = std::pow(10, uniform(r, -3, 3));
  if (uniform(r, 0, 1) < 0.7)
    for (Vec<3>& v : p) v = scale * (turn * v + move);
  std::shuffle(p.begin(), p.end(), r);
  return p;
}

// Empty if the hull is right, otherwise what is wrong.
std::string flaw_of(const Polytope<3>& hull, const std::vector<Vec<3>>& points) {
  Vec<3> lower = points[0], upper = points[0];
  for (const Vec<3>& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  const double size = (upper - lower).norm(), far = std::max(lower.norm(), upper.norm());
  const auto v = hull.vertices.size(), e = hull.edges.size(), f = hull.face_count();
  if (v + f != e + 2) return "not a closed surface without handles";
  for (std::size_t i = 0; i < v; ++i)
    if (hull.edges_at(i).size() < 3) return "a vertex of two edges";
  for (std::size_t i = 0; i < f; ++i) {
    if (std::abs(hull.normals[i].norm() - 1) > 1e-9) return "a face without a normal";
    const double at = hull.normals[i].dot(hull.vertices[hull.face(i)[0]]);
    // A narrow face knows its normal only to the rounding of its corners over its width.
    double longest = 0;
    for (const std::uint32_t k : hull.face_ring_edges(i))
      longest = std::max(longest, (hull.vertices[hull.edges[k].head] - hull.vertices[hull.edges[k].tail]).norm());
    Vec<3> area = Vec<3>::Zero();
    for (std::size_t k = 1; k + 1 < hull.face(i).size(); ++k)
      area += cross(Vec<3>(hull.vertices[hull.face(i)[k]] - hull.vertices[hull.face(i)[0]]),
                    Vec<3>(hull.vertices[hull.face(i)[k + 1]] - hull.vertices[hull.face(i)[0]]));
    const double across = area.norm() / longest;
    const double slack = 2e-9 * size + 1e-13 * far + 1e-15 * far * size / across;
    for (const Vec<3>& p : points)
      if (hull.normals[i].dot(p) - at > slack)
        return fmt::format("a point outside by {:.2g} of the size, of a face {:.2g} wide",
                           (hull.normals[i].dot(p) - at) / size, across / size);
  }
  return "";
}

struct Tally {
  int right = 0, refused = 0, wrong = 0;
};
Tally run(int kind, int rounds, unsigned seed) {
  Tally tally;
  Random r(seed);
  for (int i = 0; i < rounds; ++i) {
    const double flat = std::pow(10, uniform(r, -17, -1));
    const std::vector<Vec<3>> points = make_points(kind, r, flat);
    try {
      const std::string flaw = flaw_of(convex_hull<3>(points), points);
      flaw.empty() ? ++tally.right : ++tally.wrong;
      EXPECT_EQ(flaw, "") << "kind " << kind << " round " << i << " thickness " << flat << " points " << points.size();
    } catch (const Error& error) {
      ++tally.refused;
      EXPECT_NE(std::string(error.what()).find("must enclose a volume"), std::string::npos)
          << "kind " << kind << " round " << i << ": " << error.what();
    }
    if (tally.wrong > 3) break;
  }
  return tally;
}

void check_all(int rounds) {
  for (int kind = 0; kind < kKinds; ++kind) {
    const Tally tally = run(kind, rounds, static_cast<unsigned>(kind) + 1);
    // Only what is nearly flat may be refused.
    if (kind != 3 && kind != 4) {
      EXPECT_EQ(tally.refused, 0) << "kind " << kind;
    }
    EXPECT_GT(tally.right, rounds / 4) << "kind " << kind;
  }
}

TEST(Hull, OfRandomAndDegenerateSetsIsClosedAndConvexOrRefused) { check_all(60); }
TEST(LongHull, OfTenThousandSetsIsClosedAndConvexOrRefused) { check_all(1200); }

TEST(Hull, OfThousandsOfCoplanarPointsKeepsTheFaces) {
  std::vector<Vec<3>> points;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      for (const double z : {0.0, 1.0}) points.emplace_back(i, j, z);
  const Polytope<3> hull = convex_hull<3>(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.face_count(), 6u);
}

TEST(Hull, OfAPointSeenManyTimesIsRefused) {
  EXPECT_THROW(convex_hull<3>(std::vector<Vec<3>>(100, Vec<3>(1, 2, 3))), Error);
  EXPECT_THROW(convex_hull<2>(std::vector<Vec<2>>(100, Vec<2>(1, 2))), Error);
}

TEST(Hull, InThePlane) {
  Random r(1);
  for (int round = 0; round < 500; ++round) {
    const double flat = std::pow(10, uniform(r, -17, 0));
    std::vector<Vec<2>> points;
    for (int i = 0; i < 3 + round % 60; ++i) points.emplace_back(uniform(r), flat * uniform(r));
    if (round % 3 == 0) points.push_back(points[0]);
    try {
      const Polytope<2> hull = convex_hull<2>(points);
      ASSERT_GE(hull.vertices.size(), 3u);
      for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
        ASSERT_NEAR(hull.normals[i].norm(), 1, 1e-9);
        for (const Vec<2>& p : points)
          ASSERT_LT(hull.normals[i].dot(p - hull.vertices[i]), 1e-9) << round << " " << flat;
      }
    } catch (const Error&) {
      EXPECT_LT(flat, 1e-8) << "only what is flat to about 1e-9 is refused";
    }
  }
}

}  // namespace
}  // namespace touchstone
