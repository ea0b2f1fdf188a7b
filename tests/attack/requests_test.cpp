// Damaged requests to the viewer's server, and damaged commands to a live run. The server answers a good request
// afterwards, and nobody without the token gets to see anything.
#include <gtest/gtest.h>

#include "attack/attack.h"
#include "base/text.h"
#include "viewer/client.h"
#include "viewer/commands.h"
#include "viewer/gate.h"
#include "viewer/scenes.h"
#include "viewer/server.h"
#include "viewer/shows.h"

namespace touchstone::attack {
namespace {

using namespace viewer;
using namespace viewer_client;
using namespace std::chrono_literals;

constexpr const char* kSecret = "the-numbers-of-the-run";

class SecretContent : public Content {
 public:
  Answer page() override { return {200, "text/html; charset=utf-8", std::string("<script>") + kSecret}; }
  Answer manifest() override { return {200, "application/json", std::string("{\"x\":\"") + kSecret + "\"}"}; }
  Answer frames(std::size_t, std::size_t) override { return {200, "application/octet-stream", kSecret}; }
  Answer series() override { return {200, "application/octet-stream", kSecret}; }
};

TEST(Attack, Requests) {
  SecretContent content;
  ServerOptions options;
  options.request_time = 200ms;
  options.idle_time = 200ms;
  const Server server(options, content);
  const std::string with = "?token=" + server.token(), host = "Host: 127.0.0.1\r\n", end = "Connection: close\r\n\r\n";
  const std::vector<std::string> seeds{
      "GET /" + with + " HTTP/1.1\r\n" + host + end,
      "GET /api/manifest" + with + " HTTP/1.1\r\n" + host + "Origin: http://127.0.0.1\r\n" + end,
      "GET /api/frames" + with + "&first=3&count=2 HTTP/1.1\r\n" + host + end,
      "GET /api/series HTTP/1.1\r\n" + host + "Cookie: touchstone-" + std::to_string(server.port()) + "=" +
          server.token() + "\r\n" + end,
      "GET /ws" + with + " HTTP/1.1\r\n" + host +
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"};
  const std::vector<std::string> words{"Host:",   "Origin:", "GET",    "POST",    "HTTP/1.1",    "/..",  "%2e",
                                       "chunked", "Cookie:", "Range:", "\r\n",    "token",       "null", "localhost",
                                       "[::1]",   "::",      "*",      "//",      "\\",          "%00",  "%",
                                       "&",       "=",       "?",      "Expect:", "100-continue"};
  run_cases("requests", words, [&](Mutator& m) {
    const std::string request = m.damage(m.pick(seeds), m.pick(seeds));
    RawClient client(server.port());
    client.send(request);
    if (!m.chance(4)) return;  // most leave at once
    const std::string text = client.receive_all(30ms);
    const bool may_see = request.find(server.token()) != std::string::npos && parse_response(text).status == 200;
    EXPECT_TRUE(may_see || text.find(kSecret) == std::string::npos) << request;
  });
  EXPECT_EQ(get(server.port(), "/api/manifest" + with).status, 200);
}

TEST(Attack, Targets) {
  run_cases("targets", {"..", "%2e", "%", "&", "=", "?", "token"}, [](Mutator& m) {
    const std::optional<Target> target = parse_target(m.damage("/api/frames?first=3&count=2&token=0123456789abcdef"));
    if (!target) return;
    EXPECT_EQ(target->path.find(".."), std::string::npos);
    EXPECT_EQ(target->path.front(), '/');
    query_number(*target, "first", 0);
    host_allowed(m.damage("127.0.0.1:8080"), m.chance(2));
    cookie(m.damage("a=b; touchstone-1=2; c"), "touchstone-1");
  });
}

TEST(Attack, Commands) {
  const std::vector<std::string> seeds{
      R"({"do":"play"})",
      R"({"do":"pause"})",
      R"({"do":"step","steps":-20})",
      R"({"do":"speed","value":4})",
      R"({"do":"restart"})",
      R"({"do":"model","name":"penalty"})",
      R"({"do":"step_size","value":0.002})",
      R"({"do":"material","name":"default","static_friction":0.5,"dynamic_friction":0.4,"restitution":0.5})",
      R"({"do":"drag","body":1,"local":[0,0,0],"target":[1,1,1]})",
      R"({"do":"release"})",
      R"({"do":"goto","step":50})"};
  const std::vector<std::string> words{"play", "model", "step_size", "impulse", "free", "null", "true", "{}", "[]"};
  SessionOptions options;
  options.play = true;
  LiveShow show(kTestPage, test_scene(2, "impulse"), options);
  Feed& feed = *show.feed();
  run_cases("commands", words, [&](Mutator& m) {
    const std::string message = m.damage(m.pick(seeds), m.pick(seeds));
    // A step that is right and large may take its minutes: those commands are read and not done.
    const bool slow = message.find("step_size") != std::string::npos;
    const auto parsed = parse_command(message);
    const auto* sentence = std::get_if<std::string>(&parsed);
    const std::string wrong = sentence ? *sentence : slow ? "" : feed.command(message);
    EXPECT_TRUE(is_valid_utf8(wrong)) << wrong;
    EXPECT_TRUE(is_valid_utf8(error_message(wrong)));
    EXPECT_TRUE(is_valid_utf8(*feed.latest().status));
    if (m.chance(16)) feed.want_frame();
  });
}

}  // namespace
}  // namespace touchstone::attack
