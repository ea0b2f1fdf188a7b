// Purpose: masses and inertias of MJCF bodies, from <inertial> or from geoms. Source: MuJoCo, XML reference, "compiler"
// and "body/inertial". Letters: none. Deviations: none. Fails: with an Error at the body or the inertial.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "io/robot/checks.h"
#include "io/robot/mjcf.h"
#include "io/robot/pose.h"

namespace touchstone {
namespace {

void read_inertial(const XmlNode& node, const RobotPose& frame, const MjcfContext& context, RobotLink& link) {
  if (!node.has("pos")) node.refuse("the attribute 'pos' is missing");
  const RobotPose pose = frame * read_mjcf_pose(node, context.compiler);
  const auto mass = node.number("mass");
  if (!mass) node.refuse("the attribute 'mass' is missing");
  if (*mass < 0) node.refuse_attribute("mass", fmt::format("must not be negative (body '{}')", link.name));
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  const auto full = node.numbers("fullinertia", 6, 6);
  const auto diagonal = node.vector("diaginertia");
  if (full && diagonal) node.refuse("has diaginertia and fullinertia; keep one");
  if (full)
    inertia << (*full)[0], (*full)[3], (*full)[4], (*full)[3], (*full)[1], (*full)[5], (*full)[4], (*full)[5],
        (*full)[2];
  if (diagonal) inertia = diagonal->asDiagonal();
  const Eigen::Matrix3d R = pose.orientation.toRotationMatrix();
  link.mass = *mass;
  link.center_of_mass = pose.position;
  link.inertia = R * inertia * R.transpose();
}

// Lower bounds of the principal moments, and equal moments in place of impossible ones.
void repair(const MjcfContext& context, RobotLink& link) {
  const MjcfCompiler& c = context.compiler;
  link.mass = std::max(link.mass, c.bound_mass);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(link.inertia);
  Eigen::Vector3d m = principal.eigenvalues().cwiseMax(c.bound_inertia);
  const bool impossible = m[0] + m[1] < m[2];
  if (impossible && c.balance_inertia) m.setConstant(m.mean());
  if (m != principal.eigenvalues())
    link.inertia = principal.eigenvectors() * m.asDiagonal() * principal.eigenvectors().transpose();
}

}  // namespace

bool needs_mjcf_geom_masses(const std::optional<XmlNode>& inertial, const MjcfContext& context) {
  using FromGeoms = MjcfCompiler::FromGeoms;
  const FromGeoms rule = context.compiler.inertia_from_geoms;
  return rule == FromGeoms::kAlways || (rule == FromGeoms::kAuto && !inertial);
}

void set_mjcf_inertia(const std::optional<XmlNode>& inertial, const RobotPose& frame,
                      const std::vector<MjcfGeomMass>& masses, const MjcfContext& context, RobotLink& link) {
  if (inertial) read_inertial(*inertial, frame, context, link);
  if (needs_mjcf_geom_masses(inertial, context) && (!inertial || !masses.empty())) {
    MassProperties<3> sum;
    for (const MjcfGeomMass& each : masses) sum = combined(sum, each.properties);
    link.mass = sum.mass, link.center_of_mass = sum.center, link.inertia = sum.inertia;
  }
  link.inertia = ((link.inertia + link.inertia.transpose()) / 2).eval();
  if (!link.inertia.allFinite()) return check_link_mass(link);
  repair(context, link);
  const RobotSource body = link.source;
  if (inertial) link.source = inertial->source();  // the line of a wrong number
  check_link_mass(link);
  link.source = body;
}

void scale_mjcf_masses(const MjcfContext& context) {
  const double sum = context.out.mass();
  if (!(context.compiler.total_mass > 0) || !(sum > 0)) return;
  const double factor = context.compiler.total_mass / sum;
  for (RobotLink& link : context.out.links) link.mass *= factor, link.inertia *= factor;
}

MassProperties<3> mesh_mass(const RobotMesh& mesh) {
  // Tetrahedra with their apex at the mean of the vertices: near the mesh, where the sums lose fewest digits.
  Eigen::Vector3d apex = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& v : mesh.vertices) apex += v / static_cast<double>(mesh.vertices.size());
  double volume = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // ∫ x xᵀ
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.vertices[t[0]] - apex, b = mesh.vertices[t[1]] - apex,
                          c = mesh.vertices[t[2]] - apex, sum = a + b + c;
    const double six = a.dot(b.cross(c));
    volume += six / 6;
    first += six / 24 * sum;
    second += six / 120 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  MassProperties<3> out;
  out.mass = volume;
  if (volume == 0) return out;
  const Eigen::Vector3d arm = first / volume;
  out.center = apex + arm;
  const Eigen::Matrix3d central = second - volume * arm * arm.transpose();
  out.inertia = central.trace() * Eigen::Matrix3d::Identity() - central;
  return out;
}

}  // namespace touchstone
