#pragma once
// Reads a pack back: a second reader beside the page's, so that the encoder is checked by other code than its own.
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace touchstone::pack_reader {

inline std::string inflated(const std::string& stream) {
  std::string out;
  z_stream z{};
  inflateInit(&z);
  std::string input = stream;
  z.next_in = reinterpret_cast<Bytef*>(input.data());
  z.avail_in = static_cast<uInt>(input.size());
  std::vector<char> buffer(1 << 16);
  int result = Z_OK;
  while (result == Z_OK) {
    z.next_out = reinterpret_cast<Bytef*>(buffer.data());
    z.avail_out = static_cast<uInt>(buffer.size());
    result = inflate(&z, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - z.avail_out);
  }
  inflateEnd(&z);
  EXPECT_EQ(result, Z_STREAM_END);
  return out;
}

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  T take() {
    T value{};
    EXPECT_LE(at_ + sizeof(T), bytes_.size());
    if (at_ + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string text(std::size_t size) {
    EXPECT_LE(at_ + size, bytes_.size());
    const std::string out = bytes_.substr(at_, size);
    at_ += size;
    return out;
  }
  // Numbers of `width` bytes whose lowest bytes all stand first.
  template <class T>
  std::vector<T> planes(std::size_t count) {
    const std::string raw = text(count * sizeof(T));
    std::vector<T> out(count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < sizeof(T); ++k) reinterpret_cast<char*>(&out[i])[k] = raw[k * count + i];
    return out;
  }
  bool done() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

inline std::int64_t signed_of(std::uint32_t n) { return n % 2 ? -static_cast<std::int64_t>(n / 2) - 1 : n / 2; }

struct Contact {
  std::uint64_t key = 0;
  std::array<std::int32_t, 19> numbers{};
};

struct Pack {
  nlohmann::json manifest;
  std::size_t frames = 0, slots = 0;
  std::vector<double> times;
  std::vector<std::uint32_t> contacts_total;
  std::vector<std::vector<double>> report;       // by column
  std::vector<std::array<double, 3>> positions;  // slot × frames
  std::vector<std::array<double, 4>> turns;      // the same, 3D
  std::vector<std::vector<Contact>> contacts;    // by frame
  std::vector<std::uint32_t> event_counts;
};

inline std::vector<std::int32_t> series(Reader& r, std::size_t columns, std::size_t frames) {
  const std::string orders = r.text(columns);
  const auto residuals = r.planes<std::uint32_t>(columns * frames);
  std::vector<std::int32_t> out;
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t f = 0; f < frames; ++f) {
      const std::int64_t one = f > 0 ? out[c * frames + f - 1] : 0, two = f > 1 ? out[c * frames + f - 2] : 0;
      out.push_back(
          static_cast<std::int32_t>((orders[c] ? 2 * one - two : one) + signed_of(residuals[c * frames + f])));
    }
  return out;
}

inline void read_turns(Reader& r, Pack& pack) {
  const double scale = 1 / r.take<double>();
  const std::string orders = r.text(pack.slots), choices = r.text(pack.slots * pack.frames);
  const auto residuals = r.planes<std::uint32_t>(pack.slots * pack.frames * 3);
  using Q = std::array<double, 4>;
  const auto dot = [](const Q& a, const Q& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; };
  const auto flip = [](Q& q) {
    for (double& c : q) c = -c;
  };
  for (std::size_t slot = 0; slot < pack.slots; ++slot) {
    Q one{scale, 0, 0, 0}, two = one;
    for (std::size_t f = 0; f < pack.frames; ++f) {
      std::size_t most = 0;
      for (std::size_t i = 1; i < 4; ++i)
        if (std::abs(one[i]) > std::abs(one[most])) most = i;
      if (one[most] < 0) flip(one);
      if (dot(one, two) < 0) flip(two);
      const std::size_t dropped = (most + static_cast<std::size_t>(choices[slot * pack.frames + f])) % 4;
      Q q{};
      for (std::size_t i = 0, k = 0; i < 4; ++i)
        if (i != dropped)
          q[i] = (orders[slot] ? 2 * one[i] - two[i] : one[i]) +
                 static_cast<double>(signed_of(residuals[(slot * 3 + k++) * pack.frames + f]));
      q[dropped] = std::round(std::sqrt(std::fmax(0.0, scale * scale - dot(q, q))));
      two = one;
      one = q;
      const double size = std::sqrt(dot(q, q));
      pack.turns.push_back({q[0] / size, q[1] / size, q[2] / size, q[3] / size});
    }
  }
}

inline void read_contacts(Reader& r, Pack& pack) {
  r.text(12 * r.take<std::uint32_t>());
  r.take<double>();
  const auto counts = r.planes<std::uint32_t>(pack.frames);
  std::size_t total = 0;
  for (const std::uint32_t c : counts) total += c;
  const auto low = r.planes<std::uint32_t>(total), high = r.planes<std::uint32_t>(total);
  std::vector<std::vector<std::uint32_t>> columns;
  for (int c = 0; c < 19; ++c) columns.push_back(r.planes<std::uint32_t>(total));
  std::size_t at = 0;
  for (std::size_t f = 0; f < pack.frames; ++f) {
    std::vector<Contact> now;
    std::map<std::uint64_t, Contact> before;
    if (f > 0)
      for (const Contact& c : pack.contacts[f - 1]) before[c.key] = c;
    std::uint32_t key_low = 0, key_high = 0;
    for (std::uint32_t i = 0; i < counts[f]; ++i, ++at) {
      key_low += static_cast<std::uint32_t>(signed_of(low[at]));
      key_high += static_cast<std::uint32_t>(signed_of(high[at]));
      Contact c;
      c.key = std::uint64_t{key_high} << 32 | key_low;
      if (i > 0) c.numbers = now.back().numbers;
      if (before.contains(c.key)) c.numbers = before[c.key].numbers;
      for (std::size_t k = 0; k < 19; ++k)
        c.numbers[k] = static_cast<std::int32_t>(c.numbers[k] + signed_of(columns[k][at]));
      now.push_back(c);
    }
    pack.contacts.push_back(now);
  }
  EXPECT_TRUE(r.done());
}

inline Pack read(const std::string& stream) {
  Reader whole(inflated(stream));
  EXPECT_EQ(whole.text(4), "TSP1");
  Pack pack;
  pack.manifest = nlohmann::json::parse(whole.text(whole.take<std::uint32_t>()));
  pack.frames = pack.manifest.at("frames");
  const std::size_t dimension = pack.manifest.at("dimension");
  while (!whole.done()) {
    const std::string tag = whole.text(4);
    Reader r(whole.text(whole.take<std::uint32_t>()));
    if (tag == "TIME") {
      for (std::size_t f = 0; f < pack.frames; ++f) pack.times.push_back(r.take<double>());
      r.text(12 * pack.frames);
      for (std::size_t f = 0; f < pack.frames; ++f)
        pack.slots = std::max<std::size_t>(pack.slots, r.take<std::uint32_t>());
      for (std::size_t f = 0; f < pack.frames; ++f) pack.contacts_total.push_back(r.take<std::uint32_t>());
    } else if (tag == "REPT") {
      const std::size_t fields = r.take<std::uint32_t>();
      const auto numbers = r.planes<double>(fields * pack.frames);
      for (std::size_t c = 0; c < fields; ++c)
        pack.report.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(c * pack.frames),
                                 numbers.begin() + static_cast<std::ptrdiff_t>((c + 1) * pack.frames));
    } else if (tag == "POSN") {
      const double quantum = r.take<double>();
      const auto counts = series(r, pack.slots * dimension, pack.frames);
      for (std::size_t s = 0; s < pack.slots; ++s)
        for (std::size_t f = 0; f < pack.frames; ++f) {
          pack.positions.emplace_back();
          for (std::size_t c = 0; c < dimension; ++c)
            pack.positions.back()[c] = quantum * counts[(s * dimension + c) * pack.frames + f];
        }
    } else if (tag == "ROTN" && dimension == 3) {
      read_turns(r, pack);
    } else if (tag == "CONT") {
      read_contacts(r, pack);
    } else if (tag == "EVNT") {
      pack.event_counts = r.planes<std::uint32_t>(pack.frames);
    }
  }
  return pack;
}

}  // namespace touchstone::pack_reader
