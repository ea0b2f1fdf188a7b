// The command line. Words live in files of their own; this one maps errors to exit codes.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>

#include "base/json_text.h"
#include "base/text.h"
#include "command.h"
#include "touchstone/simulation.h"

namespace {

const char* kAbout =
    "Touchstone: one scene, many contact models, one yardstick that measures them all.\n"
    "\n"
    "  touchstone demo                        run a demonstration\n"
    "  touchstone examples                    list the example scenes\n"
    "  touchstone run scene.toml -o out.h5    simulate and record\n"
    "  touchstone view scene.toml             show a live simulation or a recording in a browser\n"
    "  touchstone plot out.h5 energy          plot a quantity over time\n"
    "  touchstone verify out.h5               measure it against the laws of contact\n"
    "  touchstone compare scene.toml          run every model and compare the results\n"
    "  touchstone info robot.urdf             print a robot: what was read, approximated and ignored\n"
    "  touchstone same a.urdf b.xml           compare two files of one robot\n"
    "  touchstone models                      list the contact models and their options\n"
    "  touchstone problem list                list the solvers of contact problems; also `problem write`, `problem "
    "solve`\n"
    "  touchstone stable scene.toml           does it stand? print the verdict, margins and forces\n"
    "  touchstone check proof.cert            verify a proof that `stable --certificate` wrote\n"
    "  touchstone make arch -o arch.toml      write towers, arches, walls and assemblies as scenes\n"
    "  touchstone papers                      repeat the experiments of papers\n"
    "\n"
    "Every command has --help. All numbers are in SI units.\n";
const char* kExits =
    "\nExit codes:\n"
    "  0    done\n"
    "  1    a check failed: diff or same found a difference, verify found a measure above its bound, a verdict of "
    "papers "
    "failed,\n"
    "       problem solve did not converge, stable found that the structure falls, or check refused a certificate\n"
    "  2    wrong argument, scene or file\n"
    "  3    a step failed (the state before it is kept), no model of compare reached its end, or memory ran out\n"
    "  4    a file could not be read or written\n"
    "  5    stable: the structure may stand, or the verdict is undecided\n"
    "  130  interrupted; the recording is saved\n";

int exit_code(const touchstone::Error& e) {
  using touchstone::ErrorKind;
  switch (e.kind()) {
    case ErrorKind::kBadInput:
    case ErrorKind::kUnsupported:
      return touchstone::app::kBadUse;
    case ErrorKind::kUnstable:
    case ErrorKind::kNonFinite:
    case ErrorKind::kController:
      return touchstone::app::kStopped;
    case ErrorKind::kIo:
      return touchstone::app::kFileFailed;
    case ErrorKind::kInterrupted:
      return touchstone::app::kInterrupted;
  }
  return touchstone::app::kBadUse;
}

int report_error(const std::string& message, int code, const std::vector<std::string>& arguments) {
  touchstone::app::tell("touchstone: {}\n", message);
  if (std::find(arguments.begin(), arguments.end(), "--json") != arguments.end())
    touchstone::app::write_output(
        touchstone::json_text(touchstone::app::Json{{"error", message}, {"exit_code", code}}, 2) + "\n");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace touchstone::app;
  occupy_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is then an error that is reported, not a death
  CLI::App app(kAbout, "touchstone");
  app.set_version_flag("--version", std::string("touchstone ") + touchstone::version());
  app.require_subcommand(1);
  app.footer(kExits);
  app.option_defaults()->always_capture_default(false);
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  int code = kOk;
  add_demo(app, code);
  add_run(app, code);
  add_resume(app, code);
  add_recording_words(app, code);
  add_verify(app, code);
  add_same(app, code);
  add_problem(app, code);
  add_stable(app, code);
  add_check(app, code);
  add_make(app, code);
  add_view(app, code);
  add_compare(app, code);
  add_papers(app, code);
  add_drawing_words(app, code);
  add_export(app, code);
  add_catalogue_words(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // help or version was asked for
      app.exit(e);
      if (std::cout.flush()) return kOk;
      tell("touchstone: standard output cannot be written\n");
      return kFileFailed;
    }
    return report_error(usage_error(app, e, arguments), kBadUse, arguments);
  } catch (const touchstone::Error& e) {
    return report_error(e.what(), exit_code(e), arguments);
  } catch (const std::bad_alloc&) {
    tell("touchstone: out of memory\n");
    return kStopped;
  } catch (const std::exception& e) {
    tell("touchstone: unexpected failure: {}\n", e.what());
    return kStopped;
  }
  return code;
}
