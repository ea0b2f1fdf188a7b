#include "io/problem/number_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A wrong word as a message shows it.
std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 40;  // bytes
  return valid_utf8(word.substr(0, kMost));
}

}  // namespace

void NumberReader::fail(const std::string& what) const {
  throw Error(ErrorKind::kBadInput, fmt::format("{}, line {}: {}", path_, line_, valid_utf8(what)));
}

void NumberReader::skip_space() {
  for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n';
}

bool NumberReader::at_end() {
  skip_space();
  return at_ == text_.size();
}

std::size_t NumberReader::words_left() const {
  std::size_t words = 0;
  for (std::size_t i = at_; i < text_.size(); ++i) words += !is_space(text_[i]) && (i == at_ || is_space(text_[i - 1]));
  return words;
}

std::string_view NumberReader::word(const std::string& what) {
  skip_space();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  if (at_ == begin)
    fail(fmt::format("the file ends where {} should be; it is cut short: get it or write it again", what));
  return text_.substr(begin, at_ - begin);
}

double NumberReader::number(const std::string& what) {
  const std::string_view text = word(what);
  const char* begin = text.data() + (text.front() == '+' ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {
    // Too small is zero to all purposes; too large is not a number to compute with.
    if (std::abs(std::strtod(std::string(text).c_str(), nullptr)) < 1) return 0;
    fail(fmt::format("{} is '{}', which is too large", what, shown(text)));
  }
  if (error != std::errc() || end != text.data() + text.size())
    fail(fmt::format("'{}' stands where {} should be; a number is expected", shown(text), what));
  if (std::isnan(value))
    fail(fmt::format("{} is not a number (NaN); the problem was broken when it was written", what));
  return value;
}

double NumberReader::finite(const std::string& what) {
  const double value = number(what);
  if (!std::isfinite(value)) fail(fmt::format("{} is infinite; it must be finite", what));
  return value;
}

std::uint64_t NumberReader::count(const std::string& what, std::uint64_t most) {
  const std::string_view text = word(what);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(fmt::format("{} is '{}'; a whole number from 0 to {} is expected", what, shown(text), most));
  if (value > most) fail(fmt::format("{} is {}; at most {} fits here", what, value, most));
  return value;
}

void NumberReader::check_room(const std::string& what, std::uint64_t numbers) const {
  // A number takes a digit and a space at least; the last needs no space.
  if (numbers > (text_.size() - at_) / 2 + 1)
    fail(
        fmt::format("{} should be {} numbers, more than the rest of the file holds; it is cut short: get it or write "
                    "it again",
                    what, numbers));
}

std::vector<double> NumberReader::finites(const std::string& what, std::size_t how_many) {
  check_room(what, how_many);
  std::vector<double> out(how_many);
  for (double& x : out) x = finite(what);
  return out;
}

void NumberReader::expect(std::string_view expected) {
  const std::string_view found = word(fmt::format("'{}'", expected));
  if (found != expected) fail(fmt::format("'{}' stands where '{}' should be", shown(found), expected));
}

std::string NumberReader::rest_of_line() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string out(text_.substr(at_, end - at_));
  at_ = end;
  return out;
}

}  // namespace touchstone
