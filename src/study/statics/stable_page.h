#pragma once
// The verdict of `touchstone stable` as a page for the browser.
#include <string_view>

#include "study/statics/stable.h"

namespace touchstone::statics {

// One self-contained page: the viewer with the scene, the places of its bodies and stable_json() in it. `page`:
// viewer_page().
std::string stable_page(const SceneDescription& scene, const StableReport& report, std::string_view page);

}  // namespace touchstone::statics
