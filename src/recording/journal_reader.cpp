#include "recording/journal_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace touchstone {
namespace {

constexpr std::size_t kWindowBytes = 4 * BlockChecksum::kBlock;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<int> map_report(const std::vector<ReportColumn>& columns) {
  std::vector<int> map;
  for (const ReportField& field : report_fields()) {
    const auto at =
        std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return is_column_of(c.name, field.name); });
    map.push_back(at == columns.end() ? -1 : static_cast<int>(at - columns.begin()));
  }
  return map;
}

StepMark mark_of(const FrameHeader& h) { return {h.step, h.time, h.hash}; }

}  // namespace

JournalReader::JournalReader(const std::string& shown, FileHandle file) : file_(std::move(file)) {
  path = shown;
  size_ = file_size(file_, path);
  check_line();
  scan();
  window_ = {};
}

void JournalReader::check_line() {
  const auto text = window(0, std::min<std::uint64_t>(size_, kJournalLine.size()));
  const std::string line(reinterpret_cast<const char*>(text.data()), text.size());
  info.natural_maps = line != kJournalLine1;
  info.joint_states = line == kJournalLine;
  info.joints = info.joint_states || line == kJournalLine3;
  constexpr std::string_view kLines[] = {kJournalLine, kJournalLine3, kJournalLine2, kJournalLine1};
  if (std::find(std::begin(kLines), std::end(kLines), line) != std::end(kLines)) return;
  if (std::any_of(std::begin(kLines), std::end(kLines), [&](std::string_view l) { return l.starts_with(line); }))
    throw Error(ErrorKind::kBadInput, path + ": is cut short within its first line; nothing was recorded");
  const auto is_format = [&](int n) { return line.starts_with(fmt::format("{}{}:", kJournalPrefix, n)); };
  if (!is_format(1) && !is_format(2) && !is_format(3) && !is_format(4) && line.starts_with(kJournalPrefix) &&
      std::isdigit(static_cast<unsigned char>(line[kJournalPrefix.size()])))
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: is a journal of format {}; this program reads formats 1 to 4. Use a newer touchstone",
                            path, std::atoi(line.c_str() + kJournalPrefix.size())));
  throw Error(ErrorKind::kBadInput, path + ": is damaged: the first line of the journal is not as it was written");
}

void JournalReader::scan() {
  read_info(kJournalLine.size());
  while (valid_bytes_ < size_) {
    const std::optional<Record> record = read_header(valid_bytes_);
    if (!record) break;
    damaged_ = !checksum_fits(*record) || !take(*record);
    if (damaged_) break;
    valid_bytes_ = record->end();
  }
  truncated_bytes = size_ - valid_bytes_;
}

void JournalReader::read_info(std::uint64_t at) {
  const std::optional<Record> record = read_header(at);
  if (!record && !damaged_)
    throw Error(ErrorKind::kBadInput, path + ": is cut short within its description; nothing was recorded");
  if (!record || record->tag != kTagInfo || !checksum_fits(*record))
    throw Error(ErrorKind::kBadInput, path + ": is damaged: the description at its head cannot be read");
  const std::vector<std::byte> payload = read_payload(*record);
  try {
    info_from_json(std::string(reinterpret_cast<const char*>(payload.data()), payload.size()), info, report_);
  } catch (const Error& e) {
    throw Error(e.kind(), path + ": " + e.what());
  }
  report_map_ = map_report(report_);
  shape_ = frame_shape(info, report_.size());
  valid_bytes_ = record->end();
}

// None if the record is not all there, or if this cannot be one (then damaged_ is set).
std::optional<JournalReader::Record> JournalReader::read_header(std::uint64_t at) {
  const auto bytes = window(at, kRecordHeaderBytes);
  if (bytes.size() < kRecordHeaderBytes) return std::nullopt;
  Record record;
  std::memcpy(&record.tag, bytes.data(), 8);
  std::memcpy(&record.length, bytes.data() + 8, 8);
  record.payload = at + kRecordHeaderBytes;
  constexpr std::uint64_t kTags[] = {kTagInfo, kTagMarks, kTagFrame, kTagSnapshot, kTagEnd};
  damaged_ = std::find(std::begin(kTags), std::end(kTags), record.tag) == std::end(kTags);
  const std::uint64_t room = size_ - record.payload;
  if (damaged_ || room < kRecordTrailerBytes || record.length > room - kRecordTrailerBytes) return std::nullopt;
  return record;
}

bool JournalReader::checksum_fits(const Record& record) {
  BlockChecksum checksum;
  checksum.word(record.tag);
  checksum.word(record.length);
  for (std::uint64_t done = 0; done < record.length;) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(record.length - done, BlockChecksum::kBlock));
    const auto bytes = window(record.payload + done, want);
    if (bytes.size() < want) return false;
    checksum.bytes(bytes.data(), want);
    done += want;
  }
  const auto stored = window(record.payload + record.length, kRecordTrailerBytes);
  const std::uint64_t value = checksum.value();
  return stored.size() == sizeof value && std::memcmp(stored.data(), &value, sizeof value) == 0;
}

bool JournalReader::take(const Record& record) {
  if (record.tag == kTagEnd) {
    if (record.length != sizeof(std::uint64_t)) return false;
    complete = window(record.payload, 8)[0] != std::byte{0};
    return true;
  }
  complete = false;  // something follows an earlier end
  if (record.tag == kTagMarks) return take_marks(record);
  if (record.tag == kTagFrame) return take_frame(record);
  if (record.tag != kTagSnapshot || record.length < sizeof(std::uint64_t)) return false;
  snapshot_ = record;
  return true;
}

bool JournalReader::take_marks(const Record& record) {
  if (record.length % kMarkBytes != 0) return false;
  const std::vector<std::byte> payload = read_payload(record);
  const std::size_t before = steps.size();
  steps.resize(before + payload.size() / kMarkBytes);
  if (!payload.empty()) std::memcpy(steps.data() + before, payload.data(), payload.size());
  return true;
}

bool JournalReader::take_frame(const Record& record) {
  const std::size_t size = shape_.header_bytes();
  const auto bytes = window(record.payload, size);
  if (record.length < size || bytes.size() < size) return false;
  FrameHeader header;
  std::memcpy(&header, bytes.data(), size);
  if (!frame_header_fits(header, shape_, record.length)) return false;
  frame_records_.push_back(record);
  frames.push_back(mark_of(header));
  return true;
}

// Bytes of the file through a buffer that moves forward; fewer than asked for at the end of the file.
std::span<const std::byte> JournalReader::window(std::uint64_t offset, std::size_t size) {
  // A journal that is being written grows meanwhile; what came later than the opening is left alone.
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - std::min(size_, offset)));
  if (offset < window_start_ || offset + size > window_start_ + window_.size()) {
    window_.resize(kWindowBytes);
    window_.resize(read_at(file_, path, window_.data(), kWindowBytes, offset));
    window_start_ = offset;
  }
  const auto skip = static_cast<std::size_t>(offset - window_start_);
  return std::span<const std::byte>(window_).subspan(skip, std::min(size, window_.size() - skip));
}

// Only for records whose checksum was seen to fit, so that the length is what was once written.
std::vector<std::byte> JournalReader::read_payload(const Record& record) const {
  std::vector<std::byte> payload(record.length);
  if (read_at(file_, path, payload.data(), payload.size(), record.payload) != payload.size())
    throw Error(ErrorKind::kIo, path + ": the file became shorter while it was being read");
  return payload;
}

FrameHeader JournalReader::read_frame_header(std::size_t index) const {
  FrameHeader header;
  const std::size_t size = shape_.header_bytes();
  if (read_at(file_, path, &header, size, frame_records_.at(index).payload) != size)
    throw Error(ErrorKind::kIo, path + ": the file became shorter while it was being read");
  return header;
}

Frame JournalReader::read_raw_frame(std::size_t index) const {
  const std::vector<std::byte> payload = read_payload(frame_records_.at(index));
  FrameHeader header;
  std::memcpy(&header, payload.data(), shape_.header_bytes());
  // Seen to fit when the file was opened: it can only be otherwise if somebody writes into the middle of it.
  if (!frame_header_fits(header, shape_, payload.size()))
    throw Error(ErrorKind::kIo, path + ": the file was changed while it was being read");
  return decode_frame(payload, shape_);
}

Frame JournalReader::read_frame(std::size_t index) const {
  Frame frame = read_raw_frame(index);
  std::vector<double> report;
  for (const int column : report_map_)
    report.push_back(column < 0 ? kMissing : frame.report[static_cast<std::size_t>(column)]);
  frame.report = std::move(report);
  return frame;
}

std::vector<double> JournalReader::series(const std::string& field) const {
  const auto at =
      std::find_if(report_.begin(), report_.end(), [&](const auto& c) { return is_column_of(c.name, field); });
  std::vector<double> values(frame_records_.size(), kMissing);
  if (at == report_.end()) return values;
  const std::uint64_t skip = shape_.header_bytes() + 8 * static_cast<std::uint64_t>(at - report_.begin());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (read_at(file_, path, &values[i], 8, frame_records_[i].payload + skip) != 8)
      throw Error(ErrorKind::kIo, path + ": the file became shorter while it was being read");
  return values;
}

std::optional<Recording::Snapshot> JournalReader::last_snapshot() const {
  if (!snapshot_) return std::nullopt;
  const std::vector<std::byte> payload = read_payload(*snapshot_);
  Recording::Snapshot snapshot;
  std::memcpy(&snapshot.step, payload.data(), sizeof snapshot.step);
  snapshot.bytes.assign(payload.begin() + sizeof snapshot.step, payload.end());
  return snapshot;
}

}  // namespace touchstone
