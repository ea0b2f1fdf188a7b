// Purpose: the sidedness of a vertex against a side, and its derivatives.
// Source: [rote2012 §2, §4 (4.3), (4.4), §5].
// Letters: i, j (l in 3D) corners of the side, k vertex; e edges from i; A = det(e_j, e_k) in 2D, det(e_j, e_l, e_k) in
//   3D. The corners are in such an order that A >= 0 outside.
// Deviations:
//   (1) α belongs to j, 1 − α to i, throughout. (S') of the paper has them the other way round, (S2⁺) does not.
// Fails: a side of no length has weights that are not finite; polytopes have none.
#include "models/gauss/sidedness.h"

#include <Eigen/LU>

namespace touchstone {
namespace {

// Edges from the first corner, that to the vertex last.
template <int D>
Mat<D> edges(const Sidedness<D>& s, std::span<const Vec<D>> p) {
  Mat<D> out;
  for (int k = 0; k < D; ++k) out.col(k) = p[s[static_cast<std::size_t>(k) + 1]] - p[s[0]];
  return out;
}

Vec<2> normal_of(const Mat<2>& e) { return {-e(1, 0), e(0, 0)}; }  // (p_j − p_i)⊥
Vec<3> normal_of(const Mat<3>& e) { return cross(Vec<3>(e.col(0)), Vec<3>(e.col(1))); }

}  // namespace

template <int D>
double signed_volume(const Sidedness<D>& s, std::span<const Vec<D>> p) {
  return edges<D>(s, p).determinant();
}

template <>
double second_order<2>(const Sidedness<2>& s, std::span<const Vec<2>>, std::span<const Vec<2>> v) {
  return 2 * edges<2>(s, v).determinant();
}

template <>
double second_order<3>(const Sidedness<3>& s, std::span<const Vec<3>> p, std::span<const Vec<3>> v) {
  const Mat<3> e = edges<3>(s, p), de = edges<3>(s, v);
  double sum = 0;
  for (int still = 0; still < 3; ++still) {
    Mat<3> m = de;
    m.col(still) = e.col(still);
    sum += m.determinant();
  }
  return 2 * sum;
}

template <int D>
SideFrame<D> side_frame(const Sidedness<D>& s, std::span<const Vec<D>> p) {
  const Mat<D> e = edges<D>(s, p);
  SideFrame<D> out;
  out.normal = normal_of(e);
  const auto side = e.template leftCols<D - 1>();
  const Eigen::Matrix<double, D - 1, 1> alpha = (side.transpose() * side).inverse() * (side.transpose() * e.col(D - 1));
  out.weight[0] = 1 - alpha.sum();
  for (int k = 0; k + 1 < D; ++k) out.weight[static_cast<std::size_t>(k) + 1] = alpha[k];
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                 \
  template double signed_volume<D>(const Sidedness<D>&, std::span<const Vec<D>>); \
  template SideFrame<D> side_frame<D>(const Sidedness<D>&, std::span<const Vec<D>>);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
