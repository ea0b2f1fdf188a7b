// Purpose: the core of a leaf: conflict analysis as in constraint programming, with multipliers for reasons.
// Letters: p, q multipliers of the equations of motion and of the rows of J; a, f accelerations and forces.
// Method: W·a = −W·p − q·J·a − (J·p)·f. At contact i the proof asks that q_i·(J·a)_i >= 0 for every acceleration of its
//   mode, and (J·p)_i·f_i >= 0 for every force. A wider mode in which both hold needs no decision.
#include "statics/mode_core.h"

namespace touchstone::statics {
namespace {

constexpr double kTiny = 1e-9;  // of the greatest multiplier

}  // namespace

ModeOrder::ModeOrder(const FrictionCone& cone) : wider_(cone.modes.size(), static_cast<int>(kUnknown)) {
  for (std::size_t m = 0; m < cone.modes.size(); ++m)
    for (const int child : cone.modes[m].children) wider_[static_cast<std::size_t>(child)] = static_cast<int>(m);
}

int ModeOrder::wider(int slip) const {
  return slip >= 0 ? wider_[static_cast<std::size_t>(slip)] : static_cast<int>(kUnknown);
}

bool ModeOrder::slip_within(int slip, int wide) const {
  while (slip != wide && slip != kUnknown) slip = wider(slip);
  return slip == wide;
}

bool ModeOrder::within(const Mode& mode, const Mode& wide) const {
  const bool opening = wide.opening == kUnknown || wide.opening == mode.opening || (wide.closed() && mode.closed());
  return opening && slip_within(mode.slip, wide.slip);
}

bool ModeOrder::within(const Modes& modes, const Modes& wide) const {
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (!within(modes[i], wide[i])) return false;
  return true;
}

Mode ModeOrder::both(const Mode& a, const Mode& b) const {
  Mode out;
  out.opening = a.opening == kUnknown ? b.opening : a.opening;
  out.slip = slip_within(a.slip, b.slip) ? a.slip : b.slip;
  return out;
}

ModeCore::ModeCore(const Equations& e, const FrictionCone& cone, const ModeOrder& order, const ModeProgram& program)
    : e_(e), cone_(cone), order_(order), program_(program) {}

Modes ModeCore::of(const Modes& modes, const Multipliers& y) const {
  const Eigen::VectorXd motion = program_.with_acceleration(y.momentum);
  const double most = std::max(y.momentum.lpNorm<Eigen::Infinity>(), y.rates.lpNorm<Eigen::Infinity>());
  Modes core = modes;
  for (std::size_t i = 0; i < e_.contacts; ++i) {
    const ContactState push = program_.state_of(motion, i);
    Mode& widest = core[i];
    for (Mode wide = widest; wide.slip != kUnknown;) {
      wide.slip = order_.wider(wide.slip);
      if (covers(wide, i, y, push, kTiny * most)) widest = wide;
    }
    Mode wide = widest;
    wide.opening = kUnknown;
    if (covers(wide, i, y, push, kTiny * most)) widest = wide;
  }
  return core;
}

bool ModeCore::covers(const Mode& mode, std::size_t i, const Multipliers& y, const ContactState& push,
                      double tiny) const {
  const Eigen::Index row = static_cast<Eigen::Index>(i) * e_.axes;
  const double x = y.rates[row + 1], n = y.rates[row] + rounded(program_.groups().shear[i]) * x;
  const double z = e_.axes == 3 ? y.rates[row + 2] : 0.0;
  if (!mode.closed() && n < -tiny) return false;
  const auto along = [](const Direction& d, double a, double b) { return rounded(d.x) * a + rounded(d.y) * b; };
  const SlideMode* slide = mode.slip >= 0 ? &cone_.modes[static_cast<std::size_t>(mode.slip)] : nullptr;
  if (slide && (along(slide->from, x, z) < -tiny || along(slide->to, x, z) < -tiny)) return false;
  if (mode.slip == kUnknown && (std::abs(x) > tiny || std::abs(z) > tiny)) return false;
  if (mode.opens()) return true;
  if (e_.friction[i] == 0) return push.opening >= -tiny;
  const double mu = rounded(e_.friction[i]);
  const std::vector<int>& forces = slide ? slide->forces : cone_.outside;
  return std::all_of(forces.begin(), forces.end(), [&](int k) {
    return push.opening + mu * along(cone_.forces[static_cast<std::size_t>(k)], push.slip_x, push.slip_y) >= -tiny;
  });
}

}  // namespace touchstone::statics
