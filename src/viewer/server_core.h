#pragma once
// What the connections of one server share. Included by the few files that see Boost.
#include <utility>  // Boost 1.74's Asio uses std::exchange without it

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <set>
#include <string>

#include "viewer/content.h"
#include "viewer/server.h"

namespace touchstone::viewer {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

class SocketViewer;

struct ServerCore {
  ServerCore(const ServerOptions& o, Content& c) : options(o), content(c), cookie("touchstone") {}

  ServerOptions options;
  Content& content;
  std::string cookie;  // its name: cookies do not tell ports apart, so that it holds the port
  bool loopback_only = true;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> viewer_count{0};
  std::set<SocketViewer*> viewers;  // of the thread of `io`
  asio::io_context io{1};           // one thread: connections need no locks
  asio::thread_pool worker{1};      // asks the content, which may take a while
};

// Counts a connection for as long as it lives.
class ConnectionTicket {
 public:
  explicit ConnectionTicket(ServerCore& core) : core_(&core) { ++core_->connections; }
  ConnectionTicket(ConnectionTicket&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  ConnectionTicket& operator=(ConnectionTicket&&) = delete;
  ~ConnectionTicket() {
    if (core_) --core_->connections;
  }

 private:
  ServerCore* core_;
};

// Speaks HTTP on a socket until it closes, or hands it over to a SocketViewer. In http_connection.cpp.
void start_http(ServerCore& core, Tcp::socket socket, ConnectionTicket ticket);

// Every viewer looks whether there is news for it. In socket_viewer.cpp.
void pump_viewers(ServerCore& core);

}  // namespace touchstone::viewer
