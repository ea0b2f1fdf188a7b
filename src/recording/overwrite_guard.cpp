#include "recording/overwrite_guard.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>

#include "base/apart.h"
#include "recording/hdf5_file.h"
#include "recording/hdf5_layout.h"
#include "recording/journal_format.h"

namespace touchstone {
namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

std::string first_bytes(const FileHandle& file, const std::string& path) {
  std::string bytes(kJournalPrefix.size(), '\0');
  bytes.resize(read_at(file, path, bytes.data(), bytes.size(), 0));
  return bytes;
}

// Contact problems are HDF5, too, and may be replaced. A file that cannot be opened is taken for a recording: it was
// one, or it holds something else that somebody may want to repair.
bool is_hdf5_recording(const FileHandle& file, const std::string& path) {
  constexpr unsigned kSeconds = 10;
  if (has_checksum(file, path)) return true;
  const std::string other = "other";
  try {  // apart: HDF5 may crash on a damaged file
    return run_apart(
               [&] {
                 const Hdf5Silence silence;
                 const Hdf5File opened = Hdf5File::open(file.get(), file_size(file, path), path);
                 return opened.has_attribute("format") ? std::string() : other;
               },
               kSeconds) != other;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

void refuse_recording(const std::string& path) {
  // O_NONBLOCK: a pipe must not hang here.
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  lock_for_writing(file, path);
  const std::string start = first_bytes(file, path);
  if (start == kJournalPrefix || (start.starts_with(kHdf5Signature) && is_hdf5_recording(file, path)))
    throw Error(ErrorKind::kBadInput,
                path +
                    ": this is a recording, and no file of another kind is written over one. Name another file, or "
                    "remove it first");
}

}  // namespace touchstone
