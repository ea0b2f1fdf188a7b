// The values that `touchstone models` prints of a preset are those that the model uses under it.
#include <gtest/gtest.h>

#include <tuple>

#include "models/impulse/impulse_options.h"

namespace touchstone {
namespace {

auto numbers(const ImpulseOptions& o) {
  return std::tuple(o.tolerance, o.aim, o.rest_gap, o.max_substep, o.longer_if_cut, o.short_substep, o.push_speed,
                    o.slip_speed, o.margin, o.slack, o.reuse, o.short_reuse, o.newton_target, o.newton_products,
                    o.newton_speed, o.sleep_time, o.sleep_speed);
}
auto choices(const ImpulseOptions& o) {
  return std::tuple(o.substeps, o.min_iterations, o.iterations, o.max_iterations, o.timing, o.correction_sweeps,
                    o.lift_passes, o.no_gains, o.newton_bodies, o.predict_contacts, o.single, o.verlet,
                    o.shock_propagation, o.sleep);
}

TEST(Presets, GivingAnOptionItsValueUnderThePresetChangesNothing) {
  const ModelInfo& impulse = find_model("impulse");
  ASSERT_EQ(impulse.presets.size(), 3u);
  for (const ModelPreset& preset : impulse.presets) {
    const Options bare{{"preset", preset.name}};
    const ImpulseOptions as_preset = read_impulse_options(complete_options(impulse, bare));
    for (const KeySpec& key : impulse.options.keys) {
      ASSERT_TRUE(preset.values.contains(key.name)) << key.name;
      Options one = bare;
      one[key.name] = preset.values.at(key.name);
      const ImpulseOptions with = read_impulse_options(complete_options(impulse, one));
      EXPECT_EQ(numbers(with), numbers(as_preset)) << preset.name << " " << key.name;
      EXPECT_EQ(choices(with), choices(as_preset)) << preset.name << " " << key.name;
    }
    const ImpulseOptions all = read_impulse_options(complete_options(impulse, preset.values));
    EXPECT_EQ(numbers(all), numbers(as_preset)) << preset.name;
    EXPECT_EQ(choices(all), choices(as_preset)) << preset.name;
  }
}

TEST(Presets, EveryModelWithAPresetSaysWhatItMeans) {
  for (const ModelInfo& model : registered_models())
    for (const KeySpec& key : model.options.keys)
      if (key.name == "preset") {
        EXPECT_EQ(model.presets.size(), key.choices.size()) << model.name;
      }
}

}  // namespace
}  // namespace touchstone
