// Plots are tested through their layout; the files only for being pictures with the lines in them.
#include "io/plot/plot.h"

#include <cairo/cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <sstream>

#include "io/plot/layout.h"
#include "io/plot/ticks.h"
#include "recording/recorder.h"

namespace touchstone {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("touchstone-plot-" + std::to_string(::getpid()) + name)).string();
}

Plot line(std::vector<double> x, std::vector<double> y, const std::string& label = "energy [J]") {
  Plot plot;
  plot.x_label = "time [s]", plot.y_label = label;
  plot.series = {{"a", std::move(x), std::move(y)}};
  return plot;
}

TEST(PlotTicks, StepsAreOneTwoFive) {
  EXPECT_DOUBLE_EQ(nice_step(10, 4), 2);
  EXPECT_DOUBLE_EQ(nice_step(10, 5), 2);
  EXPECT_DOUBLE_EQ(nice_step(10, 6), 1);
  EXPECT_DOUBLE_EQ(nice_step(0.003, 5), 5e-4);
  EXPECT_DOUBLE_EQ(nice_step(7e12, 7), 1e12);
  EXPECT_EQ(tick_values(-0.5, 1.0, 0.5), (std::vector<double>{-0.5, 0, 0.5, 1.0}));
}

TEST(PlotTicks, TextsHaveTheDecimalsOfTheStep) {
  EXPECT_EQ(tick_text(0.30000000000000004, 0.1), "0.3");
  EXPECT_EQ(tick_text(-2, 0.5), "−2.0");
  EXPECT_EQ(tick_text(1500, 500), "1500");
}

TEST(PlotTicks, LargeAndSmallNumbersMoveIntoTheUnit) {
  EXPECT_EQ(scaled_label("energy [J]", 20000).label, "energy [kJ]");
  EXPECT_DOUBLE_EQ(scaled_label("energy [J]", 20000).factor, 1e-3);
  EXPECT_EQ(scaled_label("max penetration [m]", 4e-5).label, "max penetration [µm]");
  EXPECT_EQ(scaled_label("momentum x [kg·m/s]", 54321).label, "momentum x [10³ kg·m/s]");
  EXPECT_EQ(scaled_label("angle [rad]", 2e-7).label, "angle [10⁻⁹ rad]");
  EXPECT_EQ(scaled_label("contacts", 123456).label, "contacts [10³]");
  EXPECT_EQ(scaled_label("energy [J]", 1e20).label, "energy [10¹⁸ J]");
  EXPECT_EQ(scaled_label("energy [J]", 12).label, "energy [J]");
  EXPECT_EQ(scaled_label("energy [J]", 0).factor, 1.0);
}

TEST(PlotLayout, PointsLandWhereTheAxesSay) {
  const PlotLayout layout = lay_out(line({0, 1, 2}, {-1, 3, 0}));
  ASSERT_EQ(layout.curves[0].runs.size(), 1u);
  const auto& run = layout.curves[0].runs[0];
  ASSERT_EQ(run.size(), 3u);
  EXPECT_DOUBLE_EQ(run.front().x(), layout.left);
  EXPECT_DOUBLE_EQ(run.back().x(), layout.right);
  const double zero = layout.bottom + layout.y.low / (layout.y.high - layout.y.low) * (layout.bottom - layout.top);
  EXPECT_NEAR(run[2].y(), zero, 1e-9);
  EXPECT_LT(run[1].y(), run[2].y()) << "up is up";
  EXPECT_GT(run[1].y(), layout.top);
  EXPECT_EQ(layout.y.label, "energy [J]");
  EXPECT_EQ(layout.x.label, "time [s]");
}

TEST(PlotLayout, NanAndInfinityAreGaps) {
  const double inf = std::numeric_limits<double>::infinity();
  const PlotLayout layout = lay_out(line({0, 1, 2, 3, 4, 5, 6}, {1, 2, kNaN, 3, inf, 4, 1e305}));
  ASSERT_EQ(layout.curves[0].runs.size(), 3u);
  EXPECT_EQ(layout.curves[0].runs[1].size(), 1u);
  for (const auto& run : layout.curves[0].runs)
    for (const auto& p : run) EXPECT_TRUE(p.allFinite());
  EXPECT_LT(layout.y.high, 5);
}

TEST(PlotLayout, ConstantEmptyAndSingleSeriesHaveAxes) {
  for (const double value : {0.0, 5.0, -3e-9, 1e200}) {
    const PlotLayout layout = lay_out(line({0, 1}, {value, value}));
    EXPECT_LT(layout.y.low, value);
    EXPECT_GT(layout.y.high, value);
    EXPECT_GE(layout.y.ticks.size(), 2u);
    EXPECT_EQ(std::set<std::string>(layout.y.texts.begin(), layout.y.texts.end()).size(), layout.y.texts.size());
  }
  EXPECT_TRUE(lay_out(line({}, {})).empty);
  EXPECT_TRUE(lay_out(line({0}, {kNaN})).empty);
  const PlotLayout point = lay_out(line({2}, {7}));
  EXPECT_FALSE(point.empty);
  EXPECT_EQ(point.curves[0].runs[0].size(), 1u);
  EXPECT_THROW(lay_out(line({0, 1}, {0})), Error);
}

TEST(PlotLayout, NoiseOfTheLastBitsIsAConstant) {
  const PlotLayout layout = lay_out(line({0, 1}, {1000.0, 1000.0 * (1 + 1e-14)}));
  EXPECT_GT(layout.y.high - layout.y.low, 10);
}

TEST(PlotLayout, LongSeriesAreThinnedButKeepTheirPeaks) {
  std::vector<double> x, y;
  for (int i = 0; i < 1000000; ++i) x.push_back(i), y.push_back(std::sin(0.01 * i));
  y[654321] = 40;
  const PlotLayout layout = lay_out(line(x, y));
  const auto& run = layout.curves[0].runs[0];
  EXPECT_LE(run.size(), 4 * 900u);
  double highest = 1e9, before = -1;
  for (const auto& p : run) {
    highest = std::min(highest, p.y());
    EXPECT_GE(p.x(), before) << "in the order of the data";
    before = p.x();
  }
  const double peak =
      layout.bottom - (40 - layout.y.low) / (layout.y.high - layout.y.low) * (layout.bottom - layout.top);
  EXPECT_NEAR(highest, peak, 1e-9);
}

TEST(PlotLayout, LegendOnlyForSeveralSeries) {
  Plot plot = line({0, 1}, {0, 1});
  EXPECT_TRUE(lay_out(plot).legend.empty());
  for (int i = 0; i < 19; ++i) plot.series.push_back({"s" + std::to_string(i), {0, 1}, {0, 1}});
  const PlotLayout layout = lay_out(plot);
  EXPECT_EQ(layout.legend.front(), "a");
  EXPECT_EQ(layout.legend.back(), "and 6 more");
}

std::size_t count_color(const std::string& png, std::uint32_t rgb, int& width, int& height) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
      cairo_image_surface_create_from_png(png.c_str()), &cairo_surface_destroy);
  EXPECT_EQ(cairo_surface_status(image.get()), CAIRO_STATUS_SUCCESS);
  width = cairo_image_surface_get_width(image.get()), height = cairo_image_surface_get_height(image.get());
  const unsigned char* data = cairo_image_surface_get_data(image.get());
  std::size_t count = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      std::uint32_t pixel;
      std::memcpy(&pixel, data + row * cairo_image_surface_get_stride(image.get()) + 4 * column, 4);
      count += (pixel & 0xffffff) == rgb;
    }
  return count;
}

TEST(PlotFile, PngHasTheLinesOfItsSeries) {
  Plot plot = line({0, 1, 2}, {0, 1, 1});
  plot.series.push_back({"b", {0, 1, 2}, {2, 2, 2}});
  const std::string path = temporary(".png");
  draw_plot(plot, path);
  int width = 0, height = 0;
  EXPECT_GT(count_color(path, 0x0072b2, width, height), 100u) << "the first series' blue";
  EXPECT_GT(count_color(path, 0xd55e00, width, height), 100u) << "the second one's vermilion";
  EXPECT_EQ(width, 900);
  EXPECT_EQ(height, 520);
  plot.series.pop_back();
  draw_plot(plot, path);
  EXPECT_EQ(count_color(path, 0xd55e00, width, height), 0u);
  std::filesystem::remove(path);
}

TEST(PlotFile, SvgOfAMillionPointsIsSmallAndHasNoNan) {
  std::vector<double> x, y;
  for (int i = 0; i < 1000000; ++i) x.push_back(1e-5 * i), y.push_back(i % 1000 == 0 ? kNaN : std::sin(0.37 * i));
  const std::string path = temporary(".svg");
  draw_plot(line(x, y), path);
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_LT(text.str().size(), 1000000u);
  EXPECT_NE(text.str().find("<svg"), std::string::npos);
  EXPECT_NE(text.str().find("900"), std::string::npos);
  EXPECT_EQ(text.str().find("nan"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(PlotFile, WrongPathsAreErrors) {
  EXPECT_THROW(draw_plot(line({0}, {0}), temporary(".jpg")), Error);
  try {
    draw_plot(line({0}, {0}), "/no/such/folder/plot.svg");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_NE(std::string(error.what()).find("/no/such/folder/plot.svg"), std::string::npos);
  }
}

// --- plots of recordings

Recording record(const std::string& path, int dimension, RecordDescription what = {}) {
  RecordingInfo info;
  info.model = "penalty", info.scene_name = "made up", info.dimension = dimension, info.record = what;
  info.body_names = {"arm.left", "ball"};
  RecordingWriter recorder(path, info);
  for (int f = 0; f < 4; ++f) {
    const double t = 0.1 * f;
    Frame frame;
    frame.step = static_cast<std::uint64_t>(f), frame.time = t, frame.slots = 2, frame.alive = {1, f < 3};
    for (int b = 0; b < 2; ++b) {
      if (dimension == 2) {
        frame.poses.insert(frame.poses.end(), {t, 10 * t, 7 * t});
        frame.velocities.insert(frame.velocities.end(), {3, 4, 2 * t});
      } else {
        frame.poses.insert(frame.poses.end(), {t, 10 * t, 100 * t, std::cos(t), 0, std::sin(t), 0});
        frame.velocities.insert(frame.velocities.end(), {2, 3, 6, t, 2 * t, 3 * t});
      }
    }
    if (!what.velocities) frame.velocities.clear();
    for (std::size_t i = 0; i < report_fields().size(); ++i) frame.report.push_back(static_cast<double>(i) + t);
    recorder.mark({frame.step, frame.time, 0});
    recorder.frame(frame);
  }
  recorder.finish(true);
  return Recording::open(path);
}

std::string message_of(const Recording& recording, const std::vector<std::string>& names) {
  try {
    plot_of(recording, names);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(PlotOf, ReportFieldsHaveTheirUnit) {
  const Recording recording = record(temporary("-report.h5"), 3);
  const Plot plot = plot_of(recording, {"kinetic_energy", "gravity_energy"});
  EXPECT_EQ(plot.y_label, "energy [J]");
  EXPECT_EQ(plot.x_label, "time [s]");
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[1].label, "gravity_energy");
  EXPECT_EQ(plot.series[1].x, (std::vector<double>{0, 0.1, 0.2, 0.1 * 3}));
  EXPECT_DOUBLE_EQ(plot.series[1].y[2], 1.2);
  EXPECT_EQ(plot_of(recording, {"model_penetration"}).y_label, "model penetration [m]");
  std::filesystem::remove(recording.path());
}

TEST(PlotOf, ComponentsOfBodies) {
  const Recording recording = record(temporary("-3d.h5"), 3);
  const auto value = [&](const std::string& name) { return plot_of(recording, {name}).series[0].y[2]; };
  EXPECT_DOUBLE_EQ(value("ball.x"), 0.2);
  EXPECT_DOUBLE_EQ(value("ball.y"), 2);
  EXPECT_DOUBLE_EQ(value("ball.height"), 20);
  EXPECT_DOUBLE_EQ(value("ball.vz"), 6);
  EXPECT_DOUBLE_EQ(value("ball.speed"), 7);
  EXPECT_DOUBLE_EQ(value("ball.wy"), 0.4);
  EXPECT_NEAR(value("ball.angle"), 0.4, 1e-12) << "twice the half angle";
  EXPECT_DOUBLE_EQ(value("arm.left.x"), 0.2) << "a name with a dot";
  EXPECT_TRUE(std::isnan(plot_of(recording, {"ball.x"}).series[0].y[3])) << "removed";
  EXPECT_EQ(plot_of(recording, {"ball.speed"}).y_label, "ball.speed [m/s]");
  std::filesystem::remove(recording.path());
  const Recording flat = record(temporary("-2d.h5"), 2);
  EXPECT_DOUBLE_EQ(plot_of(flat, {"ball.height"}).series[0].y[1], 1);
  EXPECT_DOUBLE_EQ(plot_of(flat, {"ball.angle"}).series[0].y[2], 1.4);
  EXPECT_DOUBLE_EQ(plot_of(flat, {"ball.speed"}).series[0].y[0], 5);
  EXPECT_NE(message_of(flat, {"ball.vz"}).find("in 2D"), std::string::npos);
  std::filesystem::remove(flat.path());
}

TEST(PlotOf, ErrorsSayWhatWouldBeRight) {
  const Recording recording = record(temporary("-bad.h5"), 3, {1, true, false, true});
  std::string message = message_of(recording, {"kinetic_enegy"});
  EXPECT_NE(message.find("did you mean 'kinetic_energy'"), std::string::npos) << message;
  EXPECT_NE(message.find("model_penetration"), std::string::npos) << "all names are listed";
  message = message_of(recording, {"bal.x"});
  EXPECT_NE(message.find("did you mean 'ball'"), std::string::npos) << message;
  message = message_of(recording, {"energy", "ball.x"});
  EXPECT_NE(message.find("'energy' has [J] and 'ball.x' has [m]"), std::string::npos) << message;
  message = message_of(recording, {"ball.vx"});
  EXPECT_NE(message.find("leaves out velocities"), std::string::npos) << message;
  EXPECT_NE(message_of(recording, {}).find("at least one"), std::string::npos);
  std::filesystem::remove(recording.path());
}

}  // namespace
}  // namespace touchstone
