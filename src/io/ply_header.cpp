#include "io/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::size_t kLongest = std::size_t{1} << 16;  // bytes of a header
constexpr std::array<std::string_view, 16> kTypes{"char",  "uchar",  "short",   "ushort", "int",   "uint",
                                                  "float", "double", "int8",    "uint8",  "int16", "uint16",
                                                  "int32", "uint32", "float32", "float64"};

bool is_type(const std::string& word) { return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end(); }

std::string printable(std::string text) {
  constexpr std::size_t kMost = 60;
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return valid_utf8(text.substr(0, kMost));
}

class HeaderCheck {
 public:
  HeaderCheck(const std::string& path, std::uintmax_t bytes) : path_(path), bytes_(bytes) {}

  void line(const std::string& text, std::size_t number) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    const std::string first = words.empty() ? "" : words[0];
    const bool known = number == 1           ? words.size() == 1 && first == "ply"
                       : first == "element"  ? is_element(words)
                       : first == "property" ? is_property(words)
                       : first == "format"   ? words.size() == 3
                                             : words.empty() || first == "comment" || first == "obj_info";
    if (!known) refuse(fmt::format("it has not the header of a PLY file: line {} is '{}'", number, printable(text)));
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: cannot be read as a mesh: {}", path_, what));
  }

 private:
  // Each takes a byte at the least.
  bool is_element(const std::vector<std::string>& words) const {
    if (words.size() != 3) return false;
    std::uintmax_t count = 0;
    const char* const end = words[2].data() + words[2].size();
    const auto [stop, error] = std::from_chars(words[2].data(), end, count);
    if (error != std::errc{} || stop != end) return false;
    if (count > bytes_)
      refuse(fmt::format("its header promises {} of '{}', more than its {} bytes hold", count, printable(words[1]),
                         bytes_));
    return true;
  }
  static bool is_property(const std::vector<std::string>& words) {
    if (words.size() == 3) return is_type(words[1]);
    return words.size() == 5 && words[1] == "list" && is_type(words[2]) && is_type(words[3]);
  }

  const std::string& path_;
  std::uintmax_t bytes_;
};

}  // namespace

void check_ply_header(const std::string& path, std::uintmax_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kLongest, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  HeaderCheck check(path, bytes);
  std::istringstream lines(head);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line == "end_header" && !lines.eof()) return;
    check.line(line, ++number);
  }
  check.refuse("it has not the header of a PLY file: its end is missing");
}

}  // namespace touchstone
