#include "serve.h"

#include <chrono>
#include <thread>

namespace touchstone::app {

void ServeArguments::add_to(CLI::App& word) {
  word.add_option("--port", server.port, "Port to listen on; default: a free one")->check(whole_number(0, 65535));
  word.add_option("--address", server.address, "Address to listen on, in digits; default 127.0.0.1: this machine only");
  word.add_flag("--no-browser", no_browser, "Do not open a browser; print the address only");
}

bool ServeArguments::is_set() const {
  const viewer::ServerOptions usual;
  return no_browser || server.port != usual.port || server.address != usual.address;
}

void serve(viewer::Content& content, const ServeArguments& a,
           const std::function<void(const viewer::Server&)>& announce) {
  viewer::Server server(a.server, content);
  catch_interrupts();
  if (!server.loopback_only())
    tell(
        "touchstone: warning: {} is open to other machines. Anyone with the address below can see everything and, "
        "in a live run, change it. The connection is not encrypted.\n",
        a.server.address);
  announce(server);
  std::optional<SecretDoor> door;
  if (!a.no_browser) door.emplace(server.url());
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace touchstone::app
