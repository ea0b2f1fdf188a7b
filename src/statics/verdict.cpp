#include "statics/verdict.h"

#include <algorithm>

#include "statics/accelerations.h"

namespace touchstone::statics {
namespace {

Assessment of(Verdict verdict, Reason reason, bool exact) {
  Assessment out;
  out.verdict = verdict, out.reason = reason, out.exact = exact;
  return out;
}

Assessment undecided_balance(const Balance& balance) {
  Assessment out = of(Verdict::kUndecided, Reason::kRounding, false);
  out.detail = "the program of the forces was not solved to its tolerance";
  if (balance.sectors == kMostSectors) {
    out.reason = Reason::kSectors;
    out.detail = "forces exist in a cone around the circle of friction and not in one inside of it";
  }
  return out;
}

// Whether the work of the loads is far above what rounding and the solver's residual may be.
bool is_motion(const Structure& s, const InitialMotion& motion) {
  if (!motion.converged || motion.residual > 1e-9) return false;
  return load_of(s, Freedoms(s)).dot(motion.acceleration) > 1e-6 * load_of(s, Freedoms(s)).squaredNorm();
}

Assessment stands_with_friction(const Structure& scaled, const Equations& e, const Balance& balance,
                                const StableSettings& settings) {
  // A solver of contact problems begins without forces: it finds the motion that nothing squeezes.
  const InitialMotion hint = initial_motion(scaled, settings.program.stop, 300);
  Uniqueness modes = search_modes(e, {settings.law, settings.most_nodes, settings.program, hint.acceleration});
  if (modes.status == UniqueStatus::kUndecided && settings.law == FrictionLaw::kCircle && is_motion(scaled, hint)) {
    modes.status = UniqueStatus::kMotion, modes.exact = false;
    modes.acceleration = {hint.acceleration, {}}, modes.forces = {hint.forces, {}};
  }
  Assessment out;
  switch (modes.status) {
    case UniqueStatus::kOnlyRest:
      out = of(Verdict::kStands, Reason::kModes, balance.exact && modes.exact);
      break;
    case UniqueStatus::kMotion:
      out = of(Verdict::kMayStand, Reason::kTwoAnswers, balance.exact && modes.exact);
      break;
    case UniqueStatus::kUndecided:
      out = of(Verdict::kUndecided, Reason::kBudget, false);
      out.detail = "balancing forces exist; " + modes.reason;
      break;
  }
  out.modes = std::move(modes);
  return out;
}

}  // namespace

const char* verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kStands:
      return "stands";
    case Verdict::kFalls:
      return "falls";
    case Verdict::kMayStand:
      return "may_stand";
    case Verdict::kUndecided:
      break;
  }
  return "undecided";
}

const char* verdict_title(Verdict verdict) {
  switch (verdict) {
    case Verdict::kStands:
      return "STANDS";
    case Verdict::kFalls:
      return "FALLS";
    case Verdict::kMayStand:
      return "MAY STAND";
    case Verdict::kUndecided:
      break;
  }
  return "UNDECIDED";
}

namespace {

Assessment assess_forces(const Structure& scaled, const Equations& e, const StableSettings& settings) {
  const bool smooth = std::all_of(e.friction.begin(), e.friction.end(), [](const Rational& mu) { return mu == 0; });
  // First, since it is a small program: a contact has one unknown, where a cone has a corner a sector.
  const Balance supported = find_frictionless_balance(e, settings.program);
  if (supported.status == BalanceStatus::kBalanced) {
    Assessment out = of(Verdict::kStands, smooth ? Reason::kFrictionless : Reason::kSupported, supported.exact);
    out.forces = supported.forces;
    if (!smooth) out.smooth_forces = supported.forces;
    return out;
  }
  const Balance balance = smooth ? supported : find_balance(e, {settings.law, settings.program});
  if (balance.status == BalanceStatus::kUndecided) return undecided_balance(balance);
  if (balance.status == BalanceStatus::kImpossible) {
    Assessment out = of(Verdict::kFalls, Reason::kNoForces, balance.exact);
    out.mechanism = balance.mechanism;
    return out;
  }
  Assessment out = stands_with_friction(scaled, e, balance, settings);
  out.forces = balance.forces;
  return out;
}

}  // namespace

Assessment assess(const Structure& scaled, const Equations& e, const StableSettings& settings) {
  Assessment out = assess_forces(scaled, e, settings);
  if (out.verdict != Verdict::kStands || !settings.marginal) return out;
  if (auto neutral = find_neutral_motion(e, scaled, out.forces, {settings.law, settings.program})) {
    out.marginal = true, out.marginal_exact = !neutral->exact.empty();
    out.neutral = std::move(*neutral);
  }
  return out;
}

}  // namespace touchstone::statics
