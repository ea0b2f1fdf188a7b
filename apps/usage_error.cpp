// Wrong arguments in sentences: CLI11 finds them, and what it calls them is not for people.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "command.h"

namespace touchstone::app {
namespace {

// The command that was meant, as far as it was understood: "touchstone problem solve".
struct Asked {
  const CLI::App* command;
  std::string text = "touchstone";
  std::size_t arguments = 0;  // that were taken for its name
};

Asked command_of(const CLI::App& app) {
  Asked out{&app};
  while (!out.command->get_subcommands().empty()) {
    out.command = out.command->get_subcommands().front();
    out.text += " " + out.command->get_name();
    ++out.arguments;
  }
  return out;
}

bool is_flag(const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; }

std::string missing_command(const Asked& asked, const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const CLI::App* command : asked.command->get_subcommands(nullptr)) names.push_back(command->get_name());
  if (asked.arguments < arguments.size() && !is_flag(arguments[asked.arguments])) {
    const std::string& given = arguments[asked.arguments];
    return fmt::format("there is no command '{}'{}; {} --help lists them", given, did_you_mean(given, names),
                       asked.text);
  }
  return fmt::format("{} needs a command, such as `{} {}`; {} --help lists them", asked.text, asked.text, names.front(),
                     asked.text);
}

std::string missing_argument(const Asked& asked) {
  std::string usage = asked.text;
  std::vector<std::string> missing;
  for (const CLI::Option* option : asked.command->get_options()) {
    if (!option->get_required()) continue;
    const std::string name = option->get_name();
    usage += " " + (option->get_positional() ? name : name + " VALUE");
    if (option->count() == 0) missing.push_back(fmt::format("{} ({})", name, option->get_description()));
  }
  return fmt::format("{} needs {}; the usage is: {}", asked.text, fmt::join(missing, " and "), usage);
}

std::string unexpected(const CLI::App& app, const Asked& asked) {
  std::vector<std::string> names;
  for (const CLI::Option* option : asked.command->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  std::vector<std::string> extra;
  for (const std::string& argument : app.remaining(true))
    extra.push_back(fmt::format("'{}'{}", argument, is_flag(argument) ? did_you_mean(argument, names) : ""));
  return fmt::format("{} does not take {}; see {} --help", asked.text, fmt::join(extra, ", "), asked.text);
}

// The option whose value is absent: it comes last, or another option follows it.
std::string missing_value(const Asked& asked, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const CLI::Option* option = is_flag(arguments[i]) ? asked.command->get_option_no_throw(arguments[i]) : nullptr;
    if (option && option->get_items_expected_min() > 0 && (i + 1 == arguments.size() || is_flag(arguments[i + 1])))
      return fmt::format("{} needs a value: {}; see {} --help", arguments[i], option->get_description(), asked.text);
  }
  return fmt::format("a value is missing, or there is one too many; see {} --help", asked.text);
}

bool reads_as(const std::string& type, const std::string& text) {
  const bool whole = type.starts_with("INT") || type.starts_with("UINT");
  if (!whole && !type.starts_with("FLOAT")) return true;
  char* end = nullptr;
  errno = 0;
  if (whole)
    std::strtoll(text.c_str(), &end, 10);
  else
    std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && errno == 0 && (!type.starts_with("UINT") || text.front() != '-');
}

std::string wrong_value(const Asked& asked) {
  for (const CLI::Option* option : asked.command->get_options())
    for (const std::string& value : option->results())
      if (!reads_as(option->get_type_name(), value))
        return fmt::format("{}: '{}' is not a {}; see {} --help", option->get_name(), value,
                           option->get_type_name().starts_with("FLOAT") ? "number" : "whole number", asked.text);
  return fmt::format("a value is out of range; see {} --help", asked.text);
}

std::string contradiction(const Asked& asked) {
  for (const CLI::Option* option : asked.command->get_options())
    for (const CLI::Option* other : option->get_excludes())
      if (option->count() > 0 && other->count() > 0)
        return fmt::format("give {} or {}, not both", option->get_name(), other->get_name());
  return fmt::format("two options contradict each other; see {} --help", asked.text);
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const Asked asked = command_of(app);
  if (dynamic_cast<const CLI::RequiredError*>(&error))
    return asked.command->get_subcommands(nullptr).empty() ? missing_argument(asked)
                                                           : missing_command(asked, arguments);
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unexpected(app, asked);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return missing_value(asked, arguments);
  if (dynamic_cast<const CLI::ConversionError*>(&error)) return wrong_value(asked);
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return contradiction(asked);
  return fmt::format("{}; see {} --help", error.what(), asked.text);  // of a check, which is a sentence already
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [=](const std::string& text) -> std::string {
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    const bool reads = end != text.c_str() && *end == '\0' && errno == 0;
    if (reads && value >= least && value <= most) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return CLI::Validator(check, fmt::format("{} to {}", least, most));
}

CLI::Validator number_between(double least, double most) {
  const auto check = [=](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0' && value >= least && value <= most) return "";
    return fmt::format("'{}' is not a number from {:g} to {:g}", text, least, most);
  };
  return CLI::Validator(check, fmt::format("{:g} to {:g}", least, most));
}

CLI::Validator existing_folder() {
  const auto check = [](const std::string& text) -> std::string {
    std::error_code ignored;
    return std::filesystem::is_directory(text, ignored) ? ""
                                                        : fmt::format("there is no folder '{}'; make it first", text);
  };
  return CLI::Validator(check, "FOLDER");
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    return fmt::format("'{}' is not {}{}", text, join_or(words), did_you_mean(text, words));
  };
  return CLI::Validator(check, fmt::format("{}", fmt::join(words, ", ")));
}

}  // namespace touchstone::app
