#pragma once
// What a server shows, without a word on how it is sent. Interfaces, so that the server does not know simulations.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::viewer {

struct Answer {
  int status = 200;
  std::string type, body;
};

// The newest of each kind; a version that differs from the last one seen is news. A frame always belongs to the scene
// that is with it: a new scene takes the old frame away.
struct Publication {
  std::uint64_t scene_version = 0, status_version = 0, frame_version = 0;
  std::shared_ptr<const std::string> scene, status;
  std::shared_ptr<const std::vector<std::byte>> frame;
};

// A simulation that goes on while it is watched. Every function may be called from any thread and returns at once.
class Feed {
 public:
  virtual ~Feed() = default;
  virtual Publication latest() const = 0;
  // Somebody is ready for a frame that is newer than the latest one.
  virtual void want_frame() = 0;
  // A message of a viewer. Empty if it was taken, otherwise what is wrong with it.
  virtual std::string command(std::string_view message) = 0;
  // Called, by any thread, whenever there is something new; an empty function takes it away, and waits until it is no
  // longer in use.
  virtual void on_news(std::function<void()> news) = 0;
};

// Its functions are called by one thread of the server, one at a time.
class Content {
 public:
  virtual ~Content() = default;
  virtual Answer page() = 0;
  virtual Answer manifest() = 0;
  virtual Answer frames(std::size_t first, std::size_t count) = 0;
  virtual Answer series() = 0;
  virtual Feed* feed() { return nullptr; }  // null: nothing goes on
};

}  // namespace touchstone::viewer
