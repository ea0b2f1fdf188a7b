// Purpose: contact by collisions alone. Forces act at the start of the step; then each point that meets its surface
//   gets an impulse by Newton's and Coulomb's laws, one at a time in the order of their times. What rests collides in
//   every step, with the speed that gravity gave it.
// Source: [hahn1988]; the step is event_model.cpp, the collision coulomb_impact.cpp.
// Letters: docs/conventions.md.
// Deviations: (1) Contacts at the same time are taken in turn until none approaches faster than `slowest`, the source
//   does not say when it ends. (2) Overlaps are pushed out after the step, unless `push_out` is off: the source has
//   nothing against them. (3) Those of event_model.cpp.
// Fails: as event_model.cpp.
#include "models/hahn.h"

#include "models/pairwise/event_model.h"

namespace touchstone {
namespace {

template <int D>
class Hahn : public EventModel<D> {
 public:
  using EventModel<D>::EventModel;

 private:
  PointImpulse<D> collide(const CollisionPoint<D>& point, const Vec<D>& u, double) override {
    const PairMaterial& m = point.material;
    return coulomb_impact<D>(point.k, u, m.restitution, m.static_friction, m.dynamic_friction);
  }
};

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const EventOptions options{
      read_pairwise_options(o), {0, number_option(o, "slowest")}, integer_option(o, "max_collisions"), false};
  return std::make_unique<Hahn<D>>(options);
}

TableSpec option_table() {
  TableSpec t{"model = \"hahn\"", "See docs/models/hahn.md.", {}};
  add_option(t, "slowest", ValueType::kNumber, "m/s", "1e-8", "Contacts that approach slower do not collide.");
  add_option(t, "max_collisions", ValueType::kInteger, "", "50",
             "Greatest number of collisions in a step for each contact point; a step that needs more is reported.");
  t.keys.back().maximum = 1e4;  // more would not end within minutes
  add_pairwise_options(t, true);
  return t;
}

}  // namespace

ModelInfo hahn_model() {
  ModelInfo info;
  info.name = "hahn";
  info.summary = "Every contact by collisions, one pair at a time in the order of their times.";
  info.source = "hahn1988";
  info.capabilities = {true, true, true, true, false, {Integrator::kSemiImplicitEuler}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone
