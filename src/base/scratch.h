#pragma once
// Room that parts of a step use one after the other, each for a list of its own kind.
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/room.h"

namespace touchstone {

class Scratch {
 public:
  // Room for n. What is in it is not known, and what was taken before is gone.
  template <class T>
  std::span<T> take(std::size_t n) {
    return std::get<0>(take_lists<T>(n));
  }
  // The same for several lists at a time: take_lists<A, B>(room for so many, and for so many).
  template <class... T, class... Count>
  std::tuple<std::span<T>...> take_lists(Count... count) {
    const std::size_t blocks = (blocks_for<T>(count) + ...);
    if (blocks > blocks_.size()) size_to(blocks_, blocks);
    std::size_t at = 0;
    return {place<T>(count, at)...};  // in this order
  }

 private:
  struct alignas(64) Block {
    std::byte bytes[64];
  };
  template <class T>
  static std::size_t blocks_for(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(Block));
    return (n * sizeof(T) + sizeof(Block) - 1) / sizeof(Block);
  }
  template <class T>
  std::span<T> place(std::size_t n, std::size_t& at) {
    T* first = reinterpret_cast<T*>(blocks_.data() + at);
    at += blocks_for<T>(n);
    // Structs of numbers are written as a whole; setting them to their defaults first would cost time.
    if constexpr (!std::is_aggregate_v<T>) std::uninitialized_default_construct_n(first, n);
    return {first, n};
  }
  std::vector<Block> blocks_;
};

}  // namespace touchstone
