#include "recording/journal_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "recording/info_json.h"

namespace touchstone {
namespace {

// Larger buffers save no more system calls worth mentioning and only age in memory.
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

}  // namespace

JournalWriter::JournalWriter(std::string shown, FileHandle file, std::uint64_t size)
    : shown_(std::move(shown)), file_(std::move(file)), size_(size) {}

void JournalWriter::begin(const RecordingInfo& info) {
  const std::vector<ReportColumn> report = current_report_columns();
  shape_ = frame_shape(info, report.size());
  shape_.natural_maps = shape_.joints = shape_.joint_states =
      true;  // the format that the line names, whatever the description came from
  append_bytes(buffer_, kJournalLine.data(), kJournalLine.size());
  begin_record(kTagInfo);
  const std::string json = info_to_json(info, report);
  append_bytes(buffer_, json.data(), json.size());
  end_record();
}

void JournalWriter::marks(std::span<const StepMark> marks) {
  static_assert(sizeof(StepMark) == kMarkBytes);
  begin_record(kTagMarks);
  append_bytes(buffer_, marks.data(), marks.size_bytes());
  end_record();
}

void JournalWriter::frame(const Frame& frame) {
  begin_record(kTagFrame);
  try {
    encode_frame(frame, shape_, buffer_);
  } catch (...) {
    buffer_.resize(record_start_);
    throw;
  }
  end_record();
}

void JournalWriter::snapshot(std::uint64_t step, std::span<const std::byte> bytes) {
  begin_record(kTagSnapshot);
  append_bytes(buffer_, &step, sizeof step);
  append_bytes(buffer_, bytes.data(), bytes.size());
  end_record();
}

void JournalWriter::end(bool complete) {
  begin_record(kTagEnd);
  const std::uint64_t flag = complete ? 1 : 0;
  append_bytes(buffer_, &flag, sizeof flag);
  end_record();
}

FileHandle JournalWriter::duplicate_file() const {
  FileHandle copy(::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
  if (copy.get() < 0) throw_io(shown_, "cannot read the recording back", errno);
  return copy;
}

void JournalWriter::begin_record(std::uint64_t tag) {
  if (failed_) hand_over();  // throws again rather than gather what the disk has no room for
  record_start_ = buffer_.size();
  const std::uint64_t header[2] = {tag, 0};
  append_bytes(buffer_, header, sizeof header);
}

void JournalWriter::end_record() {
  const std::uint64_t length = buffer_.size() - record_start_ - kRecordHeaderBytes;
  std::byte* start = buffer_.data() + record_start_;
  std::memcpy(start + 8, &length, sizeof length);
  std::uint64_t tag;
  std::memcpy(&tag, start, sizeof tag);
  BlockChecksum checksum;
  checksum.word(tag);
  checksum.word(length);
  checksum.bytes(start + kRecordHeaderBytes, length);
  const std::uint64_t value = checksum.value();
  append_bytes(buffer_, &value, sizeof value);
  ends_.push_back(buffer_.size());
  if (buffer_.size() > kBufferBytes) hand_over();
}

void JournalWriter::hand_over() {
  if (buffer_.empty()) return;
  std::size_t written = 0;
  const int error = write_at(file_.get(), buffer_.data(), buffer_.size(), size_, written);
  drop_written(written);
  failed_ = error != 0;
  if (!failed_) return;
  // A torn record at the end does no harm to readers; it is cut off so that it is not taken for damage.
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) { /* the disk is in trouble; nothing to add */
  }
  throw_io(shown_, "cannot write the recording", error,
           "Everything recorded up to here is kept; free some space, then `touchstone resume " + shown_ + "`");
}

// Keeps what the file does not hold as whole records.
void JournalWriter::drop_written(std::size_t written) {
  const auto after = std::upper_bound(ends_.begin(), ends_.end(), written);
  const std::size_t whole = after == ends_.begin() ? 0 : *(after - 1);
  size_ += whole;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(whole));
  ends_.erase(ends_.begin(), after);
  for (std::size_t& end : ends_) end -= whole;
}

}  // namespace touchstone
