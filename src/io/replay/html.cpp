#include "io/replay/html.h"

#include <fmt/format.h>

#include "io/export/base64.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

std::string run_head(std::size_t index) {
  return fmt::format("<script type=\"text/plain\" id=\"touchstone-run-{}\">", index);
}
constexpr std::string_view kRunEnd = "</script>\n";

}  // namespace

std::string_view require_viewer_page() {
  if (viewer_page().empty())
    throw Error(ErrorKind::kUnsupported,
                "this touchstone was built without the viewer's page: Node.js or npm was missing, or npm could not get "
                "its packages. Install nodejs (18 or newer) and npm, then build again");
  return viewer_page();
}

std::string script_safe(const ReplayJson& json) {
  std::string out;
  for (const char c : replay_text(json))
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string page_block(const std::string& mode, const std::string& title, std::size_t runs, const ReplayJson& report,
                       const ReplayJson& statics) {
  ReplayJson block = {{"mode", mode}, {"title", title}, {"runs", runs}};
  if (!report.is_null()) block["report"] = report;
  if (!statics.is_null()) block["statics"] = statics;
  return "<script type=\"application/json\" id=\"touchstone-page\">" + script_safe(block) + "</script>\n";
}

std::string page_with(std::string_view page, std::string_view data) {
  const std::size_t at = page.find(kDataPlace);
  if (at == std::string_view::npos || page.find(kDataPlace, at + 1) != std::string_view::npos)
    throw Error(ErrorKind::kUnsupported, "the viewer's page of this program is damaged: it has no place for data");
  std::string out;
  out.reserve(page.size() + data.size());
  out.append(page.substr(0, at)).append(data).append(page.substr(at + kDataPlace.size()));
  return out;
}

std::string html_page(std::string_view page, const std::string& title, const std::vector<PackedRun>& runs,
                      const ReplayJson& report) {
  std::string data = page_block("embedded", title, runs.size(), report);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    data += run_head(i);
    data += to_base64(runs[i].bytes);
    data += kRunEnd;
  }
  return page_with(page, data);
}

std::size_t html_overhead(std::string_view page, const std::string& title, std::size_t runs, const ReplayJson& report) {
  std::size_t size = page.size() - kDataPlace.size() + page_block("embedded", title, runs, report).size();
  for (std::size_t i = 0; i < runs; ++i) size += run_head(i).size() + kRunEnd.size();
  return size;
}

}  // namespace touchstone
