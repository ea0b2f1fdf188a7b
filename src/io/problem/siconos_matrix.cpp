#include "io/problem/siconos_matrix.h"

#include <fmt/format.h>

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

// Rows and columns must be n; both are said again.
void read_dense(NumberReader& in, const std::string& name, std::uint64_t n, Entries& entries) {
  for (const char* what : {"rows", "columns"})
    if (in.count(number_of(name, what), n) != n)
      in.fail(fmt::format("{} is not {} as before", number_of(name, what), n));
  in.check_room(name, n * n);
  const std::string entry = "an entry of " + name;
  for (std::uint64_t col = 0; col < n; ++col)
    for (std::uint64_t row = 0; row < n; ++row) put(entries, row, col, in.finite(entry));
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

void read_blocks(NumberReader& in, std::uint64_t n, Entries& entries) {
  const std::uint64_t blocks = in.count("the number of blocks", n * n),
                      block_rows = in.count("the number of block rows", n),
                      block_cols = in.count("the number of block columns", n);
  const std::vector<std::uint64_t> rows = read_ends(in, "the sizes of block rows", block_rows, n),
                                   cols = read_ends(in, "the sizes of block columns", block_cols, n);
  const std::uint64_t filled1 = in.count("filled1", n + 1), filled2 = in.count("filled2", n * n);
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

}  // namespace

SparseRows read_siconos_matrix(NumberReader& in, const std::string& name, std::uint64_t n, const std::string& because) {
  const std::string type = "the storage type of " + name;
  const std::uint64_t storage = in.count(type, 2);
  if (storage > 1) in.fail(fmt::format("{} is {}; 0 (dense) or 1 (sparse blocks) is read here", type, storage));
  for (const char* what : {"rows", "columns"})
    if (const std::uint64_t found = in.count(number_of(name, what), UINT32_MAX); found != n)
      in.fail(fmt::format("{} is {}; {} {}", number_of(name, what), found, because, n));
  Entries entries;
  if (n > 0) storage == 0 ? read_dense(in, name, n, entries) : read_blocks(in, n, entries);
  SparseRows out(static_cast<std::int64_t>(n), static_cast<std::int64_t>(n));
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace touchstone
