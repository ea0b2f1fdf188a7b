#pragma once
// A recording as pictures, one after the other, and as a film. Drawn by cairo; no display or GPU is needed.
#include <functional>
#include <string>

#include "recording/recording.h"
#include "touchstone/description.h"

namespace touchstone {

struct FilmOptions {
  int width = 1280, height = 800;
  double frames_per_second = 30;
  std::function<void(double)> progress;  // with the share that is done
};

// Writes frame_000000.png, ... into a folder, which is made; returns how many. Each shows the last recorded frame at
// its moment. Throws Error (kBadInput) if there are no frames or no poses.
std::size_t export_pictures(const Recording& recording, const SceneDescription& scene, const std::string& folder,
                            const FilmOptions& options);

// An .mp4 (H.264) or .webm (VP9) by ffmpeg; returns the number of pictures. Throws Error: kUnsupported if ffmpeg is not
// installed, kBadInput for another ending, kIo with ffmpeg's last words if it fails.
std::size_t export_film(const Recording& recording, const SceneDescription& scene, const std::string& path,
                        const FilmOptions& options);

}  // namespace touchstone
