#include "attack/mutator.h"

#include <algorithm>
#include <cctype>

namespace touchstone::attack {
namespace {

// Larger files say nothing new and cost time.
constexpr std::size_t kMostBytes = std::size_t{1} << 18;

constexpr const char* kNumbers[] = {"1e308",  "-1e308",  "1e300",
                                    "1e-308", "5e-324",  "1e400",
                                    "nan",    "inf",     "-inf",
                                    "-0.0",   "0",       "-1",
                                    "1e15",   "1e-12",   "9223372036854775807",
                                    "65536",  "1000000", "-9223372036854775808",
                                    "0.5",    "1e9",     "18446744073709551616"};

// No UTF-8: a lone continuation, a start without its end, an overlong slash, a surrogate, beyond U+10FFFF; and what is
// UTF-8 but awkward: zero, an escape, a mark that turns the direction of text.
constexpr std::string_view kForeign[] = {"\x80",
                                         "\xff",
                                         "\xc3",
                                         "\xc0\xaf",
                                         "\xed\xa0\x80",
                                         "\xf4\x90\x80\x80",
                                         std::string_view("\0", 1),
                                         "\x1b[31m",
                                         "\xe2\x80\xae",
                                         "\xef\xbb\xbf",
                                         "\xe4\xbd\xa0"};

constexpr std::string_view kBrackets[] = {"[", "{", "(", "[[", "{\"a\":", "x = {", "a."};

bool in_token(char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_.+-").find(c) < 4; }

}  // namespace

Mutator::Mutator(std::uint64_t seed, const std::vector<std::string>& words) : random_(seed), words_(words) {}

std::vector<Mutator::Token> Mutator::tokens(std::string_view text, bool numbers_only) const {
  std::vector<Token> out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_token(text[end])) ++end;
    const char first = text[i];
    const bool number = first == '-' || first == '+' || std::isdigit(static_cast<unsigned char>(first));
    if (end > i && (number || !numbers_only)) out.push_back({i, end});
    i = std::max(end, i + 1);
  }
  return out;
}

void Mutator::flip(std::string& text) {
  for (std::uint64_t n = 1 + below(4); n > 0 && !text.empty(); --n) {
    char& byte = text[below(text.size())];
    byte = static_cast<char>(chance(2) ? byte ^ (1 << below(8)) : static_cast<int>(below(256)));
  }
}

void Mutator::remove(std::string& text) {
  if (text.empty()) return;
  const std::size_t at = below(text.size());
  text.erase(at, 1 + below(chance(4) ? 200 : 12));
}

void Mutator::repeat(std::string& text) {
  if (text.empty()) return;
  const std::size_t at = below(text.size());
  const std::string piece = text.substr(at, 1 + below(chance(4) ? 400 : 30));
  for (std::uint64_t n = 1 + below(chance(8) ? 100 : 3); n > 0 && text.size() < kMostBytes; --n) text.insert(at, piece);
}

void Mutator::cut(std::string& text) {
  if (!text.empty()) text.resize(below(text.size()));
}

void Mutator::swap_tokens(std::string& text) {
  const std::vector<Token> all = tokens(text, false);
  if (all.size() < 2) return;
  Token a = pick(all), b = pick(all);
  if (a.begin > b.begin) std::swap(a, b);
  if (a.begin == b.begin) return;
  const std::string first = text.substr(a.begin, a.end - a.begin), second = text.substr(b.begin, b.end - b.begin);
  text.replace(b.begin, b.end - b.begin, first);
  text.replace(a.begin, a.end - a.begin, second);
}

void Mutator::replace_token(std::string& text) {
  const std::vector<Token> all = tokens(text, false);
  if (all.empty()) return;
  const Token token = pick(all), from = pick(all);
  const std::string word =
      words_.empty() || chance(2) ? text.substr(from.begin, from.end - from.begin) : std::string(pick(words_));
  text.replace(token.begin, token.end - token.begin, word);
}

void Mutator::replace_number(std::string& text) {
  const std::vector<Token> all = tokens(text, true);
  if (all.empty()) return;
  const Token token = pick(all);
  text.replace(token.begin, token.end - token.begin, pick(kNumbers));
}

void Mutator::nest(std::string& text) {
  const std::string_view bracket = pick(kBrackets);
  std::string deep;
  for (std::uint64_t n = chance(4) ? 20000 : 300; n > 0; --n) deep += bracket;
  text.insert(below(text.size() + 1), deep);
}

void Mutator::insert_foreign_bytes(std::string& text) { text.insert(below(text.size() + 1), pick(kForeign)); }

void Mutator::splice(std::string& text, std::string_view other) {
  if (other.empty()) return;
  const std::size_t from = below(other.size());
  text.insert(below(text.size() + 1), other.substr(from, 1 + below(300)));
}

std::string Mutator::damage(std::string text, std::string_view other) {
  for (std::uint64_t n = 1 + below(4); n > 0; --n) {
    switch (below(12)) {
      case 0:
        flip(text);
        break;
      case 1:
        remove(text);
        break;
      case 2:
        repeat(text);
        break;
      case 3:
        if (chance(4)) cut(text);
        break;
      case 4:
        swap_tokens(text);
        break;
      case 5:
      case 6:
        replace_token(text);
        break;
      case 7:
        insert_foreign_bytes(text);
        break;
      case 8:
        if (chance(8)) nest(text);
        break;
      case 9:
        splice(text, other);
        break;
      default:
        replace_number(text);
    }
  }
  if (text.size() > kMostBytes) text.resize(kMostBytes);
  return text;
}

std::string Mutator::damage_bytes(std::string bytes) {
  for (std::uint64_t n = 1 + below(3); n > 0; --n) {
    switch (below(6)) {
      case 0:
        remove(bytes);
        break;
      case 1:
        repeat(bytes);
        break;
      case 2:
        if (chance(4)) cut(bytes);
        break;
      default:
        flip(bytes);
    }
  }
  return bytes;
}

}  // namespace touchstone::attack
