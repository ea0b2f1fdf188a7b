// One connection that speaks HTTP: reads a request within its limits, checks who asks, and sends what the content says.
#include "viewer/server_core.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>

#include "base/text.h"
#include "touchstone/error.h"
#include "viewer/gate.h"
#include "viewer/page.h"
#include "viewer/socket_viewer.h"

namespace touchstone::viewer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Request = http::request<http::empty_body>;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

Answer refusal(int status, const char* sentence) { return {status, "text/plain; charset=utf-8", sentence}; }

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(ServerCore& core, Tcp::socket socket, ConnectionTicket ticket)
      : core_(core), ticket_(std::move(ticket)), stream_(std::move(socket)), buffer_(core.options.most_header + 4096) {}

  // The first request has its time from the start; a later one may begin after a pause.
  void read(bool first) {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(core_.options.most_header));
    parser_->body_limit(0);
    stream_.expires_after(first ? core_.options.request_time : core_.options.idle_time);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](const error_code& error, std::size_t) {
      if (error)
        self->failed(error);
      else
        self->handle();
    });
  }

 private:
  void failed(const error_code& error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      return last_words(refusal(431, "the header of the request is too long\n"));
    if (error == http::error::body_limit || error == http::error::unexpected_body)
      return last_words(refusal(413, "a request has no body here\n"));
    if (error.category() == http::make_error_code(http::error::end_of_stream).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message)
      return last_words(refusal(400, "this is no request in HTTP\n"));
    if (error != beast::error::timeout) close();  // gone; one that is too slow is closed by its timer
  }

  void handle() {
    const Request request = parser_->release();
    close_after_ = !request.keep_alive();
    // Of two, this server and whoever stands before it may each believe another one.
    if (request.count(http::field::host) > 1 || request.count(http::field::origin) > 1)
      return last_words(refusal(400, "a request names its Host, and its Origin, once\n"));
    const std::string_view host = view(request[http::field::host]);
    if (!host_allowed(host, core_.loopback_only))
      return last_words(refusal(403, "the viewer is reached by its address, not by this name\n"));
    if (!origin_allowed(view(request[http::field::origin]), host))
      return last_words(refusal(403, "pages of another origin have no access\n"));
    if (request.method() != http::verb::get) return last_words(refusal(405, "only GET is answered\n"));
    const std::optional<Target> target = parse_target(view(request.target()));
    if (!target) return last_words(refusal(400, "this is no address of the viewer\n"));
    if (!has_token(*target, view(request[http::field::cookie])))
      return last_words(refusal(403, "the address needs its token: use the one that `touchstone view` printed\n"));
    // Another site may lead here by a link, but not fetch or embed what is behind it.
    if (target->path != "/" && view(request["Sec-Fetch-Site"]) == "cross-site")
      return last_words(refusal(403, "pages of another origin have no access\n"));
    if (target->path == "/ws") return upgrade(request);
    answer(*target);
  }

  bool has_token(const Target& target, std::string_view cookies) const {
    const auto given = target.query.find("token");
    const std::string_view token = given == target.query.end() ? cookie(cookies, core_.cookie) : given->second;
    return equal_in_constant_time(token, core_.options.token);
  }

  void upgrade(const Request& request) {
    if (!core_.content.feed()) return send(refusal(404, "nothing is simulated here: this is a recording\n"), {});
    if (!beast::websocket::is_upgrade(request)) return send(refusal(426, "this address is for a WebSocket\n"), {});
    stream_.expires_never();
    start_viewer(core_, std::move(stream_), request, std::move(ticket_));
  }

  // The content is asked by the worker, so that a long answer keeps nobody else waiting.
  void answer(const Target& target) {
    stream_.expires_never();
    asio::post(core_.worker, [self = shared_from_this(), target] {
      Answer out;
      std::string nonce;
      try {
        out = self->ask(target, nonce);
      } catch (const std::exception& e) {
        out = {500, "text/plain; charset=utf-8", valid_utf8(e.what()) + "\n"};
      }
      asio::post(self->core_.io, [self, out = std::move(out), nonce]() mutable { self->send(std::move(out), nonce); });
    });
  }

  Answer ask(const Target& target, std::string& nonce) {
    Content& content = core_.content;
    if (target.path == "/") {
      nonce = random_token();
      Answer page = content.page();
      page.body = with_nonce(page.body, nonce);
      return page;
    }
    if (target.path == "/api/manifest") return content.manifest();
    if (target.path == "/api/series") return content.series();
    if (target.path == "/api/frames") {
      const auto first = query_number(target, "first", 0), count = query_number(target, "count", 1);
      if (!first || !count) return refusal(400, "first and count must be whole numbers\n");
      return content.frames(*first, *count);
    }
    return refusal(404, "there is nothing at this address\n");
  }

  void last_words(Answer answer) {
    close_after_ = true;
    send(std::move(answer), {});
  }

  void send(Answer answer, const std::string& nonce) {
    response_.emplace();
    http::response<http::string_body>& r = *response_;
    r.version(11);
    r.result(static_cast<unsigned>(answer.status));
    r.set(http::field::content_type, answer.type);
    r.set(http::field::cache_control, "no-store");
    r.set("X-Content-Type-Options", "nosniff");
    r.set("Referrer-Policy", "no-referrer");
    r.set("Cross-Origin-Resource-Policy", "same-origin");
    r.set("Cross-Origin-Opener-Policy", "same-origin");
    r.set("X-Frame-Options", "DENY");
    r.set("Content-Security-Policy", content_policy(nonce));
    if (answer.status == 405) r.set(http::field::allow, "GET");
    // The page itself: its requests need no token in their addresses, and it can be loaded again. Lax, not Strict: a
    // Strict cookie need not be sent with a page that a file led to. Only the page is given to a request that another
    // site led here (handle).
    if (!nonce.empty())
      r.set(http::field::set_cookie,
            fmt::format("{}={}; Path=/; HttpOnly; SameSite=Lax", core_.cookie, core_.options.token));
    r.keep_alive(!close_after_);
    r.body() = std::move(answer.body);
    r.prepare_payload();
    stream_.expires_after(core_.options.answer_time);
    http::async_write(stream_, r, [self = shared_from_this()](const error_code& error, std::size_t) {
      self->response_.reset();
      if (error || self->close_after_)
        self->close();
      else
        self->read(false);
    });
  }

  // What the other side is still sending is thrown away for a moment: closed at once, the system would take the answer
  // back.
  void close() {
    error_code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(1));
    discard();
  }
  void discard() {
    buffer_.consume(buffer_.size());
    stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](const error_code& error, std::size_t) {
      if (!error) self->discard();
    });
  }

  ServerCore& core_;
  ConnectionTicket ticket_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  bool close_after_ = false;
};

}  // namespace

void start_http(ServerCore& core, Tcp::socket socket, ConnectionTicket ticket) {
  std::make_shared<HttpConnection>(core, std::move(socket), std::move(ticket))->read(true);
}

}  // namespace touchstone::viewer
