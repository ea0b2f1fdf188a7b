#include "recording/recording.h"

#include <algorithm>
#include <new>

#include "base/apart.h"
#include "base/text.h"
#include "recording/hdf5_layout.h"
#include "recording/hdf5_reader.h"
#include "recording/journal_reader.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

std::string first_bytes(const FileHandle& file, const std::string& path) {
  std::string bytes(kJournalPrefix.size(), '\0');
  bytes.resize(read_at(file, path, bytes.data(), bytes.size(), 0));
  return bytes;
}

// HDF5 1.10 may crash on a damaged file, and without a checksum damage does not show. Such a file, which another
// program has rewritten, is first read as a whole in a copy of the process.
void check_by_rehearsal(const std::string& path, std::uint64_t bytes) {
  constexpr unsigned kSeconds = 10;  // of processor time, and one more for every MiB
  const Rehearsal found = rehearse(
      [&] {
        const Hdf5Reader reader(path, open_existing(path, false));
        for (std::size_t i = 0; i < reader.frames.size(); ++i) reader.read_frame(i);
        for (const ReportField& field : report_fields()) reader.series(field.name);
        reader.last_snapshot();
      },
      kSeconds + static_cast<unsigned>(bytes >> 20));
  if (found.refusal) throw Error(*found.refusal);
  if (!found.crash.empty())
    throw Error(ErrorKind::kBadInput,
                path + ": is damaged: HDF5 cannot read it, " + found.crash + ". Copy it again from its source");
}

std::unique_ptr<RecordingSource> open_form(const std::string& path, FileHandle file) {
  const std::string start = first_bytes(file, path);
  if (start.empty()) throw Error(ErrorKind::kBadInput, path + ": is empty, not a touchstone recording");
  if (start == kJournalPrefix) return std::make_unique<JournalReader>(path, std::move(file));
  if (start.starts_with(kHdf5Signature)) {
    if (!has_checksum(file, path)) check_by_rehearsal(path, file_size(file, path));
    return std::make_unique<Hdf5Reader>(path, std::move(file));
  }
  const bool cut = kJournalPrefix.starts_with(start) || kHdf5Signature.starts_with(start);
  throw Error(ErrorKind::kBadInput,
              path + (cut ? ": is cut short after a few bytes; nothing was recorded"
                          : ": is not a touchstone recording: it is neither HDF5 nor a journal of a run"));
}

}  // namespace

std::unique_ptr<RecordingSource> open_source(const std::string& path) {
  try {
    return open_form(path, open_existing(path, false));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kIo, path + ": there is not enough memory to open this recording");
  }
}

struct Recording::Impl {
  std::unique_ptr<RecordingSource> source;
};

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

Recording Recording::open(const std::string& path) {
  return Recording(std::make_unique<Impl>(Impl{open_source(path)}));
}

const std::string& Recording::path() const { return impl_->source->path; }
const RecordingInfo& Recording::info() const { return impl_->source->info; }
bool Recording::journal() const { return impl_->source->journal(); }
bool Recording::complete() const { return impl_->source->complete; }
std::uint64_t Recording::truncated_bytes() const { return impl_->source->truncated_bytes; }
const std::vector<StepMark>& Recording::steps() const { return impl_->source->steps; }
std::size_t Recording::frame_count() const { return impl_->source->frames.size(); }
const std::vector<StepMark>& Recording::frames() const { return impl_->source->frames; }

Frame Recording::read_frame(std::size_t index) const {
  if (index >= frame_count())
    throw Error(ErrorKind::kBadInput, path() + ": has " + std::to_string(frame_count()) +
                                          " frames, numbered from 0; there is no frame " + std::to_string(index));
  return impl_->source->read_frame(index);
}

std::vector<double> Recording::series(const std::string& field) const {
  if (!find_report_field(field)) {
    std::vector<std::string> names;
    for (const ReportField& f : report_fields()) names.emplace_back(f.name);
    throw Error(ErrorKind::kBadInput, "no recorded quantity is called '" + field + "'" + did_you_mean(field, names));
  }
  return impl_->source->series(field);
}

std::optional<Recording::Snapshot> Recording::last_snapshot() const { return impl_->source->last_snapshot(); }

}  // namespace touchstone
