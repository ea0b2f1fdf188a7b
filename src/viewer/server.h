#pragma once
// The viewer's server: HTTP and WebSocket for whoever has the token. It reads no files: what it sends is its content's.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "viewer/content.h"

namespace touchstone::viewer {

struct ServerOptions {
  std::string address = "127.0.0.1";  // in digits
  std::uint16_t port = 0;             // 0: a free one
  std::string token;                  // empty: a random one
  std::size_t most_connections = 256;
  std::size_t most_header = 8192;                  // bytes of a request
  std::size_t most_message = 16384;                // bytes of a WebSocket message to the server
  std::chrono::milliseconds request_time{10'000};  // for a request to arrive as a whole; then the connection is closed
  std::chrono::milliseconds idle_time{30'000};     // a connection may wait between two requests
  std::chrono::milliseconds answer_time{120'000};  // for an answer to be taken
  std::chrono::milliseconds ping_time{30'000};     // a viewer that answers no ping for twice this long is gone
};

class Server {
 public:
  // Listens and answers from here on, in threads of its own. The content must outlive the server. Throws Error:
  // kBadInput for an address that is none, a port in use or one that is not allowed.
  Server(const ServerOptions& options, Content& content);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  const std::string& token() const;
  std::string url() const;  // with the token
  bool loopback_only() const;
  std::size_t connections() const;  // at this moment, of both kinds
  std::size_t viewers() const;      // WebSockets among them

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::viewer
