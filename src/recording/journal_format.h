#pragma once
// The journal's bytes, as README.md describes them: a line of text, then records of tag, length, payload and
// checksum. Little-endian, as is every machine that touchstone is built for.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "recording/frame.h"

namespace touchstone {

static_assert(std::endian::native == std::endian::little, "the recording's formats are little-endian");

constexpr std::string_view kJournalPrefix = "TOUCHSTONE JOURNAL ";
constexpr std::string_view kJournalLine =
    "TOUCHSTONE JOURNAL 4: an unfinished recording; every touchstone command reads it, "
    "`touchstone resume FILE` goes on from it\n";
// Of the joints of format 3 only the first 104 bytes are there.
constexpr std::string_view kJournalLine3 =
    "TOUCHSTONE JOURNAL 3: an unfinished recording; every touchstone command reads it, "
    "`touchstone resume FILE` goes on from it\n";
// The frames of format 2 have no joints.
constexpr std::string_view kJournalLine2 =
    "TOUCHSTONE JOURNAL 2: an unfinished recording; every touchstone command reads it, "
    "`touchstone resume FILE` goes on from it\n";
// Nor have those of format 1, whose contacts have no natural map either.
constexpr std::string_view kJournalLine1 =
    "TOUCHSTONE JOURNAL 1: an unfinished recording; every touchstone command reads it, "
    "`touchstone resume FILE` goes on from it\n";
static_assert(kJournalLine.size() == kJournalLine1.size() && kJournalLine.size() == kJournalLine2.size() &&
              kJournalLine.size() == kJournalLine3.size());

// Tags are eight letters, so that they can be seen in a dump of the file.
constexpr std::uint64_t journal_tag(const char (&text)[9]) {
  std::uint64_t tag = 0;
  for (int i = 7; i >= 0; --i) tag = tag << 8 | static_cast<unsigned char>(text[i]);
  return tag;
}
constexpr std::uint64_t kTagInfo = journal_tag("TS-INFO ");
constexpr std::uint64_t kTagMarks = journal_tag("TS-MARKS");
constexpr std::uint64_t kTagFrame = journal_tag("TS-FRAME");
constexpr std::uint64_t kTagSnapshot = journal_tag("TS-SNAPS");
constexpr std::uint64_t kTagEnd = journal_tag("TS-END  ");

constexpr std::size_t kRecordHeaderBytes = 16;  // tag, payload length
constexpr std::size_t kRecordTrailerBytes = 8;  // checksum
constexpr std::size_t kMarkBytes = 24;

// A checksum over blocks of a fixed size, so that writer and reader may see the bytes in pieces of their own:
// every call but the last must bring a multiple of kBlock.
class BlockChecksum {
 public:
  static constexpr std::size_t kBlock = std::size_t{64} * 1024;
  void word(std::uint64_t w) { hash_.word(w); }
  void bytes(const std::byte* data, std::size_t size) {
    for (; size > kBlock; size -= kBlock, data += kBlock) hash_.bytes(data, kBlock);
    if (size > 0) hash_.bytes(data, size);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  Hash64 hash_;
};

// The fixed part at the head of a frame's payload.
struct FrameHeader {
  std::uint64_t step = 0;
  double time = 0;
  std::uint64_t hash = 0, slots = 0;
  std::uint64_t report_count = 0, pose_count = 0, velocity_count = 0, contact_count = 0;
  std::uint64_t joint_count = 0;  // not in formats 1 and 2
};
static_assert(sizeof(FrameHeader) == 72 && sizeof(FrameJoint) == 152);

// What every frame of one recording must agree with.
struct FrameShape {
  std::uint64_t pose_width = 0, velocity_width = 0;  // 0: not recorded
  std::uint64_t report_count = 0;
  bool contacts = true;
  bool natural_maps = true;  // of contacts; not in format 1
  bool joints = true;        // not in formats 1 and 2
  bool joint_states = true;  // not in formats 1 to 3
  std::size_t contact_bytes() const { return natural_maps ? 168 : 160; }
  std::size_t joint_bytes() const { return joint_states ? sizeof(FrameJoint) : offsetof(FrameJoint, point_a); }
  std::size_t header_bytes() const { return joints ? sizeof(FrameHeader) : offsetof(FrameHeader, joint_count); }
};
FrameShape frame_shape(const RecordingInfo& info, std::size_t report_count);

// Whether the counts fit the recording and each other; `payload_bytes` then follows from them.
bool frame_header_fits(const FrameHeader& header, const FrameShape& shape, std::uint64_t payload_bytes);

void append_bytes(std::vector<std::byte>& out, const void* data, std::size_t size);
// Throws Error (kBadInput) if the frame does not have the recording's shape.
void encode_frame(const Frame& frame, const FrameShape& shape, std::vector<std::byte>& out);
// The payload must have passed frame_header_fits.
Frame decode_frame(std::span<const std::byte> payload, const FrameShape& shape);

}  // namespace touchstone
