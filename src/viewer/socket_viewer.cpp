// Purpose: sends a viewer what is new, one message at a time and always the newest, and passes its commands on. A
// viewer that reads slowly gets fewer frames, one that does not read gets none; nobody else notices.
#include "viewer/socket_viewer.h"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <vector>

#include "viewer/commands.h"

namespace touchstone::viewer {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

class SocketViewer : public std::enable_shared_from_this<SocketViewer> {
 public:
  using Request = beast::http::request<beast::http::empty_body>;

  SocketViewer(ServerCore& core, beast::tcp_stream stream, ConnectionTicket ticket)
      : core_(core), ticket_(std::move(ticket)), socket_(std::move(stream)) {}
  ~SocketViewer() {
    if (core_.viewers.erase(this)) --core_.viewer_count;
  }

  void start(const Request& request) {
    websocket::stream_base::timeout times{};
    times.handshake_timeout = core_.options.request_time;
    times.idle_timeout = core_.options.ping_time;
    times.keep_alive_pings = true;
    socket_.set_option(times);
    socket_.read_message_max(core_.options.most_message);
    socket_.auto_fragment(false);  // a frame is one write, not one of 4 kB after the other
    // What lies in the system's buffer is old by the time it is read: room for about one frame.
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(asio::socket_base::send_buffer_size(1 << 18), ignored);
    beast::get_lowest_layer(socket_).socket().set_option(Tcp::no_delay(true), ignored);
    request_ = request;
    socket_.async_accept(request_, [self = shared_from_this()](const error_code& error) {
      if (error) return;
      self->core_.viewers.insert(self.get());
      ++self->core_.viewer_count;
      self->read();
      self->pump();
    });
  }

  // Sends the most urgent news, if nothing is under way.
  void pump() {
    if (writing_) return;
    Feed& feed = *core_.content.feed();
    const Publication now = feed.latest();
    if (now.scene && now.scene_version != seen_.scene_version) {
      seen_.scene_version = now.scene_version;
      return write(now.scene);
    }
    if (!complaints_.empty()) {
      const auto text = complaints_.front();
      complaints_.pop_front();
      return write(text);
    }
    if (now.status && now.status_version != seen_.status_version) {
      seen_.status_version = now.status_version;
      return write(now.status);
    }
    if (now.frame && now.frame_version != seen_.frame_version) {
      seen_.frame_version = now.frame_version;
      return write(now.frame);
    }
    feed.want_frame();
  }

 private:
  void read() {
    socket_.async_read(incoming_, [self = shared_from_this()](const error_code& error, std::size_t) {
      if (error) return;  // closed, too long, or gone: the last reference goes with the write under way
      self->take();
      self->read();
    });
  }

  void take() {
    constexpr std::size_t kMostComplaints = 16;  // kept for one that does not read; further ones are dropped
    std::string wrong = "messages are JSON text, not bytes";
    if (socket_.got_text())
      wrong =
          core_.content.feed()->command({static_cast<const char*>(incoming_.data().data()), incoming_.data().size()});
    incoming_.consume(incoming_.size());
    if (wrong.empty()) return;
    if (complaints_.size() < kMostComplaints)
      complaints_.push_back(std::make_shared<const std::string>(error_message(wrong)));
    pump();
  }

  template <class Bytes>
  void write(std::shared_ptr<const Bytes> bytes) {
    writing_ = true;
    socket_.text(std::is_same_v<Bytes, std::string>);
    socket_.async_write(asio::buffer(*bytes), [self = shared_from_this(), bytes](const error_code& error, std::size_t) {
      self->writing_ = false;
      if (!error) self->pump();
    });
  }

  ServerCore& core_;
  ConnectionTicket ticket_;
  websocket::stream<beast::tcp_stream> socket_;
  Request request_;
  beast::flat_buffer incoming_;
  std::deque<std::shared_ptr<const std::string>> complaints_;
  Publication seen_;  // versions only
  bool writing_ = false;
};

void start_viewer(ServerCore& core, beast::tcp_stream stream, const SocketViewer::Request& request,
                  ConnectionTicket ticket) {
  std::make_shared<SocketViewer>(core, std::move(stream), std::move(ticket))->start(request);
}

void pump_viewers(ServerCore& core) {
  // A viewer may go while another one is served.
  std::vector<std::shared_ptr<SocketViewer>> all;
  for (SocketViewer* viewer : core.viewers)
    if (auto alive = viewer->weak_from_this().lock()) all.push_back(std::move(alive));
  for (const auto& viewer : all) viewer->pump();
}

}  // namespace touchstone::viewer
