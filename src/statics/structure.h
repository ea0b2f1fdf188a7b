#pragma once
// A structure at rest: bodies with their loads, the contact points between them, and the rows of joints. It is plain
// data without a dimension: in 2D z is zero and the angular part has one component.
//
// Signs are those of docs/conventions.md: the normal points from A to B, relative accelerations are B minus A, and a
// contact force is the one that B receives; its coordinates are along the columns of the contact's frame.
#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::statics {

inline constexpr std::uint32_t kGround = 0xffffffffu;  // the world, as a side of a joint

struct Body {
  std::string name;
  bool held = false;                                  // static, or kinematic without motion
  double mass = 0;                                    // [kg]
  Eigen::Vector3d center = Eigen::Vector3d::Zero();   // of mass [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre, world axes [kg·m²]; 2D: zz
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();   // gravity's force [N]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();    // other loads [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();   // of the other loads about the centre [N·m]
};

struct Contact {
  std::uint32_t a = 0, b = 0;                           // bodies
  Eigen::Vector3d point = Eigen::Vector3d::Zero();      // [m]
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  // normal, tangents; in 2D the third column is not used
  double friction = 0;                                  // μ
};

// One row of a joint: rate = linear_a·v_a + angular_a·ω_a + the same of B. An equality, or a limit (rate >= 0, force >=
// 0).
struct Hold {
  std::uint32_t a = kGround, b = kGround;
  std::string joint;
  bool one_sided = false;
  Eigen::Vector3d linear_a = Eigen::Vector3d::Zero(), angular_a = Eigen::Vector3d::Zero();
  Eigen::Vector3d linear_b = Eigen::Vector3d::Zero(), angular_b = Eigen::Vector3d::Zero();
};

struct Structure {
  int dimension = 3;
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<Hold> holds;

  int linear() const { return dimension; }
  int angular() const { return dimension == 2 ? 1 : 3; }
  int freedoms() const { return linear() + angular(); }  // of a free body
  bool has_friction() const;
};

// The same structure with numbers near 1. Units are powers of ten, so that decimal numbers stay what they are.
struct Units {
  double length = 1;  // [m]
  double mass = 1;    // [kg]
  double force = 1;   // [N]
  double acceleration() const { return force / mass; }
  double angular_acceleration() const { return force / (mass * length); }
  double torque() const { return force * length; }
};

// Digits that lengths and directions keep after the decimal point, in the unit of length. Detection computes with 16;
// what it computes exactly (0.1 + 0.2) is exact again once it is rounded to 14.
inline constexpr int kDigits = 14;

struct Scaled {
  Structure structure;
  Units units;
};

// Rounds every number to a decimal one: lengths and loads to kDigits digits after the point, masses, weights and joint
// rows to 15 significant digits. From here on the structure is exact: rational_of() (math/exact) reads the same
// decimals. Throws Error (kBadInput) if a number is not finite, a free body has no mass or no inertia, or a friction is
// negative; `known`: units to use instead of those that fit.
Scaled nondimensional(const Structure& structure, const Units* known = nullptr);

// Places of the unknowns: a free body has freedoms() of them, a held one none.
struct Freedoms {
  explicit Freedoms(const Structure& structure);
  std::vector<int> first;  // by body; −1: held
  int count = 0;
  int of(std::uint32_t body) const { return body == kGround ? -1 : first[body]; }
};

// The load on all freedoms: weight, other forces, torques.
Eigen::VectorXd load_of(const Structure& structure, const Freedoms& freedoms);

// Of B against A at a contact point, world axes, for velocities or accelerations (from rest) of all freedoms.
Eigen::Vector3d relative_rate(const Structure& structure, const Freedoms& freedoms, const Contact& contact,
                              const Eigen::VectorXd& motion);

}  // namespace touchstone::statics
