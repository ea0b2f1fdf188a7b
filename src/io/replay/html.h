#pragma once
// One self-contained page: the viewer with its data inside.
#include <string>
#include <string_view>
#include <vector>

#include "io/replay/pack.h"

namespace touchstone {

// The page as it was built into the program; empty if it was built without (no Node.js, or npm failed).
std::string_view viewer_page();
// The same, or an Error (kUnsupported) that says what to install.
std::string_view require_viewer_page();

// The text in the page that data take the place of.
constexpr std::string_view kDataPlace = "<!--touchstone:data-->";

// The block that tells the page what it is; `mode` is "embedded", "served", "live" or "statics". `report`: of a
// comparison, or null; `statics`: what a page of mode "statics" shows.
std::string page_block(const std::string& mode, const std::string& title, std::size_t runs,
                       const ReplayJson& report = nullptr, const ReplayJson& statics = nullptr);

// The page with something in that place. Throws Error (kUnsupported) if the place is not there exactly once.
std::string page_with(std::string_view page, std::string_view data);

// The page with these runs in it.
std::string html_page(std::string_view page, const std::string& title, const std::vector<PackedRun>& runs,
                      const ReplayJson& report = nullptr);

// How many bytes a page of this many runs has beside the runs themselves.
std::size_t html_overhead(std::string_view page, const std::string& title, std::size_t runs,
                          const ReplayJson& report = nullptr);

// JSON that may stand inside a script element: "<" is written as an escape.
std::string script_safe(const ReplayJson& json);

}  // namespace touchstone
