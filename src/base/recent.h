#pragma once
// Equal things are kept once.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace touchstone {

// One that is shared with equal ones. They mostly come one after the other, or a few kinds in turn: the kinds seen last
// are asked, the newest first, which stands at the end of the list.
template <class T>
const std::shared_ptr<const T>& share_recent(std::vector<std::shared_ptr<const T>>& recent, T value) {
  constexpr std::size_t kRecent = 16;
  const auto known = std::find_if(recent.rbegin(), recent.rend(), [&](const auto& r) { return *r == value; });
  if (known != recent.rend()) {
    std::rotate(recent.rbegin(), known, known + 1);
  } else {
    if (recent.size() == kRecent) recent.erase(recent.begin());
    recent.push_back(std::make_shared<const T>(std::move(value)));
  }
  return recent.back();
}

}  // namespace touchstone
