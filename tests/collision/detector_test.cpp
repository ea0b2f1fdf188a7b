#include "collision/detector.h"

#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;
using testing::sphere;

Collider<3> collider(const ShapeDescription& shape, std::uint32_t body, bool movable) {
  Collider<3> c;
  c.set_form({make_shape<3>(shape)});
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

// A lattice of boxes, some apart and some overlapping, that moves on from search to search.
class Lattice {
 public:
  explicit Lattice(Detector<3>& detector) {
    for (std::uint32_t i = 0; i < kCount; ++i) {
      detector.colliders().add(collider(box(0.9, 0.95, 1), i, true));
      position.emplace_back(i % 5, i / 5 % 5, 0.999 * (i / 25));
      const double k = i;
      orientation.push_back(exp_rotation(Vec<3>(0.05 * Vec<3>(std::sin(3 * k), std::cos(5 * k), std::sin(7 * k)))));
    }
  }
  void move(int step) {
    for (std::size_t i = 0; i < kCount; ++i)
      position[i] += 1e-4 * Vec<3>(std::sin(step + 1.0 * static_cast<double>(i)), 0, std::cos(0.7 * step));
  }

  static constexpr std::uint32_t kCount = 125;
  std::vector<Vec<3>> position;
  std::vector<Rotation<3>> orientation;
  const std::vector<double> reach = std::vector<double>(kCount, 0.05);
};

// Contacts that stay where they are found are those that are put together, at any number of threads, with points
// carried along or not.
TEST(Detector, PartsAreTheContactsAtAnyNumberOfThreads) {
  const Parallel one(1), two(2);
  for (const double reuse : {0.0, 2e-4}) {
    Detector<3> alone, shared;
    Lattice lattice(alone), same(shared);
    std::vector<Contact<3>> contacts;
    for (int step = 0; step < 6; ++step) {
      lattice.move(step);
      alone.keep_memory(), shared.keep_memory();
      alone.find_pairs(lattice.position, lattice.orientation, lattice.reach, one);
      shared.find_pairs(lattice.position, lattice.orientation, lattice.reach, two);
      alone.find_contacts(lattice.position, lattice.orientation, 0.03, one, contacts, reuse);
      shared.find_parts({0.03, 0, {}, {}, {}}, two, reuse);
      std::size_t at = 0;
      for (std::size_t p = 0; p < shared.part_count(); ++p)
        for (const Contact<3>& c : shared.part(p)) {
          ASSERT_LT(at, contacts.size());
          EXPECT_EQ(c.key, contacts[at].key);
          EXPECT_EQ(c.gap, contacts[at].gap);
          EXPECT_EQ(c.point, contacts[at].point);
          EXPECT_EQ(c.normal, contacts[at++].normal);
        }
      EXPECT_EQ(at, contacts.size());
      EXPECT_GT(at, 100u);
    }
  }
}

// Equal shapes at equal places are kept once, whatever bodies they are on.
TEST(Colliders, EqualFormsAreShared) {
  ColliderTable<3> table;
  Collider<3> cube = collider(box(1, 1, 1), 0, true);
  const std::uint32_t first = table.add(cube);
  cube = collider(box(1, 1, 1), 1, false);
  const std::uint32_t same = table.add(cube), other = table.add(collider(box(1, 1, 2), 2, true));
  cube.set_form({make_shape<3>(box(1, 1, 1)), Vec<3>(0, 0, 0.1)});
  const std::uint32_t aside = table.add(cube);
  const std::uint32_t again = table.add(collider(box(1, 1, 1), 4, true));
  EXPECT_EQ(table[first].form, table[same].form);
  EXPECT_EQ(table[first].form, table[again].form);
  EXPECT_NE(table[first].form, table[other].form);
  EXPECT_NE(table[first].form, table[aside].form);
  EXPECT_TRUE(table[first].centred);
  EXPECT_FALSE(table[aside].centred);
  EXPECT_EQ(table[same].body, 1u);
  EXPECT_EQ(table[other].shape().half[2], 1.0);
  table.remove(first);
  EXPECT_EQ(table[same].shape().half[0], 0.5);
}

// What is said to be apart by so much is: no narrow phase finds it nearer.
TEST(Detector, TheLeastGapIsNotAboveTheDistance) {
  const Parallel one(1);
  Detector<3> detector;
  Lattice lattice(detector);
  std::size_t known = 0;
  for (int step = 0; step < 6; ++step) {
    lattice.move(step);
    detector.find_pairs(lattice.position, lattice.orientation, lattice.reach, one);
    detector.find_parts({0.01, 0, {}, {}, {}}, one, 2e-4);
    for (std::size_t k = 0; k < detector.pairs().size(); ++k) {
      const double least = detector.least_gap(k);
      if (least == 0) continue;
      ++known;
      Contact<3> nearest;
      const auto [a, b] = detector.pairs()[k];
      ASSERT_TRUE(detector.find_nearest(a, b, 1.0, nearest));
      EXPECT_GE(nearest.gap, least);
    }
  }
  EXPECT_GT(known, 100u);
}

// Pairs come and go several times within a step, as where it is cut into pieces. What pairs remember follows them, and
// a step that fails goes back to what it began with.
TEST(Detector, MemoryFollowsItsPairsWithinAStep) {
  const Parallel one(1);
  Detector<3> detector, other;
  for (Detector<3>* d : {&detector, &other})
    for (std::uint32_t i = 0; i < 27; ++i) d->colliders().add(collider(box(0.9, 0.95, 1), i, true));
  std::vector<Vec<3>> position;
  for (int i = 0; i < 27; ++i) position.emplace_back(i % 3, i / 3 % 3, 0.999 * (i / 9));
  const std::vector<Rotation<3>> orientation(27, identity_rotation<3>());
  const auto look = [&](Detector<3>& d, double reach) {
    d.find_pairs(position, orientation, std::vector<double>(27, reach), one);
    std::vector<Contact<3>> contacts;
    d.find_contacts(position, orientation, 0.03, one, contacts, 1e-4);
    return contacts;
  };
  const auto bytes_of = [](Detector<3>& d) {
    std::vector<std::byte> bytes;
    Archive ar(bytes);
    d.serialize(ar);
    return bytes;
  };
  look(detector, 0.05), look(other, 0.05);
  const std::vector<std::byte> start = bytes_of(detector);
  EXPECT_EQ(start, bytes_of(other));
  detector.keep_memory();
  std::vector<std::size_t> pairs;
  for (const double reach : {0.0, 0.2, 0.01, 0.6, 0.05}) {
    const std::vector<Contact<3>> contacts = look(detector, reach);
    pairs.push_back(detector.pairs().size());
    if (reach == 0.05) {
      const std::vector<Contact<3>> expected = look(other, 0.05);
      ASSERT_EQ(contacts.size(), expected.size());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        EXPECT_EQ(contacts[i].key, expected[i].key);
        EXPECT_EQ(contacts[i].gap, expected[i].gap);
      }
    }
  }
  EXPECT_LT(pairs[0], pairs[1]);
  EXPECT_LT(pairs[1], pairs[3]);
  detector.restore_memory();
  EXPECT_EQ(bytes_of(detector), start);
}

// A body that is knocked sideways meets what its straight way would have missed, and only that is new.
TEST(Detector, PairsBeyondTheBoundsThatWereLookedFor) {
  const Parallel one(1);
  for (const BroadPhaseKind kind : {BroadPhaseKind::kBvh, BroadPhaseKind::kBruteForce}) {
    Detector<3> detector;
    detector.configure({kind, NarrowPhaseKind::kAuto});
    for (std::uint32_t i = 0; i < 4; ++i) detector.colliders().add(collider(box(1, 1, 1), i, i < 2));
    const std::vector<Vec<3>> position{Vec<3>(0, 0, 0), Vec<3>(1.05, 0, 0), Vec<3>(0, 1.5, 0), Vec<3>(0, -1.5, 0)};
    const std::vector<Rotation<3>> orientation(4, identity_rotation<3>());
    const std::vector<double> reach(4, 0.05), none(4, 0.0);
    detector.find_pairs(position, orientation, reach, one);
    ASSERT_EQ(detector.pairs().size(), 1u);
    std::vector<ColliderPair> more;
    std::vector<Vec<3>> displacement(4, Vec<3>::Zero());
    detector.find_pairs_beyond(std::vector<std::uint32_t>{}, displacement, none, one, more);
    EXPECT_TRUE(more.empty());
    displacement[0] = Vec<3>(0, 0.6, 0);
    detector.find_pairs_beyond(std::vector<std::uint32_t>{0}, displacement, none, one, more);
    ASSERT_EQ(more.size(), 1u);
    EXPECT_EQ(more[0], (ColliderPair{0, 2}));
    EXPECT_EQ(detector.pairs().size(), 1u);
    std::vector<Vec<3>> there = position;
    there[0] += displacement[0];
    std::vector<Contact<3>> contacts;
    detector.look_at(more, there, orientation, 0.0, contacts);
    ASSERT_FALSE(contacts.empty());
    for (const Contact<3>& c : contacts) EXPECT_NEAR(c.gap, -0.1, 1e-12);
    detector.find_pairs(position, orientation, reach, one);
    EXPECT_EQ(detector.pairs().size(), 1u);
  }
}

TEST(Detector, TheNearestPointsOfAPair) {
  const Parallel one(1);
  Detector<3> detector;
  detector.colliders().add(collider(box(1, 1, 1), 0, true));
  detector.colliders().add(collider(sphere(0.5), 1, true));
  const std::vector<Vec<3>> position{Vec<3>(0, 0, 0), Vec<3>(1.25, 0, 0)};
  const std::vector<Rotation<3>> orientation(2, identity_rotation<3>());
  detector.find_pairs(position, orientation, std::vector<double>{0.5, 0.5}, one);
  detector.find_parts({0.01, 0, {}, {}, {}}, one, 0.0);
  Contact<3> nearest;
  EXPECT_FALSE(detector.find_nearest(0, 1, 0.2, nearest));
  ASSERT_TRUE(detector.find_nearest(0, 1, 0.3, nearest));
  EXPECT_NEAR(nearest.gap, 0.25, 1e-12);
  EXPECT_LT((nearest.normal - Vec<3>::UnitX()).norm(), 1e-9);
  EXPECT_LT((nearest.point - Vec<3>(0.625, 0, 0)).norm(), 1e-9);
}

}  // namespace
}  // namespace touchstone
