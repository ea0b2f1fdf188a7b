#pragma once
// The controllers of a world: made from their descriptions, called in the order of the scene, saved and restored.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "touchstone/controller.h"

namespace touchstone {

struct HostedController {
  ControllerDescription description;  // with every parameter
  std::optional<BodyId> body;
  std::uint64_t random = 0;  // the state of its own random numbers
  std::unique_ptr<Controller> controller;
};

// Lists that a context fills, kept from call to call.
struct ControlScratch {
  bool contacts_ready = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts_by_body;  // (body, contact), sorted
  std::vector<ContactReport> contacts;
  std::vector<Sighting> seen;
};

class ControllerHost {
 public:
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  HostedController& operator[](std::size_t i) { return list_[i]; }
  const HostedController& operator[](std::size_t i) const { return list_[i]; }
  void add(HostedController controller) { list_.push_back(std::move(controller)); }

  // Throws Error if it does not read what it saves.
  static void check(HostedController& controller);
  // The state of all controllers goes to a place from which revert() brings it back.
  void keep();
  void revert();
  void serialize(Archive& ar);

 private:
  static void save(HostedController& c, std::vector<std::byte>& bytes);
  static void read(HostedController& c, std::span<const std::byte> bytes);

  std::vector<HostedController> list_;
  struct Kept {
    std::uint64_t random = 0;
    std::vector<std::byte> state;
  };
  std::vector<Kept> kept_;
  std::vector<std::byte> bytes_;  // of the controller at hand
};

}  // namespace touchstone
