#pragma once
// The axes of a contact: normal, then tangents, as columns; chosen by the normal alone.
#include "math/types.h"

namespace touchstone {

inline Mat<2> frame_of_normal(const Vec<2>& n) {
  Mat<2> m;
  m << n[0], -n[1], n[1], n[0];
  return m;
}
inline Mat<3> frame_of_normal(const Vec<3>& n) {
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  Mat<3> m;
  m.col(0) = n;
  m.col(1) = cross(n, Vec<3>(Vec<3>::Unit(least))).normalized();
  m.col(2) = cross(n, Vec<3>(m.col(1)));
  return m;
}

}  // namespace touchstone
