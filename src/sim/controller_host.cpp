#include "sim/controller_host.h"

#include <fmt/format.h>

namespace touchstone {
namespace {

[[noreturn]] void fail(const HostedController& c, const std::string& what) {
  throw Error(ErrorKind::kController, fmt::format("controller '{}': {}", c.description.name, what));
}

}  // namespace

void ControllerHost::save(HostedController& c, std::vector<std::byte>& bytes) {
  bytes.clear();
  ControllerState state(bytes);
  try {
    c.controller->serialize(state);
  } catch (const std::exception& e) {
    fail(c, e.what());
  }
}

void ControllerHost::read(HostedController& c, std::span<const std::byte> bytes) {
  ControllerState state(bytes);
  try {
    c.controller->serialize(state);
  } catch (const std::exception& e) {
    fail(c, e.what());
  }
  if (!state.at_end())
    fail(c, "its saved state holds more than it reads; serialize() must read the fields that it saves, in their order");
}

void ControllerHost::check(HostedController& c) {
  std::vector<std::byte> first, second;
  save(c, first);
  read(c, first);
  save(c, second);
  if (first != second) fail(c, "serialize() does not read what it saves");
}

void ControllerHost::keep() {
  kept_.resize(list_.size());
  for (std::size_t i = 0; i < list_.size(); ++i) {
    kept_[i].random = list_[i].random;
    save(list_[i], kept_[i].state);
  }
}

void ControllerHost::revert() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    list_[i].random = kept_[i].random;
    read(list_[i], kept_[i].state);
  }
}

void ControllerHost::serialize(Archive& ar) {
  for (HostedController& c : list_) {
    if (ar.saving()) save(c, bytes_);
    ar(c.random), ar(bytes_);
    if (!ar.saving()) read(c, bytes_);
  }
}

}  // namespace touchstone
