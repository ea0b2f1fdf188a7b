#include "io/export/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "io/export/file.h"
#include "io/picture/joint_marks.h"
#include "recording/overwrite_guard.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

// Moments of the run that every picture has in view.
constexpr std::size_t kFramingMoments = 5;

// A frame as pictures want it: the pose of a body that is not there is no number.
Frame drawn_frame(Frame&& frame, int dimension, std::size_t bodies) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto width = static_cast<std::size_t>(pose_width(dimension));
  for (std::size_t i = 0; i < frame.alive.size(); ++i)
    if (!frame.alive[i]) std::fill_n(frame.poses.begin() + static_cast<std::ptrdiff_t>(i * width), width, kNaN);
  frame.poses.resize(std::max(frame.poses.size(), bodies * width), kNaN);
  return std::move(frame);
}

void check(const Recording& recording, const FilmOptions& options) {
  if (recording.frame_count() == 0)
    throw Error(ErrorKind::kBadInput, fmt::format("{} holds no frame yet", recording.path()));
  if (!recording.info().record.poses)
    throw Error(ErrorKind::kBadInput, fmt::format("{} has no poses ([record] poses = false)", recording.path()));
  if (!(options.frames_per_second > 0 && options.frames_per_second <= 1000))
    throw Error(ErrorKind::kBadInput, "the rate of frames must lie between 0 and 1000 a second");
}

// A folder that is gone at the end.
class Workshop {
 public:
  explicit Workshop(const std::string& beside) {
    std::string pattern = beside + ".XXXXXX";
    if (!::mkdtemp(pattern.data()))
      throw Error(ErrorKind::kIo, fmt::format("{}: cannot be made: {}", pattern, std::strerror(errno)));
    path_ = pattern;
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  std::string file(const std::string& name) const { return (fs::path(path_) / name).string(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Runs a program that is found on the PATH, its words into a file. Returns errno if it cannot be started, or 0.
int run_program(const std::vector<std::string>& words, const std::string& log, int& code) {
  std::vector<char*> arguments;
  std::vector<std::string> copies = words;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return error;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 0;
}

std::vector<std::string> encoder_for(const std::string& ending) {
  if (ending == "webm") return {"-c:v", "libvpx-vp9", "-crf", "34", "-b:v", "0", "-row-mt", "1"};
  return {"-c:v", "libx264", "-crf", "20", "-preset", "medium", "-movflags", "+faststart"};
}

std::string last_words(const std::string& log) {
  std::ifstream in(log);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.size() > 400 ? text.substr(text.size() - 400) : text;
}

}  // namespace

std::size_t export_pictures(const Recording& recording, const SceneDescription& scene, const std::string& folder,
                            const FilmOptions& options) {
  check(recording, options);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be made: {}", folder, error.message()));
  const RecordingInfo& info = recording.info();
  const std::vector<StepMark>& marks = recording.frames();
  const auto drawn = [&](std::size_t i) {
    return drawn_frame(recording.read_frame(i), info.dimension, scene.bodies.size());
  };
  PictureOptions picture;
  picture.width = options.width, picture.height = options.height;
  for (std::size_t k = 0; k < kFramingMoments; ++k)
    picture.framing.push_back(drawn(k * (marks.size() - 1) / (kFramingMoments - 1)).poses);
  const double length = marks.back().time - marks.front().time;
  const auto count = static_cast<std::size_t>(std::floor(length * options.frames_per_second + 1e-6)) + 1;
  for (std::size_t k = 0, frame = 0; k < count; ++k) {
    const double time = marks.front().time + static_cast<double>(k) / options.frames_per_second;
    while (frame + 1 < marks.size() && marks[frame + 1].time <= time + 1e-9) ++frame;
    picture.caption = fmt::format("{}: t = {:.3f} s, model {}", info.scene_name, marks[frame].time, info.model);
    const std::string path = (fs::path(folder) / fmt::format("frame_{:06}.png", k)).string();
    const Frame moment = drawn(frame);
    if (info.joint_states) picture.marks = joint_marks(scene, moment);
    draw_picture(info.dimension, scene.bodies, moment.poses, picture, path);
    if (options.progress) options.progress(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  return count;
}

std::size_t export_film(const Recording& recording, const SceneDescription& scene, const std::string& path,
                        const FilmOptions& options) {
  const std::string ending = extension_of(path);
  if (ending != "mp4" && ending != "webm")
    throw Error(ErrorKind::kBadInput, fmt::format("{}: the name of a film must end in .mp4 or .webm", path));
  refuse_recording(path);
  const Workshop workshop(path);
  const std::string log = workshop.file("log");
  int code = 0;
  if (const int error = run_program({"ffmpeg", "-version"}, log, code); error != 0 || code != 0)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: films need ffmpeg, which is not installed here (Debian: ffmpeg); `export --frames "
                            "FOLDER` writes the pictures alone",
                            path));
  FilmOptions even = options;  // both encoders want even sides
  even.width -= even.width % 2, even.height -= even.height % 2;
  const std::size_t count = export_pictures(recording, scene, workshop.path(), even);
  const std::string made = workshop.file("film." + ending);
  std::vector<std::string> words{"ffmpeg",
                                 "-nostdin",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-framerate",
                                 fmt::format("{}", options.frames_per_second),
                                 "-i",
                                 workshop.file("frame_%06d.png")};
  const std::vector<std::string> encoder = encoder_for(ending);
  words.insert(words.end(), encoder.begin(), encoder.end());
  words.insert(words.end(), {"-pix_fmt", "yuv420p", made});
  if (const int error = run_program(words, log, code); error != 0 || code != 0)
    throw Error(ErrorKind::kIo, fmt::format("{}: ffmpeg could not make it: {}", path, last_words(log)));
  std::error_code error;
  refuse_recording(path);  // a run may have begun one since
  fs::rename(made, path, error);
  if (error) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be written: {}", path, error.message()));
  return count;
}

}  // namespace touchstone
