#include "recording/hdf5_writer.h"

#include <algorithm>
#include <cstring>

#include "recording/hdf5_layout.h"
#include "recording/info_json.h"

namespace touchstone {
namespace {

// A table that is filled row by row and written chunk by chunk.
class RowWriter {
 public:
  explicit RowWriter(Hdf5Dataset table) : table_(std::move(table)) {}
  // A row may be given short; the rest of it is zero.
  void add(const void* row, std::size_t bytes) {
    const std::size_t row_bytes = table_.row_bytes();
    const std::size_t at = buffer_.size();
    if (at == 0) buffer_.reserve(static_cast<std::size_t>(table_.chunk_rows()) * row_bytes);
    buffer_.resize(at + row_bytes);
    if (bytes > 0) std::memcpy(buffer_.data() + at, row, bytes);
    if (++pending_ == table_.chunk_rows()) flush();
  }
  void flush() {
    if (pending_ > 0) table_.write_rows(written_, pending_, buffer_.data());
    written_ += pending_;
    pending_ = 0;
    buffer_.clear();
  }
  Hdf5Dataset& table() { return table_; }

 private:
  Hdf5Dataset table_;
  std::vector<std::byte> buffer_;
  hsize_t pending_ = 0, written_ = 0;
};

// The sizes of everything, known before the first number is written.
struct Extent {
  hsize_t slots = 0, frames = 0, contacts = 0, joints = 0;
  std::vector<std::uint64_t> frame_slots, contact_offset, joint_offset;
};

Extent measure(const JournalReader& journal) {
  Extent extent;
  extent.frames = journal.frames.size();
  extent.slots = journal.info.body_names.size();
  extent.contact_offset.push_back(0);
  extent.joint_offset.push_back(0);
  for (std::size_t i = 0; i < extent.frames; ++i) {
    const FrameHeader header = journal.read_frame_header(i);
    extent.slots = std::max<hsize_t>(extent.slots, header.slots);
    extent.contacts += header.contact_count;
    extent.frame_slots.push_back(header.slots);
    extent.contact_offset.push_back(extent.contacts);
    extent.joints += header.joint_count;
    extent.joint_offset.push_back(extent.joints);
  }
  return extent;
}

void write_info(Hdf5File& file, const JournalReader& journal) {
  const RecordingInfo& info = journal.info;
  const auto flag = [](bool value) { return static_cast<std::uint64_t>(value); };
  file.attribute("format", kFormatName);
  file.attribute("format_version", kFormatVersion);
  file.attribute("program_version", info.program_version);
  file.attribute("model", info.model);
  file.attribute("dimension", static_cast<std::uint64_t>(info.dimension));
  file.attribute("step_size", info.step_size);
  file.attribute("duration", info.duration);
  file.attribute("seed", info.seed);
  file.attribute("complete", flag(journal.complete));
  file.attribute("scene_name", info.scene_name);
  file.attribute("scene_path", info.scene_path);
  file.attribute("record_every", static_cast<std::uint64_t>(info.record.every));
  file.attribute("record_poses", flag(info.record.poses));
  file.attribute("record_velocities", flag(info.record.velocities));
  file.attribute("record_contacts", flag(info.record.contacts));
  file.attribute("record_yardstick", flag(info.record.yardstick));
  file.text("scene", info.scene_text);
  file.text("overrides", overrides_to_json(info));
  if (!info.scene_files.empty()) file.text("scene_files", files_to_json(info));
}

template <class Value>
void write_column(Hdf5File& file, const std::string& name, ElementType type, std::size_t count, const Value& value,
                  const char* unit = "") {
  RowWriter column(file.create_table(name, type, {count}));
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = value(i);
    column.add(&number, sizeof number);
  }
  column.flush();
  if (*unit) column.table().attribute("unit", unit);
}

void write_marks(Hdf5File& file, const std::string& group, const std::vector<StepMark>& marks) {
  file.group(group);
  const std::size_t n = marks.size();
  write_column(file, group + "/step", ElementType::kUint64, n, [&](std::size_t i) { return marks[i].step; });
  write_column(
      file, group + "/time", ElementType::kFloat64, n, [&](std::size_t i) { return marks[i].time; }, "s");
  write_column(file, group + "/hash", ElementType::kUint64, n, [&](std::size_t i) { return marks[i].hash; });
}

void write_index(Hdf5File& file, const JournalReader& journal, const Extent& extent) {
  write_marks(file, "steps", journal.steps);
  write_marks(file, "frames", journal.frames);
  write_column(file, "frames/slots", ElementType::kUint64, extent.frames,
               [&](std::size_t i) { return extent.frame_slots[i]; });
  write_column(file, "frames/contact_offset", ElementType::kUint64, extent.frames + 1,
               [&](std::size_t i) { return extent.contact_offset[i]; });
  if (extent.joints > 0) {
    write_column(file, "frames/joint_offset", ElementType::kUint64, extent.frames + 1,
                 [&](std::size_t i) { return extent.joint_offset[i]; });
    file.group("joints");
    if (!journal.info.joint_names.empty()) file.texts("joints/name", journal.info.joint_names);
  }
  std::vector<std::string> names = journal.info.body_names;
  names.resize(extent.slots);
  file.group("bodies");
  file.texts("bodies/name", names);
  file.attribute("named_bodies", journal.info.body_names.size());
}

// The tables that have a row a frame or a row a contact.
class FrameTables {
 public:
  FrameTables(Hdf5File& file, const JournalReader& journal, const Extent& extent)
      : alive_(file.create_table("frames/alive", ElementType::kUint8, {extent.frames, extent.slots})) {
    const RecordingInfo& info = journal.info;
    const auto wide = [&](const char* name, int width, const char* columns) {
      RowWriter rows(
          file.create_table(name, ElementType::kFloat64, {extent.frames, extent.slots, static_cast<hsize_t>(width)}));
      rows.table().attribute("unit", columns);
      return rows;
    };
    if (info.record.poses)
      poses_.push_back(wide("poses", pose_width(info.dimension), pose_columns_text(info.dimension)));
    if (info.record.velocities)
      velocities_.push_back(wide("velocities", velocity_width(info.dimension), velocity_columns_text(info.dimension)));
    add_contacts(file, info, extent);
    if (extent.joints > 0)
      for (const FieldColumn& column : joint_columns())
        if (has_joint_column(info, column)) joints_.push_back(field_table(file, "joints/", column, extent.joints));
    add_report(file, journal, extent);
  }

  void add(const Frame& frame) {
    alive_.add(frame.alive.data(), frame.alive.size());
    for (RowWriter& rows : poses_) rows.add(frame.poses.data(), 8 * frame.poses.size());
    for (RowWriter& rows : velocities_) rows.add(frame.velocities.data(), 8 * frame.velocities.size());
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const FieldColumn& column = *columns_[c];
      for (const FrameContact& contact : frame.contacts)
        contacts_[c].add(reinterpret_cast<const std::byte*>(&contact) + column.offset, column.bytes());
    }
    for (std::size_t c = 0; c < joints_.size(); ++c)
      for (const FrameJoint& joint : frame.joints)
        joints_[c].add(reinterpret_cast<const std::byte*>(&joint) + joint_columns()[c].offset,
                       joint_columns()[c].bytes());
    for (std::size_t i = 0; i < report_.size(); ++i) report_[i].add(&frame.report[i], sizeof(double));
  }

  void flush() {
    alive_.flush();
    for (std::vector<RowWriter>* tables : {&poses_, &velocities_, &contacts_, &joints_, &report_})
      for (RowWriter& rows : *tables) rows.flush();
  }

 private:
  void add_contacts(Hdf5File& file, const RecordingInfo& info, const Extent& extent) {
    file.group("contacts");
    for (const FieldColumn& column : contact_columns()) {
      if (!has_column(info, column)) continue;
      columns_.push_back(&column);
      contacts_.push_back(field_table(file, "contacts/", column, extent.contacts));
    }
  }
  static RowWriter field_table(Hdf5File& file, const std::string& group, const FieldColumn& column, hsize_t rows) {
    std::vector<hsize_t> dims = {rows};
    if (column.width > 1) dims.push_back(column.width);
    RowWriter out(file.create_table(group + column.name, column.type, dims));
    if (*column.unit) out.table().attribute("unit", column.unit);
    out.table().attribute("help", column.help);
    return out;
  }
  void add_report(Hdf5File& file, const JournalReader& journal, const Extent& extent) {
    file.group("report");
    for (const ReportColumn& column : journal.report_columns()) {
      RowWriter rows(file.create_table("report/" + column.name, ElementType::kFloat64, {extent.frames}));
      rows.table().attribute("unit", column.unit);
      rows.table().attribute("help", column.help);
      report_.push_back(std::move(rows));
    }
  }

  RowWriter alive_;
  std::vector<const FieldColumn*> columns_;                                 // of contacts_
  std::vector<RowWriter> poses_, velocities_, contacts_, joints_, report_;  // the first two: none or one
};

void write_snapshot(Hdf5File& file, const JournalReader& journal) {
  const std::optional<Recording::Snapshot> snapshot = journal.last_snapshot();
  if (!snapshot) return;
  Hdf5Dataset table = file.create_table("snapshot", ElementType::kUint8, {snapshot->bytes.size()});
  if (!snapshot->bytes.empty()) table.write_rows(0, table.rows(), snapshot->bytes.data());
  table.attribute("step", snapshot->step);
}

}  // namespace

void write_hdf5(const JournalReader& journal, const FileHandle& to, const std::string& shown) {
  const Hdf5Silence silence;
  Hdf5File file = Hdf5File::create(to.get(), shown);
  {
    const Extent extent = measure(journal);
    write_info(file, journal);
    write_index(file, journal, extent);
    FrameTables tables(file, journal, extent);
    for (std::size_t i = 0; i < journal.frames.size(); ++i) tables.add(journal.read_raw_frame(i));
    tables.flush();
    write_snapshot(file, journal);
  }
  file.close();
  append_checksum(to, shown);
}

}  // namespace touchstone
