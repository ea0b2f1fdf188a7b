// Steps of trees, and their constraints, allocate nothing.
#include <gtest/gtest.h>

#include <array>

#include "allocation/counter.h"
#include "dynamics/tree/aba.h"
#include "dynamics/tree/crba.h"
#include "dynamics/tree/impulse_response.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/rnea.h"
#include "dynamics/tree/sparse_inertia.h"
#include "dynamics/tree/tree_constraints.h"
#include "dynamics/tree/tree_integrators.h"

namespace touchstone::testing {
namespace {

TreeModel chain(int links) {
  std::vector<TreeLink> out;
  for (int i = 0; i < links; ++i) {
    TreeLink link;
    link.name = "link";
    link.parent = i - 1;
    link.joint = i == 0 ? TreeJoint::kFloating : i % 2 ? TreeJoint::kRevolute : TreeJoint::kSpherical;
    link.joint_in_parent.p = {0, 0, -0.3};
    link.mass = 1, link.center = {0, 0, -0.15}, link.inertia = Vec<3>(0.01, 0.01, 0.01).asDiagonal();
    out.push_back(link);
  }
  return make_tree(out);
}

TEST(TreeAllocation, StepsAllocateNothing) {
  const TreeModel model = chain(20);
  TreeData data(model);
  TreeStepper stepper(model);
  TreeConstraint pin;
  pin.a = 19, pin.b = TreeConstraint::kNone;
  TreeConstraints constraints(model, std::span(&pin, 1));
  std::vector<double> q = model.neutral(), v(model.nv(), 0.1), out(model.nv());
  const Vec<3> gravity(0, 0, -9.81);
  const TreeForceLaw none;
  const auto everything = [&] {
    for (const TreeIntegrator integrator : {TreeIntegrator::kSemiImplicitEuler, TreeIntegrator::kRk4})
      stepper.step(model, data, integrator, gravity, 1e-3, none, q, v);
    place_links(model, q, data), move_links(model, v, data);
    inverse_dynamics(model, data, gravity, v, {}, out);
    find_mass_matrix(model, data), factor_mass_matrix(model, data), factor_tree(model, data);
    impulse_response(model, data, 19, Vec<3>::Zero(), Spatial::Ones(), out);
    constraints.find(model, data, q, v);
    constraints.constrain(model, data, 1.0, v, out);
  };
  everything();
  const CountAllocations allocations;
  for (int i = 0; i < 3; ++i) everything();
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_EQ(allocations.blocks(), 0);
}

}  // namespace
}  // namespace touchstone::testing
