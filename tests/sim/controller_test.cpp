// Controllers: when they are called, what they sense and command, what a failure leaves behind.
#include <gtest/gtest.h>

#include <limits>

#include "models/registry.h"
#include "sim/scripted_controller.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

std::string refusal(const SceneDescription& scene) {
  try {
    Simulation sim(scene);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Controllers, AreCalledOnceAStepInTheOrderOfTheScene) {
  SceneDescription s = balls(1);
  std::string calls;
  std::vector<double> times;
  s.controllers = {scripted("first",
                            [&](ControllerContext& w, std::int64_t) {
                              calls += 'a';
                              times.push_back(w.time());
                            }),
                   scripted("second", [&](ControllerContext&, std::int64_t) { calls += 'b'; })};
  Simulation sim(s);
  EXPECT_EQ(sim.controller_count(), 2u);
  EXPECT_EQ(std::get<double>(sim.controller(0).parameters.at("gain")), 2.0);
  for (int i = 0; i < 3; ++i) sim.step();
  EXPECT_EQ(calls, "ababab");
  ASSERT_EQ(times.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(times[i], 0.01 * static_cast<double>(i), 1e-15);
}

// v = F·h/m after the step in which the force acts, and no more in the next one.
TEST(Controllers, ForcesHoldForOneStep) {
  SceneDescription s = balls(1);
  s.controllers = {scripted(
      "push",
      [](ControllerContext& w, std::int64_t call) {
        if (call != 1) return;
        w.apply_force(w.body(), {3, 4, 0});
        w.apply_torque(w.body(), {0, 0, 0.5});
      },
      "ball_0")};
  Simulation sim(s);
  const BodyId ball = sim.find_body("ball_0");
  sim.step();
  EXPECT_EQ(sim.state(ball).velocity.norm(), 0);
  for (int i = 0; i < 3; ++i) {
    sim.step();
    EXPECT_NEAR(sim.state(ball).velocity.x(), 0.03, 1e-15);
    EXPECT_NEAR(sim.state(ball).velocity.y(), 0.04, 1e-15);
    EXPECT_NEAR(sim.state(ball).angular_velocity.z(), 0.5 * 0.01 / sim.inertia(ball)(2, 2), 1e-12);
  }
}

TEST(Controllers, SeeByTagRangeAndLineOfSight) {
  SceneDescription s = balls(4);
  s.bodies[1].tags = {"can"}, s.bodies[2].tags = {"can", "red"}, s.bodies[3].tags = {"red"};
  std::vector<std::string> seen;
  s.controllers = {scripted(
      "look",
      [&](ControllerContext& w, std::int64_t) {
        const auto look = [&](const Sight& sight) {
          std::string names;
          for (const Sighting& x : w.visible(sight)) {
            names += w.body_name(x.body).back();
            EXPECT_NEAR(x.distance, (w.state(x.body).center_of_mass - w.own().center_of_mass).norm(), 1e-15);
            EXPECT_EQ(x.position, w.state(x.body).center_of_mass);
          }
          seen.push_back(names);
        };
        look({});
        look({{"can"}});
        look({{"can", "red"}, 2.0});
        look({{"red"}, 10, true});
        look({{}, 10, true});
        look({{"blue"}});
      },
      "ball_0")};
  Simulation sim(s);
  sim.step();
  EXPECT_EQ(seen, (std::vector<std::string>{"123", "12", "12", "", "1", ""}));
  EXPECT_EQ(sim.tags(sim.find_body("ball_2")), (std::vector<std::string>{"can", "red"}));
  QueryFilter red;
  red.tags = {"red"};
  const auto hit = sim.ray_cast({-1, 0, 0}, {1, 0, 0}, 10, red);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, sim.find_body("ball_2"));
}

TEST(Controllers, SenseContactsOfTheLastStep) {
  SceneDescription s = balls(3);
  s.bodies[0].velocity = {1, 0, 0};
  double felt = 0;
  int touches = 0, elsewhere = 0;
  s.controllers = {scripted(
      "feel",
      [&](ControllerContext& w, std::int64_t) {
        for (const ContactReport& c : w.contacts(w.body())) ++touches, felt += c.impulse.norm();
        elsewhere += static_cast<int>(w.contacts(w.find_body("ball_2")).size());
      },
      "ball_1")};
  Simulation sim(s);
  double impulse = 0;
  for (int i = 0; i < 100; ++i) {
    sim.step();
    if (i < 99) impulse += sim.body_impulse(sim.find_body("ball_1")).norm();
  }
  EXPECT_GT(touches, 0);
  EXPECT_EQ(elsewhere, 0);
  EXPECT_NEAR(felt, impulse, 1e-12);
  EXPECT_NEAR(impulse, 0.5, 1e-3);  // e = 0: both go on with 0.5 m/s
}

// A pin to the ball beside it, from the second to the fourth step; collisions and tags of the pair.
Script juggling() {
  return [](ControllerContext& w, std::int64_t call) {
    const BodyId other = w.find_body("ball_1");
    w.apply_force(w.body(), {w.random() - 0.5, w.random() - 0.5, 0});
    if (call % 4 == 1) {
      JointDescription weld;
      weld.kind = JointKind::kFixed, weld.name = "grip";
      weld.body_a = "ball_0", weld.body_b = "ball_1";
      EXPECT_EQ(w.add_joint(weld), "grip");
      w.set_pair_collision(other, w.find_body("ball_2"), false);
      w.set_pair_restitution(w.body(), other, 0.25);
      w.set_tag(other, "held", true);
    }
    if (call % 4 == 3) {
      EXPECT_TRUE(w.has_joint("grip"));
      w.remove_joint("grip");
      w.set_pair_collision(other, w.find_body("ball_2"), true);
      w.set_pair_restitution(w.body(), other, std::nullopt);
      w.set_tag(other, "held", false);
    }
  };
}

class ControllersOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ControllersOf, GoOnFromASnapshotWithTheSameBits) {
  SceneDescription s = balls(3, GetParam());
  s.bodies[2].velocity = {-2, 0, 0};
  s.controllers = {scripted("juggle", juggling(), "ball_0")};
  for (int at : {1, 2, 3, 4, 50}) {
    Simulation whole(s), before(s);
    before.set_threads(4);
    for (int i = 0; i < at; ++i) whole.step(), before.step();
    const std::vector<std::byte> snapshot = before.snapshot();
    Simulation after(s);
    after.restore(snapshot);
    EXPECT_EQ(after.snapshot(), snapshot);
    for (int i = 0; i < 60; ++i) {
      whole.step(), after.step();
      ASSERT_EQ(after.state_hash(), whole.state_hash()) << at << " + " << i;
    }
  }
}

// Whatever was commanded before the failure is undone, and the next attempt does the same.
TEST_P(ControllersOf, AStepThatFailsLeavesTheStateBeforeIt) {
  SceneDescription s = balls(3, GetParam());
  s.bodies[2].velocity = {-2, 0, 0};
  bool fails = false;
  s.controllers = {scripted("juggle", juggling(), "ball_0"), scripted(
                                                                 "fail",
                                                                 [&](ControllerContext&, std::int64_t) {
                                                                   if (fails) throw std::runtime_error("no luck");
                                                                 },
                                                                 "ball_2")};
  Simulation sim(s), undisturbed(s);
  for (int i = 0; i < 60; ++i) {
    const std::vector<std::byte> before = sim.snapshot();
    fails = true;
    try {
      sim.step();
      ADD_FAILURE() << "it must fail";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kController);
      const std::string what = e.what();
      for (const char* part : {"controller 'fail' (scripted) of body 'ball_2'", "no luck", "t = ", "is kept"})
        EXPECT_NE(what.find(part), std::string::npos) << what;
    }
    EXPECT_EQ(sim.snapshot(), before) << "step " << i;
    fails = false;
    sim.step(), undisturbed.step();
    ASSERT_EQ(sim.state_hash(), undisturbed.state_hash()) << i;
  }
}

// The same if the step fails after the controllers: here by a callback that throws.
TEST_P(ControllersOf, AStepOfTheModelThatFailsUndoesTheirCommands) {
  SceneDescription s = balls(3, GetParam());
  s.controllers = {scripted("juggle", juggling(), "ball_0")};
  Simulation sim(s);
  bool fails = false;
  sim.set_force_callback([&](ForceContext&) {
    if (fails) throw std::runtime_error("callback");
  });
  for (int i = 0; i < 12; ++i) {
    const std::vector<std::byte> before = sim.snapshot();
    fails = true;
    EXPECT_THROW(sim.step(), std::runtime_error);
    EXPECT_EQ(sim.snapshot(), before) << "step " << i;
    fails = false;
    sim.step();
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ControllersOf, ::testing::Values("impulse", "ncp", "lcp", "convex", "lagrange"),
                         [](const auto& p) { return std::string(p.param); });

TEST(Controllers, CommandsThatAreNotFiniteFailTheStep) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Script> bad{
      [&](ControllerContext& w, std::int64_t) {
        w.apply_force(w.body(), {nan, 0, 0});
      },
      [&](ControllerContext& w, std::int64_t) {
        w.apply_torque(w.body(), {0, 0, nan});
      },
      [&](ControllerContext& w, std::int64_t) {
        w.apply_force_at(w.body(), {1, 0, 0}, {nan, 0, 0});
      },
      [&](ControllerContext& w, std::int64_t) { w.set_pair_restitution(w.body(), w.find_body("ball_1"), nan); },
      [&](ControllerContext& w, std::int64_t) { w.set_pair_restitution(w.body(), w.find_body("ball_1"), 1.5); },
      [&](ControllerContext& w, std::int64_t) { w.set_pair_collision(w.body(), w.body(), false); },
      [&](ControllerContext& w, std::int64_t) { w.find_body("ball_9"); },
      [&](ControllerContext& w, std::int64_t) { w.remove_joint("no_such_joint"); },
      [&](ControllerContext& w, std::int64_t) { w.set_tag(w.body(), "", true); },
      [&](ControllerContext&, std::int64_t) { throw 7; }};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    SceneDescription s = balls(2);
    s.controllers = {scripted("bad", bad[i], "ball_0")};
    Simulation sim(s);
    const std::vector<std::byte> before = sim.snapshot();
    try {
      sim.step();
      ADD_FAILURE() << i;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kController) << i;
      EXPECT_NE(std::string(e.what()).find("controller 'bad' (scripted) of body 'ball_0'"), std::string::npos);
    }
    EXPECT_EQ(sim.snapshot(), before) << i;
  }
}

TEST(Controllers, ChangeTheWorldOnlyThroughTheirContext) {
  SceneDescription s = balls(1);
  Simulation* reached = nullptr;
  s.controllers = {scripted("reach", [&](ControllerContext&, std::int64_t) { reached->step(); })};
  Simulation sim(s);
  reached = &sim;
  EXPECT_THROW(sim.step(), Error);
  EXPECT_EQ(sim.step_count(), 0u);
}

TEST(Controllers, RandomNumbersFollowTheSeedAndThePlace) {
  const auto draws = [](std::uint64_t seed) {
    SceneDescription s = balls(1);
    s.seed = seed;
    std::vector<std::vector<double>> out(2);
    for (std::size_t k = 0; k < 2; ++k)
      s.controllers.push_back(scripted("draw" + std::to_string(k), [&out, k](ControllerContext& w, std::int64_t) {
        for (int i = 0; i < 1000; ++i) out[k].push_back(w.random());
      }));
    Simulation sim(s);
    for (int i = 0; i < 10; ++i) sim.step();
    return out;
  };
  const auto a = draws(1), again = draws(1), other = draws(2);
  EXPECT_EQ(a, again);
  EXPECT_NE(a[0], a[1]);
  EXPECT_NE(a[0], other[0]);
  double mean = 0, square = 0;
  for (const double x : a[0]) {
    EXPECT_TRUE(x >= 0 && x < 1);
    mean += x / 10000, square += x * x / 10000;
  }
  EXPECT_NEAR(mean, 0.5, 0.012);        // 4 standard errors: 4·√(1/12)/100
  EXPECT_NEAR(square, 1.0 / 3, 0.012);  // the same of x²: 4·√(4/45)/100
}

TEST(Controllers, SceneMistakesAreNamed) {
  const auto with = [](const std::function<void(ControllerDescription&)>& change) {
    SceneDescription s = balls(2);
    s.controllers = {scripted(
        "idle", [](ControllerContext&, std::int64_t) {}, "ball_0")};
    change(s.controllers[0]);
    return refusal(s);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  EXPECT_EQ(with([](auto&) {}), "");
  has(with([](auto& c) { c.kind = "robto"; }),
      "there is no kind of controller 'robto' (did you mean 'robot'?); there are robot");
  has(with([](auto& c) { c.body = "ball_7"; }), "there is no body 'ball_7'");
  has(with([](auto& c) { c.parameters["gian"] = 1.0; }), "no parameter 'gian' (did you mean 'gain'?)");
  has(with([](auto& c) { c.parameters["gain"] = 11.0; }), "the parameter 'gain' is 11; it must be between 0 and 10");
  has(with([](auto& c) { c.parameters["gain"] = std::string("x"); }), "is of another type");
  has(with([](auto& c) { c.parameters["gain"] = std::int64_t{3}; }), "");
  has(with([](auto& c) { c.parameters["other"] = std::string("ball_8"); }), "there is no body 'ball_8'");
  has(with([](auto& c) { c.parameters["place"] = Vector3d(0, 0, 1); }), "z must be 0");
  has(with([](auto& c) { c.parameters.erase("script"); }), "the parameter 'script' is missing");
  SceneDescription twice = balls(1);
  twice.controllers = {scripted("idle", [](ControllerContext&, std::int64_t) {}), twice.controllers.emplace_back()};
  twice.controllers[1] = twice.controllers[0];
  has(refusal(twice), "two controllers are named 'idle'");
  SceneDescription jointless = balls(1, "guendelman");
  ControllerDescription robot;
  robot.kind = "robot", robot.body = "ball_0";
  jointless.controllers = {robot};
  if (!find_model("guendelman").capabilities.joints) has(refusal(jointless), "does not support joints");
  robot.body = "";
  SceneDescription bodiless = balls(1);
  bodiless.controllers = {robot};
  bodiless.controllers[0].parameters = {{"left", std::string("ball_0")}, {"right", std::string("ball_0")}};
  has(refusal(bodiless), "needs a body");
}

TEST(Controllers, KindsAreRegisteredOnce) {
  make_known();
  ControllerKind kind;
  kind.name = "scripted";
  EXPECT_THROW(register_controller(kind), Error);  // no maker
  kind.make = [](const ControllerSetup&) { return std::unique_ptr<Controller>(); };
  EXPECT_THROW(register_controller(kind), Error);  // taken
  kind.name = "outside_its_range";
  kind.parameters = {{"x", ParameterType::kNumber, "", "", 2.0, 0.0, 1.0}};
  EXPECT_THROW(register_controller(kind), Error);
  kind.parameters = {{"x", ParameterType::kNumber, "", "", 1.0}, {"x", ParameterType::kBool, "", "", true}};
  EXPECT_THROW(register_controller(kind), Error);
  const std::vector<std::string> kinds = controller_kinds();
  EXPECT_EQ(kinds.front(), "robot");
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), "scripted"), kinds.end());
}

TEST(Controllers, MustReadWhatTheySave) {
  class Forgetful final : public Controller {
   public:
    void act(ControllerContext&) override {}
    void serialize(ControllerState& state) override {
      state(a_);
      if (state.saving()) state(b_);
    }
    double a_ = 0, b_ = 0;
  };
  ControllerKind kind;
  kind.name = "forgetful";
  kind.needs_body = false;
  kind.make = [](const ControllerSetup&) { return std::make_unique<Forgetful>(); };
  register_controller(kind);
  SceneDescription s = balls(1);
  s.controllers.emplace_back();
  s.controllers[0].kind = "forgetful";
  EXPECT_NE(refusal(s).find("controller 'controller_1': its saved state holds more than it reads"), std::string::npos);
}

TEST(Controllers, ABodyWithAControllerStays) {
  SceneDescription s = balls(2);
  s.controllers = {scripted(
      "idle", [](ControllerContext&, std::int64_t) {}, "ball_0")};
  Simulation sim(s);
  EXPECT_THROW(sim.remove_body(sim.find_body("ball_0")), Error);
  sim.remove_body(sim.find_body("ball_1"));
}

TEST(Controllers, ASnapshotOfOthersIsRefused) {
  SceneDescription s = balls(2);
  s.controllers = {scripted(
      "idle", [](ControllerContext&, std::int64_t) {}, "ball_0")};
  const Simulation sim(s);
  SceneDescription other = s;
  other.controllers[0].parameters["gain"] = 3.0;
  Simulation changed(other), none(balls(2));
  EXPECT_THROW(changed.restore(sim.snapshot()), Error);
  EXPECT_THROW(none.restore(sim.snapshot()), Error);
}

}  // namespace
}  // namespace touchstone::testing
