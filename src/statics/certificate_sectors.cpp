#include "statics/certificate_sectors.h"

#include <algorithm>

namespace touchstone::statics::certificate {
namespace {

// On a diagonal friction of the pyramid is anywhere on an edge: a sector of that ray alone has to cover it, and no
// other sector has a diagonal within.
void check_diagonals(const std::vector<Mode>& all) {
  for (const Mode& m : all) {
    if (turn(m.from, m.to) == 0) continue;
    for (const Plane& diagonal : {Plane{1, 1}, Plane{-1, 1}, Plane{-1, -1}, Plane{1, -1}})
      if (turn(m.from, diagonal) > 0 && turn(diagonal, m.to) > 0) fail("a sector of the pyramid crosses a diagonal");
    for (const Plane& ray : {m.from, m.to})
      if (abs(ray[0]) == abs(ray[1]) && std::none_of(all.begin(), all.end(), [&](const Mode& r) {
            return turn(r.from, r.to) == 0 && turn(r.from, ray) == 0 && dot(r.from, ray) > 0;
          }))
        fail("a diagonal of the pyramid is left out");
  }
}

}  // namespace

// Sectors one after the other, each less than half a turn, fill a sector or the whole turn.
void check_sectors(const std::vector<Mode>& all, const Mode* within, std::size_t dimension, bool pyramid) {
  if (dimension == 2) {
    bool plus = false, minus = false;
    for (const Mode& m : all) {
      const bool unit = abs(m.from[0]) == 1 && m.from[1] == 0 && m.from == m.to;
      if (!unit) fail("a direction of sliding in 2D is not 1 or -1");
      plus |= m.from[0] > 0, minus |= m.from[0] < 0;
    }
    if (within || !plus || !minus) fail("a branch leaves out a direction of sliding");
    return;
  }
  std::vector<Mode> slides;
  for (const Mode& m : all)
    if (turn(m.from, m.to) > 0)
      slides.push_back(m);
    else if (turn(m.from, m.to) != 0 || dot(m.from, m.to) <= 0)
      fail("a sector is half a turn or more");
  if (slides.empty()) fail("a branch leaves out all directions of sliding");
  if (pyramid) check_diagonals(all);
  const auto same = [](const Plane& a, const Plane& b) { return turn(a, b) == 0 && dot(a, b) > 0; };
  for (std::size_t k = 0; k + 1 < slides.size(); ++k)
    if (!same(slides[k].to, slides[k + 1].from)) fail("sectors of sliding do not meet");
  const Plane &first = slides.front().from, &last = slides.back().to;
  if (within ? !same(first, within->from) || !same(last, within->to) : !same(first, last))
    fail("sectors of sliding leave out a direction");
}

}  // namespace touchstone::statics::certificate
