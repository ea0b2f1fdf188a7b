#pragma once
// Seeded damage to text and bytes: the same seed gives the same damage on every machine.
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::attack {

class Mutator {
 public:
  // `words`: what belongs into such a file, for places where it does not. They must outlive the mutator.
  Mutator(std::uint64_t seed, const std::vector<std::string>& words);

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

  // One to four kinds of damage, one after the other. `other` is a second text that a piece may come from.
  std::string damage(std::string text, std::string_view other = {});

  // Damage to bytes alone: flips, deletions, repetitions, cuts. For files without words.
  std::string damage_bytes(std::string bytes);

 private:
  struct Token {
    std::size_t begin, end;
  };
  std::vector<Token> tokens(std::string_view text, bool numbers_only) const;

  void flip(std::string& text);
  void remove(std::string& text);
  void repeat(std::string& text);
  void cut(std::string& text);
  void swap_tokens(std::string& text);
  void replace_token(std::string& text);
  void replace_number(std::string& text);
  void nest(std::string& text);
  void insert_foreign_bytes(std::string& text);
  void splice(std::string& text, std::string_view other);

  std::mt19937_64 random_;
  const std::vector<std::string>& words_;
};

}  // namespace touchstone::attack
