#pragma once
// The laws of contact, audited where one contact explains a body's motion: a body that touches one other body, which
// moves as the scene says or not at all, got the change of its momentum from there.
#include <optional>

#include "study/audit_ledger.h"

namespace touchstone::audit {

// What a body got in a step from the one face that it is on.
struct Support {
  std::size_t under = 0;  // slot of the other body
  Vector3d normal;        // of its face
  double push = 0;        // along the normal [N·s]
  Vector3d friction;      // across it [N·s]
  double static_friction = 0;
};
// None for bodies that are joined, or that touch no other body, several, one that moves freely or one of several
// pieces.
std::optional<Support> support_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching,
                                  std::size_t k, std::size_t body);

struct Laws {
  Worst pulling;  // against the normal [N·s]
  Worst cone;     // friction beyond its limit, over it, where it is not a leftover
  Worst gain;     // energy that contacts and joints gave to all bodies in a step, beyond what is not known exactly [J]
};
Laws laws_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching, const Ledger& ledger);

// Of bodies with corners whose friction is well inside of Coulomb's cone: how far the corner that they stand on has
// moved along the other body since it began to be so. The way of a corner, by poses.
Worst gathered_slip(const Scene& scene, const std::vector<Instant>& run, const Touching& touching);

}  // namespace touchstone::audit
