#pragma once
// A zip archive of uncompressed entries, as numpy.savez writes it: local headers with data, then the
// directory (PKWARE's APPNOTE 4.3). Without zip64: beyond 4 GB an Error.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/export/file.h"

namespace touchstone {

// The checksum of zip and PNG (reflected polynomial 0xedb88320); `crc` is that of the bytes before.
std::uint32_t crc32(std::string_view bytes, std::uint32_t crc = 0);

class ZipWriter {
 public:
  explicit ZipWriter(const std::string& path) : path_(path), file_(path) {}
  // The entry's bytes are head followed by data.
  void add(const std::string& name, std::string_view head, std::string_view data);
  // Writes the directory and names the file.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc, size, offset;
  };
  std::uint32_t checked(std::uint64_t size) const;

  std::string path_;
  OutputFile file_;
  std::vector<Entry> entries_;
};

}  // namespace touchstone
