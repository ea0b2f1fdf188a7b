#include "dynamics/tree/tree_model.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <array>

#include "dynamics/tree/crba.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/sparse_inertia.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kUnit = 1e-9;         // by which a unit vector may differ from its length
constexpr double kTriangle = 1e-6;     // by which moments may break I1 + I2 >= I3: files have few digits
constexpr double kLeastPivot = 1e-13;  // of the mass matrix, relative to what the joint carries: below, rounding is all

struct Size {
  int q, v;
};
constexpr std::array<Size, 9> kSizes{{{0, 0}, {1, 1}, {1, 1}, {2, 2}, {1, 1}, {2, 2}, {3, 3}, {4, 3}, {7, 6}}};

[[noreturn]] void refuse(const TreeLink& link, const std::string& text) {
  throw Error(ErrorKind::kBadInput, fmt::format("link '{}': {}", link.name, text));
}

Pose<3> compose_poses(const Pose<3>& a, const Pose<3>& b) { return {a.p + a.R * b.p, a.R * b.R}; }
Pose<3> inverse_pose(const Pose<3>& a) {
  const Eigen::Quaterniond back = a.R.conjugate();
  return {-(back * a.p), back};
}
bool finite(const Pose<3>& pose) { return pose.p.allFinite() && pose.R.coeffs().allFinite(); }
bool unit(double norm) { return std::abs(norm - 1) <= kUnit; }

void check_frames(const TreeLink& link) {
  for (const Pose<3>* pose : {&link.joint_in_parent, &link.joint_in_link})
    if (!finite(*pose) || !unit(pose->R.norm()))
      refuse(link, "the joint's frame needs finite numbers and a unit quaternion");
  if (!link.axis.allFinite() || !unit(link.axis.norm())) refuse(link, "the axis of the joint must be a unit vector");
  if (link.joint == TreeJoint::kUniversal) {
    if (!link.axis_b.allFinite() || !unit(link.axis_b.norm()) || !(cross(link.axis, link.axis_b).norm() > kUnit))
      refuse(link, "the second axis of a universal joint must be a unit vector that is not parallel to the first");
  }
  if (link.joint == TreeJoint::kScrew && !(std::isfinite(link.pitch) && link.pitch != 0))
    refuse(link, fmt::format("the pitch of a screw must be finite and not zero, but it is {} m/rad", link.pitch));
  if (!std::isfinite(link.reference)) refuse(link, "the reference coordinate of the joint must be finite");
}

void check_rates(const TreeLink& link) {
  const std::size_t number = static_cast<std::size_t>(rates_of(link.joint));
  if (!link.rates.empty() && link.rates.size() != number)
    refuse(link, fmt::format("its joint has {} rates, but data of {} are given", number, link.rates.size()));
  for (const TreeRate& r : link.rates) {
    if (!(r.lower <= r.upper))
      refuse(link, fmt::format("the lower limit {} of its joint is above the upper limit {}", r.lower, r.upper));
    for (const auto& [what, value] :
         {std::pair{"damping", r.damping}, std::pair{"armature", r.armature}, std::pair{"friction", r.friction}})
      if (!(std::isfinite(value) && value >= 0))
        refuse(link, fmt::format("the {} of its joint must be finite and not negative, but it is {}", what, value));
  }
}

void check_mass(const TreeLink& link) {
  if (!(std::isfinite(link.mass) && link.mass >= 0))
    refuse(link, fmt::format("the mass must be finite and not negative, but it is {} kg", link.mass));
  if (!link.center.allFinite()) refuse(link, "the centre of mass must be finite");
  if (!link.inertia.allFinite() || !unit(link.inertia_axes.norm()))
    refuse(link, "the inertia must be finite, and its axes a unit quaternion");
}

void check_inertia(const TreeLink& link) {
  const double scale = link.inertia.cwiseAbs().maxCoeff();
  if ((link.inertia - link.inertia.transpose()).cwiseAbs().maxCoeff() > kUnit * scale)
    refuse(link, "the inertia must be symmetric");
  if (scale == 0) return;
  if (link.mass == 0) refuse(link, "it has an inertia but no mass: a mass above zero is needed");
  const Eigen::SelfAdjointEigenSolver<Mat<3>> solver(link.inertia, Eigen::EigenvaluesOnly);
  const Vec<3> m = solver.eigenvalues();
  if (m[0] < -kTriangle * scale || m[0] + m[1] < (1 - kTriangle) * m[2])
    refuse(link,
           fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g} kg·m²: each must be at most the sum "
                       "of the other two",
                       m[0], m[1], m[2]));
}

// The least rotation that takes z to the axis; for −z half a turn about x.
Eigen::Quaterniond axes_along(const Vec<3>& axis) {
  if (axis[2] <= -1 + 1e-15) return Eigen::Quaterniond(0, 1, 0, 0);
  return Eigen::Quaterniond::FromTwoVectors(Vec<3>::UnitZ(), axis);
}
bool has_axis(TreeJoint joint) {
  return joint != TreeJoint::kFixed && joint != TreeJoint::kSpherical && joint != TreeJoint::kFloating;
}

TreeModel::Link constants_of(const TreeLink& in, const TreeModel& model) {
  TreeModel::Link out;
  out.parent = in.parent, out.joint = in.joint, out.pitch = in.pitch, out.reference = in.reference;
  const Pose<3> axes{Vec<3>::Zero(), has_axis(in.joint) ? axes_along(in.axis) : Eigen::Quaterniond::Identity()};
  Pose<3> frame = compose_poses(in.joint_in_parent, axes);
  if (in.parent >= 0) frame = compose_poses(model.links[static_cast<std::size_t>(in.parent)].link_in_joint, frame);
  out.p_PF = frame.p;
  out.R_PF = frame.R.toRotationMatrix();
  out.turned = !out.R_PF.isIdentity(1e-15);
  out.axis_b = axes.R.conjugate() * in.axis_b;
  out.link_in_joint = inverse_pose(compose_poses(in.joint_in_link, axes));
  const Mat<3> r = (out.link_in_joint.R * in.inertia_axes).toRotationMatrix();
  out.center = out.link_in_joint.p + out.link_in_joint.R * in.center;
  const Mat<3> central = r * in.inertia * r.transpose();
  out.inertia = RigidInertia::about(in.mass, out.center, 0.5 * (central + central.transpose()));
  return out;
}

bool moves_with_parent(TreeJoint joint, int k) {
  return (joint == TreeJoint::kUniversal && k < 1) || (joint == TreeJoint::kPlanar && k < 2) ||
         (joint == TreeJoint::kFloating && k < 3);
}
bool is_angle(TreeJoint joint, int k) {
  switch (joint) {
    case TreeJoint::kPrismatic:
    case TreeJoint::kScrew:
      return false;
    case TreeJoint::kCylindrical:
      return k == 1;
    case TreeJoint::kPlanar:
      return k == 2;
    case TreeJoint::kFloating:
      return k >= 3;
    default:
      return true;
  }
}
std::uint32_t coordinate_of(const TreeModel::Link& link, int k) {
  const bool in_quaternion = link.joint == TreeJoint::kSpherical || (link.joint == TreeJoint::kFloating && k >= 3);
  return in_quaternion ? TreeModel::kNone : link.first_q + static_cast<std::uint32_t>(k);
}

void add_rates(const TreeLink& in, TreeModel::Link& link, TreeModel& model) {
  link.first_q = static_cast<std::uint32_t>(model.nq_), link.first_v = static_cast<std::uint32_t>(model.rates.size());
  link.nq = static_cast<std::uint32_t>(coordinates_of(in.joint)),
  link.nv = static_cast<std::uint32_t>(rates_of(in.joint));
  model.nq_ += link.nq;
  std::uint32_t before = TreeModel::kNone;
  for (std::int32_t p = in.parent; p >= 0 && before == TreeModel::kNone;
       p = model.links[static_cast<std::size_t>(p)].parent) {
    const TreeModel::Link& ancestor = model.links[static_cast<std::size_t>(p)];
    if (ancestor.nv > 0) before = ancestor.first_v + ancestor.nv - 1;
  }
  for (int k = 0; k < rates_of(in.joint); ++k) {
    const auto place = static_cast<std::uint32_t>(model.rates.size());
    model.rates.push_back(in.rates.empty() ? TreeRate{} : in.rates[static_cast<std::size_t>(k)]);
    model.rate_parent.push_back(before);
    model.rate_link.push_back(static_cast<std::uint32_t>(model.links.size()));
    model.parent_fixed.push_back(moves_with_parent(in.joint, k));
    model.angular.push_back(is_angle(in.joint, k));
    model.coordinate.push_back(coordinate_of(link, k));
    const std::uint32_t length =
        before == TreeModel::kNone ? 1 : model.row_begin[before + 1] - model.row_begin[before] + 1;
    model.row_begin.push_back(model.row_begin.back() + length);
    before = place;
  }
}

// A rate that nothing resists makes the mass matrix singular, at whatever coordinates.
void check_resistance(const TreeModel& model, std::span<const TreeLink> links) {
  TreeData data(model);
  const std::vector<double> q = model.neutral();
  place_links(model, q, data);
  find_mass_matrix(model, data);
  factor_mass_matrix(model, data);
  for (std::size_t i = model.nv(); i-- > 0;) {  // from the leaves: a zero there spoils the pivots before it
    const RigidInertia& carried = data.composite[model.rate_link[i]];
    const double scale = model.angular[i] ? carried.rotational.trace() : carried.mass;
    if (data.factor[model.row_begin[i]] > kLeastPivot * (scale + model.rates[i].armature)) continue;
    refuse(links[model.rate_link[i]],
           "no mass resists its joint: the link, or those that it carries, need a mass and an inertia about the joint, "
           "or the joint an armature");
  }
}

}  // namespace

int coordinates_of(TreeJoint joint) { return kSizes[static_cast<std::size_t>(joint)].q; }
int rates_of(TreeJoint joint) { return kSizes[static_cast<std::size_t>(joint)].v; }

double TreeModel::mass() const {
  double sum = 0;
  for (const Link& link : links) sum += link.inertia.mass;
  return sum;
}

std::vector<double> TreeModel::neutral() const {
  std::vector<double> q(nq_, 0.0);
  for (const Link& link : links) {
    if (link.joint == TreeJoint::kSpherical) q[link.first_q] = 1;
    if (link.joint == TreeJoint::kFloating) q[link.first_q + 3] = 1;
    if (link.nq == 1) q[link.first_q] = link.reference;
  }
  return q;
}

TreeModel make_tree(std::span<const TreeLink> links) {
  TreeModel out;
  out.row_begin.push_back(0);
  for (const TreeLink& link : links) {
    if (link.parent < TreeLink::kWorld || link.parent >= static_cast<std::int32_t>(out.links.size()))
      refuse(link, fmt::format("its parent has the place {}, but parents come before their children", link.parent));
    check_frames(link);
    check_rates(link);
    check_mass(link);
    TreeModel::Link constants = constants_of(link, out);
    add_rates(link, constants, out);
    out.names.push_back(link.name);
    out.links.push_back(constants);
    if (last_rate(out, out.size() - 1) != TreeModel::kNone) check_inertia(link);  // others never move
  }
  check_resistance(out, links);
  return out;
}

}  // namespace touchstone
