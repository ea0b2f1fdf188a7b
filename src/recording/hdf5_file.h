#pragma once
// A thin, safe face over HDF5's C interface: what a recording needs and no more. Every failure becomes an
// Error that names the file; the library's own messages on stderr are silenced.
#include <hdf5.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recording/hdf5_driver.h"
#include "recording/posix_file.h"

namespace touchstone {

enum class ElementType : std::uint8_t { kUint8, kInt32, kUint32, kUint64, kFloat64 };
std::size_t element_bytes(ElementType type);

// Keeps HDF5 from printing its stack of errors for as long as it lives.
class Hdf5Silence {
 public:
  Hdf5Silence();
  ~Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Owns an HDF5 identifier.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Id() { reset(); }
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept;
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }
  herr_t reset();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// A table of numbers with one to three dimensions, the first of which counts rows.
class Hdf5Dataset {
 public:
  const std::vector<hsize_t>& dims() const { return dims_; }
  hsize_t rows() const { return dims_.front(); }
  std::size_t row_bytes() const;  // in memory
  hsize_t chunk_rows() const { return chunk_rows_; }
  // Part of the table: `start` and `count` along each dimension.
  void write(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, const void* from);
  void read(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, void* to) const;
  void write_rows(hsize_t first, hsize_t count, const void* from);
  void read_rows(hsize_t first, hsize_t count, void* to) const;
  // The whole of a table with one dimension.
  template <class T>
  std::vector<T> read_all() const {
    std::vector<T> values(dims_.front());
    if (!values.empty()) read_rows(0, dims_.front(), values.data());
    return values;
  }
  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, std::uint64_t value);
  std::uint64_t uint_attribute(const std::string& name) const;

 private:
  friend class Hdf5File;
  const class Hdf5File* file_ = nullptr;
  std::string name_;
  ElementType type_ = ElementType::kFloat64;
  std::vector<hsize_t> dims_;
  hsize_t chunk_rows_ = 1;
  Hdf5Id id_;
};

class Hdf5File {
 public:
  // Both work on an open descriptor, which must outlive the file; `shown` is the name that messages use.
  static Hdf5File create(int fd, std::string shown);
  static Hdf5File open(int fd, std::uint64_t size, std::string shown);

  void group(const std::string& name);
  // Cut into chunks and compressed if it is large enough for that to pay.
  Hdf5Dataset create_table(const std::string& name, ElementType type, std::vector<hsize_t> dims);
  // Refuses another number of dimensions, and sizes that the file cannot hold.
  Hdf5Dataset table(const std::string& name, ElementType type, std::size_t dimensions) const;
  bool contains(const std::string& name) const;

  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, double value);
  void attribute(const std::string& name, std::uint64_t value);
  std::string text_attribute(const std::string& name) const;
  double float_attribute(const std::string& name) const;
  std::uint64_t uint_attribute(const std::string& name) const;
  bool has_attribute(const std::string& name) const;

  void text(const std::string& name, const std::string& value);
  std::string read_text(const std::string& name) const;
  void texts(const std::string& name, const std::vector<std::string>& values);
  std::vector<std::string> read_texts(const std::string& name) const;

  // Writes what is left. Throws Error (kIo) if anything could not be written, now or before.
  void close();
  [[noreturn]] void fail(const std::string& what) const;
  void check_written() const;

 private:
  Hdf5File(int fd, std::uint64_t size, bool writable, std::string shown);
  std::unique_ptr<Hdf5Storage> storage_;  // before id_: closing the file still uses it
  std::string shown_;
  Hdf5Id id_;
};

}  // namespace touchstone
