// Purpose: which contacts of a plane structure slide together.
// Letters: J_N, J_T normal and tangential rows; s shear.
// Method: contacts i, k of one face have J_Tk − J_Ti = s·(J_Nk − J_Ni) for some s, which is tested exactly.
#include "statics/slip_groups.h"

#include <algorithm>
#include <cmath>

namespace touchstone::statics {
namespace {

constexpr std::size_t kReach = 4;  // contacts of a face follow each other
constexpr double kFlat = 1e-9;     // greatest shear: two points of one face

SparseRow combined(const SparseRow& a, const Rational& factor, const SparseRow& b) {
  SparseRow out = a;
  for (const ExactEntry& entry : b) {
    auto at = std::find_if(out.begin(), out.end(), [&](const ExactEntry& e) { return e.row == entry.row; });
    if (at == out.end()) at = out.insert(out.end(), {entry.row, Rational(0)});
    at->value += factor * entry.value;
  }
  std::erase_if(out, [](const ExactEntry& e) { return e.value == 0; });
  std::sort(out.begin(), out.end(), [](const ExactEntry& x, const ExactEntry& y) { return x.row < y.row; });
  return out;
}

bool same(const SparseRow& a, const SparseRow& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ExactEntry& x, const ExactEntry& y) { return x.row == y.row && x.value == y.value; });
}

// s with J_Tk − J_Ti = s·(J_Nk − J_Ni).
std::optional<Rational> shear_of(const Equations& e, std::size_t i, std::size_t k) {
  const SparseRow normal = combined(e.row(k, 0), -1, e.row(i, 0)), slip = combined(e.row(k, 1), -1, e.row(i, 1));
  if (normal.empty()) return std::nullopt;
  Rational s = 0;
  for (const ExactEntry& entry : slip)
    if (entry.row == normal[0].row) s = entry.value / normal[0].value;
  if (std::abs(rounded(s)) > kFlat || !same(slip, combined({}, s, normal))) return std::nullopt;
  return s;
}

}  // namespace

SlipGroups slip_groups(const Equations& e) {
  SlipGroups out;
  out.shear.assign(e.contacts, Rational(0)), out.members.resize(e.contacts);
  for (std::size_t i = 0; i < e.contacts; ++i) out.leader.push_back(i), out.members[i] = {i};
  if (e.axes != 2) return out;
  for (std::size_t i = 0; i < e.contacts; ++i) {
    if (out.leader[i] != i || e.friction[i] == 0) continue;
    for (std::size_t k = i + 1; k < std::min(e.contacts, i + kReach); ++k) {
      if (out.leader[k] != k || e.friction[k] == 0) continue;
      const std::optional<Rational> s = shear_of(e, i, k);
      if (!s || (out.members[i].size() > 1 && *s != out.shear[i])) continue;
      out.shear[i] = out.shear[k] = *s;
      out.leader[k] = i, out.members[k].clear(), out.members[i].push_back(k);
    }
  }
  return out;
}

}  // namespace touchstone::statics
