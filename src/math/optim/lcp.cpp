#include "math/optim/lcp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {

const char* text_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::kSolved:
      return "solved";
    case LcpStatus::kRay:
      return "ended on a ray";
    case LcpStatus::kPivotLimit:
      return "too many pivots";
    case LcpStatus::kInaccurate:
      return "lost to rounding";
    case LcpStatus::kSingular:
      return "singular";
    case LcpStatus::kNotFinite:
      return "numbers that are not finite";
  }
  return "unknown";
}

double lcp_residual(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& z) {
  double worst = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double w = m.row(i).dot(z) + q[i];
    if (!std::isfinite(w) || !std::isfinite(z[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::abs(std::min(z[i], w)));
  }
  return worst;
}

}  // namespace touchstone
