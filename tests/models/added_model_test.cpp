// A contact model that lies about its penetration: what people are shown is measured, or says whose claim it is.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "models/registry.h"
#include "recording/recording.h"
#include "study/run_text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kLie = 123.25;  // m

// Another model whose own account of the penetration is wrong.
template <int D>
class Liar : public ContactModel<D> {
 public:
  explicit Liar(std::unique_ptr<ContactModel<D>> inner) : inner_(std::move(inner)) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override {
    ModelReport report = inner_->step(in, state);
    report.max_penetration = kLie;
    return report;
  }
  std::size_t contact_count() const override { return inner_->contact_count(); }
  ReportedContact<D> contact(std::size_t i) const override { return inner_->contact(i); }
  Vec<D> contact_velocity(std::size_t i, const State<D>& state) const override {
    return inner_->contact_velocity(i, state);
  }
  void undo() override { inner_->undo(); }
  void forget(std::uint32_t body) override { inner_->forget(body); }
  void serialize(Archive& ar) override { inner_->serialize(ar); }

 private:
  std::unique_ptr<ContactModel<D>> inner_;
};

const ModelInfo& liar() {
  static const ModelInfo& added = []() -> const ModelInfo& {
    const ModelInfo& penalty = find_model("penalty");
    ModelInfo info = penalty;
    info.name = "liar";
    info.make2 = [&penalty](const Options& o) { return std::make_unique<Liar<2>>(penalty.make2(o)); };
    info.make3 = [&penalty](const Options& o) { return std::make_unique<Liar<3>>(penalty.make3(o)); };
    return add_model(info);
  }();
  return added;
}

// A ball on springs that let it sink by a millimetre.
LoadedScene sinking_ball() {
  return {parse_scene(R"(touchstone = 1
name = "sinking ball"
dimension = 3
[simulation]
step = 0.001
duration = 0.3
[model]
name = "liar"
sag = 1e-3
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "ball"
position = [0, 0, 0.1]
shape = { kind = "sphere", radius = 0.1 }
)",
                      "ball.toml"),
          "",
          {},
          {}};
}

// How deep the ball is in the floor, from its height alone.
double depth_of(const Simulation& sim) {
  return std::max(0.0, 0.1 - sim.state(sim.find_body("ball")).center_of_mass.z());
}

struct Told {
  RunSummary summary;
  std::string text;
  nlohmann::ordered_json json;
  double truth = 0;  // m
};

Told run(bool yardstick) {
  liar();
  const LoadedScene loaded = sinking_ball();
  Simulation sim(loaded.scene);
  RecordDescription record;
  record.yardstick = yardstick;
  Told out;
  RunOptions options;
  options.each_step = [&](const StepReport&) { out.truth = std::max(out.truth, depth_of(sim)); };
  out.summary = run_simulation(sim, loaded.scene.duration, record, nullptr, options);
  out.text = summary_text(out.summary, sim, loaded.scene);
  out.json = summary_json(out.summary, sim, loaded.scene);
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(AddedModel, WhatRunShowsIsMeasuredAlsoWithoutARecording) {
  const Told told = run(true);
  ASSERT_GT(told.truth, 5e-4);  // it sinks for all to see
  EXPECT_NEAR(told.summary.measures.penetration.worst, told.truth, 1e-12);
  EXPECT_NEAR(told.json["penetration_max"].get<double>(), told.truth, 1e-12);
  EXPECT_EQ(told.json["report"]["model_penetration"].get<double>(), kLie);  // its name says whose it is
  EXPECT_TRUE(has(told.text, fmt::format("deepest penetration {:.3g} m (floor and ball, t = ", told.truth)))
      << told.text;
  EXPECT_FALSE(has(told.text, "123")) << told.text;
}

TEST(AddedModel, WithoutTheYardstickNothingIsSaidToBeMeasured) {
  const Told told = run(false);
  EXPECT_FALSE(told.summary.measures.measured);
  EXPECT_TRUE(has(told.text, "not measured")) << told.text;
  EXPECT_FALSE(has(told.text, "123")) << told.text;
  EXPECT_FALSE(has(told.text, "deepest")) << told.text;
  EXPECT_TRUE(told.json["penetration_max"].is_null());
  EXPECT_TRUE(told.json["natural_map_max"].is_null());
  EXPECT_EQ(told.json["yardstick"], false);
}

TEST(AddedModel, RecordingsHaveBothUnderTheirOwnNames) {
  liar();
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("touchstone-liar-{}.h5", ::getpid())).string();
  const LoadedScene loaded = sinking_ball();
  Simulation sim(loaded.scene);
  RecordingWriter recorder(path, recording_info(sim, loaded, "ball.toml", {}));
  double truth = 0;
  RunOptions options;
  options.each_step = [&](const StepReport&) { truth = std::max(truth, depth_of(sim)); };
  run_simulation(sim, loaded.scene.duration, loaded.scene.record, &recorder, options);
  recorder.finish(true);
  const Recording recording = Recording::open(path);
  const std::vector<double> measured = recording.series("penetration"), claimed = recording.series("model_penetration");
  EXPECT_NEAR(*std::max_element(measured.begin() + 1, measured.end()), truth, 1e-12);
  EXPECT_EQ(claimed.back(), kLie);
  std::filesystem::remove(path);
}

TEST(AddedModel, AModelIsFoundByItsNameAndNamesAreUnique) {
  EXPECT_EQ(&find_model("liar"), &liar());
  EXPECT_EQ(&registered_models().back(), &liar());
  EXPECT_THROW(add_model(find_model("penalty")), Error);
}

}  // namespace
}  // namespace touchstone
