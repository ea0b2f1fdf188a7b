#pragma once
// Do joints close a loop? Where they do not, their rows are independent at every state.
#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_problem.h"

namespace touchstone {

class JointLoops {
 public:
  // Whether these equality blocks of a problem, those of a joint in succession, close a loop: a joint between two
  // bodies that are joined already. All bodies that are no cliques are one.
  bool close(const ContactProblem& problem, std::span<const std::uint32_t> blocks);

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace touchstone
