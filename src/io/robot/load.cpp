// Purpose: read a robot of either format, and its report. Source: urdf.h, mjcf.h. Letters: none. Deviations: none.
// Fails: with an Error that names file, line, element and remedy.
#include "io/robot/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "io/robot/mjcf.h"
#include "io/robot/urdf.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

void check_strict(const ImportReport& report, const std::string& path) {
  std::size_t ignored = 0;
  const ImportNote* first = nullptr;
  for (const ImportNote& note : report.notes) {
    if (note.kind != ImportNote::Kind::kIgnored) continue;
    if (!first) first = &note;
    ++ignored;
  }
  if (!first) return;
  throw Error(ErrorKind::kBadInput,
              fmt::format("{}:{}: {} is ignored: {}{}; remove it, or read the file without --strict",
                          first->source.file, first->source.line, first->thing, first->reason,
                          ignored > 1 ? fmt::format(" ({} parts of {} are ignored)", ignored, path) : ""));
}

RobotDescription read(XmlDocument& document, const ImportOptions& options) {
  ImportNotes notes(document);
  RobotMeshes meshes(options.most_bytes);
  const std::string root = document.root().name;
  if (root != "robot" && root != "mujoco")
    XmlNode(document, 0)
        .refuse(root == "sdf"
                    ? "SDF files are not read; convert the model to URDF or MJCF"
                    : "is the root of neither a URDF file, which is <robot>, nor of an MJCF file, which is <mujoco>");
  const bool urdf = root == "robot";
  RobotDescription out =
      urdf ? read_urdf(document, options, notes, meshes) : read_mjcf(document, options, notes, meshes);
  out.report.format = urdf ? "URDF" : "MJCF";
  notes.finish(urdf ? urdf_known_parts() : mjcf_known_parts(), "default", out.report);
  out.report.files.insert(out.report.files.end(), meshes.files().begin(), meshes.files().end());
  if (options.strict) check_strict(out.report, document.files.front());
  return out;
}

// Messages quote names of the file, which may be cut inside of a character.
template <class Work>
RobotDescription with_valid_messages(const Work& work) {
  try {
    return work();
  } catch (const Error& e) {
    if (is_valid_utf8(e.what())) throw;
    throw Error(e.kind(), valid_utf8(e.what()));
  }
}

}  // namespace

RobotDescription load_robot(const std::string& path, const ImportOptions& options) {
  return with_valid_messages([&] {
    XmlDocument document(path, XmlLimits());
    return read(document, options);
  });
}

RobotDescription parse_robot_text(const std::string& text, const std::string& path, const ImportOptions& options,
                                  const XmlLimits& limits) {
  return with_valid_messages([&] {
    XmlDocument document(path, text, limits);
    return read(document, options);
  });
}

bool is_robot_file(const std::string& path) {
  return path.ends_with(".urdf") || path.ends_with(".xml") || path.ends_with(".mjcf");
}

}  // namespace touchstone
