#pragma once
// Impacts in which several contacts of one island take part, noted while a simulation runs. There the laws of contact
// allow several answers (one after the other, all at once), so two runs that part there may both be right.
#include "study/compare/comparison.h"

namespace touchstone::compare {

// A contact is struck if its impulse changes the relative velocity of its bodies' centres by more than this many times
// what gravity does in a step, and by more than this part of √(g·size): the weight of a pile of 20 bodies is no impact.
inline constexpr double kStruckSteps = 20, kStruckSpeed = 0.05;
inline constexpr std::size_t kMostEvents = 10000;  // kept of a run

class ImpactLog {
 public:
  explicit ImpactLog(const SceneFacts& facts) : facts_(facts) {}
  // After each step.
  void observe(const Simulation& simulation);
  const std::vector<ImpactEvent>& events() const { return events_; }

 private:
  struct Point {
    std::uint32_t a, b, island;
    bool struck;
  };
  std::uint32_t root(std::uint32_t slot);
  void gather(const Simulation& simulation);
  void add_event(const Simulation& simulation, std::size_t begin, std::size_t end);

  const SceneFacts& facts_;
  std::vector<double> inverse_mass_;    // by slot
  std::vector<std::uint32_t> parents_;  // islands as sets of slots
  std::vector<Point> points_;
  std::vector<ImpactEvent> events_;
};

void write_events(const std::vector<ImpactEvent>& events, const std::string& path);
std::vector<ImpactEvent> read_events(const std::string& path);  // none if there is no such file

}  // namespace touchstone::compare
