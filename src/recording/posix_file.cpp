#include "recording/posix_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace touchstone {
namespace {

constexpr const char* kTemporarySuffix = ".tmp";
const std::string kRemedyCreate = "Choose a folder that exists, is writable and has room";

void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const FileHandle handle(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.get() >= 0) ::fsync(handle.get());  // some file systems cannot; the rename itself is done
}

}  // namespace

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileHandle::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string error_text(int error_number) { return std::generic_category().message(error_number); }

void throw_io(const std::string& path, const std::string& what, int error_number, const std::string& remedy) {
  throw Error(ErrorKind::kIo,
              fmt::format("{}: {}: {}{}{}", path, what, error_text(error_number), remedy.empty() ? "" : ". ", remedy));
}

FileHandle open_existing(const std::string& path, bool writable, const std::string& what) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not hang; regular files do not care.
  FileHandle file(::open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) throw_io(path, "cannot open the " + what, errno, errno == ENOENT ? "Check the name" : "");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw_io(path, "cannot open the " + what, errno);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::kIo, path + ": is a folder, not a " + what);
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::kIo, path + ": is not a regular file, so not a " + what);
  return file;
}

std::uint64_t file_size(const FileHandle& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw_io(path, "cannot read the recording", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

std::size_t read_at(const FileHandle& file, const std::string& path, void* to, std::size_t size, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n =
        ::pread(file.get(), static_cast<char*>(to) + done, size - done, static_cast<off_t>(offset + done));
    if (n == 0) break;
    if (n > 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      throw_io(path, "cannot read the recording", errno);
  }
  return done;
}

int write_at(int fd, const void* data, std::size_t size, std::uint64_t offset, std::size_t& written) {
  written = 0;
  while (written < size) {
    const ssize_t n =
        ::pwrite(fd, static_cast<const char*>(data) + written, size - written, static_cast<off_t>(offset + written));
    if (n > 0)
      written += static_cast<std::size_t>(n);
    else if (n == 0)
      return ENOSPC;
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

std::string resolve_target(const std::string& path, const char* what) {
  const std::string cannot = fmt::format("cannot write the {}", what);
  namespace fs = std::filesystem;
  std::error_code error;
  std::string target = path;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    const fs::path real = fs::weakly_canonical(path, error);
    if (error) throw_io(path, cannot, error.value(), kRemedyCreate);
    target = real.string();
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status))
    throw Error(ErrorKind::kIo, path + ": " + cannot + ": this is a folder. Name a file in it");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(ErrorKind::kIo, path + ": " + cannot + ": not a regular file. Name another file");
  return target;
}

bool is_unlocked(const FileHandle& file) { return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

std::string temporary_name(const std::string& target) { return target + kTemporarySuffix; }

void lock_for_writing(const FileHandle& file, const std::string& path) {
  if (is_unlocked(file)) return;
  throw Error(ErrorKind::kIo, path +
                                  ": a running simulation is writing this recording. Wait until it ends, or "
                                  "use another name (reading it is possible at any time)");
}

TemporaryFile::TemporaryFile(const std::string& target, std::string shown, const char* what)
    : target_(target), path_(temporary_name(target)), shown_(std::move(shown)) {
  ::unlink(path_.c_str());  // left by a process that was killed while it wrote
  handle_ = FileHandle(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (handle_.get() < 0)
    throw_io(shown_, fmt::format("cannot write the {}: cannot create '{}'", what, path_), errno, kRemedyCreate);
}

TemporaryFile::~TemporaryFile() {
  if (!committed_) ::unlink(path_.c_str());
}

void TemporaryFile::commit(bool durable) {
  if (durable && ::fsync(handle_.get()) != 0) throw_io(shown_, "cannot write the file to disk", errno);
  if (::rename(path_.c_str(), target_.c_str()) != 0) throw_io(shown_, "cannot replace the file", errno);
  committed_ = true;
  if (durable) sync_folder_of(target_);
}

}  // namespace touchstone
