// What make_tree() refuses, with the link and the remedy in the message.
#include <gtest/gtest.h>

#include <functional>

#include "dynamics/tree/random_trees.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

void refused(const std::function<void(TreeLink&)>& spoil, const std::string& part) {
  TreeDice dice(7);
  std::vector<TreeLink> links{random_link(TreeLink::kWorld, TreeJoint::kRevolute, dice),
                              random_link(0, TreeJoint::kRevolute, dice)};
  ASSERT_NO_THROW(make_tree(links));
  links[1].name = "hand";
  spoil(links[1]);
  try {
    make_tree(links);
    ADD_FAILURE() << "not refused: " << part;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(e.what()).find("'hand'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(TreeInput, BadLinksAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](TreeLink& l) { l.parent = 1; }, "parents come before");
  refused([](TreeLink& l) { l.parent = -2; }, "parents come before");
  refused([&](TreeLink& l) { l.mass = nan; }, "mass");
  refused([](TreeLink& l) { l.mass = -1; }, "mass");
  refused([](TreeLink& l) { l.mass = 0; }, "no mass");
  refused([](TreeLink& l) { l.inertia = Vec<3>(1, 1, 3).asDiagonal(); }, "sum of the other two");
  refused([](TreeLink& l) { l.inertia = Vec<3>(-1, 1, 1).asDiagonal(); }, "sum of the other two");
  refused([](TreeLink& l) { l.inertia(0, 1) += 1; }, "symmetric");
  refused([](TreeLink& l) { l.axis.setZero(); }, "unit vector");
  refused([](TreeLink& l) { l.joint_in_parent.R.coeffs() *= 2; }, "unit quaternion");
  refused([&](TreeLink& l) { l.joint_in_link.p[0] = nan; }, "finite");
  refused([](TreeLink& l) { l.joint = TreeJoint::kScrew, l.pitch = 0; }, "pitch");
  refused([](TreeLink& l) { l.joint = TreeJoint::kUniversal, l.rates.clear(), l.axis_b = l.axis; }, "parallel");
  refused([](TreeLink& l) { l.rates.resize(2); }, "1 rates");
  refused([](TreeLink& l) { l.rates[0].lower = 1, l.rates[0].upper = 0; }, "limit");
  refused([](TreeLink& l) { l.rates[0].damping = -1; }, "damping");
  refused([&](TreeLink& l) { l.rates[0].armature = nan; }, "armature");
  refused([](TreeLink& l) { l.mass = 0, l.inertia.setZero(), l.rates[0].armature = 0; }, "no mass resists");
}

// A point mass on the axis of its joint has no inertia about it.
TEST(TreeInput, MassOnTheAxisResistsNothing) {
  refused(
      [](TreeLink& l) {
        l.inertia.setZero(), l.center = l.joint_in_link.p + 0.3 * (l.joint_in_link.R * l.axis), l.rates[0].armature = 0;
      },
      "no mass resists");
}

}  // namespace
}  // namespace touchstone
