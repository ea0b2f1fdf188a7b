#include "viewer/gate.h"

#include <gtest/gtest.h>

#include <set>

#include "viewer/page.h"

namespace touchstone::viewer {
namespace {

TEST(Gate, TokensAreLongAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string token = random_token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_TRUE(seen.insert(token).second);
  }
}

TEST(Gate, ComparesTokens) {
  EXPECT_TRUE(equal_in_constant_time("abcd", "abcd"));
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_FALSE(equal_in_constant_time("abcd", "abce"));
  EXPECT_FALSE(equal_in_constant_time("bbcd", "abcd"));
  EXPECT_FALSE(equal_in_constant_time("abcd", "abcde"));
  EXPECT_FALSE(equal_in_constant_time("", "a"));
}

TEST(Gate, ReadsTargets) {
  const auto target = parse_target("/api/frames?first=3&count=%31%30&empty=&lone");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/frames");
  EXPECT_EQ(query_number(*target, "first", 0), 3u);
  EXPECT_EQ(query_number(*target, "count", 0), 10u);
  EXPECT_EQ(query_number(*target, "other", 7), 7u);
  EXPECT_FALSE(query_number(*target, "empty", 0));
  EXPECT_TRUE(target->query.count("lone"));
  for (const char* number : {"-1", "1.5", "1e3", "0x10", "99999999999999999999999", " 1", "1 "})
    EXPECT_FALSE(query_number({"/", {{"n", number}}}, "n", 0)) << number;
}

TEST(Gate, RefusesWaysOut) {
  for (const char* bad :
       {"", "x", "../etc/passwd", "/../etc/passwd", "/a/../../b", "/%2e%2e/etc/passwd", "/%2E%2e%2fetc/passwd",
        "/%252e%252e/etc/passwd", "/..%5c..%5cwindows", "/a\\b", "//etc/passwd", "/%00", "/a%0d%0aSet-Cookie:x", "/%zz",
        "/%4", "/%", "http://evil.example/", "*", "/?x=%g0"})
    EXPECT_FALSE(parse_target(bad)) << bad;
}

TEST(Gate, KnowsItsOwnNames) {
  for (const char* good : {"127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "[::1]:99", "[::1]"})
    EXPECT_TRUE(host_allowed(good, true)) << good;
  for (const char* bad : {"", "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:80",
                          "192.168.1.2:80", "127.0.0.1:80:80", "127.0.0.1:8a", "127.0.0.1:", "0.0.0.0", "::1"})
    EXPECT_FALSE(host_allowed(bad, true)) << bad;
  EXPECT_TRUE(host_allowed("192.168.1.2:80", false));
  EXPECT_TRUE(host_allowed("[fe80::1]:80", false));
  EXPECT_FALSE(host_allowed("evil.example", false));
  EXPECT_FALSE(host_allowed("192.168.1.2.example", false));
}

TEST(Gate, OneOriginOnly) {
  EXPECT_TRUE(origin_allowed("", "127.0.0.1:80"));
  EXPECT_TRUE(origin_allowed("http://127.0.0.1:8080", "127.0.0.1:8080"));
  for (const char* bad : {"null", "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
                          "http://localhost:8080", "http://127.0.0.1:8080.evil.example"})
    EXPECT_FALSE(origin_allowed(bad, "127.0.0.1:8080")) << bad;
}

TEST(Gate, FindsACookie) {
  EXPECT_EQ(cookie("a=1; touchstone-80=xyz; b=2", "touchstone-80"), "xyz");
  EXPECT_EQ(cookie("touchstone-80=xyz", "touchstone-80"), "xyz");
  EXPECT_EQ(cookie("touchstone-801=no", "touchstone-80"), "");
  EXPECT_EQ(cookie("my-touchstone-80=no", "touchstone-80"), "");
  EXPECT_EQ(cookie("", "touchstone-80"), "");
}

TEST(Page, EveryScriptHasTheNonce) {
  const std::string page = with_nonce("<script>a</script><script type=\"m\">var s=\"<script>\",t=\"<scripting\"", "N");
  EXPECT_EQ(page, "<script nonce=N>a</script><script nonce=N type=\"m\">var s=\"<script nonce=N>\",t=\"<scripting\"");
  EXPECT_NE(content_policy("N").find("script-src 'nonce-N'"), std::string::npos);
  EXPECT_EQ(content_policy("").find("script-src"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::viewer
