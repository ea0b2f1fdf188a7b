#pragma once
// A file driver for HDF5 that works on an open descriptor and never lets the library see a failed write.
//
// Why: HDF5 1.10.8, as Debian has it, crashes (segmentation fault in H5Fclose or at exit) when a write fails,
// for example on a full disk. Here the first failure is remembered, and from then on writes go to memory, so
// that the library can close the file in good order; the file is then thrown away by whoever asked for it.
// The driver also takes no locks, and reads exactly the bytes whose checksum was checked.
#include <hdf5.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace touchstone {

// One file as the driver sees it. Must outlive the HDF5 file.
struct Hdf5Storage {
  static constexpr std::uint64_t kPage = 4096;
  int fd = -1;
  std::uint64_t size = 0;  // bytes that belong to HDF5; what follows in the file is not shown to it
  bool writable = false;
  int write_error = 0;                                          // errno of the first write that failed, or 0
  std::map<std::uint64_t, std::array<std::byte, kPage>> pages;  // written after the failure, by page number

  bool read(std::uint64_t offset, std::size_t count, void* to) const;
  void write(std::uint64_t offset, std::size_t count, const void* from);
  void truncate(std::uint64_t to);
};

// A property list for H5Fcreate or H5Fopen (whose file name is then ignored); the caller closes it.
hid_t make_storage_access(Hdf5Storage* storage);

}  // namespace touchstone
