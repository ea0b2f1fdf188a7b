// Meshes, chains and height fields: what comes out of good and of bad input, and that the tree finds what brute force
// finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "geometry/concave.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_builders.h"
#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

template <int D>
std::string error_of(const ShapeDescription& d) {
  try {
    make_shape<D>(d);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <int D>
int count(const Surface<D>& s, EdgeKind kind) {
  int n = 0;
  for (const auto& of_piece : s.edges) n += static_cast<int>(std::count(of_piece.begin(), of_piece.end(), kind));
  return n;
}

template <int D>
std::vector<Piece<D>> all_pieces(const Shape<D>& shape) {
  std::vector<Piece<D>> out;
  pieces_in(shape, {Vec<D>::Constant(-1e9), Vec<D>::Constant(1e9)}, out);
  return out;
}

void expect_same_mass(const MassProperties<3>& a, const MassProperties<3>& b) {
  EXPECT_NEAR(a.mass, b.mass, 1e-12 * b.mass);
  EXPECT_LT((a.center - b.center).norm(), 1e-12);
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-12 * b.inertia.norm());
}

ShapeDescription box(const Eigen::Vector3d& size) {
  ShapeDescription s;
  s.kind = ShapeKind::kBox, s.size = size;
  return s;
}

TEST(TriangleMesh, ACubeHasTwelveEdgesAndSixFlatDiagonals) {
  const Shape<3> shape = make_shape<3>(cube_mesh(1, 2, 3));
  const Surface<3>& s = *shape.mesh;
  EXPECT_EQ(s.pieces.size(), 12u);
  EXPECT_TRUE(s.closed);
  EXPECT_FALSE(s.repair.any());
  EXPECT_EQ(repair_text(s.repair), "");
  EXPECT_EQ(count(s, EdgeKind::kConvex), 2 * 12);
  EXPECT_EQ(count(s, EdgeKind::kFlat), 2 * 6);
  EXPECT_DOUBLE_EQ(reach_of(shape), std::sqrt(14.0) / 2);
  for (const Piece<3>& p : all_pieces(shape)) {
    const Vec<3> middle = (p.vertex[0] + p.vertex[1] + p.vertex[2]) / 3;
    EXPECT_GT(p.normal.dot(middle), 0.4);
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      EXPECT_EQ(p.convex_edge[at], p.normal.dot(p.neighbour_normal[at]) < 0.5);
      EXPECT_FALSE(p.back_edge[at]);
    }
  }
}

TEST(TriangleMesh, MassIsThatOfTheSolid) {
  expect_same_mass(mass_properties(make_shape<3>(cube_mesh(1, 2, 3)), 7.0),
                   mass_properties(make_shape<3>(box({1, 2, 3})), 7.0));
  // An L is two boxes.
  const MassProperties<3> one = moved(mass_properties(make_shape<3>(box({2, 1, 0.5})), 3.0), Pose<3>{{1, 0.5, 0.25}});
  const MassProperties<3> two = moved(mass_properties(make_shape<3>(box({1, 1, 0.5})), 3.0), Pose<3>{{0.5, 1.5, 0.25}});
  const Shape<3> letter = make_shape<3>(prism(letter_l(), letter_l_triangles(), 0.5));
  expect_same_mass(mass_properties(letter, 3.0), combined(one, two));
  EXPECT_EQ(count(*letter.mesh, EdgeKind::kConcave), 2);
}

TEST(TriangleMesh, WeldsVerticesThatAreOneAndThoseNearlySo) {
  ShapeDescription d = soup_of(cube_mesh(1, 1, 1));
  const Surface<3> exact = *make_shape<3>(d).mesh;
  EXPECT_EQ(exact.vertices.size(), 8u);
  EXPECT_EQ(exact.repair.welded, 28u);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-4e-10, 4e-10);
  for (auto& v : d.vertices) v += Eigen::Vector3d(noise(random), noise(random), noise(random));
  const Surface<3> near = *make_shape<3>(d).mesh;
  EXPECT_EQ(near.vertices.size(), 8u);
  EXPECT_TRUE(near.closed);
  EXPECT_EQ(count(near, EdgeKind::kConvex), 24);
  for (auto& v : d.vertices) v += 1e-6 * Eigen::Vector3d(noise(random), noise(random), noise(random)) / 4e-10;
  EXPECT_FALSE(make_shape<3>(d).mesh->closed) << "what is apart by a millionth stays apart";
}

TEST(TriangleMesh, TurnsWhatIsInsideOutAndWhatIsWoundAgainstItsNeighbours) {
  ShapeDescription inverted = cube_mesh(1, 2, 3);
  for (auto& t : inverted.triangles) std::swap(t[1], t[2]);
  const Shape<3> turned = make_shape<3>(inverted);
  EXPECT_TRUE(turned.mesh->repair.turned);
  EXPECT_TRUE(contains(repair_text(turned.mesh->repair), "inside-out"));
  expect_same_mass(mass_properties(turned, 1.0), mass_properties(make_shape<3>(box({1, 2, 3})), 1.0));
  for (unsigned subset = 1; subset < 4096; subset += 7) {
    ShapeDescription mixed = cube_mesh(1, 2, 3);
    for (std::size_t i = 0; i < 12; ++i)
      if (subset >> i & 1u) std::swap(mixed.triangles[i][1], mixed.triangles[i][2]);
    const Shape<3> shape = make_shape<3>(mixed);
    EXPECT_GT(shape.mesh->repair.flipped, 0u);
    EXPECT_LE(shape.mesh->repair.flipped, 6u);
    expect_same_mass(mass_properties(shape, 1.0), mass_properties(make_shape<3>(box({1, 2, 3})), 1.0));
  }
}

TEST(TriangleMesh, DropsTrianglesWithoutAreaAndKeepsTheSurfaceClosed) {
  ShapeDescription d = cube_mesh(1, 1, 1);
  d.vertices.emplace_back(0, -0.5, -0.5);  // in the middle of the edge from 0 to 1
  d.triangles[4] = {0, 8, 5}, d.triangles.push_back({8, 1, 5});
  d.triangles.push_back({1, 8, 0});  // fills the gap to the face below, without area
  d.triangles.push_back({3, 3, 7});
  d.triangles.push_back(d.triangles[1]);
  const Shape<3> shape = make_shape<3>(d);
  EXPECT_EQ(shape.mesh->repair.dropped, 3u);
  EXPECT_TRUE(shape.mesh->closed);
  expect_same_mass(mass_properties(shape, 1.0), mass_properties(make_shape<3>(box({1, 1, 1})), 1.0));
  for (const Piece<3>& p : all_pieces(shape)) EXPECT_NEAR(p.normal.norm(), 1, 1e-12);
}

TEST(TriangleMesh, ASingleTriangleAndHolesAreFine) {
  const Shape<3> one = make_shape<3>(mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}));
  EXPECT_FALSE(one.mesh->closed);
  const auto pieces = all_pieces(one);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].normal, Vec<3>::UnitZ());
  EXPECT_EQ(pieces[0].neighbour_normal[1], pieces[0].normal);
  EXPECT_TRUE(pieces[0].convex_edge[0] && pieces[0].convex_edge[1] && pieces[0].convex_edge[2]);
  ShapeDescription open = cube_mesh(1, 1, 1);
  open.triangles.pop_back();
  const Shape<3> holed = make_shape<3>(open);
  EXPECT_EQ(count(*holed.mesh, EdgeKind::kOpen), 3);
  EXPECT_FALSE(has_volume(holed));
  try {
    mass_properties(holed, 1.0);
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(contains(e.what(), "is open at the edge from (")) << e.what();
    EXPECT_TRUE(contains(e.what(), "convex_parts")) << e.what();
  }
  // A flat mesh has no hull: that is no advice.
  for (const auto& flat :
       {one, make_shape<3>(mesh({{0, 0, 5}, {1, 0, 5}, {0, 1, 5}, {1, 1, 5}}, {{0, 1, 2}, {1, 3, 2}}))})
    try {
      mass_properties(flat, 1.0);
      FAIL();
    } catch (const Error& e) {
      EXPECT_TRUE(contains(e.what(), "give the body a mass and an inertia")) << e.what();
      EXPECT_FALSE(contains(e.what(), "hull")) << e.what();
    }
}

TEST(TriangleMesh, ATriangleAndItsBackHaveSharpEdgesAndNoVolume) {
  const Shape<3> sheet = make_shape<3>(mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}));
  EXPECT_EQ(count(*sheet.mesh, EdgeKind::kConvex), 6);
  EXPECT_FALSE(has_volume(sheet));
  EXPECT_THROW(mass_properties(sheet, 1.0), Error);
}

TEST(TriangleMesh, ErrorsSayWhatAndWhere) {
  ShapeDescription d = cube_mesh(1, 1, 1);
  d.vertices[3].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(error_of<3>(d), "vertices[3]")) << error_of<3>(d);
  d.vertices[3].y() = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(error_of<3>(d), "vertices[3]")) << error_of<3>(d);
  d = cube_mesh(1, 1, 1);
  d.triangles[5][1] = 8;
  EXPECT_TRUE(contains(error_of<3>(d), "triangles[5] names vertex 8, but there are 8")) << error_of<3>(d);
  EXPECT_TRUE(contains(error_of<3>(mesh({}, {})), "no triangle"));
  EXPECT_TRUE(contains(error_of<3>(mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}})), "no triangle with an area"));
  EXPECT_TRUE(contains(error_of<3>(mesh({{1, 1, 1}}, {{0, 0, 0}})), "no triangle"));
  const std::string three =
      error_of<3>(mesh({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}));
  EXPECT_TRUE(contains(three, "3 triangles share the edge from vertices[0] (0, 0, 0) to vertices[1] (0, 0, 1)"))
      << three;
}

TEST(TriangleMesh, AMoebiusStripIsRefused) {
  ShapeDescription d = mesh({}, {});
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double turn = 2 * std::numbers::pi * i / n, half = turn / 2;
    for (const double side : {-0.3, 0.3}) {
      const double r = 1 + side * std::cos(half);
      d.vertices.emplace_back(r * std::cos(turn), r * std::sin(turn), side * std::sin(half));
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t a = 2 * i, b = a + 1;
    const bool last = i + 1 == n;
    const std::uint32_t c = last ? 1 : a + 2, e = last ? 0 : a + 3;
    d.triangles.push_back({a, c, b});
    d.triangles.push_back({b, c, e});
  }
  EXPECT_TRUE(contains(error_of<3>(d), "no front and back")) << error_of<3>(d);
}

ShapeDescription bumpy_field(std::uint32_t nx, std::uint32_t ny, unsigned seed, double height) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> h(-height, height);
  std::vector<double> heights(nx * ny);
  for (double& x : heights) x = std::round(4 * h(random)) / 4;  // some neighbours are coplanar
  return height_field(nx, ny, 0.25, heights);
}

template <int D>
void expect_brute_force(const Shape<D>& shape, unsigned seed) {
  const std::vector<Piece<D>> all = all_pieces(shape);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i].index, i);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> at(-4, 4), size(0, 1.5);
  std::vector<Piece<D>> found;
  for (int round = 0; round < 500; ++round) {
    Bounds<D> b;
    for (int i = 0; i < D; ++i) {
      b.lower[i] = at(random), b.upper[i] = b.lower[i] + size(random);
      if (round % 5 == 0) b.lower[i] = b.upper[i] = 0.25 * std::round(4 * b.lower[i]);  // a point on the grid
    }
    found.clear();
    pieces_in(shape, b, found);
    std::size_t next = 0;
    for (const Piece<D>& p : all) {
      Bounds<D> own{p.vertex[0], p.vertex[0]};
      for (const auto& v : p.vertex) own.lower = own.lower.cwiseMin(v), own.upper = own.upper.cwiseMax(v);
      if (!own.overlaps(b)) continue;
      ASSERT_LT(next, found.size());
      ASSERT_EQ(found[next++].index, p.index);
    }
    ASSERT_EQ(next, found.size());
  }
}

TEST(PiecesIn, FindsWhatBruteForceFinds) {
  expect_brute_force(make_shape<3>(bumpy_field(23, 17, 1, 1)), 1);
  expect_brute_force(make_shape<3>(mesh_of_field(bumpy_field(23, 17, 2, 1))), 2);
  expect_brute_force(make_shape<3>(cube_mesh(1, 2, 3)), 3);
  expect_brute_force(make_shape<2>(bumpy_field(29, 1, 4, 1)), 4);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> at(-4, 4);
  std::vector<Eigen::Vector2d> walk;
  for (int i = 0; i < 200; ++i) walk.emplace_back(at(random), at(random));
  expect_brute_force(make_shape<2>(chain(walk)), 6);
  // Appends, and stays within the capacity that it has.
  const Shape<3> shape = make_shape<3>(cube_mesh(1, 2, 3));
  std::vector<Piece<3>> out;
  out.reserve(24);
  const Piece<3>* data = out.data();
  for (int i = 0; i < 2; ++i) pieces_in(shape, {Vec<3>::Constant(-9), Vec<3>::Constant(9)}, out);
  EXPECT_EQ(out.size(), 24u);
  EXPECT_EQ(out.data(), data);
}

// A height field counts its pieces, a mesh works them out: two routes to the same surface.
TEST(HeightField, IsTheMeshOfItsGrid) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ShapeDescription d = bumpy_field(9, 6, seed, 0.5);
    std::map<std::array<std::uint32_t, 3>, Piece<3>> of_mesh;
    for (const Piece<3>& p : all_pieces(make_shape<3>(mesh_of_field(d)))) of_mesh[p.vertex_id] = p;
    const auto pieces = all_pieces(make_shape<3>(d));
    ASSERT_EQ(pieces.size(), of_mesh.size());
    for (const Piece<3>& p : pieces) {
      ASSERT_TRUE(of_mesh.contains(p.vertex_id));
      const Piece<3>& q = of_mesh[p.vertex_id];
      EXPECT_LT((p.normal - q.normal).norm(), 1e-14);
      EXPECT_EQ(p.convex_edge, q.convex_edge);
      EXPECT_EQ(p.back_edge, q.back_edge);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(p.vertex[k], q.vertex[k]);
        EXPECT_LT((p.neighbour_normal[k] - q.neighbour_normal[k]).norm(), 1e-14);
      }
    }
  }
}

TEST(HeightField, InThePlaneIsTheChainOfItsHeights) {
  const ShapeDescription d = bumpy_field(15, 1, 3, 0.5);
  std::vector<Eigen::Vector2d> vertices;
  for (std::uint32_t i = 0; i < 15; ++i) vertices.emplace_back((i - 7.0) * d.spacing, d.heights[i]);
  const auto pieces = all_pieces(make_shape<2>(d)), links = all_pieces(make_shape<2>(chain(vertices)));
  ASSERT_EQ(pieces.size(), links.size());
  for (const Piece<2>& p : pieces) {
    const auto same = std::find_if(links.begin(), links.end(), [&](const auto& q) { return q.vertex == p.vertex; });
    ASSERT_NE(same, links.end());
    EXPECT_GT(p.normal.y(), 0);
    EXPECT_EQ(p.normal, same->normal);
    EXPECT_EQ(p.convex_edge, same->convex_edge);
    EXPECT_EQ(p.back_edge, same->back_edge);
    EXPECT_EQ(p.neighbour_normal, same->neighbour_normal);
  }
}

TEST(HeightField, ErrorsSayWhatIsWrong) {
  EXPECT_TRUE(contains(error_of<3>(height_field(1, 3, 1, {0, 0, 0})), "along x"));
  EXPECT_TRUE(contains(error_of<3>(height_field(3, 1, 1, {0, 0, 0})), "along y"));
  EXPECT_TRUE(contains(error_of<3>(height_field(2, 2, 1, {0, 0, 0})), "room for 4 heights, and 3"));
  EXPECT_TRUE(contains(error_of<3>(height_field(2, 2, 0, {0, 0, 0, 0})), "spacing is 0"));
  EXPECT_TRUE(contains(error_of<3>(height_field(2, 2, 1, {0, 0, NAN, 0})), "heights[2]"));
  EXPECT_TRUE(contains(error_of<3>(height_field(4000000000u, 4000000000u, 1, {})), "at most"));
  EXPECT_THROW(mass_properties(make_shape<3>(height_field(2, 2, 1, {0, 0, 0, 0})), 1.0), Error);
}

TEST(Chain, AFloorFromLeftToRightHasItsFrontUp) {
  const Shape<2> floor = make_shape<2>(chain({{-1, 0}, {0, 0}, {1, 0}, {2, 1}, {3, 1}}));
  const auto pieces = all_pieces(floor);
  ASSERT_EQ(pieces.size(), 4u);
  const auto at = [&](double x) {
    return *std::find_if(pieces.begin(), pieces.end(), [&](const auto& p) { return p.vertex[0].x() == x; });
  };
  EXPECT_EQ(at(-1).normal, Vec<2>(0, 1));
  EXPECT_TRUE(at(-1).convex_edge[0]) << "an end";
  EXPECT_FALSE(at(-1).convex_edge[1] || at(-1).back_edge[1]) << "flat";
  EXPECT_FALSE(at(0).convex_edge[1]);  // the slope goes up: hollow in front
  EXPECT_TRUE(at(0).back_edge[1]);
  EXPECT_TRUE(at(1).convex_edge[1]);
  EXPECT_EQ(at(0).neighbour_normal[1], at(1).normal);
}

TEST(Chain, AClosedOneIsTheOutlineOfASolidWhicheverWayItIsListed) {
  std::vector<Eigen::Vector2d> outline = letter_l();
  for (int round = 0; round < 2; ++round, std::reverse(outline.begin(), outline.end())) {
    const Shape<2> letter = make_shape<2>(chain(outline, true));
    EXPECT_EQ(letter.mesh->pieces.size(), 6u);
    EXPECT_EQ(count(*letter.mesh, EdgeKind::kConvex), 10);
    EXPECT_EQ(count(*letter.mesh, EdgeKind::kConcave), 2);
    const MassProperties<2> m = mass_properties(letter, 2.0);
    // Two rectangles: 2 × 1 about (1, 0.5) and 1 × 1 about (0.5, 1.5).
    EXPECT_NEAR(m.mass, 6, 1e-12);
    const Vec<2> centre(2.5 / 3, 2.5 / 3);
    EXPECT_LT((m.center - centre).norm(), 1e-12);
    const double inertia = 4 * (5.0 / 12 + (Vec<2>(1, 0.5) - centre).squaredNorm()) +
                           2 * (2.0 / 12 + (Vec<2>(0.5, 1.5) - centre).squaredNorm());
    EXPECT_NEAR(m.inertia(0, 0), inertia, 1e-12);
  }
}

TEST(Chain, RepairsAndErrors) {
  const Shape<2> doubled = make_shape<2>(chain({{0, 0}, {0, 0}, {1, 0}, {1, 1e-12}, {2, 0}}));
  EXPECT_EQ(doubled.mesh->pieces.size(), 2u);
  EXPECT_EQ(doubled.mesh->repair.welded, 2u);
  // A room: the ends meet, and the front stays where it was listed.
  const Shape<2> room = make_shape<2>(chain({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}));
  EXPECT_EQ(count(*room.mesh, EdgeKind::kConcave), 8);
  EXPECT_FALSE(has_volume(room));
  EXPECT_TRUE(contains(error_of<2>(chain({{1, 1}})), "two vertices"));
  EXPECT_TRUE(contains(error_of<2>(chain({{1, 1}, {1, 1}})), "two vertices"));
  EXPECT_TRUE(contains(error_of<2>(chain({{0, 0}, {1, 1}}, true)), "no area"));
  EXPECT_TRUE(contains(error_of<2>(chain({{0, 0}, {1, NAN}})), "vertices[1]"));
  EXPECT_THROW(mass_properties(make_shape<2>(chain({{0, 0}, {1, 1}})), 1.0), Error);
}

TEST(Surfaces, BoundsHoldEveryVertexInAnyPose) {
  std::mt19937 random(1);
  std::normal_distribution<double> g;
  for (const ShapeDescription& d :
       {cube_mesh(1, 2, 3), bumpy_field(5, 7, 1, 2), mesh_of_field(bumpy_field(5, 7, 1, 2))}) {
    const Shape<3> shape = make_shape<3>(d);
    for (int round = 0; round < 50; ++round) {
      const Vec<3> p(g(random), g(random), g(random));
      const Mat<3> R = Eigen::Quaterniond(g(random), g(random), g(random), g(random)).normalized().toRotationMatrix();
      const Bounds<3> b = bounds_of(shape, p, R);
      for (const Piece<3>& piece : all_pieces(shape))
        for (const Vec<3>& v : piece.vertex) {
          const Vec<3> w = p + R * v;
          ASSERT_TRUE(((w - b.lower).array() > -1e-12).all() && ((b.upper - w).array() > -1e-12).all());
          ASSERT_LE(v.norm(), reach_of(shape) + 1e-12);
        }
    }
  }
}

}  // namespace
}  // namespace touchstone
