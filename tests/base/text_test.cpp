#include "base/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace touchstone {
namespace {

TEST(Text, OneThingIsNotSeveral) {
  EXPECT_EQ(counted(1, "body"), "1 body");
  EXPECT_EQ(counted(2, "body"), "2 bodies");
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(counted(1, "recorded step"), "1 recorded step");
  EXPECT_EQ(counted(3, "vertex"), "3 vertices");
  EXPECT_EQ(counted(2, "leaf"), "2 leaves");
}

TEST(Text, Utf8IsToldFromOtherBytes) {
  for (const char* good :
       {"", "plain", "Käfig", "µ·π", "你好", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xee\x80\x80"}) {
    EXPECT_TRUE(is_valid_utf8(good)) << good;
    EXPECT_EQ(valid_utf8(good), good);
  }
  const std::string mark = "\xef\xbf\xbd";
  const std::vector<std::pair<std::string, std::string>> bad{{"\xff", mark},
                                                             {"a\x80z", "a" + mark + "z"},
                                                             {"\xc3", mark},
                                                             {"\xc3(", mark + "("},
                                                             {"\xc0\xaf", mark + mark},  // overlong
                                                             {"\xe0\x80\xaf", mark + mark + mark},
                                                             {"\xed\xa0\x80", mark + mark + mark},  // surrogate
                                                             {"\xf4\x90\x80\x80", mark + mark + mark + mark},
                                                             {"\xf8\x88\x80\x80\x80", mark + mark + mark + mark + mark},
                                                             {"ä\xe4", "ä" + mark}};
  for (const auto& [text, expected] : bad) {
    EXPECT_FALSE(is_valid_utf8(text));
    EXPECT_EQ(valid_utf8(text), expected);
    EXPECT_TRUE(is_valid_utf8(expected));
  }
}

TEST(JsonText, ReplacesWhatIsNoUtf8InKeysAndValues) {
  const nlohmann::ordered_json json{{"k\xff", "v\xc3"}, {"list", {"\x80", 1.5, nullptr}}};
  EXPECT_EQ(json_text(json), "{\"k\xef\xbf\xbd\":\"v\xef\xbf\xbd\",\"list\":[\"\xef\xbf\xbd\",1.5,null]}");
  EXPECT_TRUE(nlohmann::json::accept(json_text(json, 2)));
  EXPECT_NE(json_text(json, 2).find("\n  \"list\""), std::string::npos);
}

}  // namespace
}  // namespace touchstone
