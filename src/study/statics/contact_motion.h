#pragma once
// What contact points do under the accelerations of a report: which open, which slide.
#include "study/statics/stable.h"

namespace touchstone::statics {

enum class ContactChange : std::uint8_t { kStays, kSlides, kOpens };
const char* contact_change_word(ContactChange change);  // "stays", "slides", "opens"

struct PointMotion {
  ContactChange change = ContactChange::kStays;
  double opening = 0;  // acceleration of B against A along the normal [m/s²]
  double slip = 0;     // size of its tangential part [m/s²]
};

// By contact point; empty if the report has no accelerations.
std::vector<PointMotion> contact_motion(const StableReport& report);

// Pairs whose contacts open or slide, as a table for people.
std::string contact_motion_text(const StableReport& report);

}  // namespace touchstone::statics
