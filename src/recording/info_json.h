#pragma once
// What is known before the first step, as the JSON text of a journal's first record.
#include <string>
#include <vector>

#include "recording/frame.h"

namespace touchstone {

// The report's columns as the file has them; another version of the program may have others.
struct ReportColumn {
  std::string name, unit, help;
};
std::vector<ReportColumn> current_report_columns();
// Whether a column of a file holds this field of the report: under its name, or the one that it had before.
bool is_column_of(const std::string& column, const std::string& field);
// The name that a field had in older files; "" if it never had another.
std::string former_name(const std::string& field);

std::string info_to_json(const RecordingInfo& info, const std::vector<ReportColumn>& report);
// Throws Error (kBadInput, without a file name) if something is missing or of another type.
void info_from_json(const std::string& text, RecordingInfo& info, std::vector<ReportColumn>& report);

std::string overrides_to_json(const RecordingInfo& info);
void overrides_from_json(const std::string& text, RecordingInfo& info);

std::string files_to_json(const RecordingInfo& info);
void files_from_json(const std::string& text, RecordingInfo& info);

}  // namespace touchstone
