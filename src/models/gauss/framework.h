#pragma once
// Bar-and-joint frameworks: rigid bodies as point masses with bars between them (§2, figure 4 of the paper).
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/rotation.h"
#include "models/gauss/lumping.h"

namespace touchstone {

struct Bar {
  std::uint32_t i = 0, j = 0;
  double length = 0;  // at the start, ‖p_i⁽⁰⁾ − p_j⁽⁰⁾‖ [m]
};

// The points of the framework are one after the other, those of a body side by side unless they are shared with others.
template <int D>
struct Framework {
  std::vector<Vec<D>> start;  // p⁽⁰⁾ [m]
  std::vector<double> mass;   // [kg]; 0: the point does not move
  std::vector<Bar> bars;
  // In 2D the vertices of each body, counter-clockwise.
  std::vector<std::vector<std::uint32_t>> outlines;

  std::size_t points() const { return start.size(); }
  // Bars: between points of the body, counted from its first.
  void add_body(const PointMasses<D>& body, std::span<const Bar> bars, const Pose<D>& pose);
  // A body that does not move has neither masses nor bars.
  void add_fixed(std::span<const Vec<D>> outline);
  // Two vertices become one, as polygons that are attached to each other have it: a pin. The second is gone.
  void join(std::uint32_t kept, std::uint32_t gone);
};

// Bars that hold points together. All pairs of corners of corner_masses; of nine_points the 16 bars of figure 10, a
// wheel of which one bar is redundant; otherwise as independent_bars.
template <int D>
std::vector<Bar> usual_bars(const PointMasses<D>& body);
// As many of `candidates`, in their order, as do not depend on each other: D·n − D(D+1)/2 if all of them are rigid.
template <int D>
std::vector<Bar> independent_bars(const PointMasses<D>& body, std::span<const Bar> candidates);
template <int D>
std::vector<Bar> all_pairs(const PointMasses<D>& body);

}  // namespace touchstone
