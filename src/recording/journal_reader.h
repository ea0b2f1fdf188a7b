#pragma once
// Reads a journal: one pass over the file checks every record and remembers where the frames are.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recording/info_json.h"
#include "recording/journal_format.h"
#include "recording/posix_file.h"
#include "recording/recording_source.h"

namespace touchstone {

class JournalReader : public RecordingSource {
 public:
  // The file must begin with kJournalPrefix. Throws Error if not even the first record can be read.
  JournalReader(const std::string& path, FileHandle file);

  bool journal() const override { return true; }
  Frame read_frame(std::size_t index) const override;
  std::vector<double> series(const std::string& field) const override;
  std::optional<Recording::Snapshot> last_snapshot() const override;

  // As the file has it: the report in the columns of the program that wrote it.
  Frame read_raw_frame(std::size_t index) const;
  FrameHeader read_frame_header(std::size_t index) const;
  const std::vector<ReportColumn>& report_columns() const { return report_; }
  std::uint64_t valid_bytes() const { return valid_bytes_; }
  // The reading stopped at a record that is all there but wrong, and not at one that was never completed.
  bool damaged() const { return damaged_; }
  const FileHandle& file() const { return file_; }

 private:
  struct Record {
    std::uint64_t tag = 0, payload = 0, length = 0;  // offset and bytes of the payload
    std::uint64_t end() const { return payload + length + kRecordTrailerBytes; }
  };
  void check_line();
  void scan();
  void read_info(std::uint64_t at);
  std::optional<Record> read_header(std::uint64_t at);
  bool checksum_fits(const Record& record);
  bool take(const Record& record);
  bool take_marks(const Record& record);
  bool take_frame(const Record& record);
  std::span<const std::byte> window(std::uint64_t offset, std::size_t size);
  std::vector<std::byte> read_payload(const Record& record) const;

  FileHandle file_;
  std::uint64_t size_ = 0, valid_bytes_ = 0;
  bool damaged_ = false;
  std::vector<ReportColumn> report_;
  std::vector<int> report_map_;  // for each field of this program: its column in the file, or -1
  FrameShape shape_;
  std::vector<Record> frame_records_;
  std::optional<Record> snapshot_;
  std::vector<std::byte> window_;  // the part of the file that is being scanned
  std::uint64_t window_start_ = 0;
};

}  // namespace touchstone
