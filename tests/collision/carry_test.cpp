// Contact points that are carried along against points that are searched for, over a pile that falls and settles.
#include <gtest/gtest.h>

#include <map>

#include "collision/detector.h"
#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;
using testing::capsule;
using testing::sphere;

constexpr double kMargin = 0.01, kReuse = 1e-5;

// The poses of a pile of boxes, spheres and capsules, step by step, as the penalty model moves it.
class Pile {
 public:
  Pile() : simulation_(scene()) {
    for (std::size_t i = 0; i < simulation_.slot_count(); ++i) {
      Collider<3> c;
      c.set_form({make_shape<3>(shape(i))});
      c.body = static_cast<std::uint32_t>(i);
      c.movable = i > 0;
      colliders_.push_back(c);
    }
    position_.resize(colliders_.size());
    orientation_.resize(colliders_.size());
    reach_.assign(colliders_.size(), 0.5 * (kMargin + kReuse));
  }
  void step() {
    simulation_.step();
    const auto p = simulation_.positions(), q = simulation_.orientations();
    for (std::size_t i = 0; i < position_.size(); ++i) {
      position_[i] = Vec<3>(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
      orientation_[i] = Rotation<3>(q[4 * i + 3], q[4 * i], q[4 * i + 1], q[4 * i + 2]);
    }
  }
  Detector<3> detector() const {
    Detector<3> d;
    for (const Collider<3>& c : colliders_) d.colliders().add(c);
    return d;
  }
  void detect(Detector<3>& detector, double reuse, std::vector<Contact<3>>& contacts, int threads = 1) const {
    const Parallel parallel(threads);
    detector.find_pairs(position_, orientation_, reach_, parallel);
    detector.find_contacts(position_, orientation_, kMargin, parallel, contacts, reuse);
  }

 private:
  static ShapeDescription shape(std::size_t i) {
    const double s = 1 + 0.03 * static_cast<double>(i % 7);
    if (i == 0) return testing::half_space(Eigen::Vector3d::UnitZ());
    if (i % 9 == 4) return sphere(0.1 * s);
    if (i % 9 == 7) return capsule(0.08 * s, 0.1 * s);
    return box(0.2 * s, 0.21 * s, 0.19 * s);
  }
  static SceneDescription scene() {
    SceneDescription scene = testing::empty_scene(3, 1e-3);
    scene.model.name = "penalty";  // it goes on to tremble while it settles: the harder case
    scene.bodies = {testing::fixed("floor", shape(0))};
    for (std::size_t i = 1; i <= 48; ++i) {
      const auto k = static_cast<double>(i);
      const Eigen::Vector3d at(0.25 * static_cast<double>(i % 4) + 0.02 * std::sin(5 * k),
                               0.25 * static_cast<double>(i / 4 % 4) + 0.02 * std::cos(3 * k),
                               0.15 + 0.26 * static_cast<double>(i / 16));
      scene.bodies.push_back(testing::body("b" + std::to_string(i), shape(i), at));
    }
    return scene;
  }

  Simulation simulation_;
  std::vector<Collider<3>> colliders_;
  std::vector<Vec<3>> position_;
  std::vector<Rotation<3>> orientation_;
  std::vector<double> reach_;
};

bool same_bits(const std::vector<Contact<3>>& a, const std::vector<Contact<3>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].key != b[i].key || a[i].point != b[i].point || a[i].normal != b[i].normal || a[i].gap != b[i].gap)
      return false;
  return true;
}

using Gaps = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;
Gaps least_gaps(const std::vector<Contact<3>>& contacts) {
  Gaps out;
  for (const auto& c : contacts) {
    const auto [at, fresh] = out.emplace(std::pair(c.collider_a(), c.collider_b()), c.gap);
    if (!fresh) at->second = std::min(at->second, c.gap);
  }
  return out;
}

// How deep a pair is does not hang on which corners stand for it: within the tolerance for every pair. A point is where
// the search finds it too, unless it is a crossing of edges, which slides farther than they move where they run nearly
// the same way.
TEST(Carry, PointsStayWithinTheToleranceOfASearch) {
  Pile pile;
  Detector<3> carrying = pile.detector(), searching = pile.detector();
  std::vector<Contact<3>> carried, fresh;
  long points = 0, alone = 0, far = 0, slid = 0, exact = 0;
  for (int step = 0; step < 1500; ++step) {
    pile.step();
    pile.detect(carrying, kReuse, carried);
    pile.detect(searching, 0, fresh);
    const Gaps ours = least_gaps(carried), theirs = least_gaps(fresh);
    for (const auto& [pair, gap] : theirs) {
      const auto found = ours.find(pair);
      if (found == ours.end())
        EXPECT_GT(gap, kMargin - kReuse) << step;
      else
        EXPECT_NEAR(gap, found->second, kReuse) << step << " " << pair.first << " " << pair.second;
    }
    std::size_t k = 0;
    for (const Contact<3>& c : fresh) {
      while (k < carried.size() && carried[k].key < c.key) ++k;
      if (k == carried.size() || carried[k].key != c.key) {
        alone += c.gap < kMargin - kReuse;
        continue;
      }
      ++points;
      exact += c.gap == carried[k].gap;
      const bool crossing = (c.key >> 14 & 3) >= 2;
      (crossing ? slid : far) +=
          std::abs(c.gap - carried[k].gap) > kReuse || (c.point - carried[k].point).norm() > kReuse;
    }
    if (HasFailure()) FAIL() << "step " << step;
  }
  std::printf("%ld points, %ld of them searched for; beyond the tolerance: %ld corners, %ld crossings; missed: %ld\n",
              points, exact, far, slid, alone);
  EXPECT_GT(points, 100000);
  EXPECT_EQ(far, 0);
  EXPECT_LT(slid + alone, points / 100);
  EXPECT_GT(points - exact, points / 4);  // something was carried at all
}

// Threads, and a snapshot taken and restored in the middle, change no bit.
TEST(Carry, ThreadsAndSnapshotsChangeNothing) {
  Pile pile;
  Detector<3> one = pile.detector(), two = pile.detector(), restored = pile.detector();
  std::vector<Contact<3>> a, b, c;
  for (int step = 0; step < 600; ++step) {
    pile.step();
    if (step % 50 == 25) {
      std::vector<std::byte> bytes;
      Archive out(bytes);
      one.serialize(out);
      restored = pile.detector();
      Archive in{std::span<const std::byte>(bytes)};
      restored.serialize(in);
      EXPECT_TRUE(in.at_end());
    }
    pile.detect(one, kReuse, a);
    pile.detect(two, kReuse, b, 2);
    ASSERT_TRUE(same_bits(a, b)) << step;
    if (step < 25) continue;
    pile.detect(restored, kReuse, c);
    ASSERT_TRUE(same_bits(a, c)) << step;
  }
  EXPECT_GT(a.size(), 100u);
}

// A step that is taken back: what was carried is what it was.
TEST(Carry, MemoryThatIsRestoredGivesTheSameAnswers) {
  Pile pile;
  Detector<3> detector = pile.detector();
  std::vector<Contact<3>> first, second;
  for (int step = 0; step < 300; ++step) {
    pile.step();
    detector.keep_memory();
    pile.detect(detector, kReuse, first);
    detector.restore_memory();
    pile.detect(detector, kReuse, second);
    ASSERT_TRUE(same_bits(first, second)) << step;
  }
}

// What later searches of a step find is written over what the earlier ones found: with the same answers, and what was
// there when the step began comes back.
TEST(Carry, SearchesWithinAStepAreLikeThoseOfManySteps) {
  Pile pile;
  Detector<3> steps = pile.detector(), one_step = pile.detector();
  std::vector<Contact<3>> a, b, start, back;
  for (int step = 0; step < 20; ++step) {
    pile.step();
    steps.keep_memory(), one_step.keep_memory();
    pile.detect(steps, kReuse, a), pile.detect(one_step, kReuse, b);
  }
  Detector<3> before = pile.detector();
  std::vector<std::byte> bytes;
  Archive out(bytes);
  one_step.serialize(out);
  Archive in{std::span<const std::byte>(bytes)};
  before.serialize(in);
  one_step.keep_memory();
  for (int step = 0; step < 200; ++step) {
    pile.step();
    steps.keep_memory();
    pile.detect(steps, kReuse, a);
    pile.detect(one_step, kReuse, b, step % 3 == 2 ? 2 : 1);
    ASSERT_TRUE(same_bits(a, b)) << step;
  }
  one_step.restore_memory();
  pile.detect(before, kReuse, start);
  pile.detect(one_step, kReuse, back);
  EXPECT_TRUE(same_bits(start, back));
  EXPECT_GT(back.size(), 100u);
}

// A slow creep adds up against where the points were searched for, not against the step before.
TEST(Carry, CreepIsNoticed) {
  Detector<3> detector;
  for (std::uint32_t i = 0; i < 2; ++i) {
    Collider<3> c;
    c.set_form({make_shape<3>(box(1, 1, 1))});
    c.body = i;
    c.movable = true;
    detector.colliders().add(c);
  }
  const std::vector<Rotation<3>> orientation(2, identity_rotation<3>());
  const std::vector<double> reach(2, 0.5 * kMargin);
  const Parallel parallel(1);
  std::vector<Contact<3>> contacts;
  for (int i = 0; i < 1000; ++i) {
    const double x = 0.3 + 1e-6 * i;
    const std::vector<Vec<3>> position{Vec<3>::Zero(), Vec<3>(x, 0.2, 1)};
    detector.find_pairs(position, orientation, reach, parallel);
    detector.find_contacts(position, orientation, kMargin, parallel, contacts, kReuse);
    ASSERT_EQ(contacts.size(), 4u);
    double least = 1;
    for (const auto& c : contacts) least = std::min(least, c.point[0]);
    EXPECT_NEAR(least, x - 0.5, kReuse);
  }
  // The settings change: nothing of before is used.
  const std::vector<Vec<3>> position{Vec<3>::Zero(), Vec<3>(0.3, 0.2, 1)};
  detector.find_contacts(position, orientation, kMargin, parallel, contacts, 1);
  for (const auto& c : contacts) EXPECT_TRUE(std::abs(c.point[0] + 0.2) < 1e-12 || std::abs(c.point[0] - 0.5) < 1e-12);
}

}  // namespace
}  // namespace touchstone
