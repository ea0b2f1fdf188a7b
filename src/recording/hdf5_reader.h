#pragma once
// Reads the HDF5 form of a recording.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recording/hdf5_file.h"
#include "recording/recording_source.h"

namespace touchstone {

class Hdf5Reader : public RecordingSource {
 public:
  // The file must begin with HDF5's signature. Throws Error if it is of another program, newer, or damaged.
  Hdf5Reader(const std::string& path, FileHandle file);

  bool journal() const override { return false; }
  Frame read_frame(std::size_t index) const override;
  std::vector<double> series(const std::string& field) const override;
  std::optional<Recording::Snapshot> last_snapshot() const override;

 private:
  void check_format();
  void read_info();
  std::vector<StepMark> read_marks(const std::string& group);
  void read_index();
  void open_tables();
  void require(bool condition, const std::string& what) const;
  void open_joints();
  void read_contacts(std::size_t index, Frame& frame) const;
  void read_joints(std::size_t index, Frame& frame) const;

  FileHandle handle_;
  Hdf5File file_;
  std::vector<std::uint64_t> slots_, contact_offset_;  // a frame's slots, and where its contacts begin
  std::vector<std::uint64_t> joint_offset_;            // where its joints begin; empty: the file has none
  std::optional<Hdf5Dataset> alive_, poses_, velocities_;
  std::vector<std::optional<Hdf5Dataset>> contacts_;  // as contact_columns(); none: the file has no such column
  std::vector<Hdf5Dataset> joints_;                   // as joint_columns()
  std::vector<std::optional<Hdf5Dataset>> report_;    // as report_fields(); none: the file has no such field
};

}  // namespace touchstone
