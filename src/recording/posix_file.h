#pragma once
// Files by descriptor, with errors that name the file, the reason and the remedy.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "touchstone/error.h"

namespace touchstone {

// Owns a file descriptor.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) : fd_(fd) {}
  ~FileHandle() { close(); }
  FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept;
  int get() const { return fd_; }
  void close() noexcept;

 private:
  int fd_ = -1;
};

std::string error_text(int error_number);
// "PATH: WHAT: REASON. REMEDY", kind kIo.
[[noreturn]] void throw_io(const std::string& path, const std::string& what, int error_number,
                           const std::string& remedy = "");

// Opens for reading (or reading and writing) what must be an existing regular file. `what` it is: for messages.
FileHandle open_existing(const std::string& path, bool writable, const std::string& what = "recording");
std::uint64_t file_size(const FileHandle& file, const std::string& path);
// Reads until `size` bytes or the end of the file; returns how many. Throws on a read error.
std::size_t read_at(const FileHandle& file, const std::string& path, void* to, std::size_t size, std::uint64_t offset);
// Writes all of it, or returns the error number; `written` tells how far it came.
int write_at(int fd, const void* data, std::size_t size, std::uint64_t offset, std::size_t& written);

// The file that will really be written: a symbolic link is followed, so that a rename replaces what it points
// to. Refuses what is there but is no regular file: a rename over /dev/null would replace the device.
std::string resolve_target(const std::string& path, const char* what = "recording");

// Claims the journal for one writer; the lock goes with the descriptor, also when the process is killed.
// Throws Error (kIo) if another process holds it. File systems without locks are let through.
void lock_for_writing(const FileHandle& file, const std::string& path);

// Whether nobody has the file locked.
bool is_unlocked(const FileHandle& file);

// The name under which the file that is to replace `target` is written.
std::string temporary_name(const std::string& target);

// A file beside `target` that takes its name when it is complete, and vanishes if that never happens.
class TemporaryFile {
 public:
  // `shown` is the name that messages use.
  TemporaryFile(const std::string& target, std::string shown, const char* what = "recording");
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  FileHandle& handle() { return handle_; }
  // Renames it over the target. `durable`: first waits until it is on the disk.
  void commit(bool durable);

 private:
  std::string target_, path_, shown_;
  FileHandle handle_;
  bool committed_ = false;
};

}  // namespace touchstone
