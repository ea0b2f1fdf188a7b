#pragma once
// [drumwright2009]: its table of methods, measured.
#include "study/papers/experiment.h"

namespace touchstone {

Paper drumwright2009_paper();

namespace drumwright2009 {

void table(const PaperOptions& options, PaperStudy& study);

// What the paper's table says.
enum class Claim : std::uint8_t { kNone, kNo, kYes };  // kNone: "N/A", or the method is not in the table
const char* claim_name(Claim claim);                   // "N/A", "No", "Yes"

struct Method {
  std::string label;  // as the paper calls it
  ModelDescription model;
  bool in_paper = true;
  std::string order_text;  // of the time, as printed
  double order = 0;        // in the number of contacts of a step
  Claim nonpenetration = Claim::kNone, convergence = Claim::kNone, stable = Claim::kNone, impacts = Claim::kNone;
  std::string remark;
};
// In the order of the paper's table, then those that it does not have.
std::vector<Method> methods();

struct Score {
  double penetration = 0;                        // the deepest over slope, stack and heap [m]
  double converged = 0;                          // part of their steps
  double slope_creep = 0, stack_creep = 0;       // [m/s]
  double one_contact = 0, four_contacts = 0;     // error of the rebound over the speed of the impact
  double growth_apart = 0, growth_together = 0;  // exponents of the time of a step in the number of bodies
  std::vector<double> sizes, times;              // of stacks, and the time of a step [s]
  std::string failure;                           // of a run that gave up
};
// False if it was interrupted. What a method cannot run is NaN.
bool measure(const Method& method, const PaperOptions& options, PaperStudy& study, Score& score);

// The slope of log y over log x by least squares, over the last three points; NaN for fewer than two.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

// What a method does by its score.
bool prevents_penetration(const Score& score);
bool always_converges(const Score& score);
bool holds_contact(const Score& score);
bool models_impacts(const Score& score);
bool grows_as_printed(const Method& method, const Score& score);

// Rows and the table of a measured method.
void add_rows(const Method& method, const Score& score, PaperStudy& study);
std::vector<std::string> grid_columns();
std::vector<std::string> grid_line(const Method& method, const Score& score);

}  // namespace drumwright2009
}  // namespace touchstone
