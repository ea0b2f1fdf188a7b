#pragma once
// The report as one self-contained page: the viewer with the runs and the report in it.
#include <string>
#include <string_view>

#include "io/export/file.h"
#include "study/compare/comparison.h"

namespace touchstone::compare {

// What a page may hold of one run, as text in it. With the page's own share, a model stays below 10 MB.
inline constexpr std::size_t kMostBytesARun = 9'000'000;

struct ReportPage {
  std::uint64_t bytes = 0;
  std::vector<std::string> rules;  // what was left out of each replay; "" where nothing was
};

// Writes it into `file` and leaves the commit to the caller. `page`: the viewer, viewer_page(). progress: 0 to 1.
ReportPage write_report_page(const Comparison& comparison, std::string_view page, double frames_per_second,
                             OutputFile& file, const std::function<void(double)>& progress = {});

}  // namespace touchstone::compare
