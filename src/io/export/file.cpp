#include "io/export/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "recording/overwrite_guard.h"
#include "touchstone/error.h"

namespace touchstone {

namespace {

// The file that is to be replaced: a link leads to its target, and what is no regular file (a device, a folder) is
// refused, because renaming over it would destroy it.
std::string replaceable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
  if (fs::exists(target, error) && !fs::is_regular_file(target, error))
    throw Error(ErrorKind::kIo, fmt::format("{} cannot be written: it is not a regular file", path));
  return target.string();
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(replaceable(path)), temporary_(path_ + ".tmp") {
  refuse_recording(path);
  // Never through a link of that name: it may lead to somebody's recording. One that a killed process left is removed.
  ::unlink(temporary_.c_str());
  const int fd = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) file_ = ::fdopen(fd, "wb");
  if (file_) return;
  const int reason = errno;
  if (fd >= 0) ::close(fd), ::unlink(temporary_.c_str());
  errno = reason;
  fail("cannot be created");
}

OutputFile::~OutputFile() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void OutputFile::write(const void* data, std::size_t size) {
  if (size == 0) return;
  if (std::fwrite(data, 1, size, file_) != size) fail("cannot be written");
  size_ += size;
}

void OutputFile::commit() {
  refuse_recording(path_);  // a run may have begun one since
  // A full disk often shows only here, when the buffers are emptied.
  if (std::fflush(file_) != 0) fail("cannot be written");
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed == 0 && std::rename(temporary_.c_str(), path_.c_str()) == 0) return;
  const int reason = errno;
  std::remove(temporary_.c_str());
  errno = reason;
  fail("cannot be written");
}

void OutputFile::fail(const char* what) const {
  throw Error(ErrorKind::kIo, fmt::format("{} {}: {}", path_, what, std::strerror(errno)));
}

void OutputFile::fail_with(const std::string& reason) const {
  throw Error(ErrorKind::kIo, fmt::format("{} cannot be written: {}", path_, reason));
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace touchstone
