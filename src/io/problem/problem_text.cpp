// Our own form of a problem: words and numbers, in the order of ProblemData. Numbers are the shortest that give the
// same bits back.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/text.h"
#include "io/problem/number_reader.h"
#include "io/problem/problem_file.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr const char* kKinds[] = {"contact", "equality", "limit", "motor"};

void put_numbers(std::string& out, const char* name, std::span<const double> values) {
  fmt::format_to(std::back_inserter(out), "{} {}\n", name, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", values[i], i % 8 == 7 || i + 1 == values.size() ? "\n" : " ");
}

std::string clique_text(std::uint32_t clique) { return clique == Clique::kNone ? "-" : fmt::format("{}", clique); }

void put_block(std::string& out, const ContactProblem& p, const RowBlock& b) {
  fmt::format_to(std::back_inserter(out), "{} {} {} {} {}", kKinds[static_cast<std::size_t>(b.kind)], b.rows,
                 clique_text(b.clique_a), clique_text(b.clique_b), b.key);
  if (b.kind == BlockKind::kContact) {
    const ContactLaw& c = p.contacts[b.contact];
    fmt::format_to(std::back_inserter(out), " {} {} {} {} {}", c.gap, c.static_friction, c.dynamic_friction,
                   c.restitution, c.normal_velocity_before);
    for (int i = 0; i < 9; ++i) fmt::format_to(std::back_inserter(out), " {}", c.frame(i % 3, i / 3));
  }
  out += '\n';
}

// Numbers that belong to a block, of one side, in the order of the blocks: the offsets of a problem are made anew.
void append_jacobian(std::vector<double>& out, const ContactProblem& p, const RowBlock& b) {
  const auto side = [&](std::uint32_t clique, std::uint32_t offset) {
    if (clique == Clique::kNone) return;
    const std::size_t count = std::size_t{b.rows} * p.cliques[clique].size;
    out.insert(out.end(), p.jacobian.begin() + offset,
               p.jacobian.begin() + static_cast<std::ptrdiff_t>(offset + count));
  };
  side(b.clique_a, b.jacobian_a);
  side(b.clique_b, b.jacobian_b);
}

void take_numbers(NumberReader& in, const char* name, std::vector<double>& into, bool bounds = false) {
  in.expect(name);
  const std::string what = fmt::format("a number of '{}'", name);
  const std::uint64_t found = in.count(fmt::format("the length of '{}'", name), UINT32_MAX);
  if (found != into.size())
    in.fail(fmt::format("'{}' has {}; {} fit the problem", name, counted(found, "number"), into.size()));
  in.check_room(fmt::format("'{}'", name), found);
  for (double& x : into) x = bounds ? in.number(what) : in.finite(what);
}

std::uint32_t take_clique(NumberReader& in, std::size_t cliques) {
  const std::string_view word = in.word("a clique, or -");
  if (word == "-") return Clique::kNone;
  std::uint64_t value = 0;
  for (const char c : word) {
    if (c < '0' || c > '9' || value > cliques) in.fail(fmt::format("'{}' is no clique", word.substr(0, 40)));
    value = 10 * value + static_cast<std::uint64_t>(c - '0');
  }
  if (value >= cliques) in.fail(fmt::format("there is no clique {}; there are {}", value, cliques));
  return static_cast<std::uint32_t>(value);
}

ContactLaw take_law(NumberReader& in) {
  ContactLaw law;
  law.gap = in.finite("a gap");
  law.static_friction = in.number("static friction");
  law.dynamic_friction = in.number("dynamic friction");
  law.restitution = in.finite("restitution");
  law.normal_velocity_before = in.finite("a normal velocity");
  for (int i = 0; i < 9; ++i) law.frame(i % 3, i / 3) = in.finite("a frame");
  return law;
}

void take_block(NumberReader& in, ProblemData& data) {
  const std::string_view word = in.word("a kind of block");
  std::size_t kind = 0;
  while (kind < std::size(kKinds) && word != kKinds[kind]) ++kind;
  if (kind == std::size(kKinds)) in.fail(fmt::format("'{}' is no kind of block", word.substr(0, 40)));
  const std::uint64_t rows = in.count("the rows of a block", 3);
  if (rows == 0) in.fail("a block has no rows; it has 1, 2 or 3");
  const std::uint32_t a = take_clique(in, data.cliques.size()), b = take_clique(in, data.cliques.size());
  if (a == b && a != Clique::kNone)
    in.fail(fmt::format("the block has clique {} on both sides; write '- {}' and the sum of its two Jacobians", a, a));
  RowBlock& block = data.add_block(static_cast<BlockKind>(kind), static_cast<std::uint32_t>(rows), a, b);
  block.key = in.count("the key of a block", UINT64_MAX);
  if (block.kind != BlockKind::kContact) return;
  block.contact = static_cast<std::uint32_t>(data.contacts.size());
  data.contacts.push_back(take_law(in));
}

void check(const std::string& path, const ContactProblem& problem) {
  try {
    check_problem(problem);
  } catch (const std::invalid_argument& e) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", path, e.what()));
  }
}

}  // namespace

std::string problem_text(const ProblemFile& file) {
  const ContactProblem p = file.data.view();
  std::string out =
      fmt::format("touchstone-problem {}\norigin {}\nh {}\ngravity {}\n", kVersion, file.origin, p.h, file.gravity);
  fmt::format_to(std::back_inserter(out), "cliques {}\n", p.cliques.size());
  for (const Clique& c : p.cliques) fmt::format_to(std::back_inserter(out), "{}\n", c.size);
  fmt::format_to(std::back_inserter(out), "blocks {}\n", p.blocks.size());
  std::vector<double> jacobian, mass, inverse;
  for (const RowBlock& b : p.blocks) put_block(out, p, b), append_jacobian(jacobian, p, b);
  for (const Clique& c : p.cliques) {
    const std::size_t at = mass.size(), numbers = std::size_t{c.size} * c.size;
    mass.resize(at + numbers), inverse.resize(at + numbers);
    p.mass_of(c).write_mass(&mass[at]);
    p.mass_of(c).write_inverse(&inverse[at]);
  }
  put_numbers(out, "mass", mass);
  put_numbers(out, "inverse_mass", inverse);
  put_numbers(out, "start_velocity", p.start_velocity);
  put_numbers(out, "free_velocity", p.free_velocity);
  put_numbers(out, "jacobian", jacobian);
  put_numbers(out, "restitution", p.restitution);
  put_numbers(out, "correction", p.correction);
  put_numbers(out, "surface", p.surface);
  put_numbers(out, "lower", p.lower);
  put_numbers(out, "upper", p.upper);
  put_numbers(out, "guess", file.guess);
  return out + "end\n";
}

ProblemFile parse_problem_text(const std::string& path, std::string_view text) {
  NumberReader in(path, text);
  ProblemFile out;
  ProblemData& data = out.data;
  in.expect("touchstone-problem");
  const std::uint64_t version = in.count("the version", UINT32_MAX);
  if (version != kVersion)
    in.fail(fmt::format("the file has version {}; this program reads version {}", version, kVersion));
  in.expect("origin");
  out.format = "touchstone";
  out.origin = in.rest_of_line();
  in.expect("h");
  data.h = in.finite("the step h");
  in.expect("gravity");
  out.gravity = in.finite("gravity");
  if (!(data.h > 0) || !(out.gravity >= 0)) in.fail("the step must be positive, and gravity 0 or more");
  in.expect("cliques");
  const std::uint64_t cliques = in.count("the number of cliques", UINT32_MAX);
  in.check_room("the sizes of the cliques", cliques);
  std::uint64_t numbers = 0;
  for (std::uint64_t i = 0; i < cliques; ++i) {
    const std::uint64_t size = in.count("the size of a clique", UINT16_MAX);
    numbers += size * size;
    in.check_room("the masses", 2 * numbers);  // before memory is taken
    data.add_clique(static_cast<std::uint32_t>(size));
  }
  in.expect("blocks");
  const std::uint64_t blocks = in.count("the number of blocks", UINT32_MAX);
  in.check_room("the blocks", 5 * blocks);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    take_block(in, data);
    in.check_room("the Jacobian", data.jacobian.size());
  }
  take_numbers(in, "mass", data.mass);
  take_numbers(in, "inverse_mass", data.inverse_mass);
  take_numbers(in, "start_velocity", data.start_velocity);
  take_numbers(in, "free_velocity", data.free_velocity);
  take_numbers(in, "jacobian", data.jacobian);
  take_numbers(in, "restitution", data.restitution);
  take_numbers(in, "correction", data.correction);
  take_numbers(in, "surface", data.surface);
  take_numbers(in, "lower", data.lower, true);
  take_numbers(in, "upper", data.upper, true);
  in.expect("guess");
  out.guess = in.finites("a number of 'guess'", in.count("the length of 'guess'", data.restitution.size()));
  in.expect("end");
  check(path, data.view());
  return out;
}

}  // namespace touchstone
