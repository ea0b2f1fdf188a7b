#include "viewer/client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace viewer_client {

RawClient::RawClient(std::uint16_t port, int receive_buffer) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    close(socket_);
    throw std::runtime_error("no connection");
  }
}
RawClient::~RawClient() {
  if (socket_ >= 0) close(socket_);
}
RawClient::RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)), closed_(other.closed_) {}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool RawClient::receive(std::string& into, Milliseconds wait) {
  pollfd p{socket_, POLLIN, 0};
  if (closed_ || poll(&p, 1, static_cast<int>(wait.count())) <= 0) return false;
  std::array<char, 65536> chunk;
  const ssize_t n = recv(socket_, chunk.data(), chunk.size(), 0);
  if (n <= 0) {
    closed_ = true;
    return false;
  }
  into.append(chunk.data(), static_cast<std::size_t>(n));
  return true;
}

std::string RawClient::receive_all(Milliseconds wait) {
  std::string all;
  while (receive(all, wait)) continue;
  return all;
}

std::string Response::header(const std::string& name) const {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

Response parse_response(const std::string& text) {
  Response r;
  const std::size_t end = text.find("\r\n\r\n");
  if (text.size() > 12 && text.substr(0, 5) == "HTTP/") r.status = std::atoi(text.c_str() + 9);
  r.head = text.substr(0, end == std::string::npos ? text.size() : end + 2);
  if (end != std::string::npos) r.body = text.substr(end + 4);
  return r;
}

Response get(std::uint16_t port, const std::string& target, const std::string& headers, const std::string& host) {
  RawClient client(port);
  client.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + headers + "\r\n");
  return parse_response(client.receive_all());
}

WebSocket::WebSocket(std::uint16_t port, const std::string& target, const std::string& headers, int receive_buffer)
    : client_(port, receive_buffer) {
  client_.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" + headers + "\r\n");
  while (buffer_.find("\r\n\r\n") == std::string::npos)
    if (!client_.receive(buffer_, Milliseconds(10000))) throw std::runtime_error("refused: " + buffer_);
  // The answer to that key, from RFC 6455, section 1.3.
  if (buffer_.substr(0, 12) != "HTTP/1.1 101" || buffer_.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == std::string::npos)
    throw std::runtime_error("refused: " + buffer_ + client_.receive_all(Milliseconds(2000)));
  buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
}

bool WebSocket::send(std::string_view text, int opcode) {
  std::string frame(1, static_cast<char>(0x80 | opcode));
  const std::size_t n = text.size();
  if (n < 126) {
    frame += static_cast<char>(0x80 | n);
  } else if (n < 65536) {
    frame += static_cast<char>(0x80 | 126);
    for (int shift = 8; shift >= 0; shift -= 8) frame += static_cast<char>(n >> shift & 0xff);
  } else {
    frame += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(n >> shift & 0xff);
  }
  constexpr std::string_view kMask = "\x12\x34\x56\x78";
  frame += kMask;
  for (std::size_t i = 0; i < n; ++i) frame += static_cast<char>(text[i] ^ kMask[i % 4]);
  return client_.send(frame);
}

std::optional<Message> WebSocket::receive(Milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  Message message;
  while (true) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[i]); };
    std::size_t head = 2, length = buffer_.size() >= 2 ? byte(1) & 0x7f : 0;
    const std::size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    head += extra;
    if (buffer_.size() >= head && extra > 0) {
      length = 0;
      for (std::size_t i = 2; i < head; ++i) length = length << 8 | byte(i);
    }
    if (buffer_.size() >= head && buffer_.size() - head >= length && buffer_.size() >= 2) {
      const int opcode = byte(0) & 0x0f;
      const bool last = byte(0) & 0x80;
      const std::string data = buffer_.substr(head, length);
      buffer_.erase(0, head + length);
      if (opcode == 9) {
        send(data, 10);
      } else if (opcode != 10) {
        if (opcode != 0) message.opcode = opcode;
        message.data += data;
        if (last) return message;
      }
      continue;
    }
    const auto left = std::chrono::duration_cast<Milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !client_.receive(buffer_, left)) return std::nullopt;
  }
}

}  // namespace viewer_client
