#pragma once
// The bodies of a world: what they are (Bodies) apart from where they are (State). Arrays over slots; a
// removed body's slot stays until it is used again. Positions and velocities are of the centre of mass, and
// orientations of the principal axes of inertia: inside, "body axes" are the principal ones, so that the inertia is
// three numbers. They are the described frame's own axes unless its inertia has products.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/column.h"
#include "math/rotation.h"
#include "touchstone/description.h"

namespace touchstone {

class Archive;

template <int D>
struct Bodies {
  std::vector<std::uint8_t> alive;
  std::vector<std::string> name;
  std::vector<BodyKind> kind;
  // Zero for static and kinematic bodies: a force does not move them.
  std::vector<double> inv_mass;
  std::vector<AngVec<D>> inv_inertia;  // principal moments
  std::vector<double> mass;            // zero where inv_mass is
  std::vector<AngVec<D>> inertia;
  std::vector<double> radius;  // about the centre of mass, of all its bounded shapes
  // Where bodies rarely differ.
  Column<Rotation<D>> axes;         // the principal axes in the described frame
  Column<Vec<D>> center;            // of mass, from the described frame's origin, body axes
  Column<Vec<D>> surface_velocity;  // of the skin, body axes
  Column<double> gravity_scale;
  Column<double> linear_drag, quadratic_drag, angular_drag, table_friction;

  std::size_t size() const { return kind.size(); }
  bool dynamic(std::size_t i) const { return inv_mass[i] > 0; }
  void resize(std::size_t n);
  void reserve(std::size_t n);
};

template <int D>
struct State {
  std::vector<Vec<D>> position;
  std::vector<Rotation<D>> orientation;
  std::vector<Vec<D>> velocity;
  std::vector<AngVec<D>> angular_velocity;
  // Coordinates and rates of articulated trees, one tree after the other (tree/tree_body.h). The bodies of their links
  // follow from them.
  std::vector<double> q, v;

  std::size_t size() const { return position.size(); }
  void resize(std::size_t n);
  void reserve(std::size_t n);
  void serialize(Archive& ar);
  Vec<D> point_velocity(std::size_t body, const Vec<D>& point) const {
    return velocity[body] + cross(angular_velocity[body], Vec<D>(point - position[body]));
  }
};

template <int D>
struct Wrench {
  Vec<D> force = Vec<D>::Zero();
  AngVec<D> torque = AngVec<D>::Zero();  // about the centre of mass, world axes
};

}  // namespace touchstone
