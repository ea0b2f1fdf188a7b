#include "study/compare/html.h"

#include "io/replay/html.h"
#include "study/compare/report.h"

namespace touchstone::compare {

ReportPage write_report_page(const Comparison& comparison, std::string_view page, double frames_per_second,
                             OutputFile& file, const std::function<void(double)>& progress) {
  const std::vector<std::size_t> shown = runs_to_show(comparison);
  PackOptions options;
  options.frames_per_second = frames_per_second;
  options.max_bytes = kMostBytesARun;
  ReportPage out;
  std::vector<PackedRun> packs;
  for (const std::size_t i : shown) {
    const double done = static_cast<double>(packs.size()), all = static_cast<double>(shown.size());
    packs.push_back(pack_recording(Recording::open(comparison.runs[i].recording), options,
                                   [&](double part) { progress ? progress((done + part) / all) : void(); }));
    out.rules.push_back(packs.back().rule);
  }
  const Json report = page_report(comparison, shown);
  file.write(html_page(page, report["title"].get<std::string>(), packs, report));
  out.bytes = file.size();
  return out;
}

}  // namespace touchstone::compare
