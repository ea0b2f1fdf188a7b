#include "dynamics/tree/kinematics.h"

#include <cmath>

namespace touchstone {
namespace {

Mat<3> matrix_of_quaternion(const double* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}
// R·Rz(angle).
Mat<3> turned_about_z(const Mat<3>& r, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat<3> out;
  out.col(0) = c * r.col(0) + s * r.col(1);
  out.col(1) = c * r.col(1) - s * r.col(0);
  out.col(2) = r.col(2);
  return out;
}
Spatial turn(const Vec<3>& axis) { return spatial(axis, Vec<3>::Zero()); }
Spatial slide(const Vec<3>& axis) { return spatial(Vec<3>::Zero(), axis); }

// From the frame F (p, R) to M, and the columns.
void place_joint(const TreeModel::Link& link, const double* q, Vec<3>& p, Mat<3>& R, Spatial* column) {
  switch (link.joint) {
    case TreeJoint::kFixed:
      return;
    case TreeJoint::kRevolute:
      R = turned_about_z(R, q[0] - link.reference);
      column[0] = turn(R.col(2));
      return;
    case TreeJoint::kPrismatic:
      p += R.col(2) * (q[0] - link.reference);
      column[0] = slide(R.col(2));
      return;
    case TreeJoint::kCylindrical:
      p += R.col(2) * q[0];
      R = turned_about_z(R, q[1]);
      column[0] = slide(R.col(2)), column[1] = turn(R.col(2));
      return;
    case TreeJoint::kScrew: {
      const double x = q[0] - link.reference;
      p += R.col(2) * x;
      R = turned_about_z(R, x / link.pitch);
      column[0] = spatial(R.col(2) / link.pitch, R.col(2));
      return;
    }
    case TreeJoint::kUniversal: {
      column[0] = turn(R.col(2));
      R = turned_about_z(R, q[0]);
      column[1] = turn(R * link.axis_b);
      R = R * Eigen::AngleAxisd(q[1], link.axis_b).toRotationMatrix();
      return;
    }
    case TreeJoint::kPlanar:
      p += R.col(0) * q[0] + R.col(1) * q[1];
      column[0] = slide(R.col(0)), column[1] = slide(R.col(1)), column[2] = turn(R.col(2));
      R = turned_about_z(R, q[2]);
      return;
    case TreeJoint::kSpherical:
      R = R * matrix_of_quaternion(q);
      for (int k = 0; k < 3; ++k) column[k] = turn(R.col(k));
      return;
    case TreeJoint::kFloating:
      p += R * Vec<3>(q[0], q[1], q[2]);
      for (int k = 0; k < 3; ++k) column[k] = slide(R.col(k));
      R = R * matrix_of_quaternion(q + 3);
      for (int k = 0; k < 3; ++k) column[3 + k] = turn(R.col(k));
      return;
  }
}

}  // namespace

void place_links(const TreeModel& model, std::span<const double> q, TreeData& data) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    const TreeModel::Link& link = model.links[i];
    Vec<3> from = Vec<3>::Zero(), p = link.p_PF;
    Mat<3> R = link.R_PF;
    if (link.parent >= 0) {
      const auto parent = static_cast<std::size_t>(link.parent);
      from = data.p[parent];
      p = from + data.R[parent] * link.p_PF;
      R = data.R[parent];
      if (link.turned) R = data.R[parent] * link.R_PF;
    }
    place_joint(link, q.data() + link.first_q, p, R, data.column.data() + link.first_v);
    data.p[i] = p, data.arm[i] = p - from, data.R[i] = R;
    data.inertia[i] = rotated(link.inertia, R);
  }
}

void move_links(const TreeModel& model, std::span<const double> v, TreeData& data) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    const TreeModel::Link& link = model.links[i];
    Spatial carried = Spatial::Zero(), by_parent = Spatial::Zero(), by_link = Spatial::Zero();
    if (link.parent >= 0) carried = shift_motion(data.velocity[static_cast<std::size_t>(link.parent)], data.arm[i]);
    for (std::size_t k = link.first_v; k < link.first_v + link.nv; ++k)
      (model.parent_fixed[k] ? by_parent : by_link) += data.column[k] * v[k];
    data.velocity[i] = carried + by_parent + by_link;
    data.bias[i] = cross_motion(data.velocity[i], by_link);
    if (link.nv > 1) data.bias[i] += cross_motion(carried, by_parent);
  }
}

Pose<3> link_pose(const TreeModel& model, const TreeData& data, std::size_t link) {
  const Pose<3>& frame = model.links[link].link_in_joint;
  return {data.p[link] + data.R[link] * frame.p, (Eigen::Quaterniond(data.R[link]) * frame.R).normalized()};
}

Vec<3> center_of_link(const TreeModel& model, const TreeData& data, std::size_t link) {
  return data.p[link] + data.R[link] * model.links[link].center;
}

Spatial bias_at(const TreeModel& model, const TreeData& data, std::size_t link, const Vec<3>& point) {
  // From the link to the world: biases add up, each moved to the point; the last one makes it the point's own.
  Spatial sum = Spatial::Zero();
  for (std::int32_t i = static_cast<std::int32_t>(link); i >= 0; i = model.links[static_cast<std::size_t>(i)].parent) {
    const auto k = static_cast<std::size_t>(i);
    sum += shift_motion(data.bias[k], point - data.p[k]);
  }
  const Spatial v = velocity_at(data, link, point);
  sum.tail<3>() += cross(Vec<3>(v.head<3>()), Vec<3>(v.tail<3>()));
  return sum;
}

void point_jacobian(const TreeModel& model, const TreeData& data, std::size_t link, const Vec<3>& point,
                    Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> out) {
  out.setZero();
  for (std::uint32_t k = last_rate(model, link); k != TreeModel::kNone; k = model.rate_parent[k])
    out.col(k) = column_at(model, data, k, point);
}

}  // namespace touchstone
