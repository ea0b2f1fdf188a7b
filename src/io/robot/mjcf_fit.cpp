// Purpose: fit a primitive to a mesh. Source: MuJoCo, XML reference, "compiler: fitaabb" and "geom: mesh". Letters:
// none. Deviations: the volume of the mesh is exact. Fails: with an Error at the geom for a mesh without volume.
#include "io/robot/mjcf_fit.h"

#include <fmt/format.h>

#include "io/robot/mjcf.h"

namespace touchstone {

MeshFit fit_primitive(const XmlNode& geom, const std::string& type, const RobotMesh& mesh) {
  MassProperties<3> unit = mesh_mass(mesh);
  if (unit.mass < 0) unit.mass = -unit.mass, unit.inertia = -unit.inertia;
  if (!(unit.mass > 1e-15)) geom.refuse_attribute("mesh", "encloses no volume to fit a primitive to");
  const PrincipalInertia<3> principal = principal_inertia<3>(unit.inertia);
  // Decreasing moments: the z axis is the long one.
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int a, int b) { return principal.moments[a] > principal.moments[b]; });
  const Eigen::Matrix3d axes = principal.axes.toRotationMatrix();
  Eigen::Matrix3d R;
  Eigen::Vector3d m;
  for (int i = 0; i < 3; ++i)
    R.col(i) = axes.col(order[static_cast<std::size_t>(i)]),
    m[i] = principal.moments[order[static_cast<std::size_t>(i)]];
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  MeshFit fit;
  fit.pose = {unit.center, Eigen::Quaterniond(R).normalized()};
  // A box with half sizes s has I_x = mass/3 · (s_y² + s_z²), and so on.
  const double half_trace = m.sum() / 2;
  const Eigen::Vector3d box = ((half_trace - m.array()) * 3 / unit.mass).max(0.0).sqrt();
  const double across = (box[0] + box[1]) / 2;
  if (type == "sphere")
    fit.half_sizes = {box.mean(), 0, 0};
  else if (type == "capsule")
    fit.half_sizes = {across, std::max(box[2] - across / 2, 1e-6 * box[2]), 0};
  else if (type == "cylinder")
    fit.half_sizes = {across, box[2], 0};
  else
    fit.half_sizes = box;
  return fit;
}

}  // namespace touchstone
