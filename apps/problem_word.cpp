// problem: contact problems as files: solve, write, list.
#include <fmt/format.h>

#include <cmath>

#include "command.h"
#include "contact/solvers/registry.h"
#include "study/lcp_study.h"
#include "study/problem_study.h"

namespace touchstone::app {
namespace {

struct ProblemArguments {
  Output output;
  std::string file, target;
  ProblemRequest request;
  std::uint64_t step = 0;
  std::size_t solve = 0;  // 0: the impact, or the greatest
  bool solver_given = false;
};

std::size_t contacts_of(const ProblemData& data) { return data.contacts.size(); }

std::string size_text(const ProblemData& data) {
  return counted(contacts_of(data), "contact") + ", " + counted(data.restitution.size(), "row");
}

// Wrong numbers are named as they were typed; what does not fit a 64-bit number is none.
std::string check_counting(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.find_first_not_of('0') != std::string::npos) return "";
  return fmt::format("'{}' is not a whole number of at least 1", text);
}

Json measures_json(const StepMeasures& m) {
  Json out = Json::object();
  for (const MeasureInfo& info : measure_infos()) {
    const Measure& each = m.*info.value;
    out[info.name] = {{"unit", info.unit}, {"worst", each.worst}, {"mean", each.mean}};
  }
  return out;
}

std::string number_text(double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : "not finite"; }

std::string measures_text(const StepMeasures& m) {
  std::string text = fmt::format("{:<22}{:>12}{:>12}  {}\n", "measure", "worst", "mean", "unit");
  for (const MeasureInfo& info : measure_infos()) {
    const Measure& each = m.*info.value;
    if (each.worst > 0 || info.value == &StepMeasures::natural_map)
      text += fmt::format("{:<22}{:>12}{:>12}  {}\n", info.name, number_text(each.worst), number_text(each.mean),
                          info.unit);
  }
  return text + "all other measures are 0\n";
}

void print_notes(const ProblemNotes& notes, const Output& output) {
  if (output.quiet) return;
  for (const std::string& note : notes) tell("note: {}\n", note);
}

int solve_complementarity(const ProblemArguments& a) {
  const LcpProblem problem = read_lcp_file(a.file);
  ProblemRequest request = a.request;
  if (!a.solver_given) request.solver = "lemke";
  const LcpResult r = solve_lcp(problem, request);
  const Json j{{"file", a.file},
               {"format", "lcp text"},
               {"unknowns", r.z.size()},
               {"solver", request.solver},
               {"tolerance", request.tolerance},
               {"converged", r.solved},
               {"status", r.status},
               {"pivots", r.pivots},
               {"seconds", r.seconds},
               {"residual", r.residual},
               {"reference", r.reference},
               {"remark", problem.remark},
               {"z", r.z}};
  std::string text = fmt::format("{}: linear complementarity problem, {}\n", a.file, counted(r.z.size(), "unknown"));
  if (!problem.remark.empty()) text += fmt::format("remark      {}\n", problem.remark);
  text += fmt::format("solver      {}\nstatus      {}\npivots      {}\nseconds     {:.6g} s\n", request.solver,
                      r.status, r.pivots, r.seconds);
  text += fmt::format("residual    {} (greatest |min(z, w)|; tolerance {:g}, relative to {:.3g})\n",
                      number_text(r.residual), request.tolerance, r.reference);
  a.output.print(j, text);
  return r.solved ? kOk : kDiffer;
}

int solve(const ProblemArguments& a) {
  if (is_lcp_file(a.file)) return solve_complementarity(a);
  const ProblemFile file = read_problem(a.file);
  print_notes(file.notes, a.output);
  const ProblemResult r = solve_problem(file, a.request);
  const ContactSolution& s = r.solution;
  Json j{{"file", a.file},
         {"format", file.format},
         {"contacts", contacts_of(file.data)},
         {"rows", file.data.restitution.size()},
         {"solver", a.request.solver},
         {"law", r.law},
         {"converged_under_own_law", r.finite && s.status == SolveStatus::kConverged},
         {"reason", s.reason},
         {"tolerance", a.request.tolerance},
         {"finite", r.finite},
         {"converged", r.solved},
         {"status", r.status},
         {"iterations", s.iterations},
         {"seconds", r.seconds},
         {"natural_map", r.measures.natural_map.worst},
         {"reference_speed", r.reference},
         {"notes", file.notes},
         {"measures", measures_json(r.measures)},
         {"impulses", s.impulses}};
  std::string text = fmt::format("{}: {}, {}\n", a.file, file.format, size_text(file.data));
  if (!file.origin.empty()) text += fmt::format("origin      {}\n", file.origin);
  text += fmt::format("solver      {}\nstatus      {}\niterations  {}\nseconds     {:.6g} s\n", a.request.solver,
                      r.status, s.iterations, r.seconds);
  text += fmt::format("natural_map {} (tolerance {:g}, relative to {} m/s)\n",
                      number_text(r.measures.natural_map.worst), a.request.tolerance, number_text(r.reference));
  a.output.print(j, text + measures_text(r.measures));
  return r.solved ? kOk : kDiffer;
}

int write(const ProblemArguments& a) {
  check_not_input(a.target, a.file);
  const Recording recording = Recording::open(a.file);
  const CapturedProblem found = capture_problem(recording, a.step, a.solve);
  const ProblemFile& file = found.file;
  print_notes(write_problem(a.target, file), a.output);
  a.output.print({{"recording", a.file},
                  {"step", a.step},
                  {"solve", found.solve},
                  {"solves", found.solves},
                  {"impact", found.impact},
                  {"impulse", found.impulse},
                  {"file", a.target},
                  {"origin", file.origin},
                  {"contacts", contacts_of(file.data)},
                  {"rows", file.data.restitution.size()}},
                 fmt::format("{}: {}, {}\n", a.target, size_text(file.data), file.origin));
  return kOk;
}

int list(const Output& output) {
  Json j = Json::array();
  std::string text;
  for (const SolverInfo& info : contact_solvers()) {
    j.push_back({{"name", info.name}, {"summary", info.summary}, {"law", info.law}});
    text += fmt::format("{:<13}{} [{}]\n", info.name, info.summary, info.law);
  }
  output.print({{"solvers", j}}, text);
  return kOk;
}

void add_solve(CLI::App& problem, int& code) {
  auto a = std::make_shared<ProblemArguments>();
  CLI::App* word = problem.add_subcommand(
      "solve", "Solve a problem file and measure the answer; exit code 1 if natural_map is above the tolerance");
  word->add_option("file", a->file,
                   "Problem: of Touchstone, Siconos (text) or FCLIB (HDF5); or a linear\ncomplementarity problem (text "
                   "of Siconos), which Lemke's method solves")
      ->required();
  word->add_option(
      "--solver", a->request.solver,
      "Solver (touchstone problem list); default: nsgs, for complementarity\nproblems lemke, the only one");
  word->add_option("--tolerance", a->request.tolerance, "Greatest natural_map, relative; default: 1e-8");
  word->add_option("--max-iterations", a->request.max_iterations,
                   "Greatest number of iterations; default: the solver's own limit")
      ->check(check_counting);
  word->add_flag("--warm", a->request.use_guess, "Start from the impulses in the file");
  a->output.add_to(*word);
  word->footer("\nFormats and measures: docs/problems.md, docs/yardstick.md.");
  word->callback([a, word, &code] {
    a->solver_given = word->count("--solver") > 0;
    code = solve(*a);
  });
}

void add_write(CLI::App& problem, int& code) {
  auto a = std::make_shared<ProblemArguments>();
  CLI::App* word = problem.add_subcommand("write", "Write the contact problem of a recorded step");
  word->add_option("recording", a->file, "Recording")->required();
  word->add_option("--step", a->step, "Number of the step, from 1")->required()->check(check_counting);
  word->add_option("--solve", a->solve,
                   "Number of the solve (substep or impact) within the step, from 1; default: the impact with the\n"
                   "greatest impulse, or without impacts the solve with the greatest impulse")
      ->check(check_counting);
  add_output_option(*word, "-o,--output", a->target,
                    "File: FCLIB's HDF5 if the name ends in .hdf5 or .h5, otherwise Touchstone's text format")
      ->required();
  a->output.add_to(*word);
  word->footer(
      "\nThe program simulates the scene of the recording again up to that step. The state hash must equal the "
      "recorded one.");
  word->callback([a, &code] { code = write(*a); });
}

}  // namespace

void add_problem(CLI::App& app, int& code) {
  CLI::App* problem = app.add_subcommand("problem", "Contact problems as files: solve them, write them, list solvers");
  problem->require_subcommand(1);
  add_solve(*problem, code);
  add_write(*problem, code);
  auto output = std::make_shared<Output>();
  CLI::App* word = problem->add_subcommand("list", "List the solvers");
  output->add_to(*word);
  word->callback([output, &code] { code = list(*output); });
}

}  // namespace touchstone::app
