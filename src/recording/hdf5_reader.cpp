#include "recording/hdf5_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "recording/hdf5_layout.h"
#include "recording/info_json.h"

namespace touchstone {
namespace {

Hdf5File open_checked(const FileHandle& handle, const std::string& path) {
  const Hdf5Silence silence;
  const std::uint64_t size = check_checksum(handle, path);
  return Hdf5File::open(handle.get(), size, path);
}

// Rows of a column, each into its field.
template <class Row>
void read_column(const Hdf5Dataset& table, const FieldColumn& column, std::uint64_t first, std::vector<Row>& rows) {
  std::vector<std::byte> buffer(rows.size() * column.bytes());
  table.read_rows(first, rows.size(), buffer.data());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(reinterpret_cast<std::byte*>(&rows[i]) + column.offset, buffer.data() + i * column.bytes(),
                column.bytes());
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::string& shown, FileHandle handle)
    : handle_(std::move(handle)), file_(open_checked(handle_, shown)) {
  const Hdf5Silence silence;
  path = shown;
  check_format();
  read_info();
  read_index();
  open_tables();
}

void Hdf5Reader::require(bool condition, const std::string& what) const {
  if (!condition) file_.fail("is damaged: " + what);
}

void Hdf5Reader::check_format() {
  if (!file_.has_attribute("format") || file_.text_attribute("format") != kFormatName)
    throw Error(ErrorKind::kBadInput, path + ": is not a touchstone recording: it is an HDF5 file of another program");
  const std::uint64_t version = file_.uint_attribute("format_version");
  if (version > kFormatVersion)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: is a recording of format {}; this program reads up to {}. "
                            "Use touchstone {} or newer",
                            path, version, kFormatVersion, file_.text_attribute("program_version")));
}

void Hdf5Reader::read_info() {
  info.program_version = file_.text_attribute("program_version");
  info.model = file_.text_attribute("model");
  const std::uint64_t dimension = file_.uint_attribute("dimension");
  require(dimension == 2 || dimension == 3, "the dimension is neither 2 nor 3");
  info.dimension = static_cast<int>(dimension);
  info.step_size = file_.float_attribute("step_size");
  info.duration = file_.float_attribute("duration");
  info.seed = file_.uint_attribute("seed");
  complete = file_.uint_attribute("complete") != 0;
  info.scene_name = file_.text_attribute("scene_name");
  info.scene_path = file_.text_attribute("scene_path");
  info.record.every = static_cast<std::int64_t>(file_.uint_attribute("record_every"));
  info.record.poses = file_.uint_attribute("record_poses") != 0;
  info.record.velocities = file_.uint_attribute("record_velocities") != 0;
  info.record.contacts = file_.uint_attribute("record_contacts") != 0;
  info.record.yardstick = file_.has_attribute("record_yardstick") && file_.uint_attribute("record_yardstick") != 0;
  info.scene_text = file_.read_text("scene");
  try {
    overrides_from_json(file_.read_text("overrides"), info);
    if (file_.contains("scene_files")) files_from_json(file_.read_text("scene_files"), info);
  } catch (const Error& e) {
    file_.fail(e.what());
  }
  info.body_names = file_.read_texts("bodies/name");
  const std::uint64_t named = file_.uint_attribute("named_bodies");
  require(named <= info.body_names.size(), "there are fewer bodies than names");
  info.body_names.resize(named);
}

std::vector<StepMark> Hdf5Reader::read_marks(const std::string& group) {
  const auto step = file_.table(group + "/step", ElementType::kUint64, 1).read_all<std::uint64_t>();
  const auto time = file_.table(group + "/time", ElementType::kFloat64, 1).read_all<double>();
  const auto hash = file_.table(group + "/hash", ElementType::kUint64, 1).read_all<std::uint64_t>();
  require(step.size() == time.size() && step.size() == hash.size(), "'" + group + "' has columns of different lengths");
  std::vector<StepMark> marks(step.size());
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = {step[i], time[i], hash[i]};
  return marks;
}

void Hdf5Reader::read_index() {
  steps = read_marks("steps");
  frames = read_marks("frames");
  slots_ = file_.table("frames/slots", ElementType::kUint64, 1).read_all<std::uint64_t>();
  contact_offset_ = file_.table("frames/contact_offset", ElementType::kUint64, 1).read_all<std::uint64_t>();
  require(slots_.size() == frames.size() && contact_offset_.size() == frames.size() + 1,
          "'frames' has columns of different lengths");
  require(std::is_sorted(contact_offset_.begin(), contact_offset_.end()) && contact_offset_.front() == 0,
          "'frames/contact_offset' does not ascend");
}

void Hdf5Reader::open_tables() {
  alive_ = file_.table("frames/alive", ElementType::kUint8, 2);
  const hsize_t frame_count = frames.size(), most = alive_->dims()[1];
  require(alive_->rows() == frame_count, "'frames/alive' has another length");
  for (const std::uint64_t slots : slots_) require(slots <= most, "a frame has more bodies than there are");
  const auto open_wide = [&](const char* name, int width) {
    Hdf5Dataset table = file_.table(name, ElementType::kFloat64, 3);
    require(table.dims() == std::vector<hsize_t>{frame_count, most, static_cast<hsize_t>(width)},
            fmt::format("'{}' has another form", name));
    return table;
  };
  if (info.record.poses) poses_ = open_wide("poses", pose_width(info.dimension));
  if (info.record.velocities) velocities_ = open_wide("velocities", velocity_width(info.dimension));
  info.natural_maps = file_.contains("contacts/natural_map");
  for (const FieldColumn& column : contact_columns()) {
    const std::string name = std::string("contacts/") + column.name;
    contacts_.emplace_back();
    if (!has_column(info, column)) continue;
    contacts_.back() = file_.table(name, column.type, column.width > 1 ? 2 : 1);
    require(contacts_.back()->rows() == contact_offset_.back() && contacts_.back()->row_bytes() == column.bytes(),
            "'" + name + "' has another form");
  }
  open_joints();
  for (const ReportField& field : report_fields()) {
    std::string name = std::string("report/") + field.name;
    report_.emplace_back();
    if (!file_.contains(name)) name = "report/" + former_name(field.name);
    if (name == "report/" || !file_.contains(name)) continue;
    report_.back() = file_.table(name, ElementType::kFloat64, 1);
    require(report_.back()->rows() == frame_count, "'" + name + "' has another length");
  }
}

// Files of scenes without joints have none, nor have older ones.
void Hdf5Reader::open_joints() {
  info.joints = file_.contains("frames/joint_offset");
  info.joint_states = info.joints && file_.contains("joints/serial");
  if (!info.joints) return;
  joint_offset_ = file_.table("frames/joint_offset", ElementType::kUint64, 1).read_all<std::uint64_t>();
  require(joint_offset_.size() == frames.size() + 1 && joint_offset_.front() == 0 &&
              std::is_sorted(joint_offset_.begin(), joint_offset_.end()),
          "'frames/joint_offset' does not ascend, or has another length");
  if (file_.contains("joints/name")) info.joint_names = file_.read_texts("joints/name");
  for (const FieldColumn& column : joint_columns()) {
    if (!has_joint_column(info, column)) break;  // they are the last ones
    const std::string name = std::string("joints/") + column.name;
    joints_.push_back(file_.table(name, column.type, column.width > 1 ? 2 : 1));
    require(joints_.back().rows() == joint_offset_.back() && joints_.back().row_bytes() == column.bytes(),
            "'" + name + "' has another form");
  }
}

Frame Hdf5Reader::read_frame(std::size_t index) const {
  const Hdf5Silence silence;
  Frame frame;
  frame.step = frames.at(index).step, frame.time = frames[index].time, frame.hash = frames[index].hash;
  frame.slots = slots_[index];
  frame.alive.resize(frame.slots);
  if (frame.slots > 0) alive_->read({index, 0}, {1, frame.slots}, frame.alive.data());
  const auto read_wide = [&](const std::optional<Hdf5Dataset>& table, std::vector<double>& numbers) {
    if (!table || frame.slots == 0) return;
    numbers.resize(frame.slots * table->dims()[2]);
    table->read({index, 0, 0}, {1, frame.slots, table->dims()[2]}, numbers.data());
  };
  read_wide(poses_, frame.poses);
  read_wide(velocities_, frame.velocities);
  read_contacts(index, frame);
  read_joints(index, frame);
  for (const std::optional<Hdf5Dataset>& table : report_) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (table) table->read_rows(index, 1, &value);
    frame.report.push_back(value);
  }
  return frame;
}

void Hdf5Reader::read_contacts(std::size_t index, Frame& frame) const {
  const std::uint64_t first = contact_offset_[index], count = contact_offset_[index + 1] - first;
  if (count == 0) return;
  FrameContact blank;
  blank.natural_map = std::numeric_limits<double>::quiet_NaN();
  frame.contacts.assign(count, blank);
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (contacts_[c]) read_column(*contacts_[c], contact_columns()[c], first, frame.contacts);
}

void Hdf5Reader::read_joints(std::size_t index, Frame& frame) const {
  if (joint_offset_.empty()) return;
  const std::uint64_t first = joint_offset_[index];
  frame.joints.resize(joint_offset_[index + 1] - first);
  for (std::size_t i = 0; i < frame.joints.size(); ++i) frame.joints[i].serial = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c < joints_.size() && !frame.joints.empty(); ++c)
    read_column(joints_[c], joint_columns()[c], first, frame.joints);
}

std::vector<double> Hdf5Reader::series(const std::string& field) const {
  const Hdf5Silence silence;
  const auto fields = report_fields();
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (field == fields[i].name && report_[i]) return report_[i]->read_all<double>();
  return std::vector<double>(frames.size(), std::numeric_limits<double>::quiet_NaN());
}

std::optional<Recording::Snapshot> Hdf5Reader::last_snapshot() const {
  const Hdf5Silence silence;
  if (!file_.contains("snapshot")) return std::nullopt;
  const Hdf5Dataset table = file_.table("snapshot", ElementType::kUint8, 1);
  return Recording::Snapshot{table.uint_attribute("step"), table.read_all<std::byte>()};
}

}  // namespace touchstone
