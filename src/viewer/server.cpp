// The listener and the threads of a server.
#include "viewer/server.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "touchstone/error.h"
#include "viewer/gate.h"
#include "viewer/server_core.h"

namespace touchstone::viewer {

using boost::system::error_code;

struct Server::Impl {
  Impl(const ServerOptions& options, Content& content) : core(options, content) {}

  void open() {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(core.options.address, error);
    if (error)
      throw Error(ErrorKind::kBadInput,
                  fmt::format("--address {}: an address in digits is needed, such as 127.0.0.1", core.options.address));
    core.loopback_only = address.is_loopback();
    const Tcp::endpoint endpoint(address, core.options.port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) refuse(error);
    core.options.port = acceptor.local_endpoint().port();
    core.cookie = fmt::format("touchstone-{}", core.options.port);
  }

  [[noreturn]] void refuse(const error_code& error) const {
    const std::string what = fmt::format("{} port {}", core.options.address, core.options.port);
    if (error == asio::error::address_in_use)
      throw Error(ErrorKind::kBadInput, what +
                                            " is in use by another program; choose another --port, or leave it out "
                                            "and a free one is taken");
    if (error == asio::error::access_denied)
      throw Error(ErrorKind::kBadInput, what + " is not allowed to this user; ports from 1024 on are");
    throw Error(
        ErrorKind::kBadInput,
        fmt::format("{} cannot be listened on ({}); --address must be one of this machine", what, error.message()));
  }

  void accept() {
    acceptor.async_accept([this](const error_code& error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // such as too many open files: wait for some to close instead of spinning
        pause.expires_after(std::chrono::milliseconds(100));
        pause.async_wait([this](const error_code& stopped) {
          if (!stopped) accept();
        });
        return;
      }
      if (core.connections < core.options.most_connections)  // otherwise it is closed here and now
        start_http(core, std::move(socket), ConnectionTicket(core));
      accept();
    });
  }

  void start() {
    open();
    if (Feed* feed = core.content.feed())
      feed->on_news([this] { asio::post(core.io, [this] { pump_viewers(core); }); });
    accept();
    thread = std::thread([this] { core.io.run(); });
  }

  void stop() {
    if (Feed* feed = core.content.feed()) feed->on_news({});
    core.io.stop();
    if (thread.joinable()) thread.join();
    core.worker.stop();
    core.worker.join();
  }

  ServerCore core;
  Tcp::acceptor acceptor{core.io};
  asio::steady_timer pause{core.io};
  std::thread thread;
};

Server::Server(const ServerOptions& options, Content& content) : impl_(std::make_unique<Impl>(options, content)) {
  if (options.token.empty()) impl_->core.options.token = random_token();
  impl_->start();
}
Server::~Server() { impl_->stop(); }

std::uint16_t Server::port() const { return impl_->core.options.port; }
const std::string& Server::token() const { return impl_->core.options.token; }
bool Server::loopback_only() const { return impl_->core.loopback_only; }
std::size_t Server::connections() const { return impl_->core.connections; }
std::size_t Server::viewers() const { return impl_->core.viewer_count; }

std::string Server::url() const {
  const asio::ip::address address = impl_->acceptor.local_endpoint().address();
  std::string host = address.is_unspecified() ? "127.0.0.1" : address.to_string();
  if (address.is_v6() && !address.is_unspecified()) host = "[" + host + "]";
  return fmt::format("http://{}:{}/?token={}", host, port(), token());
}

}  // namespace touchstone::viewer
