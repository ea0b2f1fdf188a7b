// Purpose: the normal of two curved cores to the last digits. GJK and EPA compare values of the separation, which is
//   flat at its maximum: they know the normal to the root of their tolerance only (5e-4 rad). Here the features that
//   carry the contact are guessed, the normal follows from their geometry, and a pair of points proves the guess.
// Source: conditions of optimality of max n·w(n) over |n| = 1, a maximum of a minimum of smooth functions; Newton's
//   method on the sphere.
// Letters: s(n) = n·w(n), w = x_B(−n) − x_A(n) difference of the support points, W = dw/dn = −(∇∇h_A + ∇∇h_B), T a
//   basis of the free tangents. Newton: (TᵀW T − s) δ = −Tᵀw, n ← n + T δ.
//   A flat face fixes n; lines e_A and e_B fix n = ±e_A × e_B; one line, or two that are parallel, leaves a circle;
//   none leaves the sphere.
// Deviations: (1) lines that are parallel up to kParallel count as one, along their mean: the normal across both of
//   them would be wrong by the rounding error over their angle.
// Fails: where no guess is proven (a vertex on a rim, where no normal is better than the next) the best separation is
//   given, with `exact` false.
#include "collision/narrow/polish.h"

#include <algorithm>
#include <cmath>

#include "collision/narrow/core_features.h"
#include "collision/narrow/refine.h"

namespace touchstone {
namespace {

constexpr double kBeside = 0.03;    // sine: how far features may be from the normal that was found
constexpr double kParallel = 1e-8;  // sine: half of the digits
constexpr double kSame = 1e-14;     // of L: rounding of the separation
constexpr double kProof = 1e-12;    // of L: how well the pair of points fits
constexpr double kInPlane = 1e-9;   // sine: features so nearly across the normal lie in the contact plane

template <int D>
struct Solver {
  explicit Solver(const MinkowskiDifference<D>& difference)
      : m(difference),
        a(m.shape_a(), m.core_a(), zero, identity, 1.0),
        b(m.shape_b(), m.core_b(), m.offset(), m.turn(), -1.0),
        L(m.size()) {}

  const MinkowskiDifference<D>& m;
  const Vec<D> zero = Vec<D>::Zero();
  const Mat<D> identity = Mat<D>::Identity();
  const CoreFeatures<D> a, b;
  const double L;
  Lines<D> lines_a, lines_b;
  Polished<D> best;

  double separation(const Vec<D>& n) const { return n.dot(m.support(Vec<D>(-n)).w); }
  bool try_features();
  bool try_face(bool of_a);
  bool try_crossing(const Line<D>& la, const Line<D>& lb);
  bool try_circle(const Line<D>& line, bool of_a);
  bool try_sphere();
  bool climb(const Vec<D>& line, SmoothPiece pa, SmoothPiece pb, Vec<D>& n, Vec<D>& xa, Vec<D>& xb) const;
  bool accept(const Vec<D>& n, double s, const Vec<D>& xa, const Vec<D>& xb, double slack = 0);
  void keep_if_better(const Vec<D>& n, double s);
};

// Orthonormal tangents at n, at right angles to `line` (unit, or zero); how many.
int tangents(const Vec<2>& n, const Vec<2>&, std::array<Vec<2>, 2>& t) {
  t[0] = Vec<2>(-n[1], n[0]);
  return 1;
}
int tangents(const Vec<3>& n, const Vec<3>& line, std::array<Vec<3>, 2>& t) {
  if (!line.isZero()) {
    t[0] = cross(line, n).normalized();
    return 1;
  }
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  t[0] = cross(n, Vec<3>(Vec<3>::Unit(least))).normalized();
  t[1] = cross(n, t[0]);
  return 2;
}

// The Newton step (h11 h12; h12 h22) δ = −g for a maximum; false where there is none.
template <int D>
bool newton_step(const Mat<D>& W, const Vec<D>& w, double s, const std::array<Vec<D>, 2>& t, int count, Vec<D>& step) {
  const double g0 = t[0].dot(w), h00 = t[0].dot(W * t[0]) - s;
  if (!(h00 < 0)) return false;
  if (count == 1) {
    step = t[0] * (-g0 / h00);
    return true;
  }
  const Vec<D> Wt = W * t[1];
  const double g1 = t[1].dot(w), h11 = t[1].dot(Wt) - s, h01 = t[0].dot(Wt), det = h00 * h11 - h01 * h01;
  if (!(det > 1e-14 * h00 * h11)) return false;
  step = t[0] * ((h01 * g1 - h11 * g0) / det) + t[1] * ((h01 * g0 - h00 * g1) / det);
  return true;
}

// The best normal of two smooth pieces at right angles to `line`, with their support points.
template <int D>
bool Solver<D>::climb(const Vec<D>& line, SmoothPiece pa, SmoothPiece pb, Vec<D>& n, Vec<D>& xa, Vec<D>& xb) const {
  constexpr int kMaxSteps = 12;
  constexpr double kLongest = 0.1, kLast = 1e-9;  // rad; convergence is quadratic: the next step would be rounding
  n = (n - line * line.dot(n)).normalized();
  std::array<Vec<D>, 2> t;
  Patch<D> at_a, at_b;
  for (int i = 0; i < kMaxSteps; ++i) {
    if (!a.patch_at(n, pa, at_a) || !b.patch_at(n, pb, at_b)) return false;
    const Vec<D> w = at_b.x - at_a.x;
    Vec<D> step;
    if (!newton_step<D>(-(at_a.bend + at_b.bend), w, n.dot(w), t, tangents(n, line, t), step)) return false;
    const double length = step.norm();
    if (length > kLongest) step *= kLongest / length;
    n = (n + step).normalized();
    if (length > kLast) continue;
    if (!a.patch_at(n, pa, at_a) || !b.patch_at(n, pb, at_b)) return false;
    xa = at_a.x;
    xb = at_b.x;
    return true;
  }
  return false;
}

template <int D>
void Solver<D>::keep_if_better(const Vec<D>& n, double s) {
  if (s > best.separation) best.normal = n, best.separation = s;
}

// Takes the normal if the points prove it: then no point of M is lower. `slack`: how far along the normal features rise
// that count as lying across it.
template <int D>
bool Solver<D>::accept(const Vec<D>& n, double s, const Vec<D>& xa, const Vec<D>& xb, double slack) {
  const Vec<D> between = xb - xa;
  const double along = n.dot(between);
  const bool fits = (between - along * n).norm() <= kProof * L && std::abs(along - s) <= kProof * L + slack;
  if (!fits || !(s >= best.separation - kSame * L)) return keep_if_better(n, s), false;
  best.normal = n;
  best.separation = s;
  best.exact = true;
  const Vec<D> middle = 0.5 * (xa + xb);
  best.on_a = middle - 0.5 * s * n;
  best.on_b = middle + 0.5 * s * n;
  return true;
}

// A face of one core against a face, a line or a point of the other.
template <int D>
bool Solver<D>::try_face(bool of_a) {
  const CoreFeatures<D>&mine = of_a ? a : b, &other = of_a ? b : a;
  const FlatFace<D> face = mine.face_near(best.normal, kBeside);
  if (!face.found) return false;
  const Vec<D> n = of_a ? face.outward : Vec<D>(-face.outward);
  const MinkowskiVertex<D> w = m.support(Vec<D>(-n));
  Vec<D> theirs = of_a ? w.b : w.a;
  Lines<D> lines;
  other.lines_near(n, kInPlane, lines);
  if (const FlatFace<D> flat = other.face_near(n, kInPlane); flat.found) {
    // One of the two is a cap, or both are.
    const bool own_cap = of_a ? !m.core_a().polytope : !m.core_b().polytope;
    theirs = own_cap ? other.nearest_on_face(flat, face.centre) : mine.nearest_on_face(face, flat.centre);
    if (!own_cap) theirs = other.nearest_on_face(flat, theirs);
  } else if (Patch<D> tail; lines.count > 0 && other.patch_at(n, lines.line[0].tail, tail)) {
    theirs = mine.middle_over_face(face, tail.x, Vec<D>(tail.x + lines.line[0].along * lines.line[0].length));
  }
  const Vec<D> own = mine.nearest_on_face(face, theirs);
  return accept(n, n.dot(w.w), of_a ? own : theirs, of_a ? theirs : own, kInPlane * L);
}

template <>
bool Solver<2>::try_crossing(const Line<2>&, const Line<2>&) {
  return false;
}

// Points at s along la and t along lb: x_B + t e_B − x_A − s e_A is along n.
template <>
bool Solver<3>::try_crossing(const Line<3>& la, const Line<3>& lb) {
  const Vec<3> across = cross(la.along, lb.along);
  const double sine = across.norm();
  if (!(sine > kParallel)) return false;
  const Vec<3> n = across * ((across.dot(best.normal) < 0 ? -1 : 1) / sine);
  Patch<3> at_a, at_b;
  if (!a.patch_at(n, la.tail, at_a) || !b.patch_at(n, lb.tail, at_b)) return false;
  const Vec<3> w = at_b.x - at_a.x;
  const double s = cross(w, lb.along).dot(across) / (sine * sine), t = cross(w, la.along).dot(across) / (sine * sine);
  return accept(n, separation(n), at_a.x + std::clamp(s, 0.0, la.length) * la.along,
                at_b.x + std::clamp(t, 0.0, lb.length) * lb.along);
}

template <>
bool Solver<2>::try_circle(const Line<2>&, bool) {
  return false;
}

// A line against a point, or against a line that is parallel to it.
template <>
bool Solver<3>::try_circle(const Line<3>& line, bool of_a) {
  const CoreFeatures<3>& other = of_a ? b : a;
  const Lines<3>& lines = of_a ? lines_b : lines_a;
  const Line<3>* beside = nullptr;
  for (std::size_t i = 0; i < lines.count && !beside; ++i)
    if (cross(line.along, lines.line[i].along).norm() <= kParallel) beside = &lines.line[i];
  Vec<3> along = line.along;
  if (beside) along = (along + beside->along * (along.dot(beside->along) < 0 ? -1 : 1)).normalized();
  Vec<3> n = best.normal;
  SmoothPiece piece = beside ? beside->tail : other.piece_at(n);
  constexpr int kTries = 3;  // of the other's pieces
  for (int i = 0; i < kTries; ++i) {
    Vec<3> xa, xb;
    if (!climb(along, of_a ? line.tail : piece, of_a ? piece : line.tail, n, xa, xb)) return false;
    const Vec<3> tail = of_a ? xa : xb;
    Vec<3> point = of_a ? xb : xa;
    const double from = line.along.dot(point - tail);
    double at = std::clamp(from, 0.0, line.length), slack = 0;
    if (beside) {
      const double way = line.along.dot(beside->along) < 0 ? -1 : 1, to = from + way * beside->length;
      const double low = std::max(0.0, std::min(from, to)), high = std::min(line.length, std::max(from, to));
      at = std::clamp(0.5 * (low + high), 0.0, line.length);
      point += beside->along * std::clamp(way * (at - from), 0.0, beside->length);
      slack = kParallel * (line.length + beside->length);
    }
    const Vec<3> own = tail + at * line.along;
    if (accept(n, separation(n), of_a ? own : point, of_a ? point : own, slack)) return true;
    const SmoothPiece now = other.piece_at(n);
    if (beside || now == piece) return false;
    piece = now;
  }
  return false;
}

// Two points of smooth pieces.
template <int D>
bool Solver<D>::try_sphere() {
  Vec<D> n = best.normal;
  SmoothPiece pa = a.piece_at(n), pb = b.piece_at(n);
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    Vec<D> xa, xb;
    if (!climb(Vec<D>(Vec<D>::Zero()), pa, pb, n, xa, xb)) return false;
    if (accept(n, separation(n), xa, xb)) return true;
    const SmoothPiece now_a = a.piece_at(n), now_b = b.piece_at(n);
    if (now_a == pa && now_b == pb) return false;
    pa = now_a, pb = now_b;
  }
  return false;
}

// From the features that fix the normal to those that leave it free.
template <int D>
bool Solver<D>::try_features() {
  if (try_face(true) || try_face(false)) return true;
  a.lines_near(best.normal, kBeside, lines_a);
  b.lines_near(best.normal, kBeside, lines_b);
  for (std::size_t i = 0; i < lines_a.count; ++i)
    for (std::size_t j = 0; j < lines_b.count; ++j)
      if (try_crossing(lines_a.line[i], lines_b.line[j])) return true;
  for (std::size_t i = 0; i < lines_a.count; ++i)
    if (try_circle(lines_a.line[i], true)) return true;
  for (std::size_t j = 0; j < lines_b.count; ++j)
    if (try_circle(lines_b.line[j], false)) return true;
  return try_sphere();
}

}  // namespace

template <int D>
Polished<D> polish(const MinkowskiDifference<D>& m, const Vec<D>& n) {
  constexpr int kRounds = 3;
  Solver<D> solver(m);
  solver.best.normal = n;
  solver.best.separation = solver.separation(n);
  for (int i = 0; i < kRounds && !solver.try_features(); ++i)
    solver.best.separation = refine_normal(m, solver.best.normal);
  return solver.best;
}

template Polished<2> polish(const MinkowskiDifference<2>&, const Vec<2>&);
template Polished<3> polish(const MinkowskiDifference<3>&, const Vec<3>&);

}  // namespace touchstone
