#pragma once
// A perspective camera, and the distance from which it sees all that matters.
#include <Eigen/Core>
#include <vector>

#include "io/picture/solids.h"

namespace touchstone {

// View axes: x right, y up, z towards the eye. Pixels: x right, y down.
class Camera {
 public:
  // Looks from a corner above; z is up. margin: free space on each side, as a fraction of the picture.
  Camera(const std::vector<const Solid*>& framed, double width, double height, double margin);

  const Eigen::Vector3d& position() const { return position_; }
  const Eigen::Vector3d& focus() const { return focus_; }  // the middle of what is framed
  double scene_radius() const { return scene_radius_; }    // of a ball about the focus that holds it
  Eigen::Vector3d right() const { return axes_.row(0); }
  Eigen::Vector3d up() const { return axes_.row(1); }
  Eigen::Vector3d towards_eye() const { return axes_.row(2); }
  double focal() const { return focal_; }  // pixels

  double depth(const Eigen::Vector3d& p) const { return -axes_.row(2).dot(p - position_); }
  bool visible(const Eigen::Vector3d& p) const { return depth(p) > near_; }
  Eigen::Vector2d project(const Eigen::Vector3d& p) const;  // p must be visible
  // A polygon in the world, cut off in front of the eye, in pixels; may be empty.
  std::vector<Eigen::Vector2d> project(const std::vector<Eigen::Vector3d>& polygon) const;

 private:
  Eigen::Matrix3d axes_;
  Eigen::Vector3d position_, focus_;
  double scene_radius_ = 1, focal_ = 1, near_ = 1e-3, center_x_ = 0, center_y_ = 0;
};

// The part of a convex polygon on the side of the plane to which its normal points.
std::vector<Eigen::Vector3d> clip(const std::vector<Eigen::Vector3d>& polygon, const Plane& plane);

// Convex hull in counter-clockwise order (in axes with y up).
std::vector<Eigen::Vector2d> convex_outline(std::vector<Eigen::Vector2d> points);

}  // namespace touchstone
