#pragma once
// Random trees of every kind of joint, and their coordinates.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "dynamics/tree/aba.h"
#include "dynamics/tree/coordinates.h"
#include "dynamics/tree/crba.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/rnea.h"
#include "dynamics/tree/sparse_inertia.h"
#include "dynamics/tree/tree_energy.h"

namespace touchstone {

class TreeDice {
 public:
  explicit TreeDice(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  Vec<3> vector(double size) {
    const double x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {x, y, z};
  }
  Vec<3> direction() {
    for (;;)
      if (const Vec<3> v = vector(1.0); v.norm() > 0.1) return v.normalized();
  }
  Eigen::Quaterniond rotation() {
    const double angle = number(-3.0, 3.0);
    return exp_rotation(Vec<3>(angle * direction()));
  }
  Pose<3> pose(double size) {
    const Vec<3> p = vector(size);
    return {p, rotation()};
  }
  std::vector<double> numbers(std::size_t n, double size) {
    std::vector<double> out(n);
    for (double& x : out) x = number(-size, size);
    return out;
  }

 private:
  std::mt19937 engine_;
};

inline const std::vector<TreeJoint>& moving_joints() {
  using enum TreeJoint;
  static const std::vector<TreeJoint> all{kRevolute, kPrismatic, kCylindrical, kScrew, kUniversal, kPlanar, kSpherical};
  return all;
}

// A body of a box of random size, so that its inertia is possible.
inline void give_mass(TreeLink& link, TreeDice& dice) {
  link.mass = dice.number(0.2, 2.0);
  link.center = dice.vector(0.2);
  const double x = dice.number(0.1, 0.6), y = dice.number(0.1, 0.6), z = dice.number(0.1, 0.6);
  const Vec<3> squares(x * x, y * y, z * z);
  link.inertia = (link.mass / 12 * (Vec<3>::Constant(squares.sum()) - squares)).asDiagonal();
  link.inertia_axes = dice.rotation();
}

inline TreeLink random_link(std::int32_t parent, TreeJoint joint, TreeDice& dice) {
  TreeLink link;
  link.name = "link";
  link.parent = parent, link.joint = joint;
  link.joint_in_parent = dice.pose(0.3), link.joint_in_link = dice.pose(0.2);
  link.axis = dice.direction(), link.axis_b = dice.direction();
  link.pitch = dice.number(0.05, 0.3);
  link.reference = dice.number(-0.5, 0.5);
  give_mass(link, dice);
  const Mat<3> r = dice.rotation().toRotationMatrix(), turned = r * link.inertia * r.transpose();
  link.inertia = 0.5 * (turned + turned.transpose());
  for (int k = 0; k < rates_of(joint); ++k)
    link.rates.push_back({.damping = dice.number(0, 0.5), .armature = dice.number(0, 0.2)});
  return link;
}

// `links` links; the first one is fixed to the world or floats. Every fifth is rigidly connected, and some in the
// middle have no mass.
inline std::vector<TreeLink> random_links(std::size_t links, bool floating, TreeDice& dice) {
  std::vector<TreeLink> out;
  for (std::size_t i = 0; i < links; ++i) {
    const auto parent =
        i == 0 ? TreeLink::kWorld : static_cast<std::int32_t>(i - 1 - dice.below(std::min<std::size_t>(i, 4)));
    TreeJoint joint = moving_joints()[dice.below(moving_joints().size())];
    if (i % 5 == 4) joint = TreeJoint::kFixed;
    if (i == 0) joint = floating ? TreeJoint::kFloating : TreeJoint::kRevolute;
    out.push_back(random_link(parent, joint, dice));
    if (i > 0 && i + 1 < links && i % 7 == 3) {
      out.back().mass = 0, out.back().inertia.setZero();
      for (TreeRate& rate : out.back().rates) rate.armature = 0.1;
    }
  }
  return out;
}

inline std::vector<double> random_coordinates(const TreeModel& model, TreeDice& dice) {
  std::vector<double> q = model.neutral();
  move_coordinates(model, q, dice.numbers(model.nv(), 1.5), 1.0, q);
  return q;
}

inline Eigen::VectorXd as_vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
inline double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  return (as_vector(a) - as_vector(b)).cwiseAbs().maxCoeff();
}
inline double greatest(const std::vector<double>& a) { return as_vector(a).cwiseAbs().maxCoeff(); }

// A tree with coordinates, rates and everything that follows from them.
struct PlacedTree {
  TreeModel model;
  TreeData data;
  std::vector<double> q, v;
  Vec<3> gravity{0.3, -0.8, -9.7};

  PlacedTree(const std::vector<TreeLink>& links, TreeDice& dice) : model(make_tree(links)), data(model) {
    q = random_coordinates(model, dice);
    v = dice.numbers(model.nv(), 2.0);
    place();
  }
  void place() {
    place_links(model, q, data);
    move_links(model, v, data);
  }
  PlacedTree moved(double h) const {
    PlacedTree out = *this;
    move_coordinates(model, q, v, h, out.q);
    out.place();
    return out;
  }
};

}  // namespace touchstone
