#pragma once
/// Touchstone: one scene, many contact models, one yardstick. This is all that a program includes.
///
///     touchstone::Simulation sim(touchstone::load_scene("scene.toml"));
///     while (sim.time() < 2.0) sim.step();
///     auto ball = sim.state(sim.find_body("ball"));
#include "touchstone/body_id.h"
#include "touchstone/compare.h"
#include "touchstone/controller.h"
#include "touchstone/description.h"
#include "touchstone/error.h"
#include "touchstone/measures.h"
#include "touchstone/query.h"
#include "touchstone/recorder.h"
#include "touchstone/robot.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"
#include "touchstone/step_report.h"
#include "touchstone/verify.h"
#include "touchstone/viewer.h"
