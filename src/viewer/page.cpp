#include "viewer/page.h"

#include <fmt/format.h>

namespace touchstone::viewer {

std::string with_nonce(std::string_view page, const std::string& nonce) {
  constexpr std::string_view kTag = "<script";
  std::string out;
  out.reserve(page.size() + 256);
  while (true) {
    const std::size_t at = page.find(kTag);
    if (at == std::string_view::npos) break;
    out += page.substr(0, at + kTag.size());
    page.remove_prefix(at + kTag.size());
    // Without quotes: inside a script, such a text stays the text that it was.
    if (!page.empty() && (page.front() == '>' || page.front() == ' ')) out += " nonce=" + nonce;
  }
  out += page;
  return out;
}

std::string content_policy(const std::string& nonce) {
  if (nonce.empty()) return "default-src 'none'; frame-ancestors 'none'";
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
      "media-src blob:; worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
      "'none'",
      nonce);
}

}  // namespace touchstone::viewer
