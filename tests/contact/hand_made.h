#pragma once
// Solves made by hand: bodies, impulses and velocities that are known to be right or wrong. The velocities after a
// solve follow from the impulses by arithmetic of its own.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "contact/yardstick.h"

namespace touchstone::testing {

template <int D>
struct HandMade {
  static constexpr double kGravity = 8, kStep = 1.0 / 64;  // exact in binary: g·h = 1/8
  Bodies<D> bodies;
  State<D> state;
  std::vector<SolvedContact<D>> contacts;
  std::vector<Twist<D>> before, free, after;
  std::vector<BodyImpulse<D>> joints;
  bool impact = false;
  double gravity = kGravity;

  // Slot 0 is fixed, slot 1 a body of 2 kg.
  HandMade() {
    add_body(0, 0);
    add_body(2, 0.5);
  }
  static Vec<D> normal() { return Vec<D>::Unit(D - 1); }
  static Vec<D> along() { return Vec<D>::Unit(0); }

  std::uint32_t add_body(double mass, double inertia) {
    const std::size_t i = bodies.size();
    bodies.resize(i + 1);
    state.resize(i + 1);
    bodies.alive[i] = 1;
    bodies.kind[i] = mass > 0 ? BodyKind::kDynamic : BodyKind::kStatic;
    bodies.mass[i] = mass;
    bodies.inv_mass[i] = mass > 0 ? 1 / mass : 0;
    bodies.inertia[i].setConstant(inertia);
    bodies.inv_inertia[i].setConstant(mass > 0 ? 1 / inertia : 0);
    bodies.radius[i] = mass > 0 ? 1 : 0;
    for (auto* twists : {&before, &free, &after}) twists->resize(i + 1);
    return static_cast<std::uint32_t>(i);
  }
  SolvedContact<D>& touch(const Vec<D>& point, const Vec<D>& impulse, double friction, double restitution = 0,
                          std::uint32_t a = 0, std::uint32_t b = 1) {
    SolvedContact<D> c;
    const std::uint64_t key = contacts.size() + 1;
    c.contact = {a, b, key, point, normal(), 0.0};
    c.material = {friction, friction, restitution};
    c.impulse = impulse;
    c.restitution = restitution;
    contacts.push_back(c);
    return contacts.back();
  }
  // M⁻¹Jᵀr by unit vectors: what an impulse at a point does to a body.
  void push(std::vector<Twist<D>>& twists, std::uint32_t body, const Vec<D>& point, const Vec<D>& r,
            double sign) const {
    if (!(bodies.mass[body] > 0)) return;
    const Mat<D> R = matrix_of(state.orientation[body]);
    const Vec<D> arm = point - state.position[body];
    twists[body].linear += sign / bodies.mass[body] * r;
    if constexpr (D == 2) {
      twists[body].angular[0] += sign * (arm.x() * r.y() - arm.y() * r.x()) / bodies.inertia[body][0];
    } else {
      const Vec<3> torque = R.transpose() * arm.cross(r);
      twists[body].angular += sign * (R * torque.cwiseQuotient(bodies.inertia[body]));
    }
  }
  // The other forces are gravity alone; of an impact, none.
  void fall() {
    free = before;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.mass[i] > 0 && !impact) free[i].linear -= gravity * kStep * normal();
  }
  void solve() {
    after = free;
    for (const SolvedContact<D>& c : contacts) {
      push(after, c.contact.body_b, c.contact.point, c.impulse, 1);
      push(after, c.contact.body_a, c.contact.point, c.impulse, -1);
    }
  }
  SolveView<D> view() const { return {impact, 0.0, kStep, bodies, state, contacts, before, free, after, joints}; }
  StepMeasures measure() const {
    Yardstick<D> yardstick;
    const Parallel one(1);
    yardstick.begin(gravity, one);
    yardstick.solved(view());
    return yardstick.finish();
  }
};

// The measures that sum up all laws see most defects.
inline std::set<std::string> with_natural_map(std::set<std::string> names) {
  names.insert({"natural_map", "natural_map_velocity", "natural_map_norm"});
  return names;
}

// These measures see the defect, and no other does. `conic` is no defect of Coulomb's law and is not looked at.
inline void expect_only(const StepMeasures& measures, const std::set<std::string>& seen_by) {
  for (const MeasureInfo& info : measure_infos()) {
    const Measure& m = measures.*info.value;
    if (std::string(info.name) == "conic") continue;
    if (seen_by.contains(info.name)) {
      EXPECT_GT(m.worst, 1e-6) << info.name << " does not see it";
      EXPECT_GT(m.mean, 0) << info.name;
    } else {
      EXPECT_LT(m.worst, 1e-12) << info.name << " sees what is not there";
      EXPECT_LT(m.mean, 1e-12) << info.name;
    }
  }
}

}  // namespace touchstone::testing
