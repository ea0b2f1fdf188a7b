// Velocities, Jacobians, energy and momentum of trees against finite differences of poses and of each other.
#include <gtest/gtest.h>

#include "dynamics/tree/random_trees.h"

namespace touchstone {
namespace {

constexpr double kStep = 1e-6;  // central differences: errors of kStep² and of rounding/kStep

template <class Check>
void on_random_trees(Check check) {
  TreeDice dice(17);
  for (const bool floating : {false, true})
    for (int trial = 0; trial < 10; ++trial) {
      PlacedTree tree(random_links(12, floating, dice), dice);
      SCOPED_TRACE(testing::Message() << "floating " << floating << ", trial " << trial);
      check(tree, dice);
      if (testing::Test::HasFatalFailure()) return;
    }
}

// A point of the link's own frame, in the world.
Vec<3> point_of(const PlacedTree& t, std::size_t link, const Vec<3>& local) {
  const Pose<3> pose = link_pose(t.model, t.data, link);
  return pose.p + pose.R * local;
}

TEST(TreeDerivatives, VelocitiesAndJacobiansFollowPoses) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const PlacedTree after = t.moved(kStep), before = t.moved(-kStep);
    for (std::size_t link = 0; link < t.model.size(); ++link) {
      const Vec<3> local = dice.vector(0.5), point = point_of(t, link, local);
      const Vec<3> linear = (point_of(after, link, local) - point_of(before, link, local)) / (2 * kStep);
      const Pose<3> a = link_pose(t.model, after.data, link), b = link_pose(t.model, before.data, link);
      const Vec<3> angular = log_rotation(a.R * b.R.conjugate()) / (2 * kStep);
      const Spatial v = velocity_at(t.data, link, point);
      Eigen::Matrix<double, 6, Eigen::Dynamic> j(6, t.model.nv());
      point_jacobian(t.model, t.data, link, point, j);
      const double scale = 1e-8 * std::max(1.0, v.norm());
      ASSERT_LE((v - spatial(angular, linear)).cwiseAbs().maxCoeff(), scale);
      ASSERT_LE((j * as_vector(t.v) - v).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, v.norm()));
    }
  });
}

TEST(TreeDerivatives, BiasIsTheChangeOfTheJacobian) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const PlacedTree after = t.moved(kStep), before = t.moved(-kStep);
    for (std::size_t link = 0; link < t.model.size(); ++link) {
      const Vec<3> local = dice.vector(0.5);
      const Spatial now = velocity_at(after.data, link, point_of(after, link, local));
      const Spatial then = velocity_at(before.data, link, point_of(before, link, local));
      const Spatial expected = (now - then) / (2 * kStep);
      const Spatial bias = bias_at(t.model, t.data, link, point_of(t, link, local));
      ASSERT_LE((bias - expected).cwiseAbs().maxCoeff(), 1e-7 * std::max(1.0, expected.norm())) << "link " << link;
    }
  });
}

TEST(TreeDerivatives, KineticEnergyIsThatOfTheMassMatrix) {
  on_random_trees([](PlacedTree& t, TreeDice&) {
    find_mass_matrix(t.model, t.data);
    std::vector<double> product(t.model.nv());
    multiply_mass_matrix(t.model, t.data, t.v, product);
    const double energy = kinetic_energy(t.model, t.data, t.v);
    ASSERT_NEAR(energy, 0.5 * as_vector(t.v).dot(as_vector(product)), 1e-11 * energy);
  });
}

TEST(TreeDerivatives, GravityForcesAreTheSlopeOfTheEnergy) {
  on_random_trees([](PlacedTree& t, TreeDice&) {
    std::vector<double> force(t.model.nv());
    gravity_forces(t.model, t.data, t.gravity, force);
    const double slope = (potential_energy(t.model, t.moved(kStep).data, t.gravity) -
                          potential_energy(t.model, t.moved(-kStep).data, t.gravity)) /
                         (2 * kStep);
    ASSERT_NEAR(as_vector(force).dot(as_vector(t.v)), slope, 1e-6 * std::max(1.0, std::abs(slope)));
  });
}

// Along the motion under given forces: dE/dt is their power, and the momentum of a floating tree changes by its weight.
TEST(TreeDerivatives, EnergyTakesThePowerAndMomentumTheWeight) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const std::vector<double> force = dice.numbers(t.model.nv(), 3.0);
    std::vector<double> a(t.model.nv());
    factor_tree(t.model, t.data);
    forward_dynamics(t.model, t.data, t.gravity, force, {}, a);
    const auto along = [&](double h) {
      PlacedTree out = t;
      std::vector<double> mean(t.model.nv());
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = t.v[i] + 0.5 * h * a[i], out.v[i] = t.v[i] + h * a[i];
      move_coordinates(t.model, t.q, mean, h, out.q);
      out.place();
      return out;
    };
    const PlacedTree after = along(kStep), before = along(-kStep);
    const auto energy = [&](const PlacedTree& p) {
      return kinetic_energy(p.model, p.data, p.v) + potential_energy(p.model, p.data, p.gravity);
    };
    const double power = as_vector(force).dot(as_vector(t.v));
    ASSERT_NEAR((energy(after) - energy(before)) / (2 * kStep), power, 1e-6 * std::max(10.0, energy(t)));
    if (t.model.links[0].joint != TreeJoint::kFloating) return;
    // Only the force on the floating joint and the weight act from outside.
    const Vec<3> about = dice.vector(1.0);
    const Spatial rate = (momentum(t.model, after.data, about) - momentum(t.model, before.data, about)) / (2 * kStep);
    Spatial outside = Spatial::Zero();
    const Vec<3> weight = t.model.mass() * t.gravity;
    outside = spatial(cross(Vec<3>(center_of_mass(t.model, t.data) - about), weight), weight);
    Spatial push;  // S·f = the force on the rates: columns of the joint are a basis
    Eigen::Matrix<double, 6, 6> columns;
    Vec<6> given;
    // The rotors' armatures push back on the joint, but not on the link.
    for (int k = 0; k < 6; ++k) {
      const auto i = static_cast<std::size_t>(k);
      columns.col(k) = t.data.column[i], given[k] = force[i] - t.model.rates[i].armature * a[i];
    }
    push = columns.transpose().inverse() * given;
    outside += shift_force(push, about - t.data.p[0]);
    ASSERT_LE((rate - outside).cwiseAbs().maxCoeff(), 1e-6 * std::max(10.0, outside.norm()));
  });
}

TEST(TreeDerivatives, DifferencesLeadBack) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const std::vector<double> to = random_coordinates(t.model, dice);
    std::vector<double> difference(t.model.nv()), back(t.model.nq());
    coordinate_difference(t.model, t.q, to, difference);
    move_coordinates(t.model, t.q, difference, 1.0, back);
    PlacedTree a = t, b = t;
    a.q = to, b.q = back, a.place(), b.place();
    for (std::size_t i = 0; i < t.model.size(); ++i) ASSERT_LE((a.data.R[i] - b.data.R[i]).norm(), 1e-12);
  });
}

}  // namespace
}  // namespace touchstone
