#pragma once
// A file that is there whole or not at all: written under "path.tmp" and renamed at the end. Whatever goes
// wrong is an Error (kIo) that names the file, and leaves nothing behind.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace touchstone {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  std::uint64_t size() const { return size_; }
  // For a writer that learns of a failure by its own ways.
  [[noreturn]] void fail_with(const std::string& reason) const;
  // Hands everything to the disk and gives the file its name. Without it, the file is dropped.
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
};

// Text as one field of a row of CSV: quoted where a comma, a quote or a line break would break the row.
std::string csv_text(const std::string& text);

// Lower-case, without the dot; "" if there is none.
std::string extension_of(const std::string& path);

}  // namespace touchstone
