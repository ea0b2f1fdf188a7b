// stable: does a scene stand, and how far is it from falling?
#include "command.h"
#include "study/statics/stable.h"

namespace touchstone::app {
namespace {

struct StableArguments {
  Output output;
  std::string file;
  std::vector<std::string> sets;
  std::optional<double> friction;
  std::string law = "circle";
  bool margins = false, no_margins = false;
  statics::StableRequest request;
};

int exit_of(statics::Verdict verdict) {
  switch (verdict) {
    case statics::Verdict::kStands:
      return kOk;
    case statics::Verdict::kFalls:
      return kDiffer;
    case statics::Verdict::kMayStand:
    case statics::Verdict::kUndecided:
      break;
  }
  return kMayStand;
}

SceneDescription read(const StableArguments& a) {
  std::vector<SceneOverride> overrides;
  for (const std::string& set : a.sets) overrides.push_back(parse_set(set));
  return load_scene(a.file, overrides);
}

int stable(StableArguments& a) {
  catch_interrupts();
  a.request.touch.friction = a.friction;
  a.request.law = a.law == "pyramid" ? statics::FrictionLaw::kPyramid : statics::FrictionLaw::kCircle;
  a.request.stop = StopFlag(interrupt_flag());
  if (a.margins) a.request.margins = a.request.ranges = true;
  if (a.no_margins) a.request.margins = a.request.ranges = false;
  const statics::StableReport report = statics::judge(read(a), a.request);
  a.output.print(statics::stable_json(report), statics::stable_text(report));
  return exit_of(report.assessment.verdict);
}

}  // namespace

void add_stable(CLI::App& app, int& code) {
  auto a = std::make_shared<StableArguments>();
  CLI::App* word = app.add_subcommand(
      "stable", "Does it stand? The verdict on a scene at rest, with forces, margins, and the motion if it falls");
  word->add_option("file", a->file, "Scene")->required();
  word->add_option("--set", a->sets, "Change a value of the scene, e.g. --set material.0.friction=0.3 (repeatable)")
      ->allow_extra_args(false);
  word->add_option("--friction", a->friction, "Coefficient of friction of all contacts, instead of the materials'")
      ->check(number_between(0, 1e6));
  word->add_option("--tolerance", a->request.touch.tolerance,
                   "Gap or overlap that counts as touching, as a part of the smaller body's size; default 1e-6")
      ->check(number_between(0, 0.1));
  word->add_option("--cone", a->law, "Law of friction in 3D: circle (Coulomb), or a four-sided pyramid")
      ->check(one_of({"circle", "pyramid"}));
  word->add_flag("--exact", a->request.exact, "Prove the verdict in fractions whatever it takes, and print fractions");
  word->add_option("--load", a->request.loads,
                   "Margin of a load at the centre of a body: BODY:down, BODY:+x, ... (repeatable)")
      ->allow_extra_args(false);
  word->add_flag("--margins", a->margins, "Margins and ranges of forces also of large structures");
  word->add_flag("--no-margins", a->no_margins, "The verdict only");
  word->add_flag("--points", a->request.points, "Ranges of the force at every point also of large structures");
  word->add_option("--nodes", a->request.most_nodes, "Budget of the search over contact modes; default 2000")
      ->check(whole_number(1, 100000000));
  a->output.add_to(*word);
  word->footer(
      "\nVerdicts: STANDS (zero is the only acceleration that the laws of contact allow), FALLS (no contact forces\n"
      "balance the loads), MAY STAND (forces exist, and so does a motion), UNDECIDED (within the budget).\n"
      "Exit codes: 0 stands, 1 falls, 5 may stand or undecided. Explained in docs/statics.md.");
  word->callback([a, &code] { code = stable(*a); });
}

}  // namespace touchstone::app
