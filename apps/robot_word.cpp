// info of a robot file, and same: two files of one robot compared.
#include <fmt/format.h>

#include "command.h"
#include "io/robot/compare.h"
#include "io/robot/load.h"
#include "io/robot/robot_text.h"
#include "touchstone/error.h"

namespace touchstone::app {
namespace {

struct SameArguments {
  Output output;
  std::string a, b;
  ImportOptions options;
  double tolerance = 1e-6;
  std::int64_t poses = 20, seed = 1;
};

std::string joint_list(const std::vector<std::string>& names, const std::string& file) {
  if (names.empty()) return "";
  std::string text = fmt::format("only in {}:", file);
  for (const std::string& name : names) text += " " + valid_utf8(name);
  return text + "\n";
}

std::string comparison_text(const RobotComparison& c, const SameArguments& a, bool same) {
  std::string text = fmt::format("{} matched by {}, {}, greatest differences:\n", counted(c.joints, "joint"),
                                 c.by_name ? "name" : "their order", counted(c.poses, "random pose"));
  for (const RobotComparison::Quantity& q : c.quantities)
    text += fmt::format("{:<22} {:>11.3g} of {:>9.4g} {:<18} relative {:.3g}{}\n", q.name, q.difference, q.size, q.unit,
                        q.relative(), q.where.empty() || q.difference == 0 ? "" : " at joint " + valid_utf8(q.where));
  text += joint_list(c.only_a, a.a) + joint_list(c.only_b, a.b);
  return text + (same ? fmt::format("the same to {:g}\n", a.tolerance)
                      : fmt::format("not the same: the tolerance is {:g}\n", a.tolerance));
}

int compare_files(const SameArguments& a) {
  const RobotDescription first = load_robot(a.a, a.options), second = load_robot(a.b, a.options);
  RobotComparison c;
  try {
    c = compare_robots(first, second, static_cast<std::size_t>(a.poses), static_cast<std::uint64_t>(a.seed));
  } catch (const Error& e) {
    throw Error(e.kind(), fmt::format("{} and {}: {}", a.a, a.b, e.what()));
  }
  const bool same = c.worst() <= a.tolerance && c.only_a.empty() && c.only_b.empty();
  Json quantities = Json::array();
  for (const RobotComparison::Quantity& q : c.quantities)
    quantities.push_back({{"name", q.name},
                          {"unit", q.unit},
                          {"difference", q.difference},
                          {"size", q.size},
                          {"relative", q.relative()},
                          {"joint", q.where}});
  a.output.print({{"a", a.a},
                  {"b", a.b},
                  {"same", same},
                  {"tolerance", a.tolerance},
                  {"joints", c.joints},
                  {"matched_by", c.by_name ? "name" : "order"},
                  {"poses", c.poses},
                  {"only_in_a", c.only_a},
                  {"only_in_b", c.only_b},
                  {"quantities", quantities}},
                 comparison_text(c, a, same));
  return same ? kOk : kDiffer;
}

}  // namespace

void add_package_option(CLI::App& word, std::vector<std::string>& roots) {
  word.add_option("--packages", roots,
                  "Robots: a folder in which package:// is sought, before $TOUCHSTONE_PACKAGES, $ROS_PACKAGE_PATH and "
                  "the folders above the file (repeatable)")
      ->allow_extra_args(false);
}

int print_robot(const std::string& path, const ImportOptions& options, const Output& output) {
  const RobotDescription robot = load_robot(path, options);
  output.print(robot_json(robot), robot_text(robot));
  return kOk;
}

void add_same(CLI::App& app, int& code) {
  auto a = std::make_shared<SameArguments>();
  CLI::App* word = app.add_subcommand(
      "same",
      "Compare two files of one robot: mass, inertias and gravity torques at random poses; exit code 1 if they "
      "differ");
  word->add_option("a", a->a, "First URDF or MJCF file")->required();
  word->add_option("b", a->b, "Second URDF or MJCF file")->required();
  word->add_option("--tolerance", a->tolerance, "Greatest difference, relative to the size of a quantity")
      ->check(number_between(0, 1));
  word->add_option("--poses", a->poses, "How many random poses")->check(whole_number(1, 100000));
  word->add_option("--seed", a->seed, "Seed of the poses")->check(whole_number(0, INT64_MAX));
  add_package_option(*word, a->options.package_roots);
  a->options.visuals = false;
  a->output.add_to(*word);
  word->footer(
      "\nJoints with one coordinate are matched by name, or by their order if no name is in both files. Others stay "
      "at\n"
      "their reference. Coordinates are drawn from limits that both files have.");
  word->callback([a, &code] { code = compare_files(*a); });
}

}  // namespace touchstone::app
