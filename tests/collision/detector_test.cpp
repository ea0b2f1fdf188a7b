#include "collision/detector.h"

#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;
using testing::sphere;

Collider<3> collider(const ShapeDescription& shape, std::uint32_t body, bool movable) {
  Collider<3> c;
  c.shape = make_shape<3>(shape);
  c.body = body;
  c.movable = movable;
  return c;
}

// A bullet and a thin plate far ahead of it: bounds swept along its way meet the plate, and not what lies beside.
TEST(Detector, SweptBoundsMeetWhatLiesOnTheWay) {
  Detector<3> detector;
  detector.colliders().add(collider(sphere(0.01), 0, true));
  detector.colliders().add(collider(box(0.001, 1, 1), 1, false));
  detector.colliders().add(collider(box(0.001, 1, 1), 2, false));
  const std::vector<Vec<3>> position{Vec<3>(0, 0, 0), Vec<3>(10, 0, 0), Vec<3>(5, 4, 0)};
  const std::vector<Rotation<3>> orientation(3, identity_rotation<3>());
  const std::vector<double> reach(3, 0.0);
  const std::vector<Vec<3>> displacement{Vec<3>(1000.0 / 60, 0, 0), Vec<3>::Zero(), Vec<3>::Zero()};
  const Parallel parallel(1);
  detector.find_pairs(position, orientation, reach, parallel);
  EXPECT_TRUE(detector.pairs().empty());
  detector.find_pairs(position, orientation, reach, parallel, displacement);
  ASSERT_EQ(detector.pairs().size(), 1u);
  EXPECT_EQ(detector.pairs()[0], (ColliderPair{0, 1}));
}

// What pairs remember decides between equally good answers only: with or without it, the same contacts to rounding.
TEST(Detector, MemoryChangesNothingButTheTimeItTakes) {
  for (const NarrowPhaseKind phase :
       {NarrowPhaseKind::kAuto, NarrowPhaseKind::kGjk, NarrowPhaseKind::kSeparatingPlane, NarrowPhaseKind::kFeatures}) {
    Detector<3> keeps;
    keeps.configure({BroadPhaseKind::kBvh, phase});
    for (std::uint32_t i = 0; i < 27; ++i) keeps.colliders().add(collider(box(0.9, 0.95, 1), i, true));
    std::vector<Vec<3>> position;
    std::vector<Rotation<3>> orientation;
    for (int i = 0; i < 27; ++i) {
      position.emplace_back(i % 3, i / 3 % 3, 0.999 * (i / 9));
      orientation.push_back(
          exp_rotation(Vec<3>(0.02 * Vec<3>(std::sin(3.0 * i), std::cos(5.0 * i), std::sin(7.0 * i)))));
    }
    const std::vector<double> reach(27, 0.05);
    const Parallel parallel(1);
    std::vector<Contact<3>> with, without;
    for (int step = 0; step < 30; ++step) {
      for (std::size_t i = 0; i < position.size(); ++i)
        position[i][2] += 1e-4 * std::sin(0.3 * step + static_cast<double>(i));
      keeps.find_pairs(position, orientation, reach, parallel);
      keeps.find_contacts(position, orientation, 0.03, parallel, with);
      Detector<3> fresh;
      fresh.configure({BroadPhaseKind::kBvh, phase});
      for (std::uint32_t i = 0; i < 27; ++i) fresh.colliders().add(keeps.colliders()[i]);
      fresh.find_pairs(position, orientation, reach, parallel);
      fresh.find_contacts(position, orientation, 0.03, parallel, without);
      ASSERT_EQ(with.size(), without.size()) << static_cast<int>(phase);
      EXPECT_GT(with.size(), 50u);
      for (std::size_t k = 0; k < with.size(); ++k) {
        EXPECT_EQ(with[k].key, without[k].key);
        EXPECT_NEAR(with[k].gap, without[k].gap, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace touchstone
