#pragma once
// Who may ask: the token of the address, the Host and Origin of a request, and the parts of its target. No networking
// here, only text.
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::viewer {

// 128 bits from the system's random source, as 32 hexadecimal digits. Throws Error (kIo) if it has none.
std::string random_token();

// Takes as long for a wrong text as for the right one of the same length.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// The target of a request, such as "/api/frames?first=3". Empty if it is no absolute path, or has a part that a file
// system might take for a way out ("..", "\\", a zero byte), written plainly or encoded, once or twice.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};
std::optional<Target> parse_target(std::string_view target);

// A number in a query; the default if it is not there, nothing if it is no number.
std::optional<std::size_t> query_number(const Target& target, const std::string& name, std::size_t otherwise);

// A name that only this machine has: a browser that was sent here by a foreign name (DNS rebinding) is refused. The
// port does not matter, so that one may be forwarded. Bound to more than the loopback, any address in digits will do.
bool host_allowed(std::string_view host, bool loopback_only);

// A page of another origin is refused; a program that is no browser sends none.
bool origin_allowed(std::string_view origin, std::string_view host);

// The value of a cookie, empty if there is none.
std::string_view cookie(std::string_view header, std::string_view name);

}  // namespace touchstone::viewer
