#include "study/statics/contact_motion.h"

#include <fmt/format.h>

#include <algorithm>

namespace touchstone::statics {
namespace {

constexpr double kAtRest = 1e-9;    // of the greatest acceleration
constexpr double kResiduals = 10;  // an acceleration below so many residuals of the solver is none
constexpr std::size_t kMostLines = 40;

}  // namespace

const char* contact_change_word(ContactChange change) {
  switch (change) {
    case ContactChange::kOpens:
      return "opens";
    case ContactChange::kSlides:
      return "slides";
    case ContactChange::kStays:
      break;
  }
  return "stays";
}

std::vector<PointMotion> contact_motion(const StableReport& r) {
  std::vector<PointMotion> out;
  if (!r.motion || r.motion->acceleration.size() == 0) return out;
  const Structure& s = r.scaled.structure;
  const Freedoms freedoms(s);
  const Eigen::VectorXd& a = r.motion->acceleration;
  const double still = std::max(kAtRest * a.cwiseAbs().maxCoeff(), kResiduals * r.motion->residual);
  for (const Contact& c : s.contacts) {
    const Eigen::Vector3d rate = c.frame.transpose() * relative_rate(s, freedoms, c, a);
    PointMotion p;
    if (rate[0] > still)
      p.change = ContactChange::kOpens;
    else if (rate.tail(2).norm() > still)
      p.change = ContactChange::kSlides;
    const double unit = r.scaled.units.acceleration();
    p.opening = std::abs(rate[0]) > still ? rate[0] * unit : 0;
    p.slip = rate.tail(2).norm() > still ? rate.tail(2).norm() * unit : 0;
    out.push_back(p);
  }
  return out;
}

std::string contact_motion_text(const StableReport& r) {
  const std::vector<PointMotion> motion = contact_motion(r);
  if (motion.empty()) return "";
  const Structure& s = r.scaled.structure;
  std::string lines;
  std::size_t count = 0, still = 0;
  for (const auto& group : contacts_by_pair(s)) {
    std::size_t opens = 0, slides = 0;
    double opening = 0, slip = 0;
    for (const std::size_t i : group) {
      opens += motion[i].change == ContactChange::kOpens, slides += motion[i].change == ContactChange::kSlides;
      opening = std::max(opening, motion[i].opening), slip = std::max(slip, motion[i].slip);
    }
    if (opens + slides == 0) {
      ++still;
      continue;
    }
    if (++count > kMostLines) continue;
    const Contact& c = s.contacts[group[0]];
    lines += fmt::format("{:<34}{:>8}{:>8}{:>8}{:>14.6g}{:>14.6g}\n",
                         fmt::format("{} - {}", s.bodies[c.a].name, s.bodies[c.b].name), group.size(), opens, slides,
                         opening, slip);
  }
  if (count == 0) return "";
  if (count > kMostLines) lines += fmt::format("and {} more; --json has all\n", count - kMostLines);
  if (still > 0) lines += fmt::format("the other {} of {} pairs stay closed and do not slide\n", still, still + count);
  return fmt::format(
             "\ncontacts that open or slide: points, and their greatest relative acceleration [m/s^2]\n"
             "{:<34}{:>8}{:>8}{:>8}{:>14}{:>14}\n",
             "pair", "points", "open", "slide", "opening", "slip") +
         lines;
}

}  // namespace touchstone::statics
