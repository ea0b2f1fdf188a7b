#pragma once
// The one place that writes JSON. Text that is not UTF-8 (a file name, a word of a damaged file) becomes replacement
// characters; nlohmann's own default throws, which a program notices as an abort.
#include <string>

namespace touchstone {

// On one line, or with so many spaces of indentation. `Json` is any of nlohmann's types: this module does not need it.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace touchstone
