#include "recording/info_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using Json = nlohmann::json;

// JSON has no infinity: an endless duration is written as null.
double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

template <class Parse>
void guarded(const Parse& parse) {
  try {
    parse();
  } catch (const Json::exception& e) {
    throw Error(ErrorKind::kBadInput, "its description is damaged: " + valid_utf8(e.what()));
  }
}

}  // namespace

std::vector<ReportColumn> current_report_columns() {
  std::vector<ReportColumn> columns;
  for (const ReportField& field : report_fields()) columns.push_back({field.name, field.unit, field.help});
  return columns;
}

// Until then the name did not say that it is the model's own account.
std::string former_name(const std::string& field) { return field == "model_penetration" ? "max_penetration" : ""; }

bool is_column_of(const std::string& column, const std::string& field) {
  return column == field || (!column.empty() && column == former_name(field));
}

std::string info_to_json(const RecordingInfo& info, const std::vector<ReportColumn>& report) {
  Json columns = Json::array();
  for (const ReportColumn& c : report) columns.push_back({{"name", c.name}, {"unit", c.unit}, {"help", c.help}});
  const RecordDescription& r = info.record;
  return json_text(Json{{"program_version", info.program_version},
                        {"model", info.model},
                        {"scene_name", info.scene_name},
                        {"scene_text", info.scene_text},
                        {"scene_path", info.scene_path},
                        {"scene_files", info.scene_files},
                        {"overrides", info.overrides},
                        {"dimension", info.dimension},
                        {"step_size", info.step_size},
                        {"duration", info.duration},
                        {"seed", info.seed},
                        {"record",
                         {{"every", r.every},
                          {"poses", r.poses},
                          {"velocities", r.velocities},
                          {"contacts", r.contacts},
                          {"yardstick", r.yardstick}}},
                        {"body_names", info.body_names},
                        {"joint_names", info.joint_names},
                        {"report", columns}});
}

void info_from_json(const std::string& text, RecordingInfo& info, std::vector<ReportColumn>& report) {
  guarded([&] {
    const Json json = Json::parse(text);
    info.program_version = json.at("program_version").get<std::string>();
    info.model = json.at("model").get<std::string>();
    info.scene_name = json.at("scene_name").get<std::string>();
    info.scene_text = json.at("scene_text").get<std::string>();
    info.scene_path = json.at("scene_path").get<std::string>();
    if (json.contains("scene_files")) json.at("scene_files").get_to(info.scene_files);
    json.at("overrides").get_to(info.overrides);
    info.dimension = json.at("dimension").get<int>();
    info.step_size = number(json.at("step_size"));
    info.duration = number(json.at("duration"));
    info.seed = json.at("seed").get<std::uint64_t>();
    const Json& record = json.at("record");
    info.record.every = record.at("every").get<std::int64_t>();
    info.record.poses = record.at("poses").get<bool>();
    info.record.velocities = record.at("velocities").get<bool>();
    info.record.contacts = record.at("contacts").get<bool>();
    info.record.yardstick = record.value("yardstick", false);
    json.at("body_names").get_to(info.body_names);
    if (json.contains("joint_names")) json.at("joint_names").get_to(info.joint_names);
    report.clear();
    for (const Json& c : json.at("report")) report.push_back({c.at("name"), c.at("unit"), c.at("help")});
  });
  if (info.dimension != 2 && info.dimension != 3)
    throw Error(ErrorKind::kBadInput, "its description is damaged: the dimension is neither 2 nor 3");
}

std::string overrides_to_json(const RecordingInfo& info) { return json_text(Json(info.overrides)); }

std::string files_to_json(const RecordingInfo& info) { return json_text(Json(info.scene_files)); }

void files_from_json(const std::string& text, RecordingInfo& info) {
  guarded([&] { Json::parse(text).get_to(info.scene_files); });
}

void overrides_from_json(const std::string& text, RecordingInfo& info) {
  guarded([&] { Json::parse(text).get_to(info.overrides); });
}

}  // namespace touchstone
