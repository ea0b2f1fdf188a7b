// Purpose: contacts, events and joints in few bytes. A contact is predicted from the one with the same key in the frame
// before, which for bodies at rest is nearly the same. Fails: never; a frame with more contacts than allowed keeps
// those that matter most.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "io/replay/pack_bytes.h"
#include "io/replay/pack_parts.h"

namespace touchstone {
namespace {

// A contact as whole numbers, in the order of the columns.
constexpr std::size_t kColumns = 19;
using Numbers = std::array<std::uint32_t, kColumns>;

using Law = std::array<float, 3>;  // static and dynamic friction, restitution
class Laws {
 public:
  std::uint32_t index(const ReplayContact& c) {
    const Law law{c.static_friction, c.dynamic_friction, c.restitution};
    const auto [entry, is_new] = index_.try_emplace(law, static_cast<std::uint32_t>(laws_.size()));
    if (is_new) laws_.push_back(law);
    return entry->second;
  }
  void put(PackSection& out) const {
    out.word(static_cast<std::uint32_t>(laws_.size()));
    for (const Law& law : laws_) out.bytes(law.data(), sizeof law);
  }

 private:
  std::map<Law, std::uint32_t> index_;
  std::vector<Law> laws_;
};

constexpr double kNormalQuantum = 1.0 / 16384;

std::uint32_t count_of(double value, double quantum) { return static_cast<std::uint32_t>(quantised(value, quantum)); }
std::uint32_t short_of(float value) { return static_cast<std::uint32_t>(short_float(value)); }

// Points are counted from the origin of body B, with which they move.
Numbers numbers_of(const ReplayContact& c, const PackFrame& f, Laws& laws, const PackQuanta& q) {
  Numbers n{c.a, c.b, c.shapes, c.flags, laws.index(c)};
  const std::size_t stride = f.slots > 0 ? f.poses.size() / f.slots : 0;
  std::size_t at = 5;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool known = stride > 0 && c.b < f.slots && f.alive[c.b];
    const std::uint32_t origin = known ? count_of(f.poses[c.b * stride + i], q.position) : 0u;
    n[at++] = count_of(static_cast<double>(c.point[i]), q.position) - origin;
  }
  for (const float v : c.normal) n[at++] = count_of(static_cast<double>(v), kNormalQuantum);
  for (const float v : c.impulse) n[at++] = short_of(v);
  for (const float v : c.relative_velocity) n[at++] = short_of(std::abs(v) < kLeastSpeed ? 0.0f : v);
  n[at++] = short_of(c.gap);
  n[at++] = short_of(c.natural_map);
  return n;
}

std::uint64_t key_of(const ReplayContact& c) { return std::uint64_t{c.key_high} << 32 | c.key_low; }

// The kept contacts of a frame.
struct Kept {
  std::vector<std::uint64_t> keys;
  std::vector<Numbers> numbers;
};

// Residuals, a column after the other at the end.
struct Columns {
  std::vector<std::uint32_t> key_low, key_high;
  std::array<std::vector<std::uint32_t>, kColumns> numbers;

  void add(const Kept& now, const Kept& before) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < now.keys.size(); ++i) {
      const std::uint64_t key = now.keys[i], last = i > 0 ? now.keys[i - 1] : 0;
      key_low.push_back(zigzag(static_cast<std::uint32_t>(key) - static_cast<std::uint32_t>(last)));
      key_high.push_back(zigzag(static_cast<std::uint32_t>(key >> 32) - static_cast<std::uint32_t>(last >> 32)));
      while (k < before.keys.size() && before.keys[k] < key) ++k;
      const bool match = k < before.keys.size() && before.keys[k] == key;
      const Numbers guess = match ? before.numbers[k] : i > 0 ? now.numbers[i - 1] : Numbers{};
      for (std::size_t c = 0; c < kColumns; ++c) numbers[c].push_back(zigzag(now.numbers[i][c] - guess[c]));
    }
  }
};

}  // namespace

std::vector<std::uint32_t> weightiest(const std::vector<ReplayContact>& contacts, std::size_t most) {
  std::vector<std::uint32_t> all(contacts.size());
  std::iota(all.begin(), all.end(), 0u);
  if (contacts.size() <= most) return all;
  const auto norm = [](const float(&v)[3]) { return std::hypot(v[0], v[1], v[2]); };
  const auto ranked = [&](const auto& weight) {
    std::vector<std::uint32_t> order = all;
    const auto number = [&](std::uint32_t i) {
      return std::isnan(weight(contacts[i])) ? -HUGE_VALF : weight(contacts[i]);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return number(a) > number(b); });
    return order;
  };
  const std::array ranks{ranked([&](const ReplayContact& c) { return norm(c.impulse); }),
                         ranked([](const ReplayContact& c) { return c.natural_map; }),
                         ranked([](const ReplayContact& c) { return -c.gap; })};
  std::vector<std::uint8_t> chosen(contacts.size(), 0);
  std::size_t count = 0;
  for (std::size_t place = 0; count < most; ++place)
    for (const auto& order : ranks)
      if (count < most && !chosen[order[place]]) chosen[order[place]] = 1, ++count;
  std::erase_if(all, [&](std::uint32_t i) { return !chosen[i]; });
  return all;
}

std::string pack_contacts(const std::vector<PackFrame>& frames, std::size_t most, const PackQuanta& q) {
  PackSection out;
  Laws laws;
  Columns columns;
  Kept now, before;
  std::vector<std::uint32_t> counts;
  for (const PackFrame& f : frames) {
    std::swap(now, before);
    now.keys.clear();
    now.numbers.clear();
    for (const std::uint32_t i : weightiest(f.contacts, most)) {
      now.keys.push_back(key_of(f.contacts[i]));
      now.numbers.push_back(numbers_of(f.contacts[i], f, laws, q));
    }
    counts.push_back(static_cast<std::uint32_t>(now.keys.size()));
    columns.add(now, before);
  }
  laws.put(out);
  out.number(q.position);
  out.planes(counts);
  out.planes(columns.key_low);
  out.planes(columns.key_high);
  for (const auto& column : columns.numbers) out.planes(column);
  return out.content();
}

// Few joints, and mostly the same ones from frame to frame: columns of words deflate well.
std::string pack_joints(const std::vector<PackFrame>& frames) {
  constexpr std::size_t kWords = 11;  // serial, kind, a, b, flags; two places
  PackSection out;
  std::vector<std::uint32_t> counts;
  std::array<std::vector<std::uint32_t>, kWords> columns;
  for (const PackFrame& f : frames) {
    counts.push_back(static_cast<std::uint32_t>(f.joints.size()));
    for (const ReplayJoint& j : f.joints) {
      std::array<std::uint32_t, kWords> words{j.serial, j.kind, j.a, j.b, j.flags};
      for (std::size_t i = 0; i < 3; ++i)
        words[5 + i] = std::bit_cast<std::uint32_t>(j.point_a[i]),
                  words[8 + i] = std::bit_cast<std::uint32_t>(j.point_b[i]);
      for (std::size_t c = 0; c < kWords; ++c) columns[c].push_back(words[c]);
    }
  }
  if (columns[0].empty()) return "";
  out.planes(counts);
  for (const auto& column : columns) out.planes(column);
  return out.content();
}

std::string pack_events(const std::vector<PackFrame>& frames) {
  PackSection out;
  std::vector<std::uint32_t> counts;
  std::array<std::vector<std::uint32_t>, 5> columns;
  std::vector<double> values;
  std::array<std::uint32_t, 5> last{};
  for (const PackFrame& f : frames) {
    counts.push_back(static_cast<std::uint32_t>(f.events.size()));
    for (const ReplayEvent& e : f.events) {
      const std::array<std::uint32_t, 5> n{static_cast<std::uint32_t>(e.kind), e.a, e.b, e.key_low, e.key_high};
      for (std::size_t c = 0; c < n.size(); ++c) columns[c].push_back(zigzag(n[c] - last[c]));
      last = n;
      values.push_back(e.value);
    }
  }
  out.planes(counts);
  for (const auto& column : columns) out.planes(column);
  out.planes(values);
  return out.content();
}

std::string pack_times(const std::vector<PackFrame>& frames) {
  PackSection out;
  for (const PackFrame& f : frames) out.number(f.time);
  for (const PackFrame& f : frames) out.number(static_cast<double>(f.step));
  for (const PackFrame& f : frames) out.word(f.flags);
  for (const PackFrame& f : frames) out.word(f.slots);
  for (const PackFrame& f : frames) out.word(f.contacts_total);
  return out.content();
}

std::string pack_report(const std::vector<PackFrame>& frames) {
  PackSection out;
  const std::size_t fields = frames.empty() ? 0 : frames.front().report.size();
  out.word(static_cast<std::uint32_t>(fields));
  std::vector<double> numbers;
  for (std::size_t c = 0; c < fields; ++c)
    for (const PackFrame& f : frames) numbers.push_back(f.report[c]);
  out.planes(numbers);
  return out.content();
}

std::string pack_alive(const std::vector<PackFrame>& frames, std::size_t slots) {
  PackSection out;
  for (std::size_t slot = 0; slot < slots; ++slot)
    for (const PackFrame& f : frames) out.byte(slot < f.slots && f.alive[slot] ? 1 : 0);
  return out.content();
}

}  // namespace touchstone
