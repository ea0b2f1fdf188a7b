#pragma once
// Names and units of what the HDF5 form holds (README.md), shared by its writer and its reader; and the
// checksum behind the HDF5 data.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "recording/frame.h"
#include "recording/hdf5_file.h"

namespace touchstone {

constexpr const char* kFormatName = "touchstone-recording";
constexpr std::uint64_t kFormatVersion = 1;

// One field of FrameContact or FrameJoint as a table of its own.
struct FieldColumn {
  const char* name;
  ElementType type;
  std::size_t offset, width;  // in the struct: where, and how many numbers
  const char* unit;
  const char* help;
  std::size_t bytes() const { return width * element_bytes(type); }
};
std::span<const FieldColumn> contact_columns();
std::span<const FieldColumn> joint_columns();
// Older files have no natural_map.
bool has_column(const RecordingInfo& info, const FieldColumn& column);
// Those of joints end with their impulses.
bool has_joint_column(const RecordingInfo& info, const FieldColumn& column);

// What the numbers of a row of /poses and /velocities are.
const char* pose_columns_text(int dimension);
const char* velocity_columns_text(int dimension);

// HDF5 1.10 does not check what it reads and can crash on a damaged file. So 40 bytes with a checksum over
// the whole file follow the HDF5 data; other readers ignore them.
constexpr std::size_t kChecksumTrailerBytes = 40;
void append_checksum(const FileHandle& file, const std::string& shown);
bool has_checksum(const FileHandle& file, const std::string& shown);
// Returns the size of the HDF5 data. Throws Error if the checksum is there and does not fit; a file without
// one (another program has rewritten it) is let through.
std::uint64_t check_checksum(const FileHandle& file, const std::string& shown);

}  // namespace touchstone
