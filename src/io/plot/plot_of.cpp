#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "io/export/file.h"
#include "io/plot/plot.h"

namespace touchstone {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// One component of a body's motion; where: in a frame's poses or velocities.
enum class Source { kPose, kVelocity, kSpeed, kAngle };
struct Component {
  const char* name;
  const char* unit;
  Source source;
  int index_2d, index_3d;  // within the body's numbers; -1: not in this dimension
};
constexpr Component kComponents[] = {
    {"x", "m", Source::kPose, 0, 0},           {"y", "m", Source::kPose, 1, 1},
    {"z", "m", Source::kPose, -1, 2},          {"height", "m", Source::kPose, 1, 2},
    {"angle", "rad", Source::kAngle, 2, 3},    {"vx", "m/s", Source::kVelocity, 0, 0},
    {"vy", "m/s", Source::kVelocity, 1, 1},    {"vz", "m/s", Source::kVelocity, -1, 2},
    {"speed", "m/s", Source::kSpeed, 0, 0},    {"wx", "rad/s", Source::kVelocity, -1, 3},
    {"wy", "rad/s", Source::kVelocity, -1, 4}, {"wz", "rad/s", Source::kVelocity, 2, 5},
};

int index_of(const Component& c, int dimension) { return dimension == 2 ? c.index_2d : c.index_3d; }

struct Quantity {
  std::string name, unit;
  const ReportField* field = nullptr;    // of the report, or
  const Component* component = nullptr;  // of a body
  std::size_t slot = 0;
};

std::vector<std::string> component_names(int dimension) {
  std::vector<std::string> names;
  for (const Component& c : kComponents)
    if (index_of(c, dimension) >= 0) names.emplace_back(c.name);
  return names;
}

std::string listed(const std::vector<std::string>& words, std::size_t most = 30) {
  const std::vector<std::string> shown(words.begin(),
                                       words.begin() + static_cast<std::ptrdiff_t>(std::min(most, words.size())));
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     words.size() > most ? fmt::format(" and {} more", words.size() - most) : "");
}

[[noreturn]] void unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known,
                          const std::string& rest) {
  throw Error(ErrorKind::kBadInput, fmt::format("plot: {} '{}'{}; there are {}{}", what, word,
                                                did_you_mean(word, known), listed(known), rest));
}

Quantity body_quantity(const RecordingInfo& info, const std::string& name, std::size_t dot) {
  const std::string body = name.substr(0, dot), part = name.substr(dot + 1);
  const auto found = std::find(info.body_names.begin(), info.body_names.end(), body);
  if (found == info.body_names.end()) unknown("no body", body, info.body_names, "");
  for (const Component& c : kComponents)
    if (part == c.name && index_of(c, info.dimension) >= 0)
      return {name, c.unit, nullptr, &c, static_cast<std::size_t>(found - info.body_names.begin())};
  unknown(fmt::format("a body in {}D has no", info.dimension), part, component_names(info.dimension), "");
}

Quantity find_quantity(const RecordingInfo& info, const std::string& name) {
  if (const ReportField* field = find_report_field(name)) return {name, field->unit, field, nullptr, 0};
  // A body's name may hold dots: the component is what follows the last.
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos) return body_quantity(info, name, dot);
  std::vector<std::string> fields;
  for (const ReportField& field : report_fields()) fields.emplace_back(field.name);
  unknown("no quantity", name, fields, fmt::format("; or BODY.{}", fmt::join(component_names(info.dimension), "|")));
}

void check_recorded(const Quantity& q, const RecordDescription& record) {
  if (!q.component) return;
  const bool pose = q.component->source == Source::kPose || q.component->source == Source::kAngle;
  if (pose ? record.poses : record.velocities) return;
  throw Error(ErrorKind::kBadInput,
              fmt::format("plot: '{}' is not in this recording; the scene's [record] leaves out {}", q.name,
                          pose ? "poses" : "velocities"));
}

void check_units(const std::vector<Quantity>& quantities) {
  for (const Quantity& q : quantities) {
    const Quantity& first = quantities.front();
    if (q.unit == first.unit) continue;
    const auto unit = [](const Quantity& of) { return of.unit.empty() ? std::string("no unit") : "[" + of.unit + "]"; };
    throw Error(ErrorKind::kBadInput,
                fmt::format("plot: '{}' has {} and '{}' has {}; one plot takes one unit, draw two plots", first.name,
                            unit(first), q.name, unit(q)));
  }
}

// 3D: the angle between two orientations w, x, y, z, from 0 to π; q and −q are the same.
double angle_between(const double* a, const double* b) {
  double same = 0, turned = 0;
  for (int i = 0; i < 4; ++i) same += a[i] * b[i];
  for (int i = 0; i < 4; ++i) turned += std::pow(b[i] - same * a[i], 2);
  return 2 * std::atan2(std::sqrt(turned), std::abs(same));
}

// NaN, a gap in the line, where the body is not there. start: the body's orientation when it was first seen.
double value_of(const Quantity& q, const Frame& frame, int dimension, std::vector<double>& start) {
  if (q.field) return frame.report[static_cast<std::size_t>(q.field - report_fields().data())];
  if (q.slot >= frame.slots || !frame.alive[q.slot]) return kNaN;
  const auto index = static_cast<std::size_t>(index_of(*q.component, dimension));
  const auto pose = [&](std::size_t i) {
    return frame.poses[q.slot * static_cast<std::size_t>(pose_width(dimension)) + i];
  };
  const auto velocity = [&](std::size_t i) {
    return frame.velocities[q.slot * static_cast<std::size_t>(velocity_width(dimension)) + i];
  };
  switch (q.component->source) {
    case Source::kPose:
      return pose(index);
    case Source::kVelocity:
      return velocity(index);
    case Source::kSpeed:
      return std::hypot(velocity(0), velocity(1), dimension == 2 ? 0.0 : velocity(2));
    case Source::kAngle:
      break;
  }
  if (dimension == 2) return pose(index);
  const double q_WB[4] = {pose(index), pose(index + 1), pose(index + 2), pose(index + 3)};
  if (start.empty()) start.assign(q_WB, q_WB + 4);
  return angle_between(start.data(), q_WB);
}

std::string axis_label(const std::vector<Quantity>& quantities) {
  std::string text = quantities.front().name;
  const std::string& unit = quantities.front().unit;
  if (quantities.size() > 1) {
    const bool bodies =
        std::all_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.component != nullptr; });
    text = unit == "J"       ? "energy"
           : unit == "m"     ? (bodies ? "position" : "length")
           : unit == "m/s"   ? (bodies ? "velocity" : "speed")
           : unit == "rad"   ? "angle"
           : unit == "rad/s" ? "angular velocity"
           : unit == "s"     ? "time"
           : unit.empty()    ? "number"
                             : "";
  } else if (quantities.front().field) {
    std::replace(text.begin(), text.end(), '_', ' ');
  }
  return unit.empty() ? text : fmt::format("{}{}[{}]", text, text.empty() ? "" : " ", unit);
}

std::vector<Quantity> find_quantities(const Recording& recording, const std::vector<std::string>& names) {
  if (names.empty()) throw Error(ErrorKind::kBadInput, "plot: name at least one quantity, such as energy");
  std::vector<Quantity> quantities;
  for (const std::string& name : names) quantities.push_back(find_quantity(recording.info(), name));
  for (const Quantity& q : quantities) check_recorded(q, recording.info().record);
  return quantities;
}

SeriesTable series_of(const Recording& recording, const std::vector<Quantity>& quantities) {
  SeriesTable table;
  for (const StepMark& mark : recording.frames()) table.time.push_back(mark.time);
  for (const Quantity& q : quantities) table.series.push_back({q.name, q.unit, {}});
  std::vector<std::vector<double>> starts(quantities.size());
  const bool from_frames =
      std::any_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.component; });
  for (std::size_t f = 0; from_frames && f < recording.frame_count(); ++f) {
    const Frame frame = recording.read_frame(f);
    for (std::size_t i = 0; i < quantities.size(); ++i)
      table.series[i].values.push_back(value_of(quantities[i], frame, recording.info().dimension, starts[i]));
  }
  for (std::size_t i = 0; !from_frames && i < quantities.size(); ++i)
    table.series[i].values = recording.series(quantities[i].name);
  return table;
}

}  // namespace

SeriesTable series_of(const Recording& recording, const std::vector<std::string>& names) {
  return series_of(recording, find_quantities(recording, names));
}

std::string series_csv(const SeriesTable& table) {
  std::string out = "time [s]";
  for (const SeriesTable::Series& s : table.series)
    out += ',' + csv_text(s.unit.empty() ? s.name : fmt::format("{} [{}]", s.name, s.unit));
  out += '\n';
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    out += fmt::format("{}", table.time[i]);
    for (const SeriesTable::Series& s : table.series) out += fmt::format(",{}", s.values[i]);
    out += '\n';
  }
  return out;
}

Plot plot_of(const Recording& recording, const std::vector<std::string>& names) {
  const std::vector<Quantity> quantities = find_quantities(recording, names);
  check_units(quantities);
  const RecordingInfo& info = recording.info();
  Plot plot;
  plot.title = fmt::format("{} ({})", info.scene_name, info.model);
  plot.x_label = "time [s]";
  plot.y_label = axis_label(quantities);
  SeriesTable table = series_of(recording, quantities);
  for (SeriesTable::Series& s : table.series) plot.series.push_back({s.name, table.time, std::move(s.values)});
  return plot;
}

}  // namespace touchstone
