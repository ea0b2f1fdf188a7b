#pragma once
// Bytes as text of letters that every format lets through (RFC 4648).
#include <string>
#include <string_view>

namespace touchstone {

std::string to_base64(std::string_view bytes);

}  // namespace touchstone
