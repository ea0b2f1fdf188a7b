// Purpose: impulse-based simulation. Bodies fly freely from collision to collision; a collision is followed over its
//   normal impulse; what rests makes micro-collisions that keep it hopping within a thin envelope.
// Source: [mirtich1996, §2-3], [B. Mirtich, J. Canny: Impulse-based simulation of rigid bodies, 1995].
// Letters: ε envelope, u_c = √(2·a·ε) speed at which a body rises by ε against the acceleration a.
// Deviations: (1) a is gravity or how fast forces press the two together, whichever is more: the source takes gravity,
//   and a body that is pressed harder would not leave the envelope. (2) A micro-collision returns at u_c, and turns the
//   slip round if the cone allows it, which keeps a body on a slope where it is; the source turns all of u round, which
//   has no end for u_N → 0. Fast slip, which no hop on a slope makes, is not turned round: a rod that jams (Painlevé)
//   would leap back. Where the cone does not allow it, the impulse is that of coulomb_impact.cpp, which costs a
//   hundredth of following it. (3) Those of event_model.cpp and routh_impact.cpp.
// Fails: as event_model.cpp.
#include "models/mirtich.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "contact/routh_impact.h"
#include "models/pairwise/event_model.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kMicro = 2;     // of u_c: slower collisions are micro-collisions; what hops comes back at u_c
constexpr double kLeast = 1e-6;  // of the speed u_c: slower approaches are taken as this

template <int D>
class Mirtich : public EventModel<D> {
 public:
  Mirtich(const EventOptions& options, double envelope) : EventModel<D>(options), envelope_(envelope) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override {
    gravity_ = in.forces.gravity.norm();
    return EventModel<D>::step(in, state);
  }

 private:
  PointImpulse<D> collide(const CollisionPoint<D>& point, const Vec<D>& u, double closing) override {
    const PairMaterial& m = point.material;
    const double hop = std::sqrt(2 * std::max(gravity_, closing) * envelope_);  // u_c
    if (u[0] <= -kMicro * hop) {
      const RouthImpact<D> impact = routh_impact<D>(point.k, u, {m.restitution, m.static_friction, m.dynamic_friction});
      return {impact.impulse, impact.sticking};
    }
    Vec<D> back = -2 * u;
    back[0] = hop - u[0];
    const Vec<D> turned = point.k.inverse() * back;
    const bool slow = u.template tail<D - 1>().norm() <= kMicro * (1 + m.static_friction) * hop;
    if (slow && turned.template tail<D - 1>().norm() <= m.static_friction * turned[0]) return {turned, true};
    Vec<D> approach = u;
    approach[0] = std::min(u[0], -kLeast * hop);
    return coulomb_impact<D>(point.k, approach, hop / -approach[0], m.static_friction, m.dynamic_friction);
  }

  const double envelope_;
  double gravity_ = 0;
};

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const double envelope = number_option(o, "envelope");
  if (const double margin = number_option(o, "margin"); !(envelope <= 0.1 * margin))
    throw Error(
        ErrorKind::kBadInput,
        fmt::format("model 'mirtich': option envelope is {} m; it must be at most a tenth of margin ({} m), the "
                    "distance at which contacts are found",
                    envelope, margin));
  const EventOptions options{read_pairwise_options(o), {envelope, 0}, integer_option(o, "max_collisions"), true};
  return std::make_unique<Mirtich<D>>(options, envelope);
}

TableSpec option_table() {
  TableSpec t{"model = \"mirtich\"", "See docs/models/mirtich.md.", {}};
  add_option(t, "envelope", ValueType::kNumber, "m", "1e-5",
             "Gap at which bodies collide; collisions slower than 2·√(2·g·envelope) are micro-collisions.");
  add_option(t, "max_collisions", ValueType::kInteger, "", "200",
             "Greatest number of collisions in a step for each contact point; a step that needs more is reported.");
  t.keys.back().maximum = 1e4;  // more would not end within minutes
  add_pairwise_options(t, true);
  return t;
}

}  // namespace

ModelInfo mirtich_model() {
  ModelInfo info;
  info.name = "mirtich";
  info.summary =
      "Impulse-based simulation: collisions in the order of their times, resting contact by micro-collisions.";
  info.source = "mirtich1996";
  info.capabilities = {true, true, true, true, false, {Integrator::kSemiImplicitEuler}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone
