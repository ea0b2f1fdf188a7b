#pragma once
// Verifies a certificate of `touchstone stable --certificate`. It shares nothing with the solver: its own reading, its
// own fractions, its own equations.
#include <string>

namespace touchstone::statics {

struct CheckResult {
  bool holds = false;
  std::string verdict;  // "stands", "falls", "may_stand"
  std::string reason;   // the proof's kind
  std::string failure;  // the first thing that does not hold
  std::size_t bodies = 0, contacts = 0, leaves = 0;
};

CheckResult check_certificate(const std::string& text);

}  // namespace touchstone::statics
