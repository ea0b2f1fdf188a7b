#pragma once
// An articulated tree: links, each connected to its parent, or to the world, by one joint. The model holds constants;
// what depends on coordinates is in TreeData. A joint with several degrees of freedom is a list of columns, one for
// each rate, and every algorithm goes by columns: a column with a unit armature acts like a joint of its own between
// two bodies of which the first has no mass. Links without mass are allowed between others, so that a link with several
// joints is a chain of links.
//
// Frames: each joint has a frame F on the parent and a frame M on the link, which agree at zero coordinates. Axis z of
// both is the joint's axis. The reference point of a link is the origin of its M.
//
//   joint        q                            v                                            columns fixed to
//   fixed        -                            -
//   revolute     angle [rad]                  its rate                                     link
//   prismatic    displacement [m]             its rate                                     link
//   cylindrical  displacement, angle          their rates                                  link
//   screw        displacement [m]             its rate                                     link
//   universal    angles about axis, axis_b    their rates                                  parent, link
//   planar       x, y [m], angle [rad]        their rates                                  parent, parent, link
//   spherical    quaternion w, x, y, z        angular velocity, axes of M [rad/s]          link
//   floating     position in F, quaternion    velocity in axes of F, angular in axes of M  parent, link
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "math/rotation.h"
#include "math/spatial.h"

namespace touchstone {

enum class TreeJoint : std::uint8_t {
  kFixed,
  kRevolute,
  kPrismatic,
  kCylindrical,
  kScrew,
  kUniversal,
  kPlanar,
  kSpherical,
  kFloating
};
int coordinates_of(TreeJoint joint);  // numbers of q
int rates_of(TreeJoint joint);        // numbers of v

// One rate of a joint. Units of a force Q: [N·m] for angles, [N] for displacements.
struct TreeRate {
  double lower = -std::numeric_limits<double>::infinity();  // limits of the coordinate [rad], [m]
  double upper = std::numeric_limits<double>::infinity();   // first rate of a quaternion: greatest rotation [rad]
  double damping = 0;                                       // Q = −damping·v
  double armature = 0;                                      // added to the diagonal of the mass matrix [kg·m²], [kg]
  double friction = 0;                                      // dry: greatest |Q| against motion
};

struct TreeLink {
  static constexpr std::int32_t kWorld = -1;
  std::string name;
  std::int32_t parent = kWorld;  // an earlier link
  TreeJoint joint = TreeJoint::kFixed;
  Pose<3> joint_in_parent, joint_in_link;  // the joint's frame at zero coordinates
  Vec<3> axis = Vec<3>::UnitZ();           // unit, in the joint's frame
  Vec<3> axis_b = Vec<3>::UnitX();         // universal: unit, not parallel to `axis`
  double pitch = 0;                        // screw: displacement for an angle [m/rad]
  double reference = 0;                    // of joints with one coordinate: q at which the joint's frames agree
  std::vector<TreeRate> rates;             // empty: without limits, damping, armature and friction
  double mass = 0;                         // [kg]
  Vec<3> center = Vec<3>::Zero();          // of mass, in the link's frame [m]
  Mat<3> inertia = Mat<3>::Zero();         // about the centre of mass [kg·m²], in the axes:
  Eigen::Quaterniond inertia_axes = Eigen::Quaterniond::Identity();  // orientation in the link's frame
};

struct TreeModel {
  struct Link {
    std::int32_t parent = TreeLink::kWorld;
    TreeJoint joint = TreeJoint::kFixed;
    bool turned = false;  // whether the rotation of F in the parent's M is not the identity
    std::uint32_t first_q = 0, first_v = 0, nq = 0, nv = 0;
    Vec<3> p_PF = Vec<3>::Zero();  // F in the M of the parent (of a root: in the world)
    Mat<3> R_PF = Mat<3>::Identity();
    Vec<3> axis_b = Vec<3>::UnitX();  // in M
    double pitch = 0, reference = 0;
    RigidInertia inertia;            // about the reference point, axes of M
    Pose<3> link_in_joint;           // the link's own frame in M
    Vec<3> center = Vec<3>::Zero();  // of mass, in M
  };
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::vector<std::string> names;
  std::vector<Link> links;
  // By rate. The parent of a rate is the rate before it on the way to the world, or kNone.
  std::vector<TreeRate> rates;
  std::vector<std::uint32_t> rate_parent, rate_link;
  std::vector<std::uint8_t> parent_fixed;  // whether the column moves with the parent
  std::vector<std::uint8_t> angular;       // whether the rate is of an angle
  std::vector<std::uint32_t> coordinate;   // of q; kNone: the rate is a part of a quaternion's
  // The sparse mass matrix: row i holds the entries of rate i with itself and its ancestors, nearest first.
  std::vector<std::uint32_t> row_begin;  // one more than rates

  std::size_t size() const { return links.size(); }
  std::size_t nv() const { return rates.size(); }
  std::size_t nq() const { return nq_; }
  double mass() const;
  // q of the zero pose: references, zeros and identities.
  std::vector<double> neutral() const;

  std::size_t nq_ = 0;
};

// Throws Error (kBadInput) that names the link, the value and the remedy: unknown parents, numbers that are not finite,
// impossible inertias, axes that are not unit vectors, rates that no mass resists.
TreeModel make_tree(std::span<const TreeLink> links);

}  // namespace touchstone
