// The command line. Words live in files of their own; this one maps errors to exit codes.
#include <fmt/format.h>

#include <csignal>
#include <exception>

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
    "  touchstone view scene.toml             show it live in a browser; also for recordings\n"
    "  touchstone plot out.h5 energy          plot a quantity over time\n"
    "  touchstone verify out.h5               measure it against the laws of contact\n"
    "  touchstone compare scene.toml          run it under every model and compare\n"
    "  touchstone models                      list the contact models and their options\n"
    "  touchstone problem list                list the solvers; `problem write` and `problem solve` for files\n"
    "  touchstone papers                      repeat the experiments of papers\n"
    "\n"
    "Every command has --help. All numbers are in SI units.\n";
const char* kExits =
    "\nExit codes:\n"
    "  0    done\n"
    "  1    a check failed: diff found a difference, verify found a measure above its bound, a verdict of papers "
    "failed,\n"
    "       or problem solve did not converge\n"
    "  2    wrong argument, scene or file\n"
    "  3    a step failed; the state before it is kept\n"
    "  4    a file could not be read or written\n"
    "  130  interrupted; the recording is saved\n";

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
  fmt::print(stderr, "touchstone: there is no word '{}'{}; see {} --help\n", argv[at],
             touchstone::did_you_mean(argv[at], words), before);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace touchstone::app;
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
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return e.get_exit_code() == 0 ? kOk : kBadUse;
  } catch (const touchstone::Error& e) {
    fmt::print(stderr, "touchstone: {}\n", e.what());
    for (int i = 1; i < argc; ++i)
      if (std::string(argv[i]) == "--json")
        fmt::print("{}\n", Json{{"error", e.what()}, {"exit_code", exit_code(e)}}.dump(2));
    return exit_code(e);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "touchstone: out of memory\n");
    return kStopped;
  } catch (const std::exception& e) {
    fmt::print(stderr, "touchstone: unexpected failure: {}\n", e.what());
    return kStopped;
  }
  return code;
}
