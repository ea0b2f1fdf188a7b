// Purpose: the motion of bodies in few bytes. Positions, velocities and angles are whole numbers of quanta, one series
// a body and component, predicted from the frames before; rotations are three components of a quaternion. Letters: p1,
// p2 the quaternions one and two frames before, in units of 1/kTurns. Fails: numbers beyond 2³⁰ quanta are cut off
// there.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "io/replay/pack_bytes.h"
#include "io/replay/pack_parts.h"

namespace touchstone {
namespace {

bool there(const PackFrame& f, std::size_t slot) { return slot < f.slots && f.alive[slot]; }

// A series for each slot and component; while a body is not there its numbers stay as they were.
template <class Value>
void put_series(PackSection& out, const std::vector<PackFrame>& frames, std::size_t slots, std::size_t width,
                const Value& value) {
  std::vector<std::uint32_t> residuals;
  residuals.reserve(frames.size() * slots * width);
  std::vector<std::int32_t> series(frames.size());
  for (std::size_t slot = 0; slot < slots; ++slot)
    for (std::size_t c = 0; c < width; ++c) {
      std::int32_t last = 0;
      for (std::size_t f = 0; f < frames.size(); ++f) {
        if (there(frames[f], slot)) last = value(frames[f], slot, c);
        series[f] = last;
      }
      out.byte(PackSection::predict(series, residuals));
    }
  out.planes(residuals);
}

using Quaternion = std::array<std::int32_t, 4>;  // w x y z

std::size_t largest(const Quaternion& q) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (std::abs(q[i]) > std::abs(q[at])) at = i;
  return at;
}

void negate(Quaternion& q) {
  for (std::int32_t& c : q) c = -c;
}

double dot(const Quaternion& a, const Quaternion& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// What encoder and decoder both know before a frame.
struct TurnState {
  Quaternion p1{PackQuanta::kTurns, 0, 0, 0}, p2 = p1;

  // Which component the next one is expected to leave out; makes it positive.
  std::size_t expect() {
    const std::size_t at = largest(p1);
    if (p1[at] < 0) negate(p1);
    if (dot(p1, p2) < 0) negate(p2);
    return at;
  }
  void advance(const Quaternion& q) {
    p2 = p1;
    p1 = q;
  }
};

struct TurnSeries {
  std::vector<std::uint8_t> choices;  // which component was left out, less the expected one, modulo 4
  std::array<std::vector<std::uint32_t>, 3> residuals;
  double cost = 0;
};

// In units of 1/kTurns, with the dropped component positive.
Quaternion rounded_turn(const double* pose, std::size_t dropped) {
  const double sign = pose[3 + dropped] < 0 ? -1 : 1;
  Quaternion q{};
  for (std::size_t i = 0; i < 4; ++i)
    q[i] = static_cast<std::int32_t>(std::round(sign * pose[3 + i] * PackQuanta::kTurns));
  return q;
}

// The dropped component as the decoder finds it from the others.
void complete(Quaternion& q, std::size_t dropped) {
  q[dropped] = 0;
  const double rest = static_cast<double>(PackQuanta::kTurns) * PackQuanta::kTurns - dot(q, q);
  q[dropped] = static_cast<std::int32_t>(std::round(std::sqrt(std::fmax(rest, 0.0))));
}

std::size_t choose_dropped(const double* pose, std::size_t expected) {
  if (std::abs(pose[3 + expected]) >= PackQuanta::kLeastDropped) return expected;
  std::size_t at = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (std::abs(pose[3 + i]) > std::abs(pose[3 + at])) at = i;
  return at;
}

TurnSeries turn_series(const std::vector<PackFrame>& frames, std::size_t slot, bool along) {
  TurnSeries out;
  TurnState state;
  for (const PackFrame& f : frames) {
    const std::size_t expected = state.expect();
    std::size_t dropped = expected;
    Quaternion q = state.p1;
    if (there(f, slot)) {
      dropped = choose_dropped(f.poses.data() + 7 * slot, expected);
      q = rounded_turn(f.poses.data() + 7 * slot, dropped);
    }
    out.choices.push_back(static_cast<std::uint8_t>((dropped + 4 - expected) % 4));
    for (std::size_t i = 0, k = 0; i < 4; ++i) {
      if (i == dropped) continue;
      const std::int32_t guess = along ? 2 * state.p1[i] - state.p2[i] : state.p1[i];
      out.residuals[k].push_back(zigzag(static_cast<std::uint32_t>(q[i] - guess)));
      out.cost += residual_cost(out.residuals[k++].back());
    }
    complete(q, dropped);
    state.advance(q);
  }
  return out;
}

}  // namespace

std::string pack_positions(const std::vector<PackFrame>& frames, std::size_t slots, int dimension,
                           const PackQuanta& q) {
  PackSection out;
  out.number(q.position);
  const std::size_t stride = dimension == 2 ? 4 : 7;
  put_series(out, frames, slots, static_cast<std::size_t>(dimension),
             [&](const PackFrame& f, std::size_t slot, std::size_t c) {
               return quantised(f.poses[slot * stride + c], q.position);
             });
  return out.content();
}

std::string pack_rotations(const std::vector<PackFrame>& frames, std::size_t slots, int dimension) {
  PackSection out;
  if (dimension == 2) {
    out.number(PackQuanta::kAngle);
    put_series(out, frames, slots, 1, [](const PackFrame& f, std::size_t slot, std::size_t) {
      return quantised(f.poses[slot * 4 + 3], PackQuanta::kAngle);
    });
    return out.content();
  }
  out.number(1.0 / PackQuanta::kTurns);
  std::vector<std::uint32_t> residuals;
  std::string choices;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const TurnSeries near = turn_series(frames, slot, false), along = turn_series(frames, slot, true);
    const TurnSeries& best = near.cost <= along.cost ? near : along;
    out.byte(&best == &along ? 1 : 0);
    choices.append(best.choices.begin(), best.choices.end());
    for (const auto& column : best.residuals) residuals.insert(residuals.end(), column.begin(), column.end());
  }
  out.bytes(choices.data(), choices.size());
  out.planes(residuals);
  return out.content();
}

std::string pack_velocities(const std::vector<PackFrame>& frames, std::size_t slots, int dimension,
                            const PackQuanta& q) {
  PackSection out;
  out.number(q.velocity);
  out.number(q.angular_velocity);
  // In 2D vx, vy, ωz: the others are 0.
  static constexpr std::size_t kFlat[] = {0, 1, 5}, kSolid[] = {0, 1, 2, 3, 4, 5};
  const std::size_t* columns = dimension == 2 ? kFlat : kSolid;
  put_series(out, frames, slots, dimension == 2 ? 3 : 6, [&](const PackFrame& f, std::size_t slot, std::size_t c) {
    const double quantum = columns[c] < 3 ? q.velocity : q.angular_velocity;
    return quantised(static_cast<double>(f.velocities[slot * 6 + columns[c]]), quantum);
  });
  return out.content();
}

}  // namespace touchstone
