// stable: does a scene stand, and how far is it from falling?
#include <fmt/format.h>

#include "base/text.h"
#include "command.h"
#include "io/export/file.h"
#include "io/replay/html.h"
#include "recording/fclib_file.h"
#include "serve.h"
#include "statics/certificate.h"
#include "statics/certificate_check.h"
#include "study/statics/assembly.h"
#include "study/statics/stable_drawing.h"
#include "study/statics/stable_page.h"
#include "viewer/shows.h"

namespace touchstone::app {
namespace {

struct StableArguments {
  Output output;
  std::string file;
  std::vector<std::string> sets;
  std::optional<double> friction;
  std::string law = "circle", rotation, picture, certificate, html;
  bool margins = false, no_margins = false, view = false;
  ServeArguments serving;
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

SceneDescription read(StableArguments& a) {
  if (statics::is_assembly_file(a.file)) {
    if (!a.sets.empty())
      throw Error(ErrorKind::kBadInput, "--set is for scenes; an assembly has --friction and --rotate");
    statics::AssemblySettings settings;
    settings.friction = a.friction;
    if (!a.rotation.empty()) statics::parse_rotation(a.rotation, settings);
    return statics::read_assembly(a.file, settings);
  }
  if (!a.rotation.empty())
    throw Error(ErrorKind::kBadInput, "--rotate is for assemblies (.json); turn the bodies of a scene in its file");
  std::vector<SceneOverride> overrides;
  for (const std::string& set : a.sets) overrides.push_back(parse_set(set));
  return load_scene(a.file, overrides);
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

// Files beside the text; each is named in it.
void write_outputs(const StableArguments& a, const statics::StableReport& report, const SceneDescription& scene,
                   const std::string& page, std::string& text, Json& object) {
  const bool undecided = report.assessment.verdict == statics::Verdict::kUndecided;
  if (!a.certificate.empty() && undecided) {
    tell("touchstone: {} was not written: an undecided verdict has no proof\n", a.certificate);
    object["certificate"] = nullptr;
  } else if (!a.certificate.empty()) {
    write_file(a.certificate,
               statics::certificate_text(report.scaled, report.equations, report.settings, report.assessment));
    text += fmt::format("\ncertificate: {}; `{} check {}` verifies it\n", a.certificate, command_name(),
                        pasteable(a.certificate));
    object["certificate"] = a.certificate;
  }
  if (!a.picture.empty()) {
    statics::draw_stable(scene, report, a.picture);
    text += fmt::format("picture: {}\n", a.picture), object["picture"] = a.picture;
  }
  if (!a.html.empty()) {
    write_file(a.html, page);
    text += fmt::format("page: {}\n", a.html), object["html"] = a.html;
  }
}

// There is no step that an interruption could roll back, and no verdict either.
statics::StableReport verdict_on(const SceneDescription& scene, const statics::StableRequest& request,
                                 const std::string& file) {
  try {
    return statics::judge(scene, request);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kInterrupted) throw Error(e.kind(), fmt::format("{}: {}", file, e.what()));
    throw Error(e.kind(), fmt::format("interrupted before the verdict on {} was found; a smaller --nodes ends the "
                                      "search earlier, and --no-margins leaves out margins and ranges",
                                      scene.name));
  }
}

int stable(StableArguments& a) {
  catch_interrupts();
  for (const std::string& output : {a.picture, a.certificate, a.html}) check_not_input(output, a.file);
  if (!a.view && a.serving.is_set())
    throw Error(ErrorKind::kBadInput,
                "--port, --address and --no-browser are for the page that --view serves; add --view");
  if (!a.picture.empty() && a.picture == a.certificate)
    throw Error(ErrorKind::kBadInput, fmt::format("--svg and --certificate both name {}; name two files", a.picture));
  const std::string_view frame = a.view || !a.html.empty() ? require_viewer_page() : std::string_view();
  if (!a.certificate.empty()) a.request.exact = true;
  a.request.touch.friction = a.friction;
  a.request.law = a.law == "pyramid" ? statics::FrictionLaw::kPyramid : statics::FrictionLaw::kCircle;
  a.request.stop = StopFlag(interrupt_flag());
  if (a.margins) a.request.margins = a.request.ranges = true;
  if (a.no_margins) a.request.margins = a.request.ranges = false;
  const SceneDescription scene = read(a);
  const statics::StableReport report = verdict_on(scene, a.request, a.file);
  std::string text = statics::stable_text(report);
  Json object = statics::stable_json(report);
  const std::string page = frame.empty() ? "" : statics::stable_page(scene, report, frame);
  write_outputs(a, report, scene, page, text, object);
  if (!a.view) {
    a.output.print(object, text);
    return exit_of(report.assessment.verdict);
  }
  viewer::PageShow content(page);
  serve(content, a.serving, [&](const viewer::Server& server) {
    object["url"] = server.url(), object["port"] = server.port(), object["token"] = server.token();
    a.output.print(object, text + fmt::format("\nin the browser: {}\nCtrl-C ends it.\n", server.url()));
  });
  return exit_of(report.assessment.verdict);
}

int check(const std::string& path, const Output& output) {
  const statics::CheckResult r = statics::check_certificate(read_whole_file(path, "certificate"));
  Json object{{"file", path},       {"holds", r.holds},       {"verdict", r.verdict}, {"reason", r.reason},
              {"bodies", r.bodies}, {"contacts", r.contacts}, {"leaves", r.leaves},   {"failure", r.failure}};
  output.print(object, r.holds ? fmt::format("{}: the certificate holds: {} ({}), {}, {}{}\n", path, r.verdict,
                                             r.reason, counted(r.bodies, "body"), counted(r.contacts, "contact point"),
                                             r.leaves > 0 ? fmt::format(", {} {} of the tree of modes", r.leaves,
                                                                        r.leaves == 1 ? "leaf" : "leaves")
                                                          : "")
                               : fmt::format("{}: the certificate does not hold: {}\n", path, r.failure));
  return r.holds ? kOk : kDiffer;
}

}  // namespace

void add_check(CLI::App& app, int& code) {
  auto path = std::make_shared<std::string>();
  auto output = std::make_shared<Output>();
  CLI::App* word = app.add_subcommand("check", "Verify a certificate of `stable --certificate`, without the solver");
  word->add_option("file", *path, "Certificate")->required();
  output->add_to(*word);
  word->footer("\nExit code 0 if it holds, 1 if it does not.");
  word->callback([path, output, &code] { code = check(*path, *output); });
}

void add_stable(CLI::App& app, int& code) {
  auto a = std::make_shared<StableArguments>();
  CLI::App* word = app.add_subcommand(
      "stable", "Does it stand? The verdict on a scene at rest, with forces, margins, and the motion if it falls");
  word->add_option("file", a->file, "Scene, or a block assembly (.json)")->required();
  word->add_option("--set", a->sets, "Change a value of the scene, e.g. --set material.0.friction=0.3 (repeatable)")
      ->allow_extra_args(false);
  word->add_option("--friction", a->friction, "Coefficient of friction of all contacts, instead of the materials'")
      ->check(number_between(0, 1e6));
  word->add_option("--tolerance", a->request.touch.tolerance,
                   "Gap or overlap that counts as touching, as a fraction of the smaller body's size; default 1e-6")
      ->check(number_between(0, statics::TouchSettings::kMostTolerance));
  word->add_option("--cone", a->law, "Law of friction in 3D: circle (Coulomb), or a four-sided pyramid")
      ->check(one_of({"circle", "pyramid"}));
  word->add_flag("--exact", a->request.exact,
                 "Prove the verdict in fractions at any size of the structure, and print fractions");
  word->add_option("--load", a->request.loads,
                   "Margin of a load at the centre of a body: BODY:down, BODY:+x, ... (repeatable)")
      ->allow_extra_args(false);
  word->add_option("--rotate", a->rotation, "Turn an assembly about an axis through the origin, in degrees: y=90");
  add_output_option(*word, "--svg", a->picture, "Picture with arrows for forces and motion (.svg, .png)");
  add_output_option(*word, "--html", a->html,
                    "One HTML file for any browser: verdict, bodies, ranges of forces, motion, margins");
  word->add_flag("--view", a->view, "Show the same page in a browser, until Ctrl-C");
  a->serving.add_to(*word);
  add_output_option(*word, "--certificate", a->certificate, "Proof that `touchstone check` verifies; implies --exact");
  word->add_flag("--margins", a->margins, "Compute margins and ranges of forces at any size of the structure");
  word->add_flag("--no-margins", a->no_margins, "Compute no margins and no ranges of forces");
  word->add_flag("--points", a->request.points,
                 "Compute the range of the force at every contact point, at any size (in --json)");
  word->add_option("--nodes", a->request.most_nodes,
                   "Greatest number of nodes in the search over contact modes; default 2000 in 2D, 200 in 3D")
      ->check(whole_number(1, 100000000));
  a->output.add_to(*word);
  word->footer(
      "\nVerdicts:\n"
      "  STANDS     zero is the only acceleration that the laws of contact allow\n"
      "  FALLS      no contact forces balance the loads\n"
      "  MAY STAND  balancing forces exist, and so does a motion that obeys the same laws\n"
      "  UNDECIDED  the search ended at its limit (--nodes), or rounding hides the answer (--exact)\n"
      "Exit codes: 0 stands, 1 falls, 5 may stand or undecided. docs/statics.md explains the verdicts.");
  word->callback([a, &code] { code = stable(*a); });
}

}  // namespace touchstone::app
