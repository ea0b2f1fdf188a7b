#pragma once
// Small helpers for messages.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

// The candidate that is closest in spelling, or "" if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);
// " (did you mean 'x'?)", or "" if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);
// "a, b or c"
std::string join_or(const std::vector<std::string>& words);
// "1 contact", "2 contacts"; "1 body", "2 bodies".
std::string counted(std::uint64_t number, std::string_view noun);
// The same text with U+FFFD in place of every byte that is not part of UTF-8: for messages that quote a file.
std::string valid_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);

}  // namespace touchstone
