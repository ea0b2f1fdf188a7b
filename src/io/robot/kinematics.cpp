// Purpose: forward kinematics, mass matrix and gravity torques of a robot description. Source: the definitions in
// touchstone/robot.h; [featherstone2008, §4.4 and eq. 2.73] for joints and velocities. Letters: q coordinates, J
// columns of rates, m, I of links. Deviations: sums over links instead of recursions, O(n²): for imports and checks.
// Fails: never.
#include "io/robot/kinematics.h"

#include <Eigen/Geometry>

#include "io/robot/pose.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

Eigen::Quaterniond quaternion(const double* wxyz) {
  const Eigen::Quaterniond q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  return q.norm() > 0 ? q.normalized() : Eigen::Quaterniond::Identity();
}

Eigen::Quaterniond turn(double angle, const Vector3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
}

// T(c) · T(shift) · R · T(−c).
RobotPose about(const Vector3d& c, const Vector3d& shift, const Eigen::Quaterniond& rotation) {
  return {c + shift - rotation * c, rotation};
}

// Walks through the factors of one joint and keeps the columns of its rates.
class JointWalk {
 public:
  JointWalk(RobotMotion& out, RobotPose& frame, std::size_t joint, const RobotJoint& description)
      : out_(out), frame_(frame), joint_(joint), j_(description) {}

  void go(const double* q) {
    switch (j_.kind) {
      case RobotJointKind::kFixed:
        return;
      case RobotJointKind::kRevolute:
      case RobotJointKind::kContinuous:
        return revolve(j_.axis, q[0] - j_.reference);
      case RobotJointKind::kPrismatic:
        return slide(j_.axis, q[0] - j_.reference);
      case RobotJointKind::kUniversal:
        revolve(j_.axis, q[0]);
        return revolve(j_.axis_b, q[1]);
      case RobotJointKind::kPlanar: {
        const auto [x, y] = planar_axes(j_.axis);
        slide(x, q[0]);
        slide(y, q[1]);
        return revolve(j_.axis, q[2]);
      }
      case RobotJointKind::kSpherical:
        return turn_freely(quaternion(q));
      case RobotJointKind::kFloating:
        for (int i = 0; i < 3; ++i) add_linear(frame_.orientation * Vector3d::Unit(i));
        frame_ = frame_ * RobotPose{Vector3d(q[0], q[1], q[2]), Eigen::Quaterniond::Identity()};
        return turn_freely(quaternion(q + 3));
    }
  }

 private:
  void add_linear(const Vector3d& direction) { out_.columns.push_back({joint_, Vector3d::Zero(), direction}); }
  void add_angular(const Vector3d& axis) {  // through the joint's point
    out_.columns.push_back({joint_, axis, (frame_ * j_.point).cross(axis)});
  }
  void revolve(const Vector3d& axis, double angle) {
    add_angular(frame_.orientation * axis);
    frame_ = frame_ * about(j_.point, Vector3d::Zero(), turn(angle, axis));
  }
  void slide(const Vector3d& axis, double displacement) {
    add_linear(frame_.orientation * axis);
    frame_ = frame_ * RobotPose{displacement * axis, Eigen::Quaterniond::Identity()};
  }
  void turn_freely(const Eigen::Quaterniond& rotation) {  // the columns are the axes of the child
    frame_ = frame_ * about(j_.point, Vector3d::Zero(), rotation);
    for (int i = 0; i < 3; ++i) add_angular(frame_.orientation * Vector3d::Unit(i));
  }

  RobotMotion& out_;
  RobotPose& frame_;
  std::size_t joint_;
  const RobotJoint& j_;
};

Vector3d velocity_at(const RateColumn& column, const Vector3d& point) {
  return column.linear + column.angular.cross(point);
}

}  // namespace

std::vector<double> reference_coordinates(const RobotDescription& robot) {
  std::vector<double> q;
  for (const RobotJoint& joint : robot.joints) {
    const std::size_t first = q.size();
    q.resize(first + static_cast<std::size_t>(coordinates_of(joint.kind)), 0.0);
    if (q.size() == first + 1) q[first] = joint.reference;
    if (joint.kind == RobotJointKind::kSpherical) q[first] = 1.0;
    if (joint.kind == RobotJointKind::kFloating) q[first + 3] = 1.0;
  }
  return q;
}

RobotMotion motion_of(const RobotDescription& robot, const std::vector<double>& q) {
  RobotMotion out;
  std::vector<std::size_t> place(robot.joints.size());
  for (std::size_t i = 0, at = 0; i < robot.joints.size(); ++i) {
    place[i] = at;
    at += static_cast<std::size_t>(coordinates_of(robot.joints[i].kind));
  }
  for (const RobotLink& link : robot.links) {
    const bool root = link.parent == RobotLink::kWorld;
    RobotPose frame = root ? link.pose : out.poses[link.parent] * link.pose;
    std::vector<std::size_t> moved = root ? std::vector<std::size_t>() : out.moved_by[link.parent];
    for (const std::size_t joint : link.joints) {
      const std::size_t before = out.columns.size();
      JointWalk(out, frame, joint, robot.joints[joint]).go(q.data() + place[joint]);
      for (std::size_t c = before; c < out.columns.size(); ++c) moved.push_back(c);
    }
    out.poses.push_back(frame);
    out.moved_by.push_back(std::move(moved));
  }
  return out;
}

std::vector<RobotPose> link_poses(const RobotDescription& robot, const std::vector<double>& q) {
  return motion_of(robot, q).poses;
}

Eigen::MatrixXd mass_matrix(const RobotDescription& robot, const std::vector<double>& q) {
  const RobotMotion motion = motion_of(robot, q);
  const auto n = static_cast<Eigen::Index>(motion.columns.size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const Eigen::Matrix3d R = motion.poses[i].orientation.toRotationMatrix();
    const Eigen::Matrix3d inertia = R * link.inertia * R.transpose();
    const Vector3d center = motion.poses[i] * link.center_of_mass;
    for (const std::size_t a : motion.moved_by[i]) {
      const Vector3d momentum = link.mass * velocity_at(motion.columns[a], center);
      const Vector3d spin = inertia * motion.columns[a].angular;
      for (const std::size_t b : motion.moved_by[i])
        M(static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(a)) +=
            velocity_at(motion.columns[b], center).dot(momentum) + motion.columns[b].angular.dot(spin);
    }
  }
  for (Eigen::Index i = 0; i < n; ++i)
    M(i, i) += robot.joints[motion.columns[static_cast<std::size_t>(i)].joint].armature;
  return M;
}

Eigen::VectorXd reflected_inertias(const RobotDescription& robot) {
  struct Composite {  // about the base's origin
    double mass = 0.0;
    Vector3d first = Vector3d::Zero();
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  };
  const RobotMotion motion = motion_of(robot, reference_coordinates(robot));
  std::vector<Composite> subtree(robot.links.size());
  for (std::size_t i = robot.links.size(); i-- > 0;) {
    const RobotLink& link = robot.links[i];
    const Eigen::Matrix3d R = motion.poses[i].orientation.toRotationMatrix();
    const Vector3d c = motion.poses[i] * link.center_of_mass;
    Composite& here = subtree[i];
    here.mass += link.mass;
    here.first += link.mass * c;
    here.inertia += R * link.inertia * R.transpose() +
                    link.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    if (link.parent == RobotLink::kWorld) continue;
    Composite& parent = subtree[link.parent];
    parent.mass += here.mass, parent.first += here.first, parent.inertia += here.inertia;
  }
  Eigen::VectorXd out(static_cast<Eigen::Index>(motion.columns.size()));
  for (std::size_t i = 0; i < motion.columns.size(); ++i) {
    const RateColumn& c = motion.columns[i];
    const RobotJoint& joint = robot.joints[c.joint];
    const Composite& moved = subtree[joint.link];
    // ∫ (v + ω × x)² dm
    out[static_cast<Eigen::Index>(i)] = moved.mass * c.linear.squaredNorm() +
                                        2 * c.linear.dot(c.angular.cross(moved.first)) +
                                        c.angular.dot(moved.inertia * c.angular) + joint.armature;
  }
  return out;
}

Eigen::VectorXd gravity_torques(const RobotDescription& robot, const std::vector<double>& q, const Vector3d& gravity) {
  const RobotMotion motion = motion_of(robot, q);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(motion.columns.size()));
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const Vector3d center = motion.poses[i] * link.center_of_mass;
    for (const std::size_t c : motion.moved_by[i])
      out[static_cast<Eigen::Index>(c)] -=
          link.mass * link.gravity_scale * velocity_at(motion.columns[c], center).dot(gravity);
  }
  return out;
}

}  // namespace touchstone
