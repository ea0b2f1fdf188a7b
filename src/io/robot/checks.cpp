#include "io/robot/checks.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "io/robot/kinematics.h"
#include "io/robot/pose.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::size_t kMostLinks = 20'000, kMostInChain = 2'000;
// Files round principal moments to few digits: this much of the largest moment may be missing from the triangle
// inequality. Without it flat and thin links of published robots are refused.
constexpr double kTriangleSlack = 1e-3;
// Smaller inertias than of a grain of sand (1 µg at 1 µm) are rounding.
constexpr double kLeastInertia = 1e-24;

// In rising order.
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

bool breaks_triangle(const Eigen::Vector3d& rising) {
  return rising[2] - rising[0] - rising[1] > kTriangleSlack * rising[2];
}

// Masses of links that are rigidly connected, about the origin of the first.
struct Composite {
  double mass = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();

  static Eigen::Matrix3d steiner(double m, const Eigen::Vector3d& c) {
    return m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  }
  void add(const RobotLink& link, const RobotPose& pose) {
    const Eigen::Vector3d c = pose * link.center_of_mass;
    const Eigen::Matrix3d R = pose.orientation.toRotationMatrix();
    mass += link.mass, first += link.mass * c;
    inertia += R * link.inertia * R.transpose() + steiner(link.mass, c);
  }
  Eigen::Matrix3d central() const {
    return mass > 0 ? Eigen::Matrix3d(inertia - steiner(mass, first / mass)) : inertia;
  }
};

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
  const Eigen::Vector3d m = principal_moments(link.inertia);
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
}

void check_principal_moments(const RobotDescription& robot, ImportNotes& notes) {
  std::vector<Composite> groups(robot.links.size());
  std::vector<std::size_t> group(robot.links.size());
  std::vector<RobotPose> pose(robot.links.size());  // in the first link of the group
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const bool rigid = link.parent != RobotLink::kWorld &&
                       std::all_of(link.joints.begin(), link.joints.end(),
                                   [&](std::size_t j) { return rates_of(robot.joints[j].kind) == 0; });
    group[i] = rigid ? group[link.parent] : i;
    if (rigid) pose[i] = pose[link.parent] * link.pose;
    groups[group[i]].add(link, pose[i]);
  }
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const Eigen::Vector3d m = principal_moments(link.inertia);
    if (!breaks_triangle(m)) continue;
    const std::string what = fmt::format(
        "no body has the principal moments {:.3g}, {:.3g} and {:.3g} kg·m²: the largest must be at most the "
        "sum of the others, {:.3g} kg·m²",
        m[0], m[1], m[2], m[0] + m[1]);
    if (breaks_triangle(principal_moments(groups[group[i]].central())))
      refuse(link.source, fmt::format("link '{}': {}", link.name, what));
    notes.add(ImportNote::Kind::kApproximated, link.source, fmt::format("inertia of link '{}'", link.name),
              what + "; it is kept, as a body with the links that are fixed to it is possible", true);
  }
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
