// Purpose: put links and joints of a URDF file into the order of their tree. Source:
// http://wiki.ros.org/urdf/XML/model. Letters: none. Deviations: none. Fails: with an Error at the line of a joint or a
// link: unknown or doubled names, a link with two parents, loops, more than one root.
#include <fmt/format.h>

#include <unordered_map>

#include "base/text.h"
#include "io/robot/urdf.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

[[noreturn]] void refuse(const RobotSource& at, const std::string& what) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}:{}: {}", at.file, at.line, what));
}

using Places = std::unordered_map<std::string, std::size_t>;

template <class List, class Name>
Places places_of(const List& list, const char* noun, const Name& described) {
  Places out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& thing = described(list[i]);
    const auto [known, added] = out.emplace(thing.name, i);
    if (!added)
      refuse(thing.source, fmt::format("there are two {}s '{}'; the first is in line {}", noun, thing.name,
                                       described(list[known->second]).source.line));
  }
  return out;
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> out;
  out.reserve(list.size());
  for (const auto& each : list) out.push_back(each.name);
  return out;
}

class Tree {
 public:
  Tree(std::vector<RobotLink> links, std::vector<UrdfJoint> joints)
      : links_(std::move(links)),
        joints_(std::move(joints)),
        link_places_(places_of(links_, "link", [](const RobotLink& l) -> const RobotLink& { return l; })),
        joint_places_(places_of(joints_, "joint", [](const UrdfJoint& j) -> const RobotJoint& { return j.joint; })),
        above_(links_.size(), kNone),
        below_(links_.size()) {}

  void build(const XmlNode& robot, RobotDescription& out) {
    connect();
    emit(find_root(robot), out);
    if (out.links.size() < links_.size()) refuse_loop(out);
    resolve_mimics(out);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t link_of(const UrdfJoint& j, const std::string& name, const char* side) const {
    const auto found = link_places_.find(name);
    if (found == link_places_.end())
      refuse(j.joint.source, fmt::format("joint '{}': its {} '{}' is no link{}", j.joint.name, side, name,
                                         did_you_mean(name, names_of(links_))));
    return found->second;
  }

  void connect() {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const UrdfJoint& j = joints_[i];
      const std::size_t parent = link_of(j, j.parent, "parent"), child = link_of(j, j.child, "child");
      if (above_[child] != kNone)
        refuse(j.joint.source,
               fmt::format("joint '{}': link '{}' is the child of joint '{}' (line {}) already; URDF holds trees, and "
                           "this closes a loop",
                           j.joint.name, j.child, joints_[above_[child]].joint.name,
                           joints_[above_[child]].joint.source.line));
      above_[child] = i;
      below_[parent].push_back(i);
    }
  }

  std::size_t find_root(const XmlNode& robot) const {
    std::size_t root = kNone;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (above_[i] != kNone) continue;
      if (root != kNone)
        refuse(links_[i].source, fmt::format("links '{}' and '{}' are both without a parent; connect them by a joint",
                                             links_[root].name, links_[i].name));
      root = i;
    }
    if (links_.empty()) robot.refuse("has no links");
    if (root == kNone) refuse(links_.front().source, "every link is the child of a joint: the joints form a loop");
    return root;
  }

  // Depth first, children in the order of the file; with a stack of our own.
  void emit(std::size_t root, RobotDescription& out) {
    std::vector<std::size_t> open{root};
    std::vector<std::size_t> emitted(links_.size(), RobotLink::kWorld);
    joint_emitted_.assign(joints_.size(), kNone);
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      RobotLink link = std::move(links_[i]);
      if (const std::size_t above = above_[i]; above != kNone) {
        const UrdfJoint& j = joints_[above];
        link.parent = emitted[link_places_.at(j.parent)];
        link.pose = j.origin;
        link.joints = {out.joints.size()};
        joint_emitted_[above] = out.joints.size();
        out.joints.push_back(j.joint);
        out.joints.back().link = out.links.size();
      }
      emitted[i] = out.links.size();
      out.links.push_back(std::move(link));
      for (std::size_t k = below_[i].size(); k-- > 0;) open.push_back(link_places_.at(joints_[below_[i][k]].child));
    }
  }

  // Links that the root does not reach have parents all the way up, round a loop.
  [[noreturn]] void refuse_loop(const RobotDescription&) const {
    for (std::size_t i = 0; i < joints_.size(); ++i)
      if (joint_emitted_[i] == kNone)
        refuse(joints_[i].joint.source,
               fmt::format("joint '{}' belongs to a loop of joints, or hangs on one; URDF holds trees",
                           joints_[i].joint.name));
    throw Error(ErrorKind::kBadInput, "links are not connected");
  }

  void resolve_mimics(RobotDescription& out) const {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (joints_[i].mimicked.empty()) continue;
      RobotJoint& joint = out.joints[joint_emitted_[i]];
      const auto found = joint_places_.find(joints_[i].mimicked);
      if (found == joint_places_.end())
        refuse(joint.source, fmt::format("joint '{}' mimics '{}', which is no joint", joint.name, joints_[i].mimicked));
      if (found->second == i) refuse(joint.source, fmt::format("joint '{}' mimics itself", joint.name));
      if (coordinates_of(joints_[found->second].joint.kind) != 1)
        refuse(joint.source, fmt::format("joint '{}' mimics '{}', which does not have one coordinate", joint.name,
                                         joints_[i].mimicked));
      joint.mimic->joint = joint_emitted_[found->second];
    }
    for (const RobotJoint& first : out.joints) {  // a chain of mimics must end
      const RobotJoint* each = &first;
      for (std::size_t steps = 0; each->mimic; each = &out.joints[each->mimic->joint])
        if (++steps > out.joints.size())
          refuse(first.source, fmt::format("joint '{}' mimics itself by way of other joints", first.name));
    }
  }

  std::vector<RobotLink> links_;
  std::vector<UrdfJoint> joints_;
  Places link_places_, joint_places_;
  std::vector<std::size_t> above_;               // by link: the joint whose child it is
  std::vector<std::vector<std::size_t>> below_;  // by link: joints whose parent it is
  std::vector<std::size_t> joint_emitted_;
};

}  // namespace

void assemble_urdf(const XmlNode& robot, std::vector<RobotLink> links, std::vector<UrdfJoint> joints,
                   RobotDescription& out) {
  Tree(std::move(links), std::move(joints)).build(robot, out);
}

}  // namespace touchstone
