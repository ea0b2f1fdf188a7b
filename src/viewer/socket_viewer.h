#pragma once
// A viewer of a live simulation: one WebSocket.
#include "viewer/server_core.h"

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

namespace touchstone::viewer {

// Takes the stream over from HTTP; the request asked for it.
void start_viewer(ServerCore& core, boost::beast::tcp_stream stream,
                  const boost::beast::http::request<boost::beast::http::empty_body>& request, ConnectionTicket ticket);

}  // namespace touchstone::viewer
