#include "problems/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenes/describe.h"
#include "study/problem_study.h"
#include "touchstone/error.h"

namespace touchstone::bench {
namespace {

// The bench's stack, a hundred cubes high.
Scene stack100() {
  Scene scene = make_scene("stack");
  scene.name = "stack100";
  const Item first = scene.bodies.front();
  for (std::size_t k = scene.bodies.size(); k < 100; ++k) {
    scene.bodies.push_back(first);
    scene.bodies.back().pose.position[2] += static_cast<double>(k);
  }
  return scene;
}

struct Recorded {
  Scene scene;
  std::vector<std::uint64_t> steps;
};
Recorded recorded(const std::string& name) {
  if (name == "heap") return {make_scene("heap"), {120, 360}};  // falling in; at rest
  if (name == "stack100") return {stack100(), {1, 60}};         // set up by hand; settled
  throw Error(ErrorKind::kBadInput, fmt::format("there is no recorded problem '{}'", name));
}

// Where the blocks of a row of blocks stand.
struct BlockRow {
  std::vector<std::size_t> columns;
  std::vector<double> blocks;
};
BlockRow block_row(const SparseRows& w, std::int64_t contact, std::int64_t d) {
  BlockRow out;
  for (std::int64_t i = contact * d; i < (contact + 1) * d; ++i)
    for (SparseRows::InnerIterator it(w, i); it; ++it) out.columns.push_back(static_cast<std::size_t>(it.col() / d));
  out.columns.push_back(static_cast<std::size_t>(contact));  // Siconos wants every block of the diagonal
  std::sort(out.columns.begin(), out.columns.end());
  out.columns.erase(std::unique(out.columns.begin(), out.columns.end()), out.columns.end());
  out.blocks.assign(out.columns.size() * static_cast<std::size_t>(d * d), 0.0);
  for (std::int64_t i = 0; i < d; ++i)
    for (SparseRows::InnerIterator it(w, contact * d + i); it; ++it) {
      const auto at = std::lower_bound(out.columns.begin(), out.columns.end(), static_cast<std::size_t>(it.col() / d));
      const std::int64_t block = at - out.columns.begin();
      out.blocks[static_cast<std::size_t>((block * d + it.col() % d) * d + i)] = it.value();
    }
  return out;
}

}  // namespace

const std::vector<std::string>& recorded_names() {
  static const std::vector<std::string> names{"heap", "stack100"};
  return names;
}

std::vector<NamedProblem> record_problems(const std::string& name) {
  const Recorded what = recorded(name);
  SceneDescription scene = describe(what.scene);
  scene.model.name = "impulse";
  std::vector<NamedProblem> out;
  for (ProblemFile& file : capture_problems(scene, what.steps))
    out.push_back({fmt::format("{}, step {}", name, what.steps[out.size()]), std::move(file)});
  return out;
}

NamedProblem read_file(const std::string& path) {
  return {std::filesystem::path(path).filename().string(), read_problem(path)};
}

std::vector<NamedProblem> read_folder(const std::string& path) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::vector<NamedProblem> out;
  for (const std::string& file : files) out.push_back(read_file(file));
  return out;
}

BlockProblem to_blocks(const ContactProblem& problem) {
  for (const RowBlock& b : problem.blocks)
    if (b.kind != BlockKind::kContact)
      throw Error(ErrorKind::kUnsupported, "the problem has joints, which Siconos' contact solvers do not know");
  ProblemNotes notes;
  const LocalProblem local = to_local(problem, notes);
  BlockProblem out;
  out.dimension = local.dimension;
  out.q = local.q, out.mu = local.mu;
  out.row_start.push_back(0);
  for (std::size_t c = 0; c < local.mu.size(); ++c) {
    const BlockRow row = block_row(local.w, static_cast<std::int64_t>(c), local.dimension);
    out.column.insert(out.column.end(), row.columns.begin(), row.columns.end());
    out.blocks.insert(out.blocks.end(), row.blocks.begin(), row.blocks.end());
    out.row_start.push_back(out.column.size());
  }
  return out;
}

}  // namespace touchstone::bench
