// Purpose: keeps of a run what fits into a bound. First frames beyond the wanted rate go, then contacts that carry
// little, then velocities, then every second frame, again and again.
// Fails: if even two frames are too large, with an Error that names the size needed.
#include "io/replay/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/replay/frame_motion.h"
#include "io/replay/pack_bytes.h"
#include "io/replay/pack_report.h"
#include "io/shape_mesh.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::uint32_t tag(const char (&text)[5]) {
  std::uint32_t out = 0;
  for (int i = 3; i >= 0; --i) out = out << 8 | static_cast<unsigned char>(text[i]);
  return out;
}

// How many contacts a frame may keep, tried one after the other. The first bounds the memory that a run takes.
constexpr std::size_t kContactLimits[] = {2000, 1400, 1000, 700, 500, 350, 250, 180, 120, 60, 20, 0};
constexpr std::size_t kMostEvents = 64;  // a kept frame

void put_section(std::string& out, std::uint32_t name, const std::string& content) {
  PackSection head;
  head.word(name);
  head.word(static_cast<std::uint32_t>(content.size()));
  out += head.content() + content;
}

std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

// Which events stay if there are too many: those that are rare.
int event_rank(const ReplayEvent& e) {
  switch (e.kind) {
    case ReplayEventKind::kEdit:
    case ReplayEventKind::kWarning:
      return 0;
    case ReplayEventKind::kImpact:
      return 1;
    case ReplayEventKind::kSlip:
      return 2;
    case ReplayEventKind::kMade:
      return 3;
    default:
      return 4;
  }
}

// Whether any had to go.
bool limit_events(std::vector<ReplayEvent>& events) {
  if (events.size() <= kMostEvents) return false;
  std::stable_sort(events.begin(), events.end(), [](const ReplayEvent& a, const ReplayEvent& b) {
    const int ra = event_rank(a), rb = event_rank(b);
    return ra != rb ? ra < rb : a.value > b.value;
  });
  events.resize(kMostEvents);
  return true;
}

// Events and the worst of the report go on to the next frame. Returns whether events had to go.
bool merge_into(const PackFrame& left_out, PackFrame& next) {
  next.events.insert(next.events.begin(), left_out.events.begin(), left_out.events.end());
  const bool lost = limit_events(next.events);
  std::vector<double> report = left_out.report;
  if (report.empty()) return lost;
  merge_report(report, next.report);
  next.report = std::move(report);
  return lost;
}

std::vector<double> motion_of(const Frame& frame, int dimension) {
  std::vector<double> poses;
  if (frame.poses.empty()) return poses;
  for (std::size_t i = 0; i < frame.slots; ++i) {
    const FramePose p = pose_in(frame, i, dimension);
    poses.insert(poses.end(), p.position.data(), p.position.data() + 3);
    const Eigen::Quaterniond q = p.rotation.normalized();
    if (dimension == 3)
      poses.insert(poses.end(), {q.w(), q.x(), q.y(), q.z()});
    else
      poses.push_back(has_pose(frame, i, 2) ? frame.poses[3 * i + 2] : 0.0);
  }
  return poses;
}

}  // namespace

PackQuanta quanta_for(const ReplayWorld& world) {
  std::vector<double> sizes;
  for (const BodyDescription& b : world.scene.bodies)
    if (b.kind != BodyKind::kStatic)
      for (const ShapeDescription& s : b.shapes)
        if (const double size = drawn_size(s); size > 0 && std::isfinite(size)) sizes.push_back(size);
  PackQuanta q;
  if (!sizes.empty()) {
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    // A power of two, so that positions are exact as floats: 1 to 2 in 10,000 of a body's radius.
    q.position = std::exp2(std::floor(std::log2(2e-4 * *middle)));
  }
  q.velocity = 8 * q.position;
  return q;
}

RunPacker::RunPacker(ReplayJson manifest, const ReplayWorld& world, const PackOptions& options)
    : manifest_(std::move(manifest)),
      options_(options),
      dimension_(world.scene.dimension),
      has_poses_(manifest_.at("has").at("poses")),
      has_velocities_(manifest_.at("has").at("velocities")),
      has_contacts_(manifest_.at("has").at("contacts")),
      quanta_(quanta_for(world)),
      finder_(world),
      scene_joints_(world.scene.joints.size()),
      joints_known_(options.joints_known) {}

void RunPacker::add(const Frame& frame) {
  ++seen_;
  PackFrame left_out;
  const auto events = finder_.find(frame);
  left_out.events.assign(events.begin(), events.end());
  left_out.report = frame.report;
  const double every = 1 / options_.frames_per_second;
  // Recordings have whole steps between frames: a rate that is a little higher than wanted is left alone. Times are
  // sums of steps, hence the thousandth.
  constexpr double kMore = 1.05;
  events_lost_ = merge_into(waiting_, left_out) || events_lost_;
  waiting_ = std::move(left_out);
  last_kept_ = frames_.empty() || frame.time >= next_ - 1e-3 * every;
  if (last_kept_) {
    keep(frame);
    next_ = std::fmax(next_ + every / kMore, frame.time + 0.5 * every);
  } else {
    last_ = frame;
  }
}

void RunPacker::keep(const Frame& frame) {
  PackFrame f = std::move(waiting_);
  waiting_ = {};
  f.step = frame.step, f.time = frame.time;
  f.slots = static_cast<std::uint32_t>(frame.slots);
  f.contacts_total = static_cast<std::uint32_t>(frame.contacts.size());
  f.flags = (has_poses_ ? 1u : 0u) | (has_velocities_ ? 2u : 0u) | (has_contacts_ ? 4u : 0u);
  for (const ReplayEvent& e : f.events)
    if (e.kind == ReplayEventKind::kWarning) f.flags |= ReplayFrameHeader::kNotConverged;
  f.alive = frame.alive;
  for (std::size_t i = 0; i < frame.slots; ++i)
    if (has_poses_ && !has_pose(frame, i, dimension_)) f.alive[i] = 0;
  f.poses = motion_of(frame, dimension_);
  if (!frame.velocities.empty())
    for (std::size_t i = 0; i < frame.slots; ++i) {
      const FrameVelocity v = velocity_in(frame, i, dimension_);
      for (const Eigen::Vector3d& part : {v.linear, v.angular})
        for (int c = 0; c < 3; ++c) f.velocities.push_back(static_cast<float>(part[c]));
    }
  if (joints_known_) find_replay_joints(frame, scene_joints_, f.joints);
  const auto impacts = finder_.impacts();
  for (std::size_t i = 0; i < frame.contacts.size(); ++i)
    f.contacts.push_back(replay_contact(frame.contacts[i], i < impacts.size() && impacts[i]));
  const auto key = [](const ReplayContact& c) { return std::pair(c.key_high, c.key_low); };
  std::stable_sort(f.contacts.begin(), f.contacts.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  most_seen_contacts_ = std::max(most_seen_contacts_, f.contacts.size());
  std::vector<ReplayContact> kept;
  for (const std::uint32_t i : weightiest(f.contacts, kContactLimits[0])) kept.push_back(f.contacts[i]);
  f.contacts = std::move(kept);
  slots_ = std::max<std::size_t>(slots_, f.slots);
  frames_.push_back(std::move(f));
}

// Every second frame goes; the last one stays.
void RunPacker::thin() {
  std::vector<PackFrame> kept;
  PackFrame pending;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    PackFrame& f = frames_[i];
    if (!pending.report.empty()) events_lost_ = merge_into(pending, f) || events_lost_;
    pending = {};
    if (i % 2 == 0 || i + 1 == frames_.size())
      kept.push_back(std::move(f));
    else
      pending.events = std::move(f.events), pending.report = std::move(f.report);
  }
  frames_ = std::move(kept);
}

std::string RunPacker::rule(const Plan& plan) const {
  std::string text;
  if (frames_.size() < seen_)
    text += fmt::format(
        "{} of {} recorded frames are here, about {:.4g} a second; events between them and the worst "
        "values of the yardstick are kept. ",
        frames_.size(), seen_, options_.frames_per_second / static_cast<double>(plan.stride));
  if (most_seen_contacts_ > plan.most_contacts) {
    if (plan.most_contacts == 0)
      text += "Contacts are left out. ";
    else
      text += fmt::format(
          "Of a frame with more than {0} contacts {0} are here: those with the greatest impulse, natural "
          "map and penetration, in turn. ",
          plan.most_contacts);
  }
  if (has_velocities_ && !plan.velocities) text += "Velocities are left out. ";
  if (events_lost_)
    text += fmt::format("Of a frame with more than {} events, the rarest kinds and the hardest impacts are here. ",
                        kMostEvents);
  text += fmt::format(
      "Positions are right to {:.2g} m, rotations to {:.2g} rad, other numbers of contacts to {:.2g} of "
      "their value.",
      0.5 * quanta_.position, PackQuanta::kRotation, kFloatError);
  return text;
}

ReplayJson RunPacker::manifest_for(const Plan& plan) const {
  ReplayJson m = manifest_;
  m["frames"] = frames_.size();
  m["has"] = {{"poses", has_poses_},
              {"velocities", has_velocities_ && plan.velocities},
              {"contacts", has_contacts_ && plan.most_contacts > 0}};
  if (frames_.size() > 1 && frames_.size() < seen_)
    m["frame_every"] = std::round(static_cast<double>(frames_.back().step - frames_.front().step) /
                                  static_cast<double>(frames_.size() - 1));
  m["decimation"] = rule(plan);
  m["quantum"] = {{"position", quanta_.position},
                  {"rotation", dimension_ == 2 ? PackQuanta::kAngle : PackQuanta::kRotation},
                  {"velocity", quanta_.velocity},
                  {"angular_velocity", quanta_.angular_velocity},
                  {"relative", kFloatError}};
  return m;
}

RunPacker::Sections RunPacker::sections() const {
  Sections s;
  put_section(s.motion, tag("TIME"), pack_times(frames_));
  put_section(s.motion, tag("REPT"), pack_report(frames_));
  put_section(s.motion, tag("ALIV"), pack_alive(frames_, slots_));
  if (has_poses_) {
    put_section(s.motion, tag("POSN"), pack_positions(frames_, slots_, dimension_, quanta_));
    put_section(s.motion, tag("ROTN"), pack_rotations(frames_, slots_, dimension_));
  }
  put_section(s.motion, tag("EVNT"), pack_events(frames_));
  if (const std::string joints = pack_joints(frames_); !joints.empty()) put_section(s.motion, tag("JNTS"), joints);
  if (has_velocities_) put_section(s.velocities, tag("VELO"), pack_velocities(frames_, slots_, dimension_, quanta_));
  s.motion_size = deflated(s.motion).size();
  s.velocities_size = deflated(s.velocities).size();
  return s;
}

// From what shows most to what shows least.
std::vector<RunPacker::Plan> RunPacker::plans(std::size_t stride) const {
  std::vector<Plan> out;
  for (const bool velocities : {true, false}) {
    if (!velocities && !has_velocities_) continue;
    for (const std::size_t most : kContactLimits) {
      if (!has_contacts_ && most > 0) continue;
      if (most != kContactLimits[0] && most >= most_seen_contacts_ && most > 0) continue;  // the same as the first
      // Velocities go before the last contacts do.
      if (velocities && has_velocities_ && has_contacts_ && most < 120) continue;
      out.push_back({stride, most, velocities});
    }
  }
  return out;
}

// None if it is too large. Sections that are compressed apart are about as large as together: that shows early what
// cannot fit.
std::optional<PackedRun> RunPacker::attempt(const Plan& plan, const Sections& sections) const {
  const std::size_t known = sections.motion_size + (plan.velocities ? sections.velocities_size : 0);
  if (base64_size(known) > options_.max_bytes) return std::nullopt;
  std::string contacts;
  if (has_contacts_ && plan.most_contacts > 0) {
    put_section(contacts, tag("CONT"), pack_contacts(frames_, plan.most_contacts, quanta_));
    if (base64_size(known + deflated(contacts).size()) > options_.max_bytes * 101 / 100) return std::nullopt;
  }
  PackedRun run;
  run.manifest = manifest_for(plan);
  std::string all;
  put_section(all, tag("TSP1"), replay_text(run.manifest));  // magic and length have the form of a section's head
  run.bytes = deflated(all + sections.motion + (plan.velocities ? sections.velocities : "") + contacts);
  if (base64_size(run.bytes.size()) > options_.max_bytes) return std::nullopt;
  run.rule = run.manifest.at("decimation");
  run.frames = frames_.size();
  for (const PackFrame& f : frames_) {
    run.contacts += std::min<std::size_t>(f.contacts.size(), plan.most_contacts);
    run.contacts_total += f.contacts_total;
  }
  return run;
}

PackedRun RunPacker::finish(bool complete, const std::string& truncated) {
  if (!last_kept_) keep(last_);
  last_kept_ = true;
  if (frames_.empty()) throw Error(ErrorKind::kBadInput, "there is no frame to show");
  manifest_["complete"] = complete;
  manifest_["truncated"] = truncated;
  for (std::size_t stride = 1;; stride *= 2, thin()) {
    const Sections parts = sections();
    for (const Plan& plan : plans(stride))
      if (std::optional<PackedRun> run = attempt(plan, parts)) return std::move(*run);
    if (frames_.size() <= 2)
      throw Error(ErrorKind::kBadInput,
                  fmt::format("the run does not fit into {} bytes, not even two frames of it without contacts and "
                              "velocities; allow more",
                              options_.max_bytes));
  }
}

PackedRun pack_recording(const Recording& recording, const PackOptions& options,
                         const std::function<void(double)>& progress) {
  if (recording.frame_count() == 0)
    throw Error(ErrorKind::kBadInput, fmt::format("{} holds no frame yet", recording.path()));
  const ReplayWorld world = replay_world(recording);
  PackOptions known = options;
  known.joints_known = recording.info().joint_states;
  RunPacker packer(replay_manifest(recording, world), world, known);
  for (std::size_t i = 0; i < recording.frame_count(); ++i) {
    packer.add(recording.read_frame(i));
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(recording.frame_count()));
  }
  return packer.finish(recording.complete(), truncation_of(recording));
}

}  // namespace touchstone
