// The command line. Words live in files of their own; this one maps errors to exit codes.
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <iostream>

#include "base/json_text.h"
#include "base/text.h"
#include "command.h"
#include "touchstone/simulation.h"

namespace {

const char* kAbout =
    "Touchstone: one scene, many contact models, one yardstick that judges them all.\n"
    "\n"
    "  touchstone demo                        see it work\n"
    "  touchstone examples                    scenes that come with it\n"
    "  touchstone run scene.toml -o out.h5    simulate and record\n"
    "  touchstone view scene.toml             watch it in the browser, drag things; recordings, too\n"
    "  touchstone plot out.h5 energy          look at what came out\n"
    "  touchstone verify out.h5               how far it is from the laws of contact\n"
    "  touchstone compare scene.toml          the same under every model, and what each gave up\n"
    "  touchstone models                      the contact models and their options\n"
    "  touchstone problem list                solvers; problem write and solve: contact problems as files\n"
    "  touchstone papers                      experiments of papers, repeated and judged\n"
    "\n"
    "Every word has --help. All numbers are in SI units.\n";
const char* kExits =
    "\nExit codes: 0 done; 1 diff found a difference, verify a measure above its bound, papers a verdict that fails,\n"
    "or problem solve did not converge;\n"
    "2 wrong argument, scene or file; 3 the simulation stopped (step too large, number not finite); 4 a file could "
    "not\n"
    "be read or written; 130 interrupted, the recording is saved.\n";

int exit_code(const touchstone::Error& e) {
  using touchstone::ErrorKind;
  switch (e.kind()) {
    case ErrorKind::kBadInput:
    case ErrorKind::kUnsupported:
      return touchstone::app::kBadUse;
    case ErrorKind::kUnstable:
    case ErrorKind::kNonFinite:
      return touchstone::app::kStopped;
    case ErrorKind::kIo:
      return touchstone::app::kFileFailed;
  }
  return touchstone::app::kBadUse;
}

// CLI11 asks for a word; if one was given, it was not known. Words have words of their own (problem solve).
bool explain_unknown_word(const CLI::App& app, int argc, char** argv) {
  const CLI::App* asks = &app;
  std::string before = "touchstone";
  int at = 1;
  for (; !asks->get_subcommands().empty(); ++at) {
    asks = asks->get_subcommands().front();
    before += " " + asks->get_name();
  }
  std::vector<std::string> words;
  for (const CLI::App* word : asks->get_subcommands(nullptr)) words.push_back(word->get_name());
  if (words.empty() || at >= argc || argv[at][0] == '-') return false;
  touchstone::app::tell("touchstone: there is no word '{}'{}; see {} --help\n", argv[at],
                        touchstone::did_you_mean(argv[at], words), before);
  return true;
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
  int code = kOk;
  add_demo(app, code);
  add_run(app, code);
  add_resume(app, code);
  add_recording_words(app, code);
  add_verify(app, code);
  add_problem(app, code);
  add_view(app, code);
  add_compare(app, code);
  add_papers(app, code);
  add_drawing_words(app, code);
  add_export(app, code);
  add_catalogue_words(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& e) {
    if (!explain_unknown_word(app, argc, argv)) app.exit(e);
    return kBadUse;
  } catch (const CLI::ParseError& e) {  // also --help and --version, which end with the code 0
    app.exit(e);
    if (e.get_exit_code() != 0) return kBadUse;
    if (std::cout.flush()) return kOk;
    tell("touchstone: standard output cannot be written\n");
    return kFileFailed;
  } catch (const touchstone::Error& e) {
    tell("touchstone: {}\n", e.what());
    for (int i = 1; i < argc; ++i)
      if (std::string(argv[i]) == "--json")
        write_output(touchstone::json_text(Json{{"error", e.what()}, {"exit_code", exit_code(e)}}, 2) + "\n");
    return exit_code(e);
  } catch (const std::bad_alloc&) {
    tell("touchstone: out of memory\n");
    return kStopped;
  } catch (const std::exception& e) {
    tell("touchstone: unexpected failure: {}\n", e.what());
    return kStopped;
  }
  return code;
}
