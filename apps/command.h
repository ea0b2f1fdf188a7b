#pragma once
// What the words of the command line share.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "recording/recording.h"
#include "study/compare/comparison.h"
#include "study/compare/workplace.h"
#include "study/runner.h"
#include "touchstone/robot.h"
#include "touchstone/scene_file.h"

namespace touchstone::app {

// Exit codes, also in the help.
enum Exit : int {
  kOk = 0,
  kDiffer = 1,      // diff found a difference, verify a measure above its bound, papers a verdict that fails, problem
                    // solve did not converge, stable that it falls, check a certificate that does not hold
  kBadUse = 2,      // wrong argument, scene or file
  kStopped = 3,     // the simulation stopped: step too large, number not finite
  kFileFailed = 4,  // a file could not be read or written
  kMayStand = 5,    // stable: may stand, or undecided
  kInterrupted = 130,  // Ctrl-C; the recording is saved
};

using Json = nlohmann::ordered_json;

// At the start of the program: a standard stream that was closed (`>&-`) would lend its number to the next file that is
// opened, and what is printed would go into a recording. In its place comes one that cannot be written.
void occupy_closed_streams();

// Words for a person, on standard error, as UTF-8. Where it is closed or full nobody can be told, and nothing is
// thrown.
void write_error(const std::string& text);
template <class... T>
void tell(fmt::format_string<T...> text, T&&... values) {
  write_error(fmt::format(text, std::forward<T>(values)...));
}
// On standard output; false if it cannot take it.
bool write_output(const std::string& text);

// Flags that every word has.
struct Output {
  bool json = false, quiet = false;
  void add_to(CLI::App& word);
  // A JSON object, or the lines of text, or nothing.
  // Throws Error (kIo) if standard output cannot take it.
  void print(const Json& object, const std::string& text) const;
};

// Scene, overrides and threads of `run` and the words that change a scene.
struct SceneArguments {
  std::string scene, model;
  std::optional<double> dt, duration;
  std::optional<std::int64_t> seed;
  std::vector<std::string> sets;
  void add_to(CLI::App& word);
  std::vector<SceneOverride> overrides() const;
};

// "key=value" of --set.
SceneOverride parse_set(const std::string& text);

// A progress bar on a terminal; nothing elsewhere.
class Progress {
 public:
  Progress(std::string label, bool wanted);
  void show(double fraction, const std::string& detail);
  void end();

 private:
  std::string label_;
  bool active_ = false;
  int width_ = 0;
};

// Ctrl-C (SIGINT), SIGTERM and a terminal that goes away (SIGHUP) interrupt the step at hand and end the run; a second
// SIGINT or SIGTERM ends the program at once.
void catch_interrupts();
bool interrupted();
const std::atomic<bool>* interrupt_flag();

// What is wrong with the arguments, as a sentence that names the remedy.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);
// Checks of an option's value, both ends included. What they say is a sentence.
CLI::Validator whole_number(std::int64_t least, std::int64_t most);
CLI::Validator number_between(double least, double most);
CLI::Validator existing_folder();
CLI::Validator one_of(const std::vector<std::string>& words);

// An option whose value is the name of a file or a folder that is written: an empty one is refused.
CLI::Option* add_output_option(CLI::App& word, const std::string& names, std::string& path, const std::string& help);

// Throws Error if `output` names the file that is being read.
void check_not_input(const std::string& output, const std::string& input);

// The recording's name with another ending, in the same folder.
std::string beside(const std::string& recording, const std::string& ending);

// How the program was called, for command lines that people paste: "./touchstone", "touchstone".
std::string command_name();
// A file as an argument of such a line: relative to where we are if that is shorter, quoted where the shell needs it.
std::string pasteable(const std::string& path);

std::string scene_folder();
std::vector<std::string> scenes_in(const std::string& folder);  // paths, sorted
std::vector<std::string> paper_folders();
// A file that is there, or the example of that name. Throws Error, with the nearest name, if it is neither.
std::string scene_or_example(const std::string& given);
// The argument of a word that reads a scene: a file, or the name of an example.
void add_scene_argument(CLI::App& word, std::string& scene);
// Of the folder of scenes, then of the papers: names of files without their ending are the names of examples.
std::vector<std::string> example_scenes();

// Each adds its word(s); the callback returns the exit code through `code`.
void add_run(CLI::App& app, int& code);
void add_resume(CLI::App& app, int& code);
void add_demo(CLI::App& app, int& code);
void add_recording_words(CLI::App& app, int& code);  // info, hash, diff, recover
void add_verify(CLI::App& app, int& code);
void add_same(CLI::App& app, int& code);
// A URDF or MJCF file for people, or as JSON.
int print_robot(const std::string& path, const ImportOptions& options, const Output& output);
void add_package_option(CLI::App& word, std::vector<std::string>& roots);
void add_problem(CLI::App& app, int& code);
void add_stable(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_make(CLI::App& app, int& code);
void add_view(CLI::App& app, int& code);
void add_compare(CLI::App& app, int& code);
void add_papers(CLI::App& app, int& code);
void add_drawing_words(CLI::App& app, int& code);  // plot, picture
void add_export(CLI::App& app, int& code);
void add_catalogue_words(CLI::App& app, int& code);  // validate, models, examples, format

// A comparison with all its runs on the progress bar.
compare::Comparison compare_with_progress(const compare::CompareRequest& request, const std::string& folder, int jobs,
                                          const Output& output);

using compare::Workplace;

// Opens a file in the browser of the desktop. False if there is no desktop, or nothing to open it with.
bool open_in_browser(const std::string& file);

// Opens an address that holds a secret. Command lines can be read by every user of the machine, so the browser is given
// the name of a file that leads to the address and that only this user can read. It is gone at the end.
class SecretDoor {
 public:
  explicit SecretDoor(const std::string& url);
  ~SecretDoor();
  SecretDoor(const SecretDoor&) = delete;
  SecretDoor& operator=(const SecretDoor&) = delete;

 private:
  std::string folder_;
};

// Shows a run on the bar and stops it after Ctrl-C. The bar must outlive it.
RunOptions with_progress(Progress& bar);

// A line on the recorded steps that did not converge, and their number in the object; no line if all did.
std::string add_not_converged(const Recording& recording, Json& object);
std::string hex(std::uint64_t hash);

}  // namespace touchstone::app
