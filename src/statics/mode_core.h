#pragma once
// Which modes a proof of a leaf needs (modes.h). Multipliers that bound W·a often do so without most of the modes that
// were chosen on the way; what they need is the leaf's core. Everything within the core is closed by them.
#include "statics/mode_program.h"

namespace touchstone::statics {

// What lies within what: sectors within larger ones, these and sticking within the unknown.
class ModeOrder {
 public:
  explicit ModeOrder(const FrictionCone& cone);
  int wider(int slip) const;  // of kUnknown: itself
  bool within(const Mode& mode, const Mode& wide) const;
  bool within(const Modes& modes, const Modes& wide) const;
  // What two modes on the same way of the search know together.
  Mode both(const Mode& a, const Mode& b) const;

 private:
  bool slip_within(int slip, int wide) const;
  std::vector<int> wider_;  // of sectors
};

class ModeCore {
 public:
  ModeCore(const Equations& equations, const FrictionCone& cone, const ModeOrder& order, const ModeProgram& program);
  // The widest mode of each contact, on its way from unknown to `modes`, in which the multipliers are a proof.
  Modes of(const Modes& modes, const Multipliers& y) const;

 private:
  bool covers(const Mode& mode, std::size_t contact, const Multipliers& y, const ContactState& push, double tiny) const;

  const Equations& e_;
  const FrictionCone& cone_;
  const ModeOrder& order_;
  const ModeProgram& program_;
};

}  // namespace touchstone::statics
