#include "io/problem/siconos_matrix.h"

#include <fmt/format.h>

#include <charconv>

namespace touchstone {
namespace {

using Entries = std::vector<Eigen::Triplet<double, std::int64_t>>;

// In messages.
std::string number_of(const std::string& name, const char* what) {
  return fmt::format("the number of {}'s {}", name, what);
}

void put(Entries& entries, std::uint64_t row, std::uint64_t col, double value) {
  if (value != 0) entries.emplace_back(static_cast<std::int64_t>(row), static_cast<std::int64_t>(col), value);
}

// Rows and columns are said again.
void read_dense(NumberReader& in, const std::string& name, const SiconosMatrixHead& head, Entries& entries) {
  for (const auto& [what, n] : {std::pair{"rows", head.rows}, std::pair{"columns", head.cols}})
    if (in.count(number_of(name, what), n) != n)
      in.fail(fmt::format("{} is not {} as before", number_of(name, what), n));
  in.check_room(name, head.rows * head.cols);
  const std::string entry = "an entry of " + name;
  for (std::uint64_t col = 0; col < head.cols; ++col)
    for (std::uint64_t row = 0; row < head.rows; ++row) put(entries, row, col, in.finite(entry));
}

// Where blocks end; the last is n.
std::vector<std::uint64_t> read_ends(NumberReader& in, const char* what, std::uint64_t blocks, std::uint64_t n) {
  in.check_room(what, blocks);
  std::vector<std::uint64_t> ends{0};
  for (std::uint64_t i = 0; i < blocks; ++i) {
    ends.push_back(in.count(what, n));
    if (ends[i + 1] <= ends[i]) in.fail(fmt::format("{} do not grow: {} after {}", what, ends[i + 1], ends[i]));
  }
  if (ends.back() != n) in.fail(fmt::format("{} end at {}; {} are needed", what, ends.back(), n));
  return ends;
}

std::vector<std::uint64_t> read_indices(NumberReader& in, const char* what, std::uint64_t count, std::uint64_t most) {
  in.check_room(what, count);
  std::vector<std::uint64_t> out(count);
  for (std::uint64_t& x : out) x = in.count(what, most);
  return out;
}

void read_blocks(NumberReader& in, const SiconosMatrixHead& head, Entries& entries) {
  const std::uint64_t most = head.rows * head.cols;
  const std::uint64_t blocks = in.count("the number of blocks", most),
                      block_rows = in.count("the number of block rows", head.rows),
                      block_cols = in.count("the number of block columns", head.cols);
  const std::vector<std::uint64_t> rows = read_ends(in, "the sizes of block rows", block_rows, head.rows),
                                   cols = read_ends(in, "the sizes of block columns", block_cols, head.cols);
  const std::uint64_t filled1 = in.count("filled1", head.rows + 1), filled2 = in.count("filled2", most);
  if (filled1 != block_rows + 1)
    in.fail(fmt::format("filled1 is {}; {} block rows need {}", filled1, block_rows, block_rows + 1));
  if (filled2 != blocks) in.fail(fmt::format("filled2 is {}; there are {} blocks", filled2, blocks));
  const std::vector<std::uint64_t> start = read_indices(in, "a pointer to a block row", filled1, blocks);
  const std::vector<std::uint64_t> column = read_indices(in, "the column of a block", filled2, block_cols - 1);
  for (std::uint64_t r = 0; r < block_rows; ++r) {
    if (start[r] > start[r + 1]) in.fail(fmt::format("block row {} begins after the next", r));
    for (std::uint64_t b = start[r]; b < start[r + 1]; ++b) {
      if (in.count("the number of a block", blocks) != b) in.fail(fmt::format("block {} should begin here", b));
      for (std::uint64_t col = cols[column[b]]; col < cols[column[b] + 1]; ++col)
        for (std::uint64_t row = rows[r]; row < rows[r + 1]; ++row)
          put(entries, row, col, in.finite(fmt::format("an entry of block {}", b)));
    }
  }
  if (start[0] != 0 || start[block_rows] != blocks) in.fail("the block rows do not hold all blocks");
}

// "6-by-3," and "nnz: 5," carry a comma.
std::uint64_t count_of(NumberReader& in, const std::string& what, std::uint64_t most) {
  std::string_view word = in.word(what);
  if (word.ends_with(',')) word.remove_suffix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value > most)
    in.fail(fmt::format("{} is '{}'; a whole number from 0 to {} is expected", what, word.substr(0, 40), most));
  return value;
}

// One column after the other: "col 1 : locations 2 to 3", then "row : value".
void read_columns(NumberReader& in, const std::string& name, const SiconosMatrixHead& head, std::uint64_t count,
                  Entries& entries) {
  std::uint64_t seen = 0;
  for (std::uint64_t col = 0; col < head.cols; ++col) {
    in.expect("col");
    if (in.count("the number of a column of " + name, head.cols) != col)
      in.fail(fmt::format("column {} of {} should begin here", col, name));
    in.expect(":");
    in.expect("locations");
    if (in.count("the first location of a column", count) != seen)
      in.fail(fmt::format("column {} of {} should begin at location {}", col, name, seen));
    in.expect("to");
    const double last = in.finite("the last location of a column");  // one before the first where it is empty
    if (!(last >= static_cast<double>(seen) - 1 && last < static_cast<double>(count)))
      in.fail(fmt::format("column {} of {} ends at location {}; there are {}", col, name, last, count));
    for (const auto end = static_cast<std::uint64_t>(last + 1); seen < end; ++seen) {
      const std::uint64_t row = in.count("the row of an entry of " + name, head.rows - 1);
      in.expect(":");
      put(entries, row, col, in.finite("an entry of " + name));
    }
  }
  if (seen != count) in.fail(fmt::format("{} has {} entries; {} were announced", name, seen, count));
}

// "row column : value". `half`: one triangle of a symmetric matrix.
void read_triplets(NumberReader& in, const std::string& name, const SiconosMatrixHead& head, std::uint64_t count,
                   bool half, Entries& entries) {
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t row = in.count("the row of an entry of " + name, head.rows - 1),
                        col = in.count("the column of an entry of " + name, head.cols - 1);
    in.expect(":");
    const double value = in.finite("an entry of " + name);
    put(entries, row, col, value);
    if (half && row != col) put(entries, col, row, value);
  }
}

// As CSparse prints matrices: a line with its version, one with the size, then the entries.
void read_printed(NumberReader& in, const std::string& name, const SiconosMatrixHead& head, Entries& entries) {
  enum : std::uint64_t { kTriplets = 1, kColumns = 2, kHalf = 4 };
  const std::string form = "the form of " + name;
  const std::uint64_t origin = in.count(form, kHalf);
  if (origin != kTriplets && origin != kColumns && origin != kHalf)
    in.fail(fmt::format("{} is {}; 1 (triplets), 2 (compressed columns) or 4 (half of the triplets) is read here", form,
                        origin));
  in.expect("CSparse");
  in.rest_of_line();
  if (origin != kColumns) in.expect("triplet:");
  in.expect(fmt::format("{}-by-{},", head.rows, head.cols));
  in.expect("nzmax:");
  count_of(in, "the capacity of " + name, UINT32_MAX);
  in.expect("nnz:");
  const std::uint64_t count = count_of(in, "the number of entries of " + name, UINT32_MAX);
  in.rest_of_line();  // the norm
  in.check_room(name, 2 * count);
  if (origin == kColumns)
    read_columns(in, name, head, count, entries);
  else
    read_triplets(in, name, head, count, origin == kHalf, entries);
}

}  // namespace

SiconosMatrixHead read_siconos_head(NumberReader& in, const std::string& name) {
  const std::string type = "the storage type of " + name;
  SiconosMatrixHead head;
  head.storage = in.count(type, UINT32_MAX);
  if (head.storage > 2)
    in.fail(fmt::format("{} is {}; 0 (dense), 1 (sparse blocks) or 2 (sparse) is read here", type, head.storage));
  head.rows = in.count(number_of(name, "rows"), UINT32_MAX);
  head.cols = in.count(number_of(name, "columns"), UINT32_MAX);
  return head;
}

SparseRows read_siconos_entries(NumberReader& in, const std::string& name, const SiconosMatrixHead& head) {
  in.check_room(name, std::max(head.rows, head.cols));  // vectors of these lengths follow in every kind of file
  Entries entries;
  if (head.sparse())
    read_printed(in, name, head, entries);
  else if (head.rows > 0 && head.cols > 0)
    head.storage == 0 ? read_dense(in, name, head, entries) : read_blocks(in, head, entries);
  SparseRows out(static_cast<std::int64_t>(head.rows), static_cast<std::int64_t>(head.cols));
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

void check_siconos_size(const NumberReader& in, const std::string& name, const SiconosMatrixHead& head, std::uint64_t n,
                        const std::string& because) {
  for (const auto& [what, found] : {std::pair{"rows", head.rows}, std::pair{"columns", head.cols}})
    if (found != n) in.fail(fmt::format("{} is {}; {} {}", number_of(name, what), found, because, n));
}

SparseRows read_siconos_matrix(NumberReader& in, const std::string& name, std::uint64_t n, const std::string& because) {
  const SiconosMatrixHead head = read_siconos_head(in, name);
  check_siconos_size(in, name, head, n, because);
  return read_siconos_entries(in, name, head);
}

}  // namespace touchstone
