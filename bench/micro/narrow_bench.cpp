// Narrow phases with a memory: a pair at rest, a small gap apart, with what the last call left in the memory and with
// an empty memory each time.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>

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

// B over A along the last axis, turned a little, and let down until the gap is right.
template <int D>
void run(benchmark::State& state, ClosestRoutine<D> routine, const Shape<D>& shape, bool flat, bool remember) {
  const Mat<D> R = flat ? Mat<D>(Mat<D>::Identity()) : turned(0.4, Vec<D>(Vec<D>::LinSpaced(1, D)));
  const Placed<D> a{shape, Vec<D>::Zero(), Mat<D>::Identity()};
  Placed<D> b{shape, 0.1 * Vec<D>::Ones() + 3 * Vec<D>::Unit(D - 1), R};
  Closest<D> c;
  for (int i = 0; i < 100; ++i) {
    PairMemory memory;
    routine(a, b, 1e9, memory, c);
    b.p -= (c.gap - kGap) * Vec<D>::Unit(D - 1);
  }
  PairMemory memory;
  for (auto _ : state) {
    if (!remember) memory = PairMemory{};
    benchmark::DoNotOptimize(routine(a, b, kMargin, memory, c));
  }
  state.counters["gap_mm"] = 1e3 * c.gap;
}

template <int D>
void add(const char* name, ClosestRoutine<D> routine) {
  const auto add_one = [&](const std::string& pair, const Shape<D>& shape, bool flat) {
    for (const bool remember : {true, false})
      benchmark::RegisterBenchmark(
          (std::string(name) + (D == 2 ? "/2D/" : "/3D/") + pair + (remember ? "/kept" : "/cold")).c_str(),
          [=](benchmark::State& s) { run<D>(s, routine, shape, flat, remember); });
  };
  add_one("box_box_flat", box<D>(), true);
  add_one("box_box", box<D>(), false);
  add_one("hull_hull", hull<D>(), false);
}

const bool registered = [] {
  add<2>("voronoi2", voronoi2);
  add<2>("separating_plane", separating_plane<2>);
  add<3>("vclip", vclip);
  add<3>("separating_plane", separating_plane<3>);
  return true;
}();

}  // namespace
}  // namespace touchstone
