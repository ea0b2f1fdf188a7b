#pragma once
// Random bodies with random contacts between them, as detection might give them: up to four points with one normal for
// a pair of shapes, in the order of their keys. Normals lead roughly from centre to centre, and what does not move by
// itself is in the middle: so all contacts can open at once, and every problem has an answer.
#include <random>

#include "contact/problem_builder.h"

namespace touchstone::testing {

template <int D>
struct RandomPile {
  static constexpr std::uint32_t kBodies = 24;  // the first is fixed, the second moves as prescribed
  Bodies<D> bodies;
  State<D> state;
  std::vector<Twist<D>> before, free;
  std::vector<SolvedContact<D>> contacts;
  std::mt19937 engine;
  double h = 1.0 / 128;

  explicit RandomPile(unsigned seed) : engine(seed) {
    bodies.resize(kBodies);
    state.resize(kBodies);
    for (std::uint32_t i = 0; i < kBodies; ++i) add_body(i);
    for (std::uint32_t a = 0; a < kBodies; ++a)
      for (std::uint32_t b = std::max(a + 1, 2u); b < kBodies; ++b)
        if (number(0, 1) < 0.15) add_pair(a, b);
  }
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  template <class V>
  V vector(double size) {
    V v;
    for (int i = 0; i < v.size(); ++i) v[i] = number(-size, size);
    return v;
  }
  void add_body(std::uint32_t i) {
    const bool moves = i > 1;
    bodies.kind[i] = moves ? BodyKind::kDynamic : i == 1 ? BodyKind::kKinematic : BodyKind::kStatic;
    bodies.mass[i] = moves ? number(0.5, 5) : 0;
    bodies.inv_mass[i] = moves ? 1 / bodies.mass[i] : 0;
    for (int k = 0; k < kAngular<D>; ++k) {
      bodies.inertia[i][k] = moves ? bodies.mass[i] * number(0.5, 1) : 0;
      bodies.inv_inertia[i][k] = moves ? 1 / bodies.inertia[i][k] : 0;
    }
    if (moves)
      state.position[i] = vector<Vec<D>>(2);
    else
      state.position[i].setZero();
    state.orientation[i] = exp_rotation(vector<AngVec<D>>(2));
    Twist<D> start, forced;
    if (i > 0) start = {vector<Vec<D>>(1), vector<AngVec<D>>(1)};
    forced = start;
    if (moves) forced.linear += vector<Vec<D>>(0.1), forced.angular += vector<AngVec<D>>(0.1);
    before.push_back(start);
    free.push_back(forced);
  }
  void add_pair(std::uint32_t a, std::uint32_t b) {
    const Vec<D> apart = (state.position[b] - state.position[a]).normalized();
    const Vec<D> normal = (apart + vector<Vec<D>>(0.4)).normalized(),
                 between = 0.5 * (state.position[a] + state.position[b]);
    const double dynamic = number(0, 0.8);
    Vec<D> skin = vector<Vec<D>>(0.3);
    skin -= normal * normal.dot(skin);
    const int points = 1 + static_cast<int>(number(0, 4));
    for (int k = 0; k < points; ++k) {
      SolvedContact<D> c;
      const std::uint64_t key = std::uint64_t{a} << 40 | std::uint64_t{b} << 16 | static_cast<std::uint64_t>(k);
      const Vec<D> point = between + vector<Vec<D>>(0.3);
      c.contact = {a, b, key, point, normal, number(-0.01, 0.01)};
      c.material = {dynamic + 0.1, dynamic, 0.5};
      c.surface_velocity = skin;
      contacts.push_back(c);
    }
  }
  ProblemInput<D> input() const { return {bodies, state, before, free, contacts, {}, {}, h}; }
};

}  // namespace touchstone::testing
