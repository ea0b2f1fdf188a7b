// Narrow phases with a memory: a pair at rest, a small gap apart, with the memory that the last call left and with an
// empty one each time. Curved pairs by GJK and polish, apart and in each other.
#include <benchmark/benchmark.h>

#include <memory>
#include <numbers>
#include <random>

#include "collision/narrow/gjk.h"
#include "collision/narrow/separating_plane.h"
#include "collision/narrow/vclip.h"
#include "collision/narrow/voronoi2.h"
#include "geometry/hull.h"

namespace touchstone {
namespace {

constexpr double kGap = 1e-3, kMargin = 1e-2;  // [m]

template <int D>
Shape<D> box() {
  Shape<D> s;
  s.kind = ShapeKind::kBox;
  s.half = Vec<D>::Constant(0.5);
  s.reach = s.half.norm();
  return s;
}

template <int D>
Shape<D> hull() {
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  std::vector<Vec<D>> points;
  for (int i = 0; i < 64; ++i) {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = normal(rng);
    points.push_back(0.5 * v.normalized());
  }
  Shape<D> s;
  s.kind = ShapeKind::kConvex;
  s.hull = std::make_shared<const Polytope<D>>(convex_hull<D>(points));
  s.reach = 0.5;
  return s;
}

Mat<2> turned(double angle, const Vec<2>&) { return matrix_of(angle); }
Mat<3> turned(double angle, const Vec<3>& about) { return Eigen::AngleAxisd(angle, about.normalized()).matrix(); }

// Where two shapes meet: A in the origin and B along `way` from `offset`, each turned.
template <int D>
struct Meeting {
  const char* name;
  Mat<D> turn_a, turn_b;
  Vec<D> offset, way;
};

// B is let down along the way until the gap is right.
template <int D>
void run(benchmark::State& state, ClosestRoutine<D> routine, const Shape<D>& shape, const Meeting<D>& how,
         bool remember, double gap = kGap) {
  const Placed<D> a{shape, Vec<D>::Zero(), how.turn_a};
  Placed<D> b{shape, how.offset + 3 * how.way, how.turn_b};
  Closest<D> c;
  for (int i = 0; i < 100; ++i) {
    PairMemory memory;
    routine(a, b, 1e9, memory, c);
    b.p -= (c.gap - gap) * how.way;
  }
  PairMemory memory;
  for (auto _ : state) {
    if (!remember) memory = PairMemory{};
    benchmark::DoNotOptimize(routine(a, b, kMargin, memory, c));
  }
  state.counters["gap_mm"] = 1e3 * c.gap;
}

template <int D>
void add_one(const char* name, ClosestRoutine<D> routine, const Shape<D>& shape, const Meeting<D>& how) {
  for (const bool remember : {true, false})
    benchmark::RegisterBenchmark(
        (std::string(name) + (D == 2 ? "/2D/" : "/3D/") + how.name + (remember ? "/kept" : "/cold")).c_str(),
        [=](benchmark::State& s) { run<D>(s, routine, shape, how, remember); });
}

template <int D>
void add(const char* name, ClosestRoutine<D> routine) {
  const Mat<D> straight = Mat<D>::Identity(), askew = turned(0.4, Vec<D>(Vec<D>::LinSpaced(1, D)));
  const Vec<D> aside = 0.1 * Vec<D>::Ones(), up = Vec<D>::Unit(D - 1);
  add_one<D>(name, routine, box<D>(), {"box_box_flat", straight, straight, aside, up});
  add_one<D>(name, routine, box<D>(), {"box_box", straight, askew, aside, up});
  add_one<D>(name, routine, box<D>(), {"box_corners", straight, straight, Vec<D>::Zero(), Vec<D>::Ones().normalized()});
  if constexpr (D == 3) {
    const double eighth = std::numbers::pi / 4;
    const Mat<3> edge = turned(eighth, Vec<3>(Vec<3>::UnitX()));
    add_one<3>(name, routine, box<3>(), {"box_edges", edge, turned(eighth, Vec<3>(Vec<3>::UnitY())), aside, up});
    const Mat<3> corner = Eigen::Quaterniond::FromTwoVectors(Vec<3>::Ones(), up).toRotationMatrix();
    add_one<3>(name, routine, box<3>(), {"box_corner_edge", edge, corner, aside.cwiseProduct(Vec<3>::UnitX()), up});
  }
  add_one<D>(name, routine, hull<D>(), {"hull_hull", straight, askew, aside, up});
}

Shape<3> cylinder() {
  Shape<3> s;
  s.kind = ShapeKind::kCylinder;
  s.radius = 0.5, s.half_length = 0.5, s.reach = std::sqrt(0.5);
  return s;
}
Shape<3> ellipsoid() {
  Shape<3> s;
  s.kind = ShapeKind::kEllipsoid;
  s.half = {0.5, 0.4, 0.3}, s.reach = 0.5;
  return s;
}

void add_curved() {
  const Mat<3> lies = turned(std::numbers::pi / 2, Vec<3>(Vec<3>::UnitX())), straight = Mat<3>::Identity(),
               askew = turned(0.4, Vec<3>(Vec<3>::LinSpaced(1, 3))),
               crossed = turned(0.7, Vec<3>(Vec<3>::UnitZ())) * lies;
  const Vec<3> aside = 0.1 * Vec<3>::Ones(), along = 0.1 * Vec<3>::UnitY(), up = Vec<3>::UnitZ();
  const Shape<3> rod = cylinder(), egg = ellipsoid();
  const std::pair<Shape<3>, Meeting<3>> cases[] = {{rod, {"cylinders_parallel", lies, lies, along, up}},
                                                   {rod, {"cylinders_crossed", lies, crossed, along, up}},
                                                   {rod, {"cylinders_caps", straight, straight, aside, up}},
                                                   {rod, {"cylinder_rim_on_cap", straight, askew, aside, up}},
                                                   {egg, {"ellipsoids", straight, askew, aside, up}}};
  for (const auto& [shape, how] : cases)
    for (const double gap : {kGap, -kGap})
      benchmark::RegisterBenchmark(
          (std::string("gjk/3D/") + how.name + (gap > 0 ? "/apart" : "/deep")).c_str(),
          [=, s = shape, h = how](benchmark::State& state) { run<3>(state, gjk<3>, s, h, false, gap); });
}

const bool registered = [] {
  add_curved();
  add<2>("voronoi2", voronoi2);
  add<2>("separating_plane", separating_plane<2>);
  add<3>("vclip", vclip);
  add<3>("separating_plane", separating_plane<3>);
  return true;
}();

}  // namespace
}  // namespace touchstone
