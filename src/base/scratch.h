#pragma once
// Room that parts of a step use one after the other, each for a list of its own kind.
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/room.h"

namespace touchstone {

class Scratch {
 public:
  // Room for n. What is in it is not known, and what was taken before is gone.
  template <class T>
  std::span<T> take(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(Block));
    const std::size_t blocks = (n * sizeof(T) + sizeof(Block) - 1) / sizeof(Block);
    if (blocks > blocks_.size()) size_to(blocks_, blocks);
    T* first = reinterpret_cast<T*>(blocks_.data());
    std::uninitialized_default_construct_n(first, n);
    return {first, n};
  }

 private:
  struct alignas(64) Block {
    std::byte bytes[64];
  };
  std::vector<Block> blocks_;
};

}  // namespace touchstone
