// The table: what was measured, what the paper says, and whether the two agree.
#include <fmt/format.h>

#include <cmath>

#include "io/plot/plot.h"
#include "study/papers/drumwright2009/drumwright2009.h"

namespace touchstone {

Paper drumwright2009_paper() {
  return {"drumwright2009",
          "E. Drumwright, D. Shell: A robust and tractable contact model for dynamic robotic simulation (2009)",
          {{"table", "its table of methods, measured on the same scenes", drumwright2009::table}}};
}

namespace drumwright2009 {
namespace {

// What counts as yes. The paper has no numbers; its own method, which it calls stable, drifts by 0.1 mm in 25 s.
constexpr double kMostPenetration = 2e-4;  // [m]: a thousandth of the cubes
constexpr double kMostCreep = 1e-5;        // [m/s]
constexpr double kMostBounceError = 0.01;  // of the speed of the impact, at one contact
constexpr double kMoreGrowth = 0.5;        // beyond the printed exponent: what times of small steps are known to

bool as_printed(const Method& m, double growth) { return growth <= m.order + kMoreGrowth; }

std::string compared(Claim claim, bool does) {
  if (claim == Claim::kNone) return "";
  return (claim == Claim::kYes) == does ? "agrees" : "differs";
}

PaperRow plain(const Method& m, const std::string& what, const std::string& unit, double ours) {
  return row_info(m.label + ": " + what, unit, std::nullopt, ours);
}

}  // namespace

bool prevents_penetration(const Score& s) { return s.penetration <= kMostPenetration; }
bool always_converges(const Score& s) { return s.converged == 1; }
bool holds_contact(const Score& s) { return s.slope_creep <= kMostCreep && s.stack_creep <= kMostCreep; }
bool models_impacts(const Score& s) { return s.one_contact <= kMostBounceError; }
bool grows_as_printed(const Method& m, const Score& s) {
  return as_printed(m, s.growth_apart) && as_printed(m, s.growth_together);
}

// Rows with a paper's entry say whether they agree with it. Those of the paper's own method are judged: its claims are
// what the model here must keep.
void add_rows(const Method& m, const Score& s, PaperStudy& study) {
  const bool own = m.model.name == "convex";
  const auto add = [&](PaperRow row, Claim claim, bool does, double most) {
    if (claim != Claim::kNone) row.note = fmt::format("paper: {}, {}", claim_name(claim), compared(claim, does));
    if (own && std::isfinite(most)) row.high = most;
    study.rows.push_back(row);
  };
  const double open = std::nan("");
  add(plain(m, "deepest penetration", "mm", 1e3 * s.penetration), m.nonpenetration, prevents_penetration(s),
      1e3 * kMostPenetration);
  add(plain(m, "steps that did not converge", "%", 100 * (1 - s.converged)), m.convergence, always_converges(s), 0);
  add(plain(m, "creep on a slope", "m/s", s.slope_creep), m.stable, s.slope_creep <= kMostCreep, kMostCreep);
  add(plain(m, "creep of a stack", "m/s", s.stack_creep), m.stable, s.stack_creep <= kMostCreep, kMostCreep);
  add(plain(m, "error of a bounce, 1 contact", "", s.one_contact), m.impacts, models_impacts(s), kMostBounceError);
  add(plain(m, "error of a bounce, 4 contacts", "", s.four_contacts), Claim::kNone, false, open);
  for (const bool together : {false, true}) {
    const double growth = together ? s.growth_together : s.growth_apart;
    PaperRow row = plain(m, together ? "growth of time, stacked" : "growth of time, side by side", "", growth);
    if (m.in_paper) row.note = fmt::format("paper: {}, {}", m.order_text, as_printed(m, growth) ? "agrees" : "differs");
    study.rows.push_back(row);
  }
}

std::vector<std::string> grid_columns() {
  return {"method",
          "model",
          "overlap [mm]",
          "prevents it",
          "converged",
          "always",
          "creep: slope, stack [m/s]",
          "holds contact",
          "bounce error: 1, 4 contacts",
          "impacts",
          "growth: apart, stacked",
          "printed"};
}

std::vector<std::string> grid_line(const Method& m, const Score& s) {
  const auto cell = [](Claim claim, bool does) {
    const std::string word = does ? "yes" : "no";
    if (claim == Claim::kNone) return word;
    return fmt::format("{} (paper {}: {})", word, claim_name(claim), compared(claim, does));
  };
  const std::string printed =
      m.in_paper ? fmt::format("{}: {}", m.order_text, grows_as_printed(m, s) ? "agrees" : "differs") : "";
  return {m.label,
          m.model.name,
          fmt::format("{:.2g}", 1e3 * s.penetration),
          cell(m.nonpenetration, prevents_penetration(s)),
          fmt::format("{:.1f} %", 100 * s.converged),
          cell(m.convergence, always_converges(s)),
          fmt::format("{:.1e}, {:.1e}", s.slope_creep, s.stack_creep),
          cell(m.stable, holds_contact(s)),
          fmt::format("{:.1e}, {:.1e}", s.one_contact, s.four_contacts),
          cell(m.impacts, models_impacts(s)),
          fmt::format("{:.1f}, {:.1f}", s.growth_apart, s.growth_together),
          printed};
}

void table(const PaperOptions& options, PaperStudy& study) {
  PaperGrid grid;
  grid.columns = grid_columns();
  Plot plot;
  plot.title = "Time of a step of a stack";
  plot.x_label = "cubes [log10]";
  plot.y_label = "time [log10 of s]";
  for (const Method& m : methods()) {
    Score score;
    if (!measure(m, options, study, score)) return;
    add_rows(m, score, study);
    grid.lines.push_back(grid_line(m, score));
    if (!m.remark.empty()) grid.notes.push_back(m.label + ": " + m.remark);
    if (!score.failure.empty()) grid.notes.push_back(m.label + " gave up: " + score.failure);
    PlotSeries series;
    series.label = m.label;
    for (std::size_t i = 0; i < score.sizes.size(); ++i)
      series.x.push_back(std::log10(score.sizes[i])), series.y.push_back(std::log10(score.times[i]));
    plot.series.push_back(series);
  }
  grid.notes.push_back(
      fmt::format("yes: at most {:g} mm, all steps, {:g} m/s, {:g} of the speed, the printed order "
                  "plus {:g}; Hahn, Mirtich and Guendelman without pushing out, as published",
                  1e3 * kMostPenetration, kMostCreep, kMostBounceError, kMoreGrowth));
  study.grids.push_back(grid);
  if (!options.figures.empty()) draw_plot(plot, figure_path(options, "cost.png", study));
}

}  // namespace drumwright2009
}  // namespace touchstone
