#pragma once
// The page as it is sent: what its browser may do. io/replay/html.h has the page itself.
#include <string>
#include <string_view>

namespace touchstone::viewer {

// Every script of the page carries the word that the policy asks for.
std::string with_nonce(std::string_view page, const std::string& nonce);

// The value of Content-Security-Policy: nothing but what the page has in itself, and this server. Without a nonce, for
// everything that is not the page, nothing at all.
std::string content_policy(const std::string& nonce);

}  // namespace touchstone::viewer
