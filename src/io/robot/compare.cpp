// Purpose: compare two descriptions of one robot by quantities that do not depend on frames of links. Source: none.
// Letters: M mass matrix, g gravity torques. Deviations: none. Fails: with an Error if no joint is in both robots
// though both have some.
#include "io/robot/compare.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "io/robot/kinematics.h"
#include "io/robot/pose.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

struct Pair {
  std::size_t a, b;
};

std::vector<std::size_t> places(const RobotDescription& robot, bool rates) {
  std::vector<std::size_t> out;
  std::size_t at = 0;
  for (const RobotJoint& joint : robot.joints) {
    out.push_back(at);
    at += static_cast<std::size_t>(rates ? rates_of(joint.kind) : coordinates_of(joint.kind));
  }
  return out;
}

bool has_one(const RobotJoint& joint) { return coordinates_of(joint.kind) == 1; }
bool slides(const RobotJoint& joint) { return joint.kind == RobotJointKind::kPrismatic; }

std::vector<Pair> match(const RobotDescription& a, const RobotDescription& b, RobotComparison& out) {
  std::vector<Pair> pairs;
  std::vector<std::size_t> of_a, of_b;
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    if (!has_one(a.joints[i])) continue;
    of_a.push_back(i);
    const auto same = b.find_joint(a.joints[i].name);
    if (same && has_one(b.joints[*same]) && slides(b.joints[*same]) == slides(a.joints[i]))
      pairs.push_back({i, *same});
    else
      out.only_a.push_back(a.joints[i].name);
  }
  for (std::size_t i = 0; i < b.joints.size(); ++i)
    if (has_one(b.joints[i])) {
      of_b.push_back(i);
      if (std::none_of(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.b == i; }))
        out.only_b.push_back(b.joints[i].name);
    }
  if (!pairs.empty() || of_a.empty() || of_b.empty()) return pairs;
  const bool alike = of_a.size() == of_b.size() &&
                     std::equal(of_a.begin(), of_a.end(), of_b.begin(),
                                [&](auto i, auto k) { return slides(a.joints[i]) == slides(b.joints[k]); });
  if (!alike)
    throw Error(ErrorKind::kBadInput,
                "no joint has the same name and kind in both robots, and their numbers and orders differ; name the "
                "joints alike");
  out.by_name = false, out.only_a.clear(), out.only_b.clear();
  for (std::size_t i = 0; i < of_a.size(); ++i) pairs.push_back({of_a[i], of_b[i]});
  return pairs;
}

// Uniform in [0, 1), the same on every machine.
double draw(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

double draw_coordinate(const RobotJoint& a, const RobotJoint& b, std::mt19937_64& random) {
  double low = slides(a) ? -1.0 : -std::numbers::pi, high = -low;
  for (const RobotJoint* j : {&a, &b}) {
    if (j->lower) low = std::max(low, *j->lower);
    if (j->upper) high = std::min(high, *j->upper);
  }
  if (!(low < high)) high = low;
  return low + (high - low) * draw(random);
}

// Mass, centre and inertia about the centre of the whole, in the base frame.
Eigen::Matrix3d inertia_of_whole(const RobotDescription& robot, const std::vector<double>& q) {
  const std::vector<RobotPose> poses = link_poses(robot, q);
  double mass = 0;
  Vector3d first = Vector3d::Zero();
  Eigen::Matrix3d about = Eigen::Matrix3d::Zero();
  const auto steiner = [](double m, const Vector3d& c) -> Eigen::Matrix3d {
    return m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  };
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const Vector3d c = poses[i] * link.center_of_mass;
    const Eigen::Matrix3d R = poses[i].orientation.toRotationMatrix();
    mass += link.mass, first += link.mass * c;
    about += R * link.inertia * R.transpose() + steiner(link.mass, c);
  }
  return mass > 0 ? Eigen::Matrix3d(about - steiner(mass, first / mass)) : about;
}

void take(RobotComparison::Quantity& quantity, double a, double b, const std::string& where) {
  quantity.size = std::max({quantity.size, std::abs(a), std::abs(b)});
  const double difference = std::abs(a - b);
  if (difference > quantity.difference) quantity.difference = difference, quantity.where = where;
}

}  // namespace

double RobotComparison::worst() const {
  double out = 0;
  for (const Quantity& q : quantities) out = std::max(out, q.relative());
  return out;
}

RobotComparison compare_robots(const RobotDescription& a, const RobotDescription& b, std::size_t poses,
                               std::uint64_t seed) {
  RobotComparison out;
  out.poses = poses;
  out.quantities = {{"total mass", "kg", 0, 0, ""},
                    {"inertia of the whole", "kg·m²", 0, 0, ""},
                    {"mass matrix", "kg·m², kg·m, kg", 0, 0, ""},
                    {"gravity torques", "N·m, N", 0, 0, ""}};
  const std::vector<Pair> pairs = match(a, b, out);
  out.joints = pairs.size();
  take(out.quantities[0], a.mass(), b.mass(), "");
  const auto q_a = places(a, false), q_b = places(b, false), v_a = places(a, true), v_b = places(b, true);
  std::mt19937_64 random(seed);
  const Vector3d gravity(0, 0, -9.81);
  for (std::size_t n = 0; n < poses; ++n) {
    std::vector<double> qa = reference_coordinates(a), qb = reference_coordinates(b);
    for (const Pair& p : pairs) qa[q_a[p.a]] = qb[q_b[p.b]] = draw_coordinate(a.joints[p.a], b.joints[p.b], random);
    const Eigen::Matrix3d ia = inertia_of_whole(a, qa), ib = inertia_of_whole(b, qb);
    for (int i = 0; i < 9; ++i) take(out.quantities[1], ia(i), ib(i), "");
    const Eigen::MatrixXd ma = mass_matrix(a, qa), mb = mass_matrix(b, qb);
    const Eigen::VectorXd ga = gravity_torques(a, qa, gravity), gb = gravity_torques(b, qb, gravity);
    for (const Pair& p : pairs) {
      const std::string& where = a.joints[p.a].name;
      const auto ra = static_cast<Eigen::Index>(v_a[p.a]), rb = static_cast<Eigen::Index>(v_b[p.b]);
      take(out.quantities[3], ga[ra], gb[rb], where);
      for (const Pair& o : pairs)
        take(out.quantities[2], ma(ra, static_cast<Eigen::Index>(v_a[o.a])),
             mb(rb, static_cast<Eigen::Index>(v_b[o.b])), where);
    }
  }
  return out;
}

}  // namespace touchstone
