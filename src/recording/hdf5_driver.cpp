#include "recording/hdf5_driver.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "recording/posix_file.h"

namespace touchstone {
namespace {

// HDF5 hands this struct back to us as an H5FD_t*, which must therefore come first.
struct DriverFile {
  H5FD_t base{};
  Hdf5Storage* storage = nullptr;
  haddr_t end_of_allocation = 0;
};
struct DriverInfo {
  Hdf5Storage* storage = nullptr;
};

DriverFile& as_file(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& as_file(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (!info) return nullptr;
  auto* file = new DriverFile;
  file->storage = info->storage;
  return &file->base;
}

herr_t driver_close(H5FD_t* file) {
  delete &as_file(file);
  return 0;
}

// Two files are never the same one to HDF5: it would share the storage of the first, which may go before the
// second.
int driver_compare(const H5FD_t* a, const H5FD_t* b) { return a == b ? 0 : a < b ? -1 : 1; }

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) { return as_file(file).end_of_allocation; }
herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  as_file(file).end_of_allocation = address;
  return 0;
}
haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) { return as_file(file).storage->size; }

herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  return as_file(file).storage->read(address, size, buffer) ? 0 : -1;
}
herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  Hdf5Storage& storage = *as_file(file).storage;
  if (!storage.writable) return -1;
  storage.write(address, size, buffer);
  return 0;
}
herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  const DriverFile& f = as_file(file);
  if (f.storage->writable) f.storage->truncate(f.end_of_allocation);
  return 0;
}

H5FD_class_t make_class() {
  H5FD_class_t c{};
#ifdef H5FD_CLASS_VERSION  // HDF5 1.14 and later
  c.version = H5FD_CLASS_VERSION;
#endif
  c.name = "touchstone";
  c.maxaddr = HADDR_MAX / 2;
  c.fc_degree = H5F_CLOSE_STRONG;
  c.fapl_size = sizeof(DriverInfo);
  c.open = driver_open;
  c.close = driver_close;
  c.cmp = driver_compare;
  c.query = driver_query;
  c.get_eoa = driver_get_eoa;
  c.set_eoa = driver_set_eoa;
  c.get_eof = driver_get_eof;
  c.read = driver_read;
  c.write = driver_write;
  c.truncate = driver_truncate;
  std::fill(std::begin(c.fl_map), std::end(c.fl_map),
            H5FD_MEM_SUPER);  // one list of free space for all kinds
  return c;
}

// Registered once for the process, as HDF5 wants it; never changed afterwards.
hid_t driver_id() {
  static const H5FD_class_t driver = make_class();
  static const hid_t id = H5FDregister(&driver);
  return id;
}

}  // namespace

// Beyond the end there are zeros, as in a file with a hole.
bool Hdf5Storage::read(std::uint64_t offset, std::size_t count, void* to) const {
  auto* out = static_cast<std::byte*>(to);
  std::size_t done = 0;
  while (done < count) {
    const ssize_t n = ::pread(fd, out + done, count - done, static_cast<off_t>(offset + done));
    if (n == 0) break;
    if (n > 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      return false;
  }
  std::memset(out + done, 0, count - done);
  for (auto page = pages.lower_bound(offset / kPage); page != pages.end() && page->first * kPage < offset + count;
       ++page) {
    const std::uint64_t from = std::max(page->first * kPage, offset),
                        upto = std::min((page->first + 1) * kPage, offset + count);
    std::memcpy(out + (from - offset), page->second.data() + from % kPage, upto - from);
  }
  return true;
}

void Hdf5Storage::write(std::uint64_t offset, std::size_t count, const void* from) {
  size = std::max<std::uint64_t>(size, offset + count);
  std::size_t written = 0;
  if (write_error == 0) write_error = write_at(fd, from, count, offset, written);
  if (write_error == 0) return;
  const auto* in = static_cast<const std::byte*>(from);
  for (std::uint64_t at = offset; at < offset + count;) {
    const std::uint64_t number = at / kPage, upto = std::min((number + 1) * kPage, offset + count);
    if (!pages.contains(number)) {
      std::array<std::byte, kPage> fresh;
      read(number * kPage, kPage, fresh.data());
      pages.emplace(number, fresh);
    }
    std::memcpy(pages[number].data() + at % kPage, in + (at - offset), upto - at);
    at = upto;
  }
}

void Hdf5Storage::truncate(std::uint64_t to) {
  size = to;
  if (write_error == 0 && ::ftruncate(fd, static_cast<off_t>(to)) != 0) write_error = errno;
}

hid_t make_storage_access(Hdf5Storage* storage) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  const DriverInfo info{storage};
  if (access < 0 || H5Pset_driver(access, driver_id(), &info) < 0 ||
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0) {
    if (access >= 0) H5Pclose(access);
    return -1;
  }
  return access;
}

}  // namespace touchstone
