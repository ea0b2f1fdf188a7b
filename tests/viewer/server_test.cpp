// Who may not get in, and what those who do wrong get to see: nothing.
#include "viewer/server.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "touchstone/error.h"
#include "viewer/client.h"
#include "viewer/gate.h"

namespace touchstone::viewer {
namespace {

using namespace viewer_client;
using namespace std::chrono_literals;

constexpr const char* kSecret = "the-numbers-of-the-run";

class TestContent : public Content {
 public:
  Answer page() override { return {200, "text/html; charset=utf-8", std::string("<script>") + kSecret}; }
  Answer manifest() override { return {200, "application/json", std::string("{\"x\":\"") + kSecret + "\"}"}; }
  Answer frames(std::size_t first, std::size_t count) override {
    return {200, "application/octet-stream", kSecret + std::to_string(first) + "," + std::to_string(count)};
  }
  Answer series() override {
    return {200, "application/octet-stream", std::string(std::size_t{8} << 20, 'x') + kSecret};
  }
};

class TestServer : public ::testing::Test {
 protected:
  static ServerOptions fast() {
    ServerOptions o;
    o.request_time = 400ms;
    o.idle_time = 400ms;
    return o;
  }
  explicit TestServer(const ServerOptions& options = fast()) : server(options, content) {}

  std::string with_token(const std::string& target) const {
    return target + (target.find('?') == std::string::npos ? "?" : "&") + "token=" + server.token();
  }
  // Refused without data, without the token, without a word on what there would be.
  void expect_refused(const Response& r, int status, const std::string& why) const {
    EXPECT_EQ(r.status, status) << why << "\n" << r.head;
    EXPECT_EQ(r.body.find(kSecret), std::string::npos) << why;
    EXPECT_EQ((r.head + r.body).find(server.token()), std::string::npos) << why;
    EXPECT_EQ(r.header("Set-Cookie"), "") << why;
    EXPECT_LT(r.body.size(), 200u) << why;
  }

  TestContent content;
  Server server;
};

TEST_F(TestServer, AnswersWithTheToken) {
  const Response page = get(server.port(), with_token("/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find(kSecret), std::string::npos);
  EXPECT_EQ(page.header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page.header("Cache-Control"), "no-store");
  EXPECT_EQ(page.header("Referrer-Policy"), "no-referrer");
  EXPECT_NE(page.header("Content-Security-Policy").find("default-src 'none'"), std::string::npos);
  const std::string cookie = page.header("Set-Cookie");
  EXPECT_NE(cookie.find("HttpOnly; SameSite=Lax"), std::string::npos);
  // The nonce of the policy is that of the script, and another one next time.
  const std::string policy = page.header("Content-Security-Policy");
  const std::size_t at = policy.find("'nonce-");
  ASSERT_NE(at, std::string::npos);
  const std::string nonce = policy.substr(at + 7, 32);
  EXPECT_NE(page.body.find("<script nonce=" + nonce), std::string::npos);
  EXPECT_EQ(get(server.port(), with_token("/")).body.find(nonce), std::string::npos);
  // From then on the cookie will do.
  const std::string pair = "Cookie: " + cookie.substr(0, cookie.find(';')) + "\r\n";
  EXPECT_EQ(get(server.port(), "/api/manifest", pair).status, 200);
  EXPECT_EQ(get(server.port(), "/api/frames?first=3&count=2", pair).body, std::string(kSecret) + "3,2");
  EXPECT_EQ(get(server.port(), "/api/series", pair).body.size(), (std::size_t{8} << 20) + std::string(kSecret).size());
  expect_refused(get(server.port(), "/ws", pair), 404, "a recording has no WebSocket");
}

TEST_F(TestServer, KeepsAConnectionOpen) {
  RawClient client(server.port());
  std::string all;
  for (int i = 1; i <= 3; ++i) {
    client.send("GET " + with_token("/api/manifest") + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    while (static_cast<int>(std::count(all.begin(), all.end(), '}')) < i && client.receive(all, 5000ms)) continue;
    EXPECT_EQ(std::count(all.begin(), all.end(), '}'), i);
  }
}

TEST_F(TestServer, WrongToken) {
  std::string almost = server.token();
  almost.back() = almost.back() == '0' ? '1' : '0';
  for (const std::string& token : {std::string(), std::string("x"), almost, server.token() + "0",
                                   server.token().substr(1), std::string(32, '0'), std::string(4000, 'a')})
    for (const char* path : {"/", "/api/manifest", "/api/frames", "/api/series", "/ws", "/nothing"}) {
      expect_refused(get(server.port(), std::string(path) + "?token=" + token), 403, path);
      expect_refused(
          get(server.port(), path, "Cookie: touchstone-" + std::to_string(server.port()) + "=" + token + "\r\n"), 403,
          path);
    }
  expect_refused(get(server.port(), "/"), 403, "no token");
}

TEST_F(TestServer, ForeignHostAndOrigin) {
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.0.7", ""})
    expect_refused(get(server.port(), with_token("/"), "", host), 403, host);
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"}) {
    const std::string line = std::string("Origin: ") + origin + "\r\n";
    expect_refused(get(server.port(), with_token("/api/manifest"), line), 403, origin);
    expect_refused(get(server.port(), with_token("/ws"), line + "Upgrade: websocket\r\n"), 403, origin);
  }
  expect_refused(get(server.port(), with_token("/api/manifest"), "Sec-Fetch-Site: cross-site\r\n"), 403, "cross-site");
  EXPECT_EQ(get(server.port(), with_token("/"), "Origin: http://127.0.0.1\r\n").status, 200);
}

TEST_F(TestServer, ASecondHostOrOriginIsRefused) {
  const std::string target = with_token("/api/manifest");
  for (const char* more : {"Host: 127.0.0.1\r\n", "Host: evil.example\r\n", "host: localhost\r\n",
                           "Origin: http://127.0.0.1\r\nOrigin: http://evil.example\r\n",
                           "Origin: http://127.0.0.1\r\norigin: http://127.0.0.1\r\n"})
    expect_refused(get(server.port(), target, more), 400, more);
  EXPECT_EQ(get(server.port(), target, "Origin: http://127.0.0.1\r\n").status, 200);
}

TEST_F(TestServer, NoWayOut) {
  for (const char* path :
       {"/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%252e%252e/etc/passwd",
        "//etc/passwd", "/api/../../etc/passwd", "/..\\..\\etc", "/%00", "http://evil.example/", "*"})
    expect_refused(get(server.port(), with_token(path)), 400, path);
  for (const char* path : {"/etc/passwd", "/api", "/api/", "/index.html", "/favicon.ico", "/api/manifest/"})
    expect_refused(get(server.port(), with_token(path)), 404, path);
  for (const char* query : {"first=-1", "first=x", "count=1e9", "first=99999999999999999999999"})
    expect_refused(get(server.port(), with_token(std::string("/api/frames?") + query)), 400, query);
}

TEST_F(TestServer, OnlyShortRequestsWithoutBody) {
  const auto ask = [&](const std::string& request) {
    RawClient client(server.port());
    client.send(request);
    return parse_response(client.receive_all());
  };
  const std::string host = "Host: 127.0.0.1\r\n";
  expect_refused(ask("GET / HTTP/1.1\r\n" + host + "X: " + std::string(20000, 'a') + "\r\n\r\n"), 431, "header");
  expect_refused(ask("GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n" + host + "\r\n"), 431, "target");
  expect_refused(ask("GET " + with_token("/") + " HTTP/1.1\r\n" + host + "Content-Length: 5\r\n\r\nhello"), 413,
                 "body");
  expect_refused(ask("GET " + with_token("/") + " HTTP/1.1\r\n" + host +
                     "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                 413, "chunks");
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"})
    EXPECT_EQ(ask(std::string(method) + " " + with_token("/") + " HTTP/1.1\r\n" + host + "\r\n").status, 405) << method;
  expect_refused(ask("no request at all\r\n\r\n"), 400, "nonsense");
}

TEST_F(TestServer, SlowRequestsAreCut) {
  RawClient slow(server.port()), silent(server.port());
  std::string request = "GET " + with_token("/") + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + std::string(2000, 'a');
  std::string answer;
  bool open = true;
  for (std::size_t i = 0; open && i < request.size(); ++i) {  // a byte every 20 ms would take 40 s
    open = slow.send(request.substr(i, 1)) && !slow.receive(answer, 20ms) && !slow.closed();
    EXPECT_EQ(get(server.port(), with_token("/api/manifest")).status, 200) << "others are not kept waiting";
  }
  EXPECT_FALSE(open);
  EXPECT_EQ(answer.find(kSecret), std::string::npos);
  EXPECT_EQ(silent.receive_all(), "");
  EXPECT_TRUE(silent.closed());
}

TEST_F(TestServer, RandomBytesDoNoHarm) {
  std::mt19937_64 random(20240117);
  const std::string good =
      "GET " + with_token("/api/manifest") + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  const std::string upgrade = "GET /ws?token=" + server.token() +
                              " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
  for (int i = 0; i < 3000; ++i) {
    std::string request = random() % 3 == 0 ? upgrade : good;
    if (random() % 4 == 0) {
      request.resize(random() % 300);
      for (char& c : request) c = static_cast<char>(random());
    }
    for (std::uint64_t n = 1 + random() % 6; n > 0 && !request.empty(); --n) {
      const std::size_t at = random() % request.size();
      if (random() % 2) request[at] = static_cast<char>(random());
      if (random() % 8 == 0) request.resize(at);
      if (random() % 8 == 0) request.insert(at, std::string(random() % 5000, static_cast<char>(random())));
    }
    RawClient client(server.port());
    client.send(request);
    if (i % 50) continue;  // most are cut off at once, some are waited for
    const Response r = parse_response(client.receive_all(50ms));
    if (r.status != 200) {
      EXPECT_EQ(r.body.find(kSecret), std::string::npos);
    }
  }
  EXPECT_EQ(get(server.port(), with_token("/api/manifest")).status, 200);
}

TEST_F(TestServer, APortInUseIsNamed) {
  TestContent other;
  ServerOptions options;
  options.port = server.port();
  try {
    Server second(options, other);
    FAIL() << "two servers on one port";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(e.what()).find(std::to_string(server.port())), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("--port"), std::string::npos);
  }
  for (const char* address : {"nonsense", "1.2.3", "203.0.113.7"}) {
    options.address = address;
    EXPECT_THROW(Server(options, other), Error) << address;
  }
}

TEST_F(TestServer, TheAddressHasEverything) {
  EXPECT_EQ(server.url(), "http://127.0.0.1:" + std::to_string(server.port()) + "/?token=" + server.token());
  EXPECT_TRUE(server.loopback_only());
}

class SmallServer : public TestServer {
 protected:
  static ServerOptions small() {
    ServerOptions o = fast();
    o.most_connections = 5;
    o.request_time = 1000ms;
    return o;
  }
  SmallServer() : TestServer(small()) {}
};

TEST_F(SmallServer, ConnectionsAreCounted) {
  std::vector<RawClient> idle;
  for (int i = 0; i < 20; ++i) idle.emplace_back(server.port());
  for (int i = 0; i < 200 && server.connections() < 5; ++i) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(server.connections(), 5u);
  int closed = 0;
  for (RawClient& c : idle) c.receive_all(10000ms), closed += c.closed();
  EXPECT_EQ(closed, 20) << "some at once, the others when their time was over";
  EXPECT_EQ(get(server.port(), with_token("/api/manifest")).status, 200) << "then there is room again";
}

}  // namespace
}  // namespace touchstone::viewer
