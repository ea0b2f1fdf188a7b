// Robots fetch cans and bring them home. Where the robots are depends on every contact before, so that steps differ
// from compiler to compiler; that all cans come home does not.
#include <fmt/format.h>

#include <algorithm>

#include "study/papers/thompson2003/thompson2003.h"

namespace touchstone::thompson2003 {
namespace {

constexpr std::uint64_t kMost = 20'000, kPicture = 500;
constexpr double kHome = 150;  // a can is at home above [m]: it is put down above 160, with room for a push

struct Errand {
  int robots, cans, seeds, quick_seeds;
};

// Every can is at home, and nobody holds it: cans that are held have lost their tag.
bool all_home(const Simulation& simulation, const std::vector<BodyId>& cans) {
  return std::all_of(cans.begin(), cans.end(), [&](BodyId can) {
    return simulation.has_tag(can, "can") && simulation.state(can).center_of_mass.y() >= kHome;
  });
}

class Errands {
 public:
  Errands(const Errand& errand, const PaperOptions& options) : errand_(errand), options_(options) {}

  bool run(PaperStudy& study) {
    const int seeds = options_.quick ? errand_.quick_seeds : errand_.seeds;
    for (int seed = 1; seed <= seeds; ++seed)
      if (!run_one(seed, study)) return false;
    const std::string name = fmt::format("{} robots, {} cans, {} starts", errand_.robots, errand_.cans, seeds);
    study.rows.push_back(row_at_least(name + ": starts from which all cans come home", "", seeds, home_));
    study.rows.push_back(row_between(name + ": fewest steps", "", 1, kMost, fewest_));
    study.rows.push_back(row_between(name + ": most steps", "", 1, kMost, most_));
    if (errand_.robots == 2) {
      beside(study.rows[study.rows.size() - 2], 1441);
      beside(study.rows.back(), 2279);
    }
    study.rows.push_back(row_info(name + ": greatest opening of a joint", "m", {}, joint_));
    return true;
  }

 private:
  static void beside(PaperRow& row, double demo) {
    row = beside_demo(row, demo);
    row.note += ", six starts";
  }

  bool run_one(int seed, PaperStudy& study) {
    const SceneDescription scene = scene_of(options_, "robots",
                                            {{"body.robot.scatter.count", std::to_string(errand_.robots)},
                                             {"body.can.scatter.count", std::to_string(errand_.cans)},
                                             {"simulation.seed", std::to_string(seed)}});
    Simulation simulation(scene);
    std::vector<BodyId> cans;
    for (const BodyId body : simulation.bodies())
      if (simulation.has_tag(body, "can")) cans.push_back(body);
    const std::string label = fmt::format("robots {}/{}, start {}", errand_.robots, errand_.cans, seed);
    std::uint64_t home = 0;
    const auto watch = [&](const StepReport& r) {
      joint_ = std::max(joint_, joint_error(simulation));
      const bool drawn = errand_.robots == 2 && seed == 1 && !options_.figures.empty();
      if (drawn && r.step == kPicture)
        draw_now(simulation, "robots [figure 2]", figure_path(options_, "figure_2.png", study), &scene);
      if (all_home(simulation, cans)) home = r.step;
      return home > 0;
    };
    if (!advance(simulation, kMost, options_, label, study, watch)) return false;
    if (home == 0) return true;
    const auto steps = static_cast<double>(home);
    fewest_ = home_ == 0 ? steps : std::min(fewest_, steps);
    most_ = std::max(most_, steps);
    ++home_;
    return true;
  }

  Errand errand_;
  const PaperOptions& options_;
  double home_ = 0, fewest_ = 0, most_ = 0;  // starts, steps
  double joint_ = 0;                         // [m]
};

}  // namespace

void robots(const PaperOptions& options, PaperStudy& study) {
  for (const Errand& errand : {Errand{2, 4, 20, 2}, Errand{4, 16, 20, 1}, Errand{8, 40, 20, 0}})
    if ((!options.quick || errand.quick_seeds > 0) && !Errands(errand, options).run(study)) return;
}

}  // namespace touchstone::thompson2003
