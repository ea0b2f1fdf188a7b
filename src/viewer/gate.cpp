#include "viewer/gate.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "touchstone/error.h"

namespace touchstone::viewer {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Nothing if a percent sign is not followed by two digits.
std::optional<std::string> decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

bool suspicious(std::string_view path) {
  return path.find("..") != std::string_view::npos || path.find("//") != std::string_view::npos ||
         path.find('\\') != std::string_view::npos || path.find('%') != std::string_view::npos ||
         std::any_of(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

bool is_address(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (name.size() > 2 && name.front() == '[' && name.back() == ']')
    return inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), bytes.data()) == 1;
  return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorKind::kIo, "the system gives no random numbers, so that the viewer's address cannot be secret");
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  const volatile unsigned result = difference;  // so that the loop is not left early
  return result == 0;
}

std::optional<Target> parse_target(std::string_view text) {
  const std::size_t mark = text.find('?');
  const std::optional<std::string> path = decode(text.substr(0, mark));
  if (!path || path->empty() || path->front() != '/' || suspicious(*path)) return std::nullopt;
  Target out;
  out.path = *path;
  std::string_view rest = mark == std::string_view::npos ? std::string_view{} : text.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const auto name = decode(pair.substr(0, equals));
    const auto value = decode(equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1));
    if (!name || !value) return std::nullopt;
    out.query.emplace(*name, *value);
  }
  return out;
}

std::optional<std::size_t> query_number(const Target& target, const std::string& name, std::size_t otherwise) {
  const auto found = target.query.find(name);
  if (found == target.query.end()) return otherwise;
  std::size_t value = 0;
  const char* const end = found->second.data() + found->second.size();
  const auto [stop, error] = std::from_chars(found->second.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool host_allowed(std::string_view host, bool loopback_only) {
  std::string name = lower(host);
  const std::size_t colon = name.rfind(':');
  if (colon != std::string::npos && name.find(']', colon) == std::string::npos) {
    const std::string_view port = std::string_view(name).substr(colon + 1);
    if (port.empty() || port.size() > 5 ||
        !std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return false;
    name.resize(colon);
  }
  if (name == "localhost" || name == "127.0.0.1" || name == "[::1]") return true;
  return !loopback_only && is_address(name);
}

bool origin_allowed(std::string_view origin, std::string_view host) {
  return origin.empty() || lower(origin) == "http://" + lower(host);
}

std::string_view cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
    while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
    if (pair.size() > name.size() && pair.substr(0, name.size()) == name && pair[name.size()] == '=')
      return pair.substr(name.size() + 1);
  }
  return {};
}

}  // namespace touchstone::viewer
