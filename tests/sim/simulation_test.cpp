#include "touchstone/simulation.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

// A handful of bodies that fall onto each other and a floor: enough to have sticking, sliding and rolling contacts.
SceneDescription heap(int dimension) {
  SceneDescription scene = empty_scene(dimension, 2e-3);
  scene.materials = {material(0.5, 0.2)};
  scene.bodies = {fixed("floor", half_space(up(dimension)))};
  for (int i = 0; i < 12; ++i) {
    const ShapeDescription shapes[] = {dimension == 2 ? box(0.3, 0.2) : box(0.3, 0.2, 0.25), sphere(0.12),
                                       capsule(0.08, 0.2)};
    Eigen::Vector3d at = (0.3 + 0.35 * (i / 3)) * up(dimension);
    at.x() += 0.3 * (i % 3) + 0.05 * (i / 3);
    BodyDescription b = body("b" + std::to_string(i), shapes[i % 3], at);
    b.placement.angle = 0.3 * i;
    b.placement.orientation = Eigen::AngleAxisd(0.3 * i, Eigen::Vector3d(1, 2, 0.5).normalized());
    scene.bodies.push_back(b);
  }
  return scene;
}

class SimulationIn : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimension, SimulationIn, ::testing::Values(2, 3),
                         [](const auto& i) { return std::to_string(i.param) + "D"; });

std::vector<std::uint64_t> hashes(Simulation& sim, int steps) {
  std::vector<std::uint64_t> out;
  for (int i = 0; i < steps; ++i) {
    sim.step();
    out.push_back(sim.state_hash());
  }
  return out;
}

TEST_P(SimulationIn, RepeatsBitByBitAtAnyNumberOfThreads) {
  Simulation one(heap(GetParam())), two(heap(GetParam())), four(heap(GetParam()));
  two.set_threads(2);
  four.set_threads(4);
  const auto reference = hashes(one, 400);
  EXPECT_GT(one.report().contacts, 5);
  EXPECT_EQ(hashes(two, 400), reference);
  EXPECT_EQ(hashes(four, 400), reference);
}

TEST_P(SimulationIn, RepeatsBitByBitWhereEveryParallelLoopHasSeveralRanges) {
  // 700 bodies and more than 700 contacts: more than one range in each loop (64 rows and pairs, 128 points, 256
  // bodies).
  const int d = GetParam();
  SceneDescription scene = empty_scene(d, 2e-3);
  scene.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 700; ++i) {
    Eigen::Vector3d at = (0.1 + 0.21 * (i % 2)) * up(d);
    at.x() = 0.15 * (i / 2) + 0.02 * (i % 2);
    scene.bodies.push_back(body("b" + std::to_string(i),
                                i % 3    ? sphere(0.1)
                                : d == 2 ? box(0.19, 0.2)
                                         : box(0.19, 0.2, 0.2),
                                at));
  }
  Simulation one(scene), two(scene), three(scene);
  two.set_threads(2);
  three.set_threads(1000);  // as many as there are
  const auto reference = hashes(one, 40);
  EXPECT_GT(one.report().contacts, 512);
  EXPECT_EQ(hashes(two, 40), reference);
  EXPECT_EQ(hashes(three, 40), reference);
}

TEST_P(SimulationIn, TwoWorldsRunInTwoThreadsAndShareNothing) {
  Simulation alone(heap(GetParam()));
  const auto reference = hashes(alone, 300);
  std::vector<std::uint64_t> first, second;
  std::thread a([&] {
    Simulation sim(heap(GetParam()));
    first = hashes(sim, 300);
  });
  std::thread b([&] {
    Simulation sim(heap(GetParam()));
    second = hashes(sim, 300);
  });
  a.join();
  b.join();
  EXPECT_EQ(first, reference);
  EXPECT_EQ(second, reference);
}

TEST_P(SimulationIn, SnapshotRestoresBitIdenticallyContactMemoryIncluded) {
  Simulation sim(heap(GetParam()));
  hashes(sim, 250);
  sim.apply_force(sim.find_body("b3"), {0.1, 0, 0});  // a queued force is part of the future too
  const std::vector<std::byte> saved = sim.snapshot();
  const auto future = hashes(sim, 200);
  const std::vector<std::byte> later = sim.snapshot();

  sim.restore(saved);  // back in the same simulation
  EXPECT_EQ(sim.step_count(), 250u);
  EXPECT_EQ(sim.snapshot(), saved);
  EXPECT_EQ(hashes(sim, 200), future);

  Simulation fresh(heap(GetParam()));  // and in a new one
  fresh.restore(saved);
  EXPECT_EQ(hashes(fresh, 200), future);
  // Wall time is the only thing that may differ; it is in the report.
  EXPECT_EQ(fresh.snapshot().size(), later.size());
}

TEST_P(SimulationIn, SnapshotRestoresBodiesThatCameAndWent) {
  Simulation sim(heap(GetParam()));
  hashes(sim, 50);
  sim.remove_body(sim.find_body("b2"));
  sim.remove_body(sim.find_body("b7"));
  BodyDescription extra = body("extra", sphere(0.1), 3 * up(GetParam()));
  const BodyId id = sim.add_body(extra);
  sim.ignore_pair(id, sim.find_body("b1"));
  hashes(sim, 50);
  const auto saved = sim.snapshot();
  const auto future = hashes(sim, 300);
  Simulation fresh(heap(GetParam()));
  fresh.restore(saved);
  EXPECT_TRUE(fresh.contains(id));
  EXPECT_EQ(hashes(fresh, 300), future);
}

TEST_P(SimulationIn, BodiesCanBeAddedAfterRestoring) {
  // The last collider's slot is free when the snapshot is taken: it must be free, and there, after restoring.
  const auto finish = [&](Simulation& sim) {
    sim.add_body(body("late", sphere(0.1), 0.5 * up(GetParam())));
    hashes(sim, 300);
    return sim.state_hash();
  };
  Simulation sim(heap(GetParam()));
  sim.remove_body(sim.find_body("b11"));
  hashes(sim, 10);
  const auto saved = sim.snapshot();
  const std::uint64_t end = finish(sim);
  EXPECT_GT(sim.state(sim.find_body("late")).center_of_mass.dot(up(GetParam())), 0.05);
  Simulation fresh(heap(GetParam()));
  fresh.restore(saved);
  EXPECT_EQ(finish(fresh), end);
}

TEST_P(SimulationIn, SnapshotsOfOtherRulesAreRefused) {
  Simulation sim(heap(GetParam()));
  const auto saved = sim.snapshot();
  SceneDescription moon = heap(GetParam()), soft = heap(GetParam()), coarse = heap(GetParam());
  moon.gravity *= 0.16;
  soft.model.options["tolerance"] = 1e-3;
  coarse.step *= 2;
  for (const SceneDescription& other : {moon, soft, coarse}) {
    Simulation elsewhere(other);
    EXPECT_THROW(elsewhere.restore(saved), Error);
  }
}

TEST_P(SimulationIn, DamagedSnapshotsAreRefusedNotObeyed) {
  Simulation sim(heap(GetParam()));
  hashes(sim, 20);
  const auto saved = sim.snapshot();
  for (std::size_t cut = 0; cut < saved.size(); cut += 97) {
    Simulation fresh(heap(GetParam()));
    hashes(fresh, 3);
    const std::uint64_t before = fresh.state_hash();
    EXPECT_THROW(fresh.restore(std::span(saved).first(cut)), Error) << cut;
    EXPECT_EQ(fresh.state_hash(), before) << "a refused snapshot leaves the world as it was";
    EXPECT_EQ(fresh.bodies().size(), sim.bodies().size());
  }
  Simulation fresh(heap(GetParam()));
  for (std::size_t at = 0; at < saved.size(); at += 61) {
    std::vector<std::byte> flipped = saved;
    flipped[at] ^= std::byte{1} << (at % 8);
    EXPECT_THROW(fresh.restore(flipped), Error) << at;
    EXPECT_THROW(fresh.adopt(flipped), Error) << at;
  }
  fresh.restore(saved);
  EXPECT_EQ(fresh.state_hash(), sim.state_hash());
}

TEST_P(SimulationIn, AFailedStepLeavesNoTrace) {
  // Both ask for forces several times in a step.
  for (const ModelDescription& model :
       {ModelDescription{"penalty", {}}, ModelDescription{"impulse", {{"substeps", std::int64_t{5}}}}}) {
    SceneDescription scene = heap(GetParam());
    scene.model = model;
    Simulation sim(scene), reference(scene);
    hashes(sim, 200);
    hashes(reference, 200);
    const BodyId id = sim.find_body("b5");
    int calls = 0;
    sim.set_force_callback([&](ForceContext& c) {  // after a few substeps, so that contacts have moved on
      if (++calls > 3) c.add_force(id, {std::numeric_limits<double>::infinity(), 0, 0});
    });
    EXPECT_THROW(sim.step(), Error) << model.name;
    EXPECT_GT(calls, 3) << model.name;
    EXPECT_EQ(sim.contact_count(), 0u) << model.name;  // it has none
    sim.set_force_callback(nullptr);
    EXPECT_EQ(hashes(sim, 100), hashes(reference, 100)) << model.name;
  }
}

TEST_P(SimulationIn, SpansShowTheStateOfEverySlot) {
  const int d = GetParam();
  Simulation sim(heap(d));
  hashes(sim, 30);
  const auto n = sim.slot_count();
  EXPECT_EQ(n, sim.bodies().size());
  ASSERT_EQ(sim.positions().size(), n * static_cast<std::size_t>(d));
  ASSERT_EQ(sim.velocities().size(), n * static_cast<std::size_t>(d));
  ASSERT_EQ(sim.orientations().size(), d == 2 ? n : 4 * n);
  ASSERT_EQ(sim.angular_velocities().size(), d == 2 ? n : 3 * n);
  for (const BodyId id : sim.bodies()) {
    const BodyState s = sim.state(id);
    for (int k = 0; k < d; ++k) {
      EXPECT_EQ(sim.positions()[id.index * static_cast<std::size_t>(d) + static_cast<std::size_t>(k)],
                s.center_of_mass[k]);
      EXPECT_EQ(sim.velocities()[id.index * static_cast<std::size_t>(d) + static_cast<std::size_t>(k)], s.velocity[k]);
    }
    if (d == 2)
      EXPECT_EQ(sim.orientations()[id.index], s.placement.angle);
    else
      EXPECT_EQ(sim.orientations()[4 * id.index + 3], s.placement.orientation.w());
    EXPECT_EQ(sim.angular_velocities()[d == 2 ? id.index : 3 * id.index + 2], s.angular_velocity.z());
  }
}

TEST(Bodies, ATiltedShapeTurnsAboutItsPrincipalAxes) {
  // The same box described in a tilted frame must move alike: the frame is a matter of description.
  SceneDescription scene = empty_scene(3);
  scene.model.name = "free";
  scene.integrator = Integrator::kRk4;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, -2, 3).normalized()));
  BodyDescription plain = body("plain", box(0.2, 0.5, 0.9));
  plain.angular_velocity = {1, 4, -2};
  BodyDescription tilted = plain;
  tilted.name = "tilted";
  tilted.shapes[0].placement.orientation = tilt;    // the box is turned in its frame,
  tilted.placement.orientation = tilt.conjugate();  // and the frame is turned back
  scene.bodies = {plain, tilted};
  Simulation sim(scene);
  const BodyId a = sim.find_body("plain"), b = sim.find_body("tilted");
  EXPECT_GT(std::abs(sim.inertia(b)(0, 1)), 0.1);
  for (int i = 0; i < 500; ++i) sim.step();
  const BodyState sa = sim.state(a), sb = sim.state(b);
  EXPECT_LT((sa.angular_velocity - sb.angular_velocity).norm(), 1e-11);
  EXPECT_LT(sa.placement.orientation.angularDistance(sb.placement.orientation * tilt), 1e-7);
}

TEST(Bodies, IdsOfRemovedBodiesNeverReachNewOnes) {
  Simulation sim(heap(3));
  const BodyId old = sim.find_body("b4");
  sim.remove_body(old);
  EXPECT_FALSE(sim.contains(old));
  EXPECT_THROW(sim.state(old), Error);
  const BodyId fresh = sim.add_body(body("fresh", sphere(0.1), {0, 0, 5}));
  EXPECT_EQ(fresh.index, old.index);
  EXPECT_NE(fresh.generation, old.generation);
  EXPECT_FALSE(sim.contains(old));
  EXPECT_TRUE(sim.contains(fresh));
  EXPECT_THROW(sim.find_body("b4"), Error);
}

TEST(Bodies, AFailedReplacementLeavesTheBodyAsItWas) {
  Simulation sim(heap(3));
  const BodyId id = sim.find_body("b0");
  const double mass = sim.mass(id);
  BodyDescription wrong = sim.description(id);
  wrong.mass = -1;
  EXPECT_THROW(sim.replace_body(id, wrong), Error);
  EXPECT_EQ(sim.mass(id), mass);
  BodyDescription heavier = sim.description(id);
  heavier.mass = 2 * mass;
  sim.replace_body(id, heavier);
  EXPECT_NEAR(sim.mass(id), 2 * mass, 1e-12);
  EXPECT_TRUE(sim.contains(id));
}

TEST(Bodies, TheCentreOfMassIsNotTheOriginOfTheFrame) {
  // Two boxes of one density, 1 × 1 and 1 × 3 (2D): centre of mass at y = (0·1 + 2·3)/4 = 1.5.
  SceneDescription scene = empty_scene(2);
  BodyDescription b = body("l", box(1, 1));
  ShapeDescription upper = box(1, 3);
  upper.placement.position = {0, 2, 0};
  b.shapes.push_back(upper);
  b.placement.position = {10, 0, 0};
  b.placement.angle = std::numbers::pi / 2;  // y of the body points to −x
  scene.bodies = {b};
  Simulation sim(scene);
  const BodyState s = sim.state(sim.find_body("l"));
  EXPECT_NEAR((s.center_of_mass - Eigen::Vector3d(8.5, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((s.placement.position - Eigen::Vector3d(10, 0, 0)).norm(), 0, 1e-12);
  // Inertia: 1000·[1·(1+1)/12 + 1·1.5² + 3·(1+9)/12 + 3·0.5²].
  EXPECT_NEAR(sim.inertia(sim.find_body("l"))(2, 2), 1000 * (1.0 / 6 + 2.25 + 2.5 + 0.75), 1e-8);
}

TEST(Contacts, ImpulsesHaveTheDocumentedSignAndCarryTheWeight) {
  for (const bool floor_first : {true, false}) {
    SceneDescription scene = empty_scene(3);
    const BodyDescription floor = fixed("floor", half_space({0, 0, 1})), cube = body("cube", box(1, 1, 1), {0, 0, 0.5});
    scene.bodies = floor_first ? std::vector{floor, cube} : std::vector{cube, floor};
    Simulation sim(scene);
    while (sim.time() < 2) sim.step();
    const BodyId f = sim.find_body("floor"), c = sim.find_body("cube");
    const double weight = 1000 * kGravity * scene.step;
    EXPECT_EQ(sim.contact_count(), 4u);
    EXPECT_NEAR(sim.pair_impulse(f, c).z(), weight, 1e-6 * weight);
    EXPECT_NEAR(sim.pair_impulse(c, f).z(), -weight, 1e-6 * weight);
    EXPECT_NEAR(sim.body_impulse(c).z(), weight, 1e-6 * weight);
    for (std::size_t i = 0; i < 4; ++i) {
      const ContactReport r = sim.contact(i);
      EXPECT_EQ(r.body_a, floor_first ? f : c);
      EXPECT_NEAR(r.normal.z(), floor_first ? 1 : -1, 1e-9);  // from A to B
      EXPECT_GT(r.impulse.dot(r.normal), 0);
      EXPECT_TRUE(r.sticking);
    }
    EXPECT_THROW(sim.contact(4), Error);
  }
}

TEST(Kinematic, ConveyorCarriesABlockAtItsSpeed) {
  SceneDescription scene = empty_scene(3);
  BodyDescription belt = fixed("belt", box(20, 2, 0.2), {0, 0, -0.1});
  belt.surface_velocity = {0.7, 0, 0};
  scene.bodies = {belt, body("cube", box(0.3, 0.3, 0.3), {-5, 0, 0.15})};
  Simulation sim(scene);
  while (sim.time() < 3) sim.step();
  EXPECT_NEAR(sim.state(sim.find_body("cube")).velocity.x(), 0.7, 1e-6);
  EXPECT_NEAR(sim.state(sim.find_body("belt")).center_of_mass.x(), 0, 0);
}

TEST(Kinematic, TheEndOfAConveyorDoesNotPush) {
  // The belt runs along x; a ball that hits its end face (normal to x) bounces as from a wall at rest.
  const auto rebound = [](double belt_speed) {
    SceneDescription scene = empty_scene(3, 1e-4);
    scene.gravity.setZero();
    scene.materials = {material(0.0, 0.5)};
    BodyDescription belt = fixed("belt", box(2, 2, 2));
    belt.surface_velocity = {belt_speed, 0, 0};
    BodyDescription ball = body("ball", sphere(0.1), {1.15, 0, 0});
    ball.velocity = {-1, 0, 0};
    scene.bodies = {belt, ball};
    Simulation sim(scene);
    while (sim.time() < 0.2) sim.step();
    return sim.state(sim.find_body("ball")).velocity.x();
  };
  EXPECT_NEAR(rebound(0.7), rebound(0.0), 1e-12);
  EXPECT_NEAR(rebound(0.0), 0.5, 0.02);
}

TEST(Kinematic, TurntableCarriesABlockRound) {
  SceneDescription scene = empty_scene(3);
  BodyDescription table = body("table", box(4, 4, 0.2), {0, 0, -0.1});
  table.kind = BodyKind::kKinematic;
  table.angular_velocity = {0, 0, 1.0};
  BodyDescription cube = body("cube", box(0.3, 0.3, 0.3), {1, 0, 0.15});
  cube.velocity = {0, 1, 0};
  cube.angular_velocity = {0, 0, 1};
  scene.bodies = {table, cube};  // ω²r = 1 m/s² < μg: it stays where it is on the table
  Simulation sim(scene);
  while (sim.time() < 2 * std::numbers::pi - 1e-9) sim.step();
  const BodyState s = sim.state(sim.find_body("cube"));
  EXPECT_NEAR(s.center_of_mass.head<2>().norm(), 1.0, 2e-3);
  EXPECT_NEAR(std::remainder(std::atan2(s.center_of_mass.y(), s.center_of_mass.x()) - sim.time(), 2 * std::numbers::pi),
              0, 2e-3);
}

TEST(Kinematic, MotionFollowsItsLawAndItsCallback) {
  SceneDescription scene = empty_scene(2, 0.01);
  BodyDescription shaker = body("shaker", box(1, 1));
  shaker.kind = BodyKind::kKinematic;
  PrescribedMotion m;
  m.velocity = {0.5, 0, 0};
  m.amplitude = {0, 0.1, 0};
  m.angular_velocity = {0, 0, 0.2};
  m.frequency = 2;
  shaker.motion = m;
  scene.bodies = {shaker};
  Simulation sim(scene);
  for (int i = 0; i < 37; ++i) sim.step();
  const BodyId id = sim.find_body("shaker");
  const double t = 0.37, w = 4 * std::numbers::pi;
  EXPECT_NEAR(sim.state(id).center_of_mass.x(), 0.5 * t, 1e-12);
  EXPECT_NEAR(sim.state(id).center_of_mass.y(), 0.1 * std::sin(w * t), 1e-12);
  EXPECT_NEAR(sim.state(id).velocity.y(), 0.1 * w * std::cos(w * t), 1e-12);
  EXPECT_NEAR(sim.state(id).placement.angle, 0.2 * t, 1e-12);
  sim.set_motion(id, [](double time) {
    BodyState s;
    s.placement.position = {time * time, 0, 0};
    s.velocity = {2 * time, 0, 0};
    return s;
  });
  sim.step();
  EXPECT_NEAR(sim.state(id).center_of_mass.x(), 0.38 * 0.38, 1e-12);
}

TEST(Kinematic, CallbacksStayWithTheirBodyAndAreMissedWhereTheyCannotBe) {
  SceneDescription scene = empty_scene(2, 0.01);
  BodyDescription mover = body("mover", box(1, 1));
  mover.kind = BodyKind::kKinematic;
  scene.bodies = {mover};
  Simulation sim(scene);
  const BodyId id = sim.find_body("mover");
  const MotionCallback law = [](double time) {
    BodyState s;
    s.placement.position = {time, 0, 0};
    s.velocity = {1, 0, 0};
    return s;
  };
  sim.set_motion(id, law);
  hashes(sim, 10);
  const auto saved = sim.snapshot();
  const auto future = hashes(sim, 10);
  sim.restore(saved);
  EXPECT_EQ(hashes(sim, 10), future);
  Simulation fresh(scene);
  fresh.restore(saved);
  EXPECT_THROW(fresh.step(), Error);  // says that the callback is missing
  fresh.set_motion(id, law);
  EXPECT_EQ(hashes(fresh, 10), future);
  fresh.set_motion(id, nullptr);  // back to its law: at rest where it is
  fresh.step();
  EXPECT_NEAR(fresh.state(id).center_of_mass.x(), 0.2, 1e-12);
}

TEST(Bodies, ContactMemoryGoesWithTheBody) {
  SceneDescription scene = empty_scene(3);
  scene.bodies = {fixed("floor", half_space({0, 0, 1})), body("ball", sphere(0.1), {0, 0, 0.1})};
  Simulation sim(scene);
  hashes(sim, 500);
  const BodyId old = sim.find_body("ball");
  EXPECT_GT(sim.body_impulse(old).z(), 0);
  sim.remove_body(old);
  const BodyId fresh = sim.add_body(body("other", sphere(0.1), {0, 0, 5}));
  EXPECT_EQ(sim.body_impulse(fresh).norm(), 0);
  EXPECT_THROW(sim.body_impulse(old), Error);
}

TEST(Springs, StayWhereTheyWereAttachedWhenABodyIsReplaced) {
  SceneDescription scene = empty_scene(2);
  scene.gravity.setZero();
  scene.bodies = {body("a", box(1, 1))};
  SpringDescription spring;
  spring.body_b = "a";
  spring.point_a = {3, 0.5, 0};
  spring.point_b = {0.5, 0.5, 0};
  spring.stiffness = 100;
  scene.springs = {spring};
  Simulation sim(scene);
  BodyDescription wider = body("a", box(1, 1));
  ShapeDescription more = box(1, 1);
  more.placement.position = {-1, 0, 0};  // the centre of mass moves, the described point does not
  wider.shapes.push_back(more);
  sim.replace_body(sim.find_body("a"), wider);
  sim.step();
  EXPECT_NEAR(sim.report().spring_energy, 0, 1e-20);
  EXPECT_NEAR(sim.state(sim.find_body("a")).velocity.norm(), 0, 1e-15);
}

TEST(EnergyBalance, IsNotDisturbedByChangesAndCountsPrescribedWork) {
  SceneDescription scene = empty_scene(3);
  scene.model.name = "free";
  scene.integrator = Integrator::kRk4;
  scene.bodies = {body("a", sphere(0.1), {0, 0, 3})};
  Simulation sim(scene);
  hashes(sim, 100);
  const BodyId b = sim.add_body(body("b", sphere(0.1), {0, 0, 5}));
  hashes(sim, 10);
  BodyState s = sim.state(b);
  s.velocity = {3, 0, 1};
  sim.set_state(b, s);
  hashes(sim, 10);
  sim.remove_body(b);
  sim.step();
  EXPECT_LT(std::abs(sim.report().energy_balance), 1e-9);

  // A kinematic hook pulls a mass on a spring: all energy comes from the hook.
  SceneDescription pulled = empty_scene(3);
  pulled.gravity.setZero();
  pulled.model.name = "free";
  pulled.integrator = Integrator::kRk4;
  BodyDescription hook = body("hook", sphere(0.1), {1, 0, 0});
  hook.kind = BodyKind::kKinematic;
  hook.velocity = {1, 0, 0};
  pulled.bodies = {body("mass", sphere(0.1)), hook};
  SpringDescription spring;
  spring.body_a = "mass", spring.body_b = "hook", spring.stiffness = 50, spring.damping = 1;
  pulled.springs = {spring};
  Simulation pulling(pulled);
  hashes(pulling, 1000);
  EXPECT_GT(pulling.report().energy(), 0.1);
  EXPECT_LT(std::abs(pulling.report().energy_balance), 1e-8);
}

TEST(Forces, SteadyForcesActBetweenTheirTimes) {
  SceneDescription scene = empty_scene(2);
  scene.gravity.setZero();
  scene.model.name = "free";
  BodyDescription b = body("b", box(1, 1));
  b.mass = 2;
  scene.bodies = {b};
  SteadyForceDescription f;
  f.body = "b", f.force = {4, 0, 0}, f.point = Eigen::Vector3d(0, 0.5, 0), f.from = 0.1, f.until = 0.3;
  scene.forces = {f};
  Simulation sim(scene);
  hashes(sim, 150);
  const double w = sim.state(sim.find_body("b")).angular_velocity.z();
  EXPECT_LT(w, -0.1);  // pulled to +x above the centre: clockwise
  hashes(sim, 350);
  EXPECT_NEAR(sim.state(sim.find_body("b")).velocity.x(), 4.0 / 2 * 0.2, 1e-12);
  scene.forces[0].body = "c";
  EXPECT_THROW(Simulation wrong(scene), Error);
}

TEST(Forces, AnyDragIsStableAndNeverGivesEnergy) {
  for (const double c : {1e-2, 1.0, 1e3, 1e7}) {
    SceneDescription scene = empty_scene(3, 1e-2);
    scene.gravity.setZero();
    BodyDescription b = body("b", box(0.1, 0.2, 0.3));
    b.velocity = {3, -1, 2};
    b.angular_velocity = {1, 2, 3};
    b.linear_drag = c, b.quadratic_drag = c, b.angular_drag = c;
    scene.bodies = {b};
    Simulation sim(scene);
    double before = sim.report().kinetic_energy;
    for (int i = 0; i < 100; ++i) {
      const double now = sim.step().kinetic_energy;
      EXPECT_LE(now, before * (1 + 1e-12)) << c;
      before = now;
    }
    EXPECT_LE(sim.report().drag_work, 0);
  }
}

TEST(Forces, ASpringTooStiffForTheStepNamesTheStepItNeeds) {
  SceneDescription scene = empty_scene(3, 1e-2);
  scene.model.name = "free";
  BodyDescription b = body("mass", sphere(0.1), {1, 0, 0});
  b.mass = 1;
  scene.bodies = {b};
  SpringDescription spring;
  spring.body_b = "mass", spring.stiffness = 1e6;
  scene.springs = {spring};
  Simulation sim(scene);
  try {
    sim.step();
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUnstable);
    EXPECT_NE(std::string(e.what()).find("'mass'"), std::string::npos) << e.what();
  }
  scene.model.name = "penalty";  // cuts the step instead
  Simulation cut(scene);
  cut.step();
  EXPECT_GT(cut.report().substeps, 5);
}

TEST(Contacts, ABodyPushedHardFromRestDoesNotPassAWall) {
  SceneDescription scene = empty_scene(3, 1e-2);
  scene.gravity.setZero();
  BodyDescription ball = body("ball", sphere(0.05), {0, 0, 0});
  ball.mass = 1;
  scene.bodies = {ball, fixed("wall", box(0.1, 2, 2), {0.4, 0, 0})};
  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  sim.apply_force(id, {8000, 0, 0});  // 0.8 m in one step if nothing were there
  std::int64_t contacts = sim.step().contacts;
  for (int i = 0; i < 20; ++i) contacts += sim.step().contacts;
  EXPECT_GT(contacts, 0);
  EXPECT_LT(sim.state(id).center_of_mass.x(), 0.4);
}

TEST(Filters, GroupsAndIgnoredPairsPassThroughEachOther) {
  SceneDescription scene = empty_scene(3);
  BodyDescription ghost = body("ghost", sphere(0.1), {0, 0, 0.5}), solid = body("solid", sphere(0.1), {1, 0, 0.5}),
                  third = body("third", sphere(0.1), {2, 0, 0.5});
  ghost.groups = {"ghosts"};
  BodyDescription floor = fixed("floor", half_space({0, 0, 1}));
  floor.ignores = {"ghosts"};
  scene.bodies = {floor, ghost, solid, third};
  Simulation sim(scene);
  sim.ignore_pair(sim.find_body("third"), sim.find_body("floor"));
  while (sim.time() < 1) sim.step();
  EXPECT_LT(sim.state(sim.find_body("ghost")).center_of_mass.z(), -1);
  EXPECT_LT(sim.state(sim.find_body("third")).center_of_mass.z(), -1);
  EXPECT_NEAR(sim.state(sim.find_body("solid")).center_of_mass.z(), 0.1, 1e-3);
}

TEST(Materials, CombineByGeometricMeanAndMaximumUnlessOverridden) {
  SceneDescription scene = empty_scene(3);
  MaterialDescription ice = material(0.02, 0.1), rubber = material(0.98, 0.6), wood = material(0.4, 0.3);
  ice.name = "ice", rubber.name = "rubber", wood.name = "wood";
  scene.materials = {ice, rubber, wood};
  MaterialPairDescription pair;
  pair.first = "wood", pair.second = "ice";
  pair.static_friction = 0.07, pair.dynamic_friction = 0.05, pair.restitution = 0;
  scene.material_pairs = {pair};
  BodyDescription floor = fixed("floor", half_space({0, 0, 1}));
  floor.material = "ice";
  BodyDescription a = body("a", sphere(0.1), {0, 0, 0.1}), b = body("b", sphere(0.1), {1, 0, 0.1});
  a.material = "rubber", b.material = "wood";
  scene.bodies = {floor, a, b};
  Simulation sim(scene);
  for (int i = 0; i < 100; ++i) sim.step();
  ASSERT_EQ(sim.contact_count(), 2u);
  EXPECT_NEAR(sim.contact(0).static_friction, 0.14, 1e-12);
  EXPECT_NEAR(sim.contact(0).restitution, 0.6, 1e-12);
  EXPECT_NEAR(sim.contact(1).static_friction, 0.07, 1e-12);
  EXPECT_NEAR(sim.contact(1).dynamic_friction, 0.05, 1e-12);
  EXPECT_NEAR(sim.contact(1).restitution, 0, 1e-12);
}

TEST(Table, HoldsABodyThatIsPushedLessThanItCanHold) {
  SceneDescription scene = empty_scene(2, 1e-2);
  scene.gravity.setZero();
  scene.table = TableDescription{};
  BodyDescription disc = body("disc", sphere(0.1));
  disc.mass = 2;
  disc.table_friction = 0.3;
  scene.bodies = {disc};
  const double limit = 0.3 * 2 * kGravity;
  for (const double part : {0.9, 1.1}) {
    Simulation sim(scene);
    const BodyId id = sim.find_body("disc");
    for (int i = 0; i < 100; ++i) {
      sim.apply_force(id, {part * limit, 0, 0});
      sim.step();
    }
    const double expected = part < 1 ? 0.0 : (part - 1) * limit / 2 * 1.0;
    EXPECT_NEAR(sim.state(id).velocity.x(), expected, 1e-12);
  }
}

TEST(Table, DiscsStopByCoulombsLawAndByTheViscousOne) {
  SceneDescription scene = empty_scene(2);
  scene.gravity.setZero();
  scene.table = TableDescription{};
  BodyDescription disc = body("disc", sphere(0.1));
  disc.velocity = {2, 0, 0};
  disc.angular_velocity = {0, 0, 30};
  disc.table_friction = 0.3;
  scene.bodies = {disc};
  Simulation sim(scene);
  while (sim.time() < 3) sim.step();
  const BodyState s = sim.state(sim.find_body("disc"));
  EXPECT_NEAR(s.center_of_mass.x(), 4 / (2 * 0.3 * kGravity), 2e-3);  // v²/(2μg)
  EXPECT_LT(s.velocity.norm(), 1e-15);
  EXPECT_LT(s.angular_velocity.norm(), 1e-15);

  scene.table->law = TableDescription::Law::kViscous;  // F = −μ·m·0.1·v
  scene.step = 1e-4;
  Simulation viscous(scene);
  while (viscous.time() < 3) viscous.step();
  EXPECT_NEAR(viscous.state(viscous.find_body("disc")).velocity.x(), 2 * std::exp(-0.3 * 0.1 * 3), 1e-5);
}

}  // namespace
}  // namespace touchstone::testing
