#include "io/export/zip.h"

#include <fmt/format.h>

#include <array>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::uint64_t kLimit = 0xffffffffull;  // of a 32-bit field; this value itself means "see zip64"
constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint16_t kVersion = 20,
                        kFirstDay = (1 << 5) | 1;  // 1980-01-01: equal recordings give equal files

std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}

void put16(std::string& out, std::uint32_t v) {
  out += static_cast<char>(v & 255);
  out += static_cast<char>((v >> 8) & 255);
}
void put32(std::string& out, std::uint32_t v) {
  put16(out, v & 0xffff);
  put16(out, v >> 16);
}

// The fields that a local header and a line of the directory share.
void put_common(std::string& out, std::uint32_t crc, std::uint32_t size, const std::string& name) {
  put16(out, kVersion);
  put16(out, 0);  // flags
  put16(out, 0);  // stored
  put16(out, 0);  // time
  put16(out, kFirstDay);
  put32(out, crc);
  put32(out, size);
  put32(out, size);
  put16(out, static_cast<std::uint32_t>(name.size()));
  put16(out, 0);  // no extra field
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t crc) {
  static const std::array<std::uint32_t, 256> kTable = make_table();
  crc = ~crc;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 255] ^ (crc >> 8);
  return ~crc;
}

std::uint32_t ZipWriter::checked(std::uint64_t size) const {
  if (size >= kLimit)
    throw Error(ErrorKind::kUnsupported, fmt::format("{}: would be larger than the 4 GB that a zip archive "
                                                     "holds; record fewer frames ([record] every) or "
                                                     "read the recording's HDF5 directly",
                                                     path_));
  return static_cast<std::uint32_t>(size);
}

void ZipWriter::add(const std::string& name, std::string_view head, std::string_view data) {
  Entry entry{name, crc32(data, crc32(head)), checked(std::uint64_t{head.size()} + data.size()), checked(file_.size())};
  std::string header;
  put32(header, kLocal);
  put_common(header, entry.crc, entry.size, name);
  file_.write(header);
  file_.write(name);
  file_.write(head);
  file_.write(data);
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const std::uint32_t start = checked(file_.size());
  std::string directory;
  for (const Entry& entry : entries_) {
    put32(directory, kCentral);
    put16(directory, kVersion);
    put_common(directory, entry.crc, entry.size, entry.name);
    put16(directory, 0);  // no comment
    put16(directory, 0);  // disk
    put16(directory, 0);  // internal attributes
    put32(directory, 0);  // external attributes
    put32(directory, entry.offset);
    directory += entry.name;
  }
  const std::uint32_t size = checked(directory.size()), count = static_cast<std::uint32_t>(entries_.size());
  put32(directory, kEnd);
  put16(directory, 0);
  put16(directory, 0);
  put16(directory, count);
  put16(directory, count);
  put32(directory, size);
  put32(directory, start);
  put16(directory, 0);
  file_.write(directory);
  file_.commit();
}

}  // namespace touchstone
