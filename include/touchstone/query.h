#pragma once
/// What can be asked about a world between two steps, and what contacts report of their beginning and end.
#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "touchstone/body_id.h"

namespace touchstone {

/// Which bodies a query sees. Everything that is left as it is lets all bodies pass. Groups are those of
/// BodyDescription::groups; a name that no body uses is not an error, no body is in that group.
struct QueryFilter {
  std::vector<std::string> groups;   ///< only bodies in at least one of these; empty: all bodies
  std::vector<std::string> ignores;  ///< no body in one of these
  std::vector<std::string> tags;     ///< only bodies with at least one of these tags; empty: all bodies
  std::vector<BodyId> ignore_bodies;
  bool see_static = true, see_kinematic = true, see_dynamic = true;
  /// Asked last, once or more for a body that might be hit; false: it is not there. It may ask queries itself, but not
  /// change the world.
  std::function<bool(BodyId)> accept;
};

/// Where a ray meets a shape. Shapes are solid: a ray that starts inside one hits it at distance 0, with `inside` set
/// and the normal against the ray. One that starts on a surface and leads away does not hit it.
struct RayHit {
  BodyId body;
  std::uint32_t shape = 0;                           ///< index among the body's shapes
  double distance = 0.0;                             ///< from the origin [m]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< on the surface
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< of the surface, outward
  bool inside = false;
};

/// Where a moved shape first meets another. If the two overlap at the start (by more than 1e-6 of the smaller one's
/// size) that is at once, with `inside` set; if they only touch there, it counts if the way leads into the other.
struct ShapeHit {
  BodyId body;
  std::uint32_t shape = 0;                           ///< index among the body's shapes
  double distance = 0.0;                             ///< that the cast shape has moved [m]
  double fraction = 0.0;                             ///< of the displacement
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< on the surface of the body that was hit
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< of that surface, outward
  bool inside = false;
};

/// One shape of a body.
struct BodyShape {
  BodyId body;
  std::uint32_t shape = 0;  ///< index among the body's shapes
  friend bool operator==(const BodyShape&, const BodyShape&) = default;
};

/// Where two bodies are nearest to each other, or deepest in each other.
struct ClosestPoints {
  BodyShape a, b;
  double gap = 0.0;                                   ///< negative: penetration [m]
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< on the surface of a
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, from a to b
};

/// A body near a point or a shape.
struct Neighbour {
  BodyId body;
  std::uint32_t shape = 0;                           ///< its nearest shape
  double gap = 0.0;                                  ///< negative: the point is inside, the shapes overlap [m]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< on the body's surface
  Eigen::Vector3d from = Eigen::Vector3d::Zero();    ///< the asked point, or the nearest one of the asked shape
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, from there to the body
};

/// Two bodies that are in each other, and how deep: the greatest depth of any two of their shapes.
struct BodyOverlap {
  BodyId body_a, body_b;
  double depth = 0.0;  ///< [m]
};

/// What became of the contact of two shapes in the last step. A contact begins in the first step in which the model
/// reports contact points between the two, and ends in the first step in which it does not any more. A body that was
/// removed ends its contacts in the next step; its id is then no longer valid. An end event shows point and normal of
/// the last step with contact, and no impulse.
struct ContactEvent {
  enum class Kind : std::uint8_t { kBegin, kPersist, kEnd };
  Kind kind = Kind::kBegin;
  BodyId body_a, body_b;
  std::uint32_t shape_a = 0, shape_b = 0;             ///< index among the body's shapes
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< the deepest of their contact points [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   ///< there, from A to B
  double gap = 0.0;                                   ///< there; negative: penetration [m]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< sum over their contact points, on B [N·s]
};

}  // namespace touchstone
