#pragma once
// A client on plain sockets: what it sends is what the test says, right or wrong. Its WebSocket is written from
// RFC 6455, not from the server's library.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace viewer_client {

using Milliseconds = std::chrono::milliseconds;

class RawClient {
 public:
  // Throws std::runtime_error if nobody listens. A small receive buffer makes a slow client.
  explicit RawClient(std::uint16_t port, int receive_buffer = 0);
  ~RawClient();
  RawClient(RawClient&& other) noexcept;
  RawClient& operator=(RawClient&&) = delete;

  bool send(std::string_view bytes);  // false: the other side has closed
  // Appends what comes to `into`; false if nothing came in time or the other side has closed (then closed() is true).
  bool receive(std::string& into, Milliseconds wait);
  bool closed() const { return closed_; }
  // Until the other side closes, or nothing comes in time.
  std::string receive_all(Milliseconds wait = Milliseconds(5000));

 private:
  int socket_ = -1;
  bool closed_ = false;
};

struct Response {
  int status = 0;
  std::string head, body;
  std::string header(const std::string& name) const;  // empty if it is not there
};

// One request on a connection of its own; `headers` are whole lines that end with "\r\n".
Response get(std::uint16_t port, const std::string& target, const std::string& headers = "",
             const std::string& host = "127.0.0.1");
Response parse_response(const std::string& text);

struct Message {
  int opcode = 0;  // 1 text, 2 binary, 8 close
  std::string data;
};

class WebSocket {
 public:
  // Throws std::runtime_error with the answer if the server refuses.
  WebSocket(std::uint16_t port, const std::string& target, const std::string& headers = "", int receive_buffer = 0);
  bool send(std::string_view text, int opcode = 1);
  // Empty if nothing came in time. Pings are answered on the way.
  std::optional<Message> receive(Milliseconds wait = Milliseconds(10000));
  bool closed() const { return client_.closed(); }
  RawClient& raw() { return client_; }

 private:
  RawClient client_;
  std::string buffer_;
};

}  // namespace viewer_client
