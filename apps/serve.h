#pragma once
// A server for the browser of this machine, as `view` and `stable --view` have it.
#include <functional>

#include "command.h"
#include "viewer/server.h"

namespace touchstone::app {

struct ServeArguments {
  viewer::ServerOptions server;
  bool no_browser = false;
  void add_to(CLI::App& word);  // --port, --address, --no-browser
  bool is_set() const;          // any of them was given
};

// Opens the browser and serves until Ctrl-C. `announce` prints the address; it is called once the server listens.
void serve(viewer::Content& content, const ServeArguments& arguments,
           const std::function<void(const viewer::Server&)>& announce);

}  // namespace touchstone::app
