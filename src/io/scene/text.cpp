#include "io/scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "touchstone/error.h"

namespace touchstone {
namespace {

// toml++ 3.3 limits the nesting of values (to 256) but not the parts of a dotted key, each of which is a table
// within the last: enough of them overflow the stack when the tree is destroyed. The format needs two.
constexpr std::size_t kMaxKeyParts = 16;

[[noreturn]] void refuse(ErrorKind kind, const std::string& path, const std::string& what) {
  throw Error(kind, fmt::format("{}: {}", path, what));
}

// The end of the comment or string that begins at `at`. An unfinished one ends with the text.
std::size_t end_of_token(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '#') return std::min(text.find('\n', at), text.size());
  const bool escapes = quote == '"';
  const std::string_view triple = escapes ? "\"\"\"" : "'''";
  const bool multi_line = text.substr(at, 3) == triple;
  for (std::size_t i = at + (multi_line ? 3 : 1); i < text.size(); ++i) {
    if (escapes && text[i] == '\\')
      ++i;
    else if (multi_line && text.substr(i, 3) == triple)
      return i + 3;
    else if (!multi_line && (text[i] == quote || text[i] == '\n'))
      return i + 1;
  }
  return text.size();
}

void check_key_parts(const std::string& text, const std::string& path) {
  std::size_t parts = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#' || c == '"' || c == '\'') {
      i = end_of_token(text, i);
      continue;
    }
    if (c == '.')
      ++parts;
    else if (std::string_view("=,{}[]\n").find(c) != std::string_view::npos)
      parts = 1;
    if (parts > kMaxKeyParts) {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      refuse(ErrorKind::kBadInput, fmt::format("{}:{}", path, line),
             fmt::format("a key of more than {} parts; no key of a scene has so many", kMaxKeyParts));
    }
    ++i;
  }
}

}  // namespace

std::string read_scene_text(const std::string& path, const SceneLimits& limits) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse(ErrorKind::kBadInput, path, "there is no such file");
  if (std::filesystem::is_directory(status)) refuse(ErrorKind::kBadInput, path, "is a folder; a scene is a TOML file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) refuse(ErrorKind::kIo, path, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  while (text.size() <= limits.bytes) {
    const std::size_t n = std::fread(piece.data(), 1, piece.size(), file.get());
    if (n == 0) break;
    text.append(piece.data(), n);
  }
  if (std::ferror(file.get())) refuse(ErrorKind::kIo, path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

void check_scene_text(const std::string& text, const std::string& path, const SceneLimits& limits) {
  if (text.size() > limits.bytes)
    refuse(ErrorKind::kBadInput, path,
           fmt::format("the file is larger than {} MiB, the most that a scene may have", limits.bytes >> 20));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(ErrorKind::kBadInput, path,
           "the file is empty; a scene has at least 'touchstone = 1' and 'dimension = 2' or 3");
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    refuse(ErrorKind::kBadInput, path,
           fmt::format("is not text: byte {} is zero; a scene is a TOML file in UTF-8", zero + 1));
  check_key_parts(text, path);
}

}  // namespace touchstone
