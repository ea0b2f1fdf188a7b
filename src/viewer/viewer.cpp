// The public viewer: a server for a simulation that a program runs.
#include "touchstone/viewer.h"

#include "io/replay/html.h"
#include "viewer/program_feed.h"
#include "viewer/server.h"
#include "viewer/shows.h"

namespace touchstone {
namespace {

class ProgramShow : public viewer::Content {
 public:
  ProgramShow(std::string page, viewer::Feed& feed) : page_(std::move(page)), feed_(feed) {}
  viewer::Answer page() override { return {200, "text/html; charset=utf-8", page_}; }
  viewer::Answer manifest() override { return viewer::manifest_of(feed_); }
  viewer::Answer frames(std::size_t, std::size_t) override { return viewer::newest_frame(feed_); }
  viewer::Answer series() override { return viewer::no_series(); }
  viewer::Feed* feed() override { return &feed_; }

 private:
  std::string page_;
  viewer::Feed& feed_;
};

viewer::ServerOptions server_options(const ServeOptions& options) {
  viewer::ServerOptions out;
  out.address = options.address;
  out.port = options.port;
  return out;
}

}  // namespace

struct Viewer::Impl {
  Impl(Simulation& shown, const SceneDescription& scene, const ServeOptions& options)
      : simulation(shown),
        feed(shown, scene, options.obey_pause),
        show(page_with(require_viewer_page(), page_block("live", scene.name, 1)), feed),
        server(server_options(options), show),
        url(server.url()) {}
  Simulation& simulation;
  viewer::ProgramFeed feed;
  ProgramShow show;
  viewer::Server server;
  std::string url;
};

Viewer::Viewer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Viewer::~Viewer() = default;
Viewer::Viewer(Viewer&&) noexcept = default;
Viewer& Viewer::operator=(Viewer&&) noexcept = default;

void Viewer::update() { impl_->feed.update(impl_->simulation); }
void Viewer::release() { impl_->feed.release(); }
const std::string& Viewer::url() const { return impl_->url; }
std::uint16_t Viewer::port() const { return impl_->server.port(); }
std::size_t Viewer::viewers() const { return impl_->server.viewers(); }

Viewer serve(Simulation& simulation, const SceneDescription& scene, const ServeOptions& options) {
  return Viewer(std::make_unique<Viewer::Impl>(simulation, scene, options));
}

Viewer serve(Simulation& simulation, const ServeOptions& options) {
  SceneDescription scene;
  scene.dimension = simulation.dimension();
  scene.step = simulation.step_size();
  scene.model.name = simulation.model_name();
  return serve(simulation, scene, options);
}

}  // namespace touchstone
