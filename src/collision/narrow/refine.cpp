// Purpose: ascend the separation of two cores over the unit sphere of normals, from a normal that is nearly right.
// Source: gradient steps with the length of J. Barzilai, J. M. Borwein, Two-point step size gradient methods, IMA J.
//   Numer. Anal. 8 (1988), taken only where they gain.
// Letters: s(n) = n·w(n), its gradient on the sphere g = w − (n·w)n.
// Deviations: (1) Where the surfaces have straight lines the separation has kinks, at which no step gains and the
// normal
//   stays. follow_kinks goes on within them: over the circle of normals at right angles to a line.
// Fails: never; the normal is a local best.
#include "collision/narrow/refine.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace touchstone {
namespace {

// Without leaving the right angle to `line`; zero: anywhere.
template <int D>
double ascend(const MinkowskiDifference<D>& m, const Vec<D>& line, Vec<D>& n) {
  constexpr int kMaxEvaluations = 60;
  const auto gradient = [&](const Vec<D>& w, double along, const Vec<D>& normal) {
    const Vec<D> g = w - along * normal;
    return Vec<D>(g - line * line.dot(g));
  };
  Vec<D> w = m.support(Vec<D>(-n)).w;
  double best = n.dot(w);
  Vec<D> g = gradient(w, best, n);
  double step = 0.1 / m.size();
  for (int i = 0; i < kMaxEvaluations && g.norm() > 1e-12 * m.size(); ++i) {
    const Vec<D> trial = (n + step * g).normalized();
    const Vec<D> w_trial = m.support(Vec<D>(-trial)).w;
    const double value = trial.dot(w_trial);
    if (!(value > best)) {
      step *= 0.2;
      if (step * g.norm() < 1e-13) break;  // rad: no other direction left
      continue;
    }
    const Vec<D> g_trial = gradient(w_trial, value, trial);
    const Vec<D> dn = trial - n;
    const double bend = -dn.dot(g_trial - g);
    step = bend > 0 ? std::min(dn.squaredNorm() / bend, 100 * step) : 4 * step;
    n = trial, g = g_trial, best = value;
  }
  return best;
}

// The lines that are most nearly at right angles to n, each direction once.
struct Lines {
  static constexpr int kMost = 8;
  std::array<Vec<3>, kMost> line;
  std::array<double, kMost> sine;
  int count = 0;
  Lines(const MinkowskiDifference<3>& m, const Vec<3>& n) {
    m.each_line([&](const Vec<3>& e) { offer(e, std::abs(e.dot(n))); });
  }
  void offer(const Vec<3>& e, double off) {
    constexpr double kBeside = 0.2, kSame = 1 - 1e-14;  // sine; cosine
    if (off > kBeside) return;
    for (int i = 0; i < count; ++i)
      if (std::abs(line[static_cast<std::size_t>(i)].dot(e)) > kSame) return;
    int at = count < kMost ? count++ : kMost;
    for (; at > 0 && sine[static_cast<std::size_t>(at - 1)] > off; --at)
      if (at < kMost) {
        line[static_cast<std::size_t>(at)] = line[static_cast<std::size_t>(at - 1)];
        sine[static_cast<std::size_t>(at)] = sine[static_cast<std::size_t>(at - 1)];
      }
    if (at < kMost) line[static_cast<std::size_t>(at)] = e, sine[static_cast<std::size_t>(at)] = off;
  }
  const Vec<3>& operator[](int i) const { return line[static_cast<std::size_t>(i)]; }
};

}  // namespace

template <int D>
double refine_normal(const MinkowskiDifference<D>& m, Vec<D>& n) {
  return ascend(m, Vec<D>(Vec<D>::Zero()), n);
}

double follow_kinks(const MinkowskiDifference<3>& m, Vec<3>& n, double best) {
  constexpr int kMaxRounds = 4;
  for (int round = 0; round < kMaxRounds; ++round) {
    const Lines lines(m, n);
    const double before = best;
    Vec<3> found = n;
    const auto follow = [&](Vec<3> start, const Vec<3>& line) {
      if (const double value = ascend(m, line, start); value > best) best = value, found = start;
    };
    for (int i = 0; i < lines.count; ++i) {
      follow((n - lines[i] * lines[i].dot(n)).normalized(), lines[i]);
      for (int j = 0; j < i; ++j) {
        const Vec<3> across = cross(lines[i], lines[j]);
        const double length = across.norm();
        if (!(length > 1e-9)) continue;  // one line, up to rounding
        const Vec<3> corner = across * ((across.dot(n) < 0 ? -1 : 1) / length);
        if (const double value = corner.dot(m.support(Vec<3>(-corner)).w); value > best) best = value, found = corner;
      }
    }
    n = found;
    if (!(best > before + 1e-12 * m.size())) break;
  }
  return best;
}

template <int D>
double refine_from_axes(const MinkowskiDifference<D>& m, Vec<D>& n) {
  double best = refine_normal(m, n);
  const Mat<D> own = Mat<D>::Identity();
  for (const Mat<D>* axes : {&own, &m.turn()})
    for (int i = 0; i < 2 * D; ++i) {
      Vec<D> start = i < D ? Vec<D>(axes->col(i)) : Vec<D>(-axes->col(i - D));
      if (const double found = refine_normal(m, start); found > best) best = found, n = start;
    }
  return best;
}

template double refine_from_axes(const MinkowskiDifference<2>&, Vec<2>&);
template double refine_from_axes(const MinkowskiDifference<3>&, Vec<3>&);
template double refine_normal(const MinkowskiDifference<2>&, Vec<2>&);
template double refine_normal(const MinkowskiDifference<3>&, Vec<3>&);

}  // namespace touchstone
