#include "io/problem/siconos_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "io/problem/siconos_matrix.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::uint64_t kMostContacts = 1000000;

// What both kinds begin with.
struct Begin {
  std::uint64_t dimension = 0, contacts = 0;
  SiconosMatrixHead head;  // of W or M
  std::uint64_t rows() const { return contacts * dimension; }
};

Begin read_begin(NumberReader& in) {
  Begin out;
  out.dimension = in.count("the dimension", 3);
  if (out.dimension < 2) in.fail(fmt::format("the dimension is {}; 2 or 3 is expected", out.dimension));
  out.contacts = in.count("the number of contacts", kMostContacts);
  out.head = read_siconos_head(in, "W");
  return out;
}

std::vector<double> read_friction(NumberReader& in, std::uint64_t contacts) {
  std::vector<double> mu(contacts);
  in.check_room("mu", contacts);
  for (double& x : mu) x = in.number("an entry of mu");
  return mu;
}

void expect_end(NumberReader& in) {
  if (!in.at_end()) in.fail("more follows where the file should end: its sizes do not fit what is in it");
}

LocalProblem read_local(NumberReader& in, const Begin& begin, SparseRows w) {
  LocalProblem out;
  out.dimension = static_cast<int>(begin.dimension);
  out.w = std::move(w);
  out.q = in.finites("an entry of q", begin.rows());
  out.mu = read_friction(in, begin.contacts);
  if (!in.at_end()) in.count("the number after mu, which Siconos writes", 1);
  expect_end(in);
  return out;
}

GlobalProblem read_global(NumberReader& in, const Begin& begin, SparseRows mass, bool& printed) {
  GlobalProblem out;
  out.dimension = static_cast<int>(begin.dimension);
  out.mass = std::move(mass);
  const SiconosMatrixHead head = read_siconos_head(in, "H");
  if (head.rows != begin.head.rows || head.cols != begin.rows())
    in.fail(fmt::format("H is {} × {}; {} × {} fits M and the contacts", head.rows, head.cols, begin.head.rows,
                        begin.rows()));
  printed = printed || head.sparse();
  out.h = read_siconos_entries(in, "H", head);
  out.f = in.finites("an entry of q", begin.head.rows);
  out.w = in.finites("an entry of b", begin.rows());
  out.mu = read_friction(in, begin.contacts);
  expect_end(in);
  return out;
}

// Behind W of a local problem come q, μ and perhaps one number; behind M of a global one comes H, and much more.
bool is_global(NumberReader in, const Begin& begin) {
  if (in.words_left() <= begin.rows() + begin.contacts + 1) return false;
  try {
    const SiconosMatrixHead h = read_siconos_head(in, "H");
    return h.rows == begin.head.rows && h.cols == begin.rows();
  } catch (const Error&) {
    return false;
  }
}

// Where the rows of the first matrix stand, for messages.
NumberReader at_rows(NumberReader in) {
  for (const char* what : {"the dimension", "the number of contacts", "the storage type", "the number of rows"})
    in.word(what);
  return in;
}

std::variant<LocalProblem, GlobalProblem> read_either(NumberReader& in, const Begin& begin, const NumberReader& start,
                                                      bool& printed) {
  const std::string because = fmt::format("{} in {}D {}", counted(begin.contacts, "contact"), begin.dimension,
                                          begin.contacts == 1 ? "has" : "have");
  if (begin.head.rows == begin.rows() && begin.head.cols == begin.rows()) {
    SparseRows matrix = read_siconos_entries(in, "W", begin.head);
    if (is_global(in, begin)) return read_global(in, begin, std::move(matrix), printed);
    return read_local(in, begin, std::move(matrix));
  }
  if (begin.head.rows != begin.head.cols) check_siconos_size(at_rows(start), "W", begin.head, begin.rows(), because);
  try {
    SparseRows matrix = read_siconos_entries(in, "M", begin.head);
    return read_global(in, begin, std::move(matrix), printed);
  } catch (const Error& e) {
    at_rows(start).fail(fmt::format("the number of W's rows is {}; {} {}. Nor is it a global problem: {}",
                                    begin.head.rows, because, begin.rows(), e.what()));
  }
}

}  // namespace

std::variant<LocalProblem, GlobalProblem> parse_siconos_text(const std::string& path, std::string_view text,
                                                             ProblemNotes& notes) {
  NumberReader in(path, text);
  const NumberReader start = in;
  const Begin begin = read_begin(in);
  bool printed = begin.head.sparse();
  auto problem = read_either(in, begin, start, printed);
  if (printed) notes.emplace_back("Siconos prints sparse matrices with six digits: the problem is right to about 1e-6");
  return problem;
}

}  // namespace touchstone
