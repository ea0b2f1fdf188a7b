// Purpose: ascend the separation of two cores over the unit sphere of normals, from a normal that is nearly right.
// Source: gradient steps with the length of J. Barzilai, J. M. Borwein, Two-point step size gradient methods, IMA J.
//   Numer. Anal. 8 (1988), taken only where they gain.
// Letters: s(n) = n·w(n), its gradient on the sphere g = w − (n·w)n.
// Fails: never; at a kink (a flat cap) no step gains and the normal stays.
#include "collision/narrow/refine.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

template <int D>
double refine_normal(const MinkowskiDifference<D>& m, Vec<D>& n) {
  constexpr int kMaxEvaluations = 60;
  Vec<D> w = m.support(Vec<D>(-n)).w;
  double best = n.dot(w);
  Vec<D> g = w - best * n;
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
    const Vec<D> g_trial = w_trial - value * trial;
    const Vec<D> dn = trial - n;
    const double bend = -dn.dot(g_trial - g);
    step = bend > 0 ? std::min(dn.squaredNorm() / bend, 100 * step) : 4 * step;
    n = trial, g = g_trial, best = value;
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
