#include "sim/controller_host.h"

#include <fmt/format.h>

namespace touchstone {

void ControllerHost::keep() {
  kept_.resize(list_.size());
  for (std::size_t i = 0; i < list_.size(); ++i) {
    kept_[i].random = list_[i].random;
    kept_[i].state.clear();
    ControllerState state(kept_[i].state);
    list_[i].controller->serialize(state);
  }
}

void ControllerHost::revert() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    list_[i].random = kept_[i].random;
    read(list_[i], kept_[i].state);
  }
}

void ControllerHost::read(HostedController& c, std::span<const std::byte> bytes) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::kBadInput, fmt::format("controller '{}': {}", c.description.name, what));
  };
  ControllerState state(bytes);
  try {
    c.controller->serialize(state);
  } catch (const std::exception& e) {
    fail(e.what());
  }
  if (!state.at_end())
    fail("its saved state holds more than it reads; serialize() must read the fields that it saved, in their order");
}

void ControllerHost::serialize(Archive& ar) {
  for (HostedController& c : list_) {
    bytes_.clear();
    if (ar.saving()) {
      ControllerState state(bytes_);
      c.controller->serialize(state);
    }
    ar(c.random), ar(bytes_);
    if (!ar.saving()) read(c, bytes_);
  }
}

}  // namespace touchstone
