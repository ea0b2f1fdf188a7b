#pragma once
// Linear complementarity problems LCP(M, q): w = M·z + q with w >= 0, z >= 0, zᵀw = 0. What their solvers share.
#include <Eigen/Core>
#include <cstdint>

namespace touchstone {

enum class LcpStatus : std::uint8_t {
  kSolved,
  kRay,         // a ray that does not end: no answer lies on the way (for copositive M there is none at all)
  kPivotLimit,  // too many pivots
  kInaccurate,  // an answer was found, but rounding left it further from one than the tolerance
  kSingular,    // a principal part that must be inverted cannot be
  kNotFinite,   // an entry of M, q or of the bounds is not a number, or infinite where it must not be
};
// A phrase for people.
const char* text_of(LcpStatus status);

struct LcpAnswer {
  LcpStatus status = LcpStatus::kSolved;
  std::int64_t pivots = 0;
  double residual = 0;  // max |min(z, w)| with M and q scaled by the solver
};

// max |min(z_i, (M·z + q)_i)|: zero at an answer, infinite if a number is not finite.
double lcp_residual(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& z);

}  // namespace touchstone
