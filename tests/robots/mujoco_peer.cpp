#ifdef TOUCHSTONE_MUJOCO
#include "robots/mujoco_peer.h"

#include <gtest/gtest.h>

#include <random>

#include "io/robot/kinematics.h"
#include "io/robot/pose.h"
#include "robots/robots.h"

namespace touchstone::testing {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d vec(const mjtNum* p) { return {p[0], p[1], p[2]}; }
Quaterniond quat(const mjtNum* p) { return {p[0], p[1], p[2], p[3]}; }
Eigen::Matrix3d mat(const mjtNum* p) { return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(p); }

std::string name_of(const mjModel& m, int address) { return m.names + address; }

class Comparison {
 public:
  Comparison(const RobotDescription& robot, const mjModel& model, double tolerance)
      : robot_(robot), m_(model), tolerance_(tolerance), data_(mj_makeData(&model)) {}

  void compare() {
    ASSERT_EQ(robot_.links.size() + 1, static_cast<std::size_t>(m_.nbody));
    ASSERT_EQ(robot_.joints.size(), static_cast<std::size_t>(m_.njnt));
    ASSERT_EQ(robot_.coordinates(), static_cast<std::size_t>(m_.nq));
    ASSERT_EQ(robot_.rates(), static_cast<std::size_t>(m_.nv));
    bodies();
    joints();
    actuators();
    std::mt19937_64 random(5);
    for (int i = 0; i < 10; ++i) at(i == 0 ? reference_coordinates(robot_) : random_coordinates(robot_, random));
  }

 private:
  void near(double ours, double theirs, const std::string& what) const {
    EXPECT_NEAR(ours, theirs, tolerance_ * std::max(1.0, std::abs(theirs))) << what;
  }
  void near(const Vector3d& ours, const Vector3d& theirs, const std::string& what) const {
    for (int i = 0; i < 3; ++i) near(ours[i], theirs[i], what);
  }

  void bodies() const {
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const RobotLink& link = robot_.links[i];
      const auto b = static_cast<int>(i) + 1;
      const std::string name = name_of(m_, m_.name_bodyadr[b]);
      if (!name.empty()) {
        EXPECT_EQ(link.name, name);
      }
      EXPECT_EQ(link.parent == RobotLink::kWorld ? 0 : static_cast<int>(link.parent) + 1, m_.body_parentid[b]) << name;
      near(link.mass, m_.body_mass[b], name + ": mass");
      near(link.center_of_mass, vec(m_.body_ipos + 3 * b), name + ": centre");
      const Eigen::Matrix3d R = quat(m_.body_iquat + 4 * b).toRotationMatrix();
      const Eigen::Matrix3d theirs = R * vec(m_.body_inertia + 3 * b).asDiagonal() * R.transpose();
      const double scale = std::max(theirs.cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_LT((link.inertia - theirs).cwiseAbs().maxCoeff(), 1e3 * tolerance_ * scale) << name << "\n"
                                                                                         << link.inertia << "\n"
                                                                                         << theirs;
    }
  }

  void joints() const {
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& joint = robot_.joints[i];
      const auto j = static_cast<int>(i);
      const std::string& name = joint.name;
      const int type = m_.jnt_type[j], dof = m_.jnt_dofadr[j], q = m_.jnt_qposadr[j];
      EXPECT_EQ(static_cast<int>(joint.link) + 1, m_.jnt_bodyid[j]) << name;
      near(joint.damping, m_.dof_damping[dof], name + ": damping");
      near(joint.armature, m_.dof_armature[dof], name + ": armature");
      near(joint.friction, m_.dof_frictionloss[dof], name + ": friction");
      near(joint.stiffness, m_.jnt_stiffness[j], name + ": stiffness");
      if (type == mjJNT_FREE) continue;
      near(joint.point, vec(m_.jnt_pos + 3 * j), name + ": point");
      EXPECT_EQ(joint.upper.has_value(), m_.jnt_limited[j] != 0) << name;
      if (joint.upper) near(*joint.upper, m_.jnt_range[2 * j + 1], name + ": upper");
      if (type == mjJNT_BALL) continue;
      near(joint.axis, vec(m_.jnt_axis + 3 * j), name + ": axis");
      if (joint.lower) near(*joint.lower, m_.jnt_range[2 * j], name + ": lower");
      near(joint.reference, m_.qpos0[q], name + ": reference");
      near(joint.spring_reference, m_.qpos_spring[q], name + ": spring reference");
    }
  }

  void actuators() const {
    ASSERT_EQ(robot_.actuators.size(), static_cast<std::size_t>(m_.nu));
    for (std::size_t i = 0; i < robot_.actuators.size(); ++i) {
      const RobotActuator& a = robot_.actuators[i];
      const auto k = static_cast<int>(i);
      const std::string& name = a.name;
      for (std::size_t n = 0; n < 3; ++n) {
        const auto at = static_cast<std::size_t>(k) * mjNGAIN + n;
        if (n == 0 || m_.actuator_gaintype[k] == mjGAIN_AFFINE)
          near(a.gain_terms[n], m_.actuator_gainprm[at], name + ": gain");
        near(a.bias_terms[n], m_.actuator_biastype[k] == mjBIAS_AFFINE ? m_.actuator_biasprm[at] : 0.0,
             name + ": bias");
      }
      for (std::size_t n = 0; n < 6; ++n) near(a.gear[n], m_.actuator_gear[6 * i + n], name + ": gear");
      EXPECT_EQ(a.force_range.has_value(), m_.actuator_forcelimited[k] != 0) << name;
      EXPECT_EQ(a.control_range.has_value(), m_.actuator_ctrllimited[k] != 0) << name;
      for (std::size_t n = 0; n < 2; ++n) {
        if (a.force_range) near((*a.force_range)[n], m_.actuator_forcerange[2 * i + n], name + ": force");
        if (a.control_range) near((*a.control_range)[n], m_.actuator_ctrlrange[2 * i + n], name + ": control");
      }
      EXPECT_EQ(static_cast<int>(a.target), m_.actuator_trnid[2 * k]) << name;
    }
  }

  // Ours are relative to the pose of the file.
  void set_coordinates(const std::vector<double>& q) const {
    std::copy(q.begin(), q.end(), data_->qpos);
    for (std::size_t i = 0, at = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& joint = robot_.joints[i];
      if (joint.kind == RobotJointKind::kFloating) {
        const RobotPose relative{{q[at], q[at + 1], q[at + 2]}, {q[at + 3], q[at + 4], q[at + 5], q[at + 6]}};
        const RobotPose world = robot_.links[joint.link].pose * relative;
        const double all[] = {world.position.x(),    world.position.y(),    world.position.z(),   world.orientation.w(),
                              world.orientation.x(), world.orientation.y(), world.orientation.z()};
        std::copy(std::begin(all), std::end(all), data_->qpos + at);
      }
      at += static_cast<std::size_t>(coordinates_of(joint.kind));
    }
  }

  void at(const std::vector<double>& q) {
    set_coordinates(q);
    std::fill_n(data_->qvel, m_.nv, 0.0);
    mj_forward(&m_, data_.get());
    const std::vector<RobotPose> poses = link_poses(robot_, q);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      near(poses[i].position, vec(data_->xpos + 3 * (i + 1)), robot_.links[i].name + ": position");
      EXPECT_LT(poses[i].orientation.angularDistance(quat(data_->xquat + 4 * (i + 1))), 10 * tolerance_ + 1e-7)
          << robot_.links[i].name;
    }
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> theirs(m_.nv, m_.nv);
    mj_fullM(&m_, theirs.data(), data_->qM);
    const Eigen::MatrixXd ours = mass_matrix(robot_, q);
    if (m_.nv > 0) {
      EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff(), 10 * tolerance_ * std::max(1.0, theirs.cwiseAbs().maxCoeff()));
    }
    const Eigen::VectorXd gravity = gravity_torques(robot_, q, vec(m_.opt.gravity));
    for (int i = 0; i < m_.nv; ++i) near(gravity[i], data_->qfrc_bias[i], "gravity torque " + std::to_string(i));
    if (!geoms_done_) geoms(poses);
    geoms_done_ = geoms_done_ || q != reference_coordinates(robot_);
  }

  // Geoms of a body in their order are shapes for contacts or visuals.
  void geoms(const std::vector<RobotPose>& poses) const {
    std::vector<std::size_t> shapes(robot_.links.size() + 1, 0), visuals(robot_.links.size() + 1, 0);
    for (int g = 0; g < m_.ngeom; ++g) {
      const auto b = static_cast<std::size_t>(m_.geom_bodyid[g]);
      const RobotLink& link = b == 0 ? robot_.world : robot_.links[b - 1];
      const RobotPose pose = b == 0 ? RobotPose{} : poses[b - 1];
      const bool touches = m_.geom_contype[g] != 0 || m_.geom_conaffinity[g] != 0;
      std::size_t& place = touches ? shapes[b] : visuals[b];
      ASSERT_LT(place, touches ? link.shapes.size() : link.visuals.size()) << link.name;
      const ShapeDescription& shape = touches ? link.shapes[place].shape : link.visuals[place].shape;
      if (touches) near(*link.shapes[place].friction, m_.geom_condim[g] == 1 ? 0 : m_.geom_friction[3 * g], "friction");
      ++place;
      geom(g, shape, pose * RobotPose{shape.placement.position, shape.placement.orientation},
           link.name + " geom " + std::to_string(g));
    }
  }

  void geom(int g, const ShapeDescription& shape, const RobotPose& pose, const std::string& what) const {
    const Vector3d size = vec(m_.geom_size + 3 * g);
    switch (m_.geom_type[g]) {
      case mjGEOM_SPHERE:
        EXPECT_EQ(shape.kind, ShapeKind::kSphere) << what;
        near(shape.radius, size[0], what);
        return near(pose.position, vec(data_->geom_xpos + 3 * g), what);
      case mjGEOM_CAPSULE:
      case mjGEOM_CYLINDER:
        near(shape.radius, size[0], what);
        near(shape.length, 2 * size[1], what);
        break;
      case mjGEOM_BOX:
        near(shape.size, 2 * size, what);
        break;
      case mjGEOM_ELLIPSOID:
        near(shape.size, size, what);
        break;
      case mjGEOM_MESH:
        return mesh(g, shape, pose, what);
      case mjGEOM_HFIELD:
        return hfield(g, shape, what);
      default:
        break;
    }
    near(pose.position, vec(data_->geom_xpos + 3 * g), what);
    // These shapes are the same after half a turn about an axis, and those with a radius after any turn about z.
    const Eigen::Matrix3d turn =
        (pose.orientation.toRotationMatrix().transpose() * mat(data_->geom_xmat + 9 * g)).cwiseAbs();
    const bool round = shape.radius > 0;
    for (int i = round ? 2 : 0; i < 3; ++i) EXPECT_NEAR(turn(i, i), 1, 10 * tolerance_) << what;
  }

  // Vertices are single precision numbers in MuJoCo: boxes about them, in the world.
  void mesh(int g, const ShapeDescription& shape, const RobotPose& pose, const std::string& what) const {
    const int id = m_.geom_dataid[g];
    Eigen::AlignedBox3d ours, theirs;
    for (const Vector3d& v : shape.vertices) ours.extend(pose * v);
    for (int i = 0; i < m_.mesh_vertnum[id]; ++i) {
      const float* v = m_.mesh_vert + 3 * (m_.mesh_vertadr[id] + i);
      theirs.extend(
          Vector3d(mat(data_->geom_xmat + 9 * g) * Vector3d(v[0], v[1], v[2]) + vec(data_->geom_xpos + 3 * g)));
    }
    const double size = theirs.diagonal().norm();
    EXPECT_LT((ours.min() - theirs.min()).norm() + (ours.max() - theirs.max()).norm(), 1e-5 * size) << what;
  }

  void hfield(int g, const ShapeDescription& shape, const std::string& what) const {
    const int id = m_.geom_dataid[g];
    const int rows = m_.hfield_nrow[id], columns = m_.hfield_ncol[id];
    const mjtNum* size = m_.hfield_size + 4 * id;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const double theirs = size[2] * static_cast<double>(m_.hfield_data[m_.hfield_adr[id] + r * columns + c]);
        const auto at = static_cast<std::size_t>(r * columns + c);
        const double ours = shape.kind == ShapeKind::kMesh ? shape.vertices[at].z() : shape.heights[at];
        EXPECT_NEAR(ours, theirs, 1e-6 * size[2]) << what;
        if (shape.kind != ShapeKind::kMesh) continue;
        EXPECT_NEAR(shape.vertices[at].x(), (2.0 * c / (columns - 1) - 1) * size[0], 1e-12) << what;
        EXPECT_NEAR(shape.vertices[at].y(), (2.0 * r / (rows - 1) - 1) * size[1], 1e-12) << what;
      }
  }

  const RobotDescription& robot_;
  const mjModel& m_;
  double tolerance_;
  MujocoData data_;
  bool geoms_done_ = false;  // at the reference and at one other pose
};

}  // namespace

MujocoModel load_mujoco(const std::string& path, std::string& error) {
  char text[1000] = "";
  MujocoModel model(mj_loadXML(path.c_str(), nullptr, text, sizeof text));
  error = text;
  return model;
}

void expect_equal(const RobotDescription& robot, const mjModel& model, double tolerance) {
  Comparison(robot, model, tolerance).compare();
}

}  // namespace touchstone::testing
#endif
