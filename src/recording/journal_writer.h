#pragma once
// Appends records to a journal. Records gather in memory until they are handed over, whole, to the operating
// system: what was handed over survives the death of the process.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recording/journal_format.h"
#include "recording/posix_file.h"

namespace touchstone {

class JournalWriter {
 public:
  // Goes on in a file whose first `size` bytes are a journal of complete records (0: an empty file).
  // `shown` is the name that messages use.
  JournalWriter(std::string shown, FileHandle file, std::uint64_t size);

  // The line of text and the first record.
  void begin(const RecordingInfo& info);
  void set_shape(const FrameShape& shape) { shape_ = shape; }
  void marks(std::span<const StepMark> marks);
  void frame(const Frame& frame);
  void snapshot(std::uint64_t step, std::span<const std::byte> bytes);
  void end(bool complete);

  // Throws Error (kIo) if not everything could be written. The file then ends with the last record that had
  // room; the others stay in memory, and the next call of anything here tries them again first.
  void hand_over();
  bool failed() const { return failed_; }
  // A second descriptor of the same file, for reading.
  FileHandle duplicate_file() const;
  FileHandle take_file() { return std::move(file_); }
  bool open() const { return file_.get() >= 0; }
  void close() { file_.close(); }

 private:
  void begin_record(std::uint64_t tag);
  void end_record();
  void drop_written(std::size_t written);

  std::string shown_;
  FileHandle file_;
  std::uint64_t size_;  // of the complete records in the file
  FrameShape shape_;
  std::vector<std::byte> buffer_;  // complete records, not yet in the file
  std::vector<std::size_t> ends_;  // of the records in buffer_
  std::size_t record_start_ = 0;
  bool failed_ = false;
};

}  // namespace touchstone
