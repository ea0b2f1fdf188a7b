#include "viewer/commands.h"

#include <gtest/gtest.h>

namespace touchstone::viewer {
namespace {

std::string wrong(const std::string& message) {
  const auto parsed = parse_command(message);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "";
}

TEST(Commands, AStepThatNobodyMeansIsRefused) {
  for (const char* value : {"1e300", "1001", "1e400", "null", "\"0.1\""}) {
    const std::string said = wrong(std::string("{\"do\":\"step_size\",\"value\":") + value + "}");
    EXPECT_FALSE(said.empty()) << value;
  }
  EXPECT_NE(wrong(R"({"do":"step_size","value":1e300})").find("1e+300 s"), std::string::npos);
  for (const char* value : {"1e-9", "0.001", "1", "1000"})
    EXPECT_EQ(wrong(std::string("{\"do\":\"step_size\",\"value\":") + value + "}"), "") << value;
}

}  // namespace
}  // namespace touchstone::viewer
