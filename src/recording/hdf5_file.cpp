#include "recording/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace touchstone {
namespace {

// A frame of a few thousand bodies fits, and the chunk cache holds a few of them; not tuned further.
constexpr std::uint64_t kChunkBytes = std::uint64_t{512} * 1024;
// Below this a table is stored as it is: the index of its chunks would be larger than what is saved.
constexpr std::uint64_t kPlainBytes = 4096;
constexpr unsigned kGzipLevel = 1;
// Deflate cannot do better than 1032 to 1; a table that claims more than its stored bytes can hold is
// damaged.
constexpr std::uint64_t kMostCompression = 1032;

hid_t native(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return H5T_NATIVE_UINT8;
    case ElementType::kInt32:
      return H5T_NATIVE_INT32;
    case ElementType::kUint32:
      return H5T_NATIVE_UINT32;
    case ElementType::kUint64:
      return H5T_NATIVE_UINT64;
    case ElementType::kFloat64:
      return H5T_NATIVE_DOUBLE;
  }
  return -1;
}

// Texts are read in the character set they were stored in: the library does not convert between the two.
Hdf5Id text_type(H5T_cset_t characters = H5T_CSET_UTF8) {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), characters);
  return type;
}

bool is_variable_text(hid_t type) {
  return type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

bool put_attribute(hid_t on, const std::string& name, hid_t type, const void* value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id attribute(H5Acreate2(on, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute.get(), type, value) >= 0;
}

// Refuses an attribute with more than one value, which would be written behind `value`.
bool get_attribute(hid_t on, const std::string& name, hid_t type, void* value) {
  const Hdf5Id attribute(H5Aopen(on, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Id space(attribute.valid() ? H5Aget_space(attribute.get()) : -1, H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space.get()) == 1 && H5Aread(attribute.get(), type, value) >= 0;
}

bool put_text_attribute(hid_t on, const std::string& name, const std::string& text) {
  const char* pointer = text.c_str();
  return put_attribute(on, name, text_type().get(), &pointer);
}

std::vector<hsize_t> chunk_of(const std::vector<hsize_t>& dims, std::size_t element) {
  std::vector<hsize_t> chunk(dims.size(), 1);
  std::uint64_t room = kChunkBytes / element;  // elements; filled from the last dimension up
  for (std::size_t i = dims.size(); i-- > 0;) {
    chunk[i] = std::clamp<std::uint64_t>(room, 1, dims[i]);
    room /= chunk[i];
  }
  return chunk;
}

std::uint64_t product(const std::vector<hsize_t>& dims) {
  std::uint64_t n = 1;
  for (const hsize_t d : dims)
    if (__builtin_mul_overflow(n, d, &n)) return UINT64_MAX;
  return n;
}

// The part of a table as HDF5 wants it: its place in the file and its form in memory.
struct Selection {
  Hdf5Id in_file, in_memory;
  bool valid = false;
};
Selection select(hid_t dataset, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count) {
  Selection s;
  s.in_file = Hdf5Id(H5Dget_space(dataset), H5Sclose);
  s.in_memory = Hdf5Id(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  s.valid = s.in_file.valid() && s.in_memory.valid() &&
            H5Sselect_hyperslab(s.in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0;
  return s;
}

}  // namespace

std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return 1;
    case ElementType::kInt32:
    case ElementType::kUint32:
      return 4;
    case ElementType::kUint64:
    case ElementType::kFloat64:
      break;
  }
  return 8;
}

Hdf5Silence::Hdf5Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Hdf5Silence::~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Hdf5Id& Hdf5Id::operator=(Hdf5Id&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
  }
  return *this;
}

herr_t Hdf5Id::reset() {
  const hid_t id = std::exchange(id_, -1);
  return id >= 0 ? close_(id) : 0;
}

std::size_t Hdf5Dataset::row_bytes() const { return product({dims_.begin() + 1, dims_.end()}) * element_bytes(type_); }

void Hdf5Dataset::write(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, const void* from) {
  const Selection s = select(id_.get(), start, count);
  if (!s.valid || H5Dwrite(id_.get(), native(type_), s.in_memory.get(), s.in_file.get(), H5P_DEFAULT, from) < 0)
    file_->fail("cannot write '" + name_ + "'");
  file_->check_written();
}

void Hdf5Dataset::read(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, void* to) const {
  const Selection s = select(id_.get(), start, count);
  if (!s.valid || H5Dread(id_.get(), native(type_), s.in_memory.get(), s.in_file.get(), H5P_DEFAULT, to) < 0)
    file_->fail("is damaged: cannot read '" + name_ + "'");
}

void Hdf5Dataset::write_rows(hsize_t first, hsize_t count, const void* from) {
  std::vector<hsize_t> start(dims_.size(), 0), counts = dims_;
  start[0] = first, counts[0] = count;
  write(start, counts, from);
}

void Hdf5Dataset::read_rows(hsize_t first, hsize_t count, void* to) const {
  std::vector<hsize_t> start(dims_.size(), 0), counts = dims_;
  start[0] = first, counts[0] = count;
  read(start, counts, to);
}

void Hdf5Dataset::attribute(const std::string& name, const std::string& text) {
  if (!put_text_attribute(id_.get(), name, text)) file_->fail("cannot write an attribute of '" + name_ + "'");
}

void Hdf5Dataset::attribute(const std::string& name, std::uint64_t value) {
  if (!put_attribute(id_.get(), name, H5T_NATIVE_UINT64, &value))
    file_->fail("cannot write an attribute of '" + name_ + "'");
}

std::uint64_t Hdf5Dataset::uint_attribute(const std::string& name) const {
  std::uint64_t value = 0;
  if (!get_attribute(id_.get(), name, H5T_NATIVE_UINT64, &value))
    file_->fail(fmt::format("is damaged: '{}' has no attribute '{}'", name_, name));
  return value;
}

Hdf5File::Hdf5File(int fd, std::uint64_t size, bool writable, std::string shown)
    : storage_(std::make_unique<Hdf5Storage>()), shown_(std::move(shown)) {
  storage_->fd = fd;
  storage_->size = size;
  storage_->writable = writable;
}

Hdf5File Hdf5File::create(int fd, std::string shown) {
  Hdf5File file(fd, 0, true, std::move(shown));
  const Hdf5Id access(make_storage_access(file.storage_.get()), H5Pclose);
  file.id_ = Hdf5Id(H5Fcreate(file.shown_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (!file.id_.valid()) file.fail("cannot begin the HDF5 file");
  return file;
}

Hdf5File Hdf5File::open(int fd, std::uint64_t size, std::string shown) {
  Hdf5File file(fd, size, false, std::move(shown));
  const Hdf5Id access(make_storage_access(file.storage_.get()), H5Pclose);
  file.id_ = Hdf5Id(H5Fopen(file.shown_.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file.id_.valid()) file.fail("is damaged or cut short: HDF5 cannot open it");
  return file;
}

void Hdf5File::group(const std::string& name) {
  const Hdf5Id group(H5Gcreate2(id_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail("cannot write group '" + name + "'");
}

Hdf5Dataset Hdf5File::create_table(const std::string& name, ElementType type, std::vector<hsize_t> dims) {
  Hdf5Dataset table;
  table.file_ = this, table.name_ = name, table.type_ = type, table.dims_ = std::move(dims);
  const Hdf5Id space(H5Screate_simple(static_cast<int>(table.dims_.size()), table.dims_.data(), nullptr), H5Sclose);
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_IFSET);
  table.chunk_rows_ = std::max<hsize_t>(1, table.rows());
  if (product(table.dims_) * element_bytes(type) > kPlainBytes) {
    const std::vector<hsize_t> chunk = chunk_of(table.dims_, element_bytes(type));
    table.chunk_rows_ = chunk[0];
    H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), kGzipLevel);
  }
  table.id_ =
      Hdf5Id(H5Dcreate2(id_.get(), name.c_str(), native(type), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
             H5Dclose);
  if (!table.id_.valid()) fail("cannot write '" + name + "'");
  return table;
}

Hdf5Dataset Hdf5File::table(const std::string& name, ElementType type, std::size_t dimensions) const {
  Hdf5Dataset table;
  table.file_ = this, table.name_ = name, table.type_ = type;
  table.id_ = Hdf5Id(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Id space(table.id_.valid() ? H5Dget_space(table.id_.get()) : -1, H5Sclose);
  if (!space.valid() || H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(dimensions))
    fail("is damaged: '" + name + "' is missing or has another form");
  table.dims_.resize(dimensions);
  H5Sget_simple_extent_dims(space.get(), table.dims_.data(), nullptr);
  const std::uint64_t count = product(table.dims_), stored = H5Dget_storage_size(table.id_.get());
  if (count > 0 && (stored > storage_->size || count / kMostCompression * element_bytes(type) > stored))
    fail("is damaged: '" + name + "' has an impossible size");
  return table;
}

bool Hdf5File::contains(const std::string& name) const { return H5Lexists(id_.get(), name.c_str(), H5P_DEFAULT) > 0; }

void Hdf5File::attribute(const std::string& name, const std::string& text) {
  if (!put_text_attribute(id_.get(), name, text)) fail("cannot write attribute '" + name + "'");
}
void Hdf5File::attribute(const std::string& name, double value) {
  if (!put_attribute(id_.get(), name, H5T_NATIVE_DOUBLE, &value)) fail("cannot write attribute '" + name + "'");
}
void Hdf5File::attribute(const std::string& name, std::uint64_t value) {
  if (!put_attribute(id_.get(), name, H5T_NATIVE_UINT64, &value)) fail("cannot write attribute '" + name + "'");
}

std::string Hdf5File::text_attribute(const std::string& name) const {
  const Hdf5Id attribute(H5Aopen(id_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Id type(attribute.valid() ? H5Aget_type(attribute.get()) : -1, H5Tclose);
  char* text = nullptr;
  if (!is_variable_text(type.get()) || !get_attribute(id_.get(), name, text_type(H5Tget_cset(type.get())).get(), &text))
    fail("is damaged: it has no text attribute '" + name + "'");
  const std::string copy = text ? text : "";
  H5free_memory(text);
  return copy;
}

double Hdf5File::float_attribute(const std::string& name) const {
  double value = 0;
  if (!get_attribute(id_.get(), name, H5T_NATIVE_DOUBLE, &value))
    fail("is damaged: it has no attribute '" + name + "'");
  return value;
}
std::uint64_t Hdf5File::uint_attribute(const std::string& name) const {
  std::uint64_t value = 0;
  if (!get_attribute(id_.get(), name, H5T_NATIVE_UINT64, &value))
    fail("is damaged: it has no attribute '" + name + "'");
  return value;
}
bool Hdf5File::has_attribute(const std::string& name) const { return H5Aexists(id_.get(), name.c_str()) > 0; }

void Hdf5File::text(const std::string& name, const std::string& value) {
  const Hdf5Id type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id dataset(
      H5Dcreate2(id_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const char* pointer = value.c_str();
  if (!dataset.valid() || H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer) < 0)
    fail("cannot write '" + name + "'");
}

std::string Hdf5File::read_text(const std::string& name) const {
  const std::vector<std::string> values = read_texts(name);
  if (values.size() != 1) fail("is damaged: '" + name + "' is not one text");
  return values.front();
}

void Hdf5File::texts(const std::string& name, const std::vector<std::string>& values) {
  const hsize_t count = values.size();
  const Hdf5Id type = text_type(), space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Id dataset(
      H5Dcreate2(id_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  if (!dataset.valid() ||
      (count > 0 && H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0))
    fail("cannot write '" + name + "'");
}

std::vector<std::string> Hdf5File::read_texts(const std::string& name) const {
  const Hdf5Id dataset(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Id stored(dataset.valid() ? H5Dget_type(dataset.get()) : -1, H5Tclose);
  const Hdf5Id space(dataset.valid() ? H5Dget_space(dataset.get()) : -1, H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.get()) : -1;
  // Each text takes at least its 16 bytes of reference in the file.
  if (!is_variable_text(stored.get()) || count < 0 || static_cast<std::uint64_t>(count) > storage_->size / 16 + 1)
    fail("is damaged: '" + name + "' is missing or is no text");
  const Hdf5Id type = text_type(H5Tget_cset(stored.get()));
  std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
  if (count > 0 && H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
    fail("is damaged: cannot read '" + name + "'");
  std::vector<std::string> values;
  for (const char* pointer : pointers) values.emplace_back(pointer ? pointer : "");
  if (count > 0) H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return values;
}

void Hdf5File::close() {
  const herr_t result = id_.reset();
  check_written();
  if (result < 0) fail("cannot finish the HDF5 file");
}

void Hdf5File::check_written() const {
  if (storage_->write_error != 0) throw_io(shown_, "cannot write the HDF5 file", storage_->write_error);
}

void Hdf5File::fail(const std::string& what) const {
  check_written();
  throw Error(storage_->writable ? ErrorKind::kIo : ErrorKind::kBadInput, shown_ + ": " + what);
}

}  // namespace touchstone
