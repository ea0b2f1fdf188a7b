#include "io/problem/siconos_text.h"

#include <fmt/format.h>

#include "io/problem/siconos_matrix.h"

namespace touchstone {
namespace {

constexpr std::uint64_t kMostContacts = 1000000;

}  // namespace

LocalProblem parse_siconos_text(const std::string& path, std::string_view text) {
  NumberReader in(path, text);
  LocalProblem out;
  const std::uint64_t dimension = in.count("the dimension", 3);
  if (dimension < 2) in.fail(fmt::format("the dimension is {}; 2 or 3 is expected", dimension));
  out.dimension = static_cast<int>(dimension);
  const std::uint64_t contacts = in.count("the number of contacts", kMostContacts), n = contacts * dimension;
  out.w = read_siconos_matrix(in, "W", n, fmt::format("{} contacts in {}D have", contacts, dimension));
  out.q = in.finites("an entry of q", n);
  out.mu.resize(contacts);
  in.check_room("mu", contacts);
  for (double& mu : out.mu) mu = in.number("an entry of mu");
  if (!in.at_end()) in.count("the number after mu, which Siconos writes", 1);
  if (!in.at_end()) in.fail("more follows where the file should end: its sizes do not fit what is in it");
  return out;
}

}  // namespace touchstone
