#pragma once
// The kinds of content: a simulation that goes on, a recording, and a page with its data in itself.
#include <memory>
#include <string>
#include <vector>

#include "io/replay/world.h"
#include "recording/recording.h"
#include "viewer/content.h"
#include "viewer/session.h"

namespace touchstone::viewer {

// What a feed has published, as answers.
Answer manifest_of(const Feed& feed);
Answer newest_frame(const Feed& feed);
Answer no_series();

class LiveShow : public Content {
 public:
  // `page`: the viewer's page, see io/replay/html.h.
  LiveShow(std::string_view page, SceneDescription scene, const SessionOptions& options);
  Answer page() override { return {200, "text/html; charset=utf-8", page_}; }
  Answer manifest() override { return manifest_of(session_); }
  Answer frames(std::size_t, std::size_t) override { return newest_frame(session_); }
  Answer series() override { return no_series(); }
  Feed* feed() override { return &session_; }
  LiveSession& session() { return session_; }

 private:
  std::string page_;
  LiveSession session_;
};

class RecordingShow : public Content {
 public:
  // Throws Error, before anything is shown, for a file that is no recording, of another version, damaged, without a
  // scene or without frames. A journal is shown as far as it went when it was opened.
  RecordingShow(std::string_view page, const std::string& path);
  Answer page() override { return {200, "text/html; charset=utf-8", page_}; }
  Answer manifest() override { return {200, "application/json", manifest_}; }
  // Fewer than asked for where the answer would become too long.
  Answer frames(std::size_t first, std::size_t count) override;
  Answer series() override;

  const Recording& recording() const { return recording_; }
  const std::string& truncated() const { return truncated_; }  // a sentence, empty if nothing is missing

 private:
  Recording recording_;
  ReplayWorld world_;
  std::string page_, manifest_, truncated_;
  std::string series_;  // made when it is first asked for: it needs every frame
};

class PageShow : public Content {
 public:
  explicit PageShow(std::string page) : page_(std::move(page)) {}
  Answer page() override { return {200, "text/html; charset=utf-8", page_}; }
  Answer manifest() override { return nothing(); }
  Answer frames(std::size_t, std::size_t) override { return nothing(); }
  Answer series() override { return nothing(); }

 private:
  static Answer nothing() { return {404, "text/plain; charset=utf-8", "the page holds its data itself\n"}; }
  std::string page_;
};

}  // namespace touchstone::viewer
