#pragma once
// Numbers of a text file, one after the other, with errors that name the file, the line and what was expected.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

class NumberReader {
 public:
  // `path` is only for messages. The text must outlive the reader.
  NumberReader(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {}

  // Throw Error (kBadInput) if the file ends, or if something else stands there.
  std::string_view word(const std::string& what);
  double number(const std::string& what);  // may be infinite, never NaN
  double finite(const std::string& what);  // neither
  std::uint64_t count(const std::string& what, std::uint64_t most);
  std::vector<double> finites(const std::string& what, std::size_t how_many);
  void expect(std::string_view word);  // this very word
  std::string rest_of_line();
  bool at_end();                   // nothing but space is left
  std::size_t words_left() const;  // numbers or others, from here to the end
  // Refuses to go on if fewer characters are left than so many numbers take: before memory is taken for them.
  void check_room(const std::string& what, std::uint64_t numbers) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void skip_space();

  std::string path_;
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace touchstone
