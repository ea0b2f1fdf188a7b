#include "io/robot/checks.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "io/robot/kinematics.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::size_t kMostLinks = 20'000, kMostInChain = 2'000;
// Files round principal moments to few digits: this much of the largest moment may be missing from the triangle
// inequality. Without it flat and thin links of published robots are refused.
constexpr double kTriangleSlack = 1e-3;
// Smaller inertias than of a grain of sand (1 µg at 1 µm) are rounding.
constexpr double kLeastInertia = 1e-24;

[[noreturn]] void refuse(const RobotSource& source, const std::string& what) {
  throw Error(ErrorKind::kBadInput,
              source.file.empty() ? what : fmt::format("{}:{}: {}", source.file, source.line, what));
}

}  // namespace

void check_link_mass(const RobotLink& link) {
  if (!(link.mass >= 0))
    refuse(link.source, fmt::format("link '{}': mass = {:g} kg is negative", link.name, link.mass));
  if (!link.inertia.allFinite() || !std::isfinite(link.mass) || !link.center_of_mass.allFinite())
    refuse(link.source, fmt::format("link '{}': mass, centre and inertia must be finite", link.name));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(link.inertia, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d m = principal.eigenvalues();  // rising
  const double largest = m.cwiseAbs().maxCoeff();
  if (link.mass == 0 && largest > kLeastInertia)
    refuse(link.source, fmt::format("link '{}': its mass is 0 and its inertia is not (up to {:g} kg·m²); give it a "
                                    "mass, or no inertia",
                                    link.name, largest));
  if (m[0] < -1e-9 * largest)
    refuse(
        link.source,
        fmt::format("link '{}': the inertia has a negative principal moment, {:g} kg·m² (the three are {:g}, {:g} and "
                    "{:g}); check the signs and sizes of the products of inertia",
                    link.name, m[0], m[0], m[1], m[2]));
  if (m[2] - m[0] - m[1] > kTriangleSlack * m[2])
    refuse(link.source,
           fmt::format("link '{}': no body has the principal moments {:g}, {:g} and {:g} kg·m²: the largest must be at "
                       "most the sum of the others, {:g} kg·m²",
                       link.name, m[0], m[1], m[2], m[0] + m[1]));
}

void check_size(const RobotDescription& robot) {
  if (robot.links.size() > kMostLinks)
    refuse(robot.links[kMostLinks].source, fmt::format("there are more than {} links", kMostLinks));
  std::vector<std::size_t> depth;
  for (const RobotLink& link : robot.links) {
    depth.push_back(link.parent == RobotLink::kWorld ? 1 : depth[link.parent] + 1);
    if (depth.back() > kMostInChain)
      refuse(link.source,
             fmt::format("link '{}' is at the end of a chain of more than {} links", link.name, kMostInChain));
  }
}

void check_moved_masses(const RobotDescription& robot) {
  const Eigen::VectorXd inertias = reflected_inertias(robot);
  Eigen::Index column = 0;
  for (const RobotJoint& joint : robot.joints) {
    const Eigen::Index n = rates_of(joint.kind);
    for (Eigen::Index i = 0; i < n; ++i)
      if (!(inertias[column + i] > kLeastInertia))
        refuse(joint.source,
               fmt::format("joint '{}' moves link '{}', and this link with all behind it has no inertia against the "
                           "joint (mass 0, or all of it on the axis); give the link a mass and an inertia, or fix the "
                           "joint",
                           joint.name, robot.links[joint.link].name));
    column += n;
  }
}

}  // namespace touchstone
