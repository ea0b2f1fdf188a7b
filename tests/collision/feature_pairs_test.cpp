// Pairs whose answer is known by construction, and a blind sweep over directions, for every routine of features and
// axes.
#include <numbers>

#include "collision/narrow/separating_plane.h"
#include "collision/narrow/vclip.h"
#include "collision/narrow/voronoi2.h"
#include "collision/routine_checks.h"

namespace touchstone {
namespace {

using namespace testing;

template <int D>
std::vector<ClosestRoutine<D>> routines() {
  if constexpr (D == 2)
    return {sat<2>, voronoi2, separating_plane<2>};
  else
    return {sat<3>, vclip, separating_plane<3>};
}

// A in the origin, turned by Ra. An expected normal of zero: any.
template <int D>
void expect(const Shape<D>& a, const Mat<D>& Ra, const Shape<D>& b, const Vec<D>& pb, const Mat<D>& Rb, double gap,
            const Vec<D>& normal) {
  TestPair<D> pair{a, b, Vec<D>::Zero(), pb, Ra, Rb};
  for (const ClosestRoutine<D> routine : routines<D>()) {
    PairMemory memory;
    for (int again = 0; again < 2; ++again) {
      Closest<D> c;
      ASSERT_TRUE(routine(pair.first(), pair.second(), 10, memory, c));
      EXPECT_NEAR(c.gap, gap, 1e-14);
      if (!normal.isZero()) {
        EXPECT_LE((c.normal - normal).norm(), 1e-12) << c.normal.transpose();
      }
      judge(pair, c, 1e-13);
    }
  }
}

Mat<3> turn(double angle, const Vec<3>& about) { return Eigen::AngleAxisd(angle, about).matrix(); }

constexpr double kEighth = std::numbers::pi / 4;

TEST(FeaturePairs, EveryKindInSpace) {
  const Shape<3> box = box_shape<3>(Vec<3>::Constant(0.5));
  const Mat<3> I = Mat<3>::Identity();
  const Vec<3> z = Vec<3>::UnitZ();
  expect<3>(box, I, box, {0.2, 0.1, 1.1}, I, 0.1, z);                                         // face on face
  expect<3>(box, I, box, {1.3, 1.4, 1.2}, I, std::sqrt(0.29), Vec<3>(3, 4, 2).normalized());  // vertex, vertex
  expect<3>(box, I, box, {1.3, 1.4, 0.2}, I, 0.5, {0.6, 0.8, 0});                             // parallel edges
  const Mat<3> corner = Eigen::Quaterniond::FromTwoVectors(Vec<3>(1, 1, 1).normalized(), z).toRotationMatrix();
  expect<3>(box, I, box, {0.1, 0.05, 0.6 + std::sqrt(0.75)}, corner, 0.1, z);  // face, vertex
  expect<3>(box, corner, box, {0.1, 0.05, 0.6 + std::sqrt(0.75)}, I, 0.1, z);  // vertex, face
  const double crossed = 2 * std::sqrt(0.5);
  for (const double gap : {0.1, -0.1})  // edge across edge
    expect<3>(box, turn(kEighth, Vec<3>::UnitX()), box, {0.1, 0.2, crossed + gap}, turn(kEighth, Vec<3>::UnitY()), gap,
              z);
  // A vertex beside an edge: B's corner looks at A's upright edge.
  const Mat<3> looks =
      Eigen::Quaterniond::FromTwoVectors(Vec<3>(-1, -1, -1).normalized(), Vec<3>(-1, -1, 0).normalized())
          .toRotationMatrix();
  const Vec<3> n = Vec<3>(1, 1, 0).normalized();
  expect<3>(box, I, box, Vec<3>(0.5, 0.5, 0.1) + n * (0.2 + std::sqrt(0.75)), looks, 0.2, n);
  expect<3>(box, I, box, {0.2, 0.1, 0.9}, I, -0.1, z);                                            // face in face
  expect<3>(box, I, box_shape<3>(Vec<3>::Constant(0.1)), {0.2, 0, 0}, I, -0.4, Vec<3>::UnitX());  // nested
}

TEST(FeaturePairs, EveryKindInThePlane) {
  const Shape<2> box = box_shape<2>(Vec<2>::Constant(0.5));
  const Mat<2> I = Mat<2>::Identity();
  expect<2>(box, I, box, {0.2, 1.1}, I, 0.1, Vec<2>::UnitY());
  expect<2>(box, I, box, {1.3, 1.4}, I, 0.5, {0.6, 0.8});
  expect<2>(box, I, box, {0.1, 0.6 + std::sqrt(0.5)}, matrix_of(kEighth), 0.1, Vec<2>::UnitY());
  expect<2>(box, matrix_of(kEighth), box, {0.1, 0.6 + std::sqrt(0.5)}, I, 0.1, Vec<2>::UnitY());
  expect<2>(box, I, box, {0.1, 0.9}, I, -0.1, Vec<2>::UnitY());
  expect<2>(box, I, box_shape<2>(Vec<2>::Constant(0.1)), {0.2, 0}, I, -0.4, Vec<2>::UnitX());
  expect<2>(sphere_shape<2>(0.5), I, sphere_shape<2>(0.5), Vec<2>::Zero(), I, -1, Vec<2>::UnitX());
  expect<2>(capsule_shape<2>(0.1, 1), I, capsule_shape<2>(0.1, 1), Vec<2>(0, 0.5), I, -0.2, Vec<2>::Zero());
  expect<2>(capsule_shape<2>(0.1, 1), I, capsule_shape<2>(0.1, 1), Vec<2>(0, 2.5), I, 0.3, Vec<2>::UnitY());
}

TEST(FeaturePairs, CoresWithoutVolumeHaveANormal) {
  const Mat<3> I = Mat<3>::Identity(), across = turn(2 * kEighth, Vec<3>::UnitY());
  const Shape<3> sphere = sphere_shape<3>(0.5), capsule = capsule_shape<3>(0.1, 1);
  expect<3>(sphere, across, sphere, Vec<3>::Zero(), I, -1, across * Vec<3>::UnitX());
  expect<3>(sphere, I, sphere, {0, 0.75, 0}, I, -0.25, Vec<3>::UnitY());
  expect<3>(sphere, I, capsule, {0, 0, 0.3}, I, -0.6, Vec<3>::Zero());
  expect<3>(sphere, I, capsule, {0, 0, 1.3}, I, -0.3, Vec<3>::UnitZ());
  expect<3>(capsule, I, capsule, Vec<3>::Zero(), across, -0.2, Vec<3>::Zero());
  expect<3>(capsule, I, capsule, Vec<3>::Zero(), I, -0.2, Vec<3>::Zero());
  expect<3>(capsule, I, capsule, {0, 0, 2.5}, I, 0.3, Vec<3>::UnitZ());
  expect<3>(sphere, I, box_shape<3>(Vec<3>(1, 2, 3)), Vec<3>::Zero(), I, -1.5, Vec<3>::Zero());
  const Shape<3> triangle = polytope_shape<3>(make_triangle({Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0)}));
  expect<3>(triangle, I, triangle, {0.2, 0.2, 0}, I, 0, Vec<3>::Zero());             // overlapping in one plane
  expect<3>(triangle, I, triangle, {2, 0, 0}, I, 1, Vec<3>::UnitX());                // apart in one plane
  expect<3>(triangle, I, sphere, {0.2, 0.2, -0.7}, I, 0.2, -Vec<3>::UnitZ());        // behind
  expect<3>(triangle, I, capsule, {0.25, 0.25, 0}, I, -0.1 - 0.25, Vec<3>::Zero());  // pierced by the axis
}

// The greatest separation along any direction, found by trying: an upper bound that nothing may exceed by more than
// the sweep resolves.
TEST(FeaturePairs, AgreeWithASweepOverDirections) {
  Chance chance(31);
  for (int i = 0; i < 150; ++i) {
    const TestPair<3> pair = chance.pair<3>();
    if (pair.size() > 10) continue;
    Vec<3> best = Vec<3>::UnitX();
    double most = -1e300;
    const auto offer = [&](const Vec<3>& n) {
      if (const double s = separation_along<3>(pair.first(), pair.second(), n); s > most) most = s, best = n;
    };
    for (int k = 0; k < 4000; ++k) offer(chance.direction<3>());
    for (double size = 0.3; size > 1e-7; size *= 0.7)
      for (int k = 0; k < 60; ++k) offer((best + size * chance.direction<3>()).normalized());
    for (const ClosestRoutine<3> routine : routines<3>()) {
      PairMemory memory;
      Closest<3> c;
      ASSERT_TRUE(routine(pair.first(), pair.second(), 10, memory, c));
      EXPECT_GE(c.gap, most - 1e-12);  // no direction separates better
      EXPECT_LE(c.gap, most + 0.05 * std::abs(c.gap) + 1e-3);
    }
  }
}

}  // namespace
}  // namespace touchstone
