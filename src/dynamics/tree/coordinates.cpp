#include "dynamics/tree/coordinates.h"

namespace touchstone {
namespace {

// Where the quaternion and the angular velocity of a joint begin among its own numbers; -1: it has none.
int quaternion_of(TreeJoint joint) {
  return joint == TreeJoint::kSpherical ? 0 : joint == TreeJoint::kFloating ? 3 : -1;
}

Eigen::Quaterniond read(const double* q) { return {q[0], q[1], q[2], q[3]}; }
Vec<3> vector_at(std::span<const double> v, std::size_t at) { return {v[at], v[at + 1], v[at + 2]}; }

}  // namespace

void move_coordinates(const TreeModel& model, std::span<const double> q, std::span<const double> v, double h,
                      std::span<double> out) {
  for (const TreeModel::Link& link : model.links) {
    const int turn = quaternion_of(link.joint);
    const auto plain = static_cast<std::uint32_t>(turn < 0 ? static_cast<int>(link.nq) : turn);
    for (std::uint32_t k = 0; k < plain; ++k) out[link.first_q + k] = q[link.first_q + k] + h * v[link.first_v + k];
    if (turn < 0) continue;
    const std::uint32_t at = link.first_q + plain;
    const Eigen::Quaterniond r =
        (read(&q[at]) * exp_rotation(Vec<3>(h * vector_at(v, link.first_v + plain)))).normalized();
    out[at] = r.w(), out[at + 1] = r.x(), out[at + 2] = r.y(), out[at + 3] = r.z();
  }
}

void coordinate_difference(const TreeModel& model, std::span<const double> from, std::span<const double> to,
                           std::span<double> out) {
  for (const TreeModel::Link& link : model.links) {
    const int turn = quaternion_of(link.joint);
    const auto plain = static_cast<std::uint32_t>(turn < 0 ? static_cast<int>(link.nq) : turn);
    for (std::uint32_t k = 0; k < plain; ++k) out[link.first_v + k] = to[link.first_q + k] - from[link.first_q + k];
    if (turn < 0) continue;
    const Vec<3> w = log_rotation(read(&from[link.first_q + plain]).conjugate() * read(&to[link.first_q + plain]));
    for (int k = 0; k < 3; ++k) out[link.first_v + plain + static_cast<std::uint32_t>(k)] = w[k];
  }
}

void increment_rates(const TreeModel& model, std::span<const double> increment, std::span<const double> v,
                     std::span<double> out) {
  for (std::size_t i = 0; i < model.nv(); ++i) out[i] = v[i];
  for (const TreeModel::Link& link : model.links) {
    const int turn = quaternion_of(link.joint);
    if (turn < 0) continue;
    const std::size_t at = link.first_v + static_cast<std::uint32_t>(turn);
    const Vec<3> rate = dexpinv(Vec<3>(-vector_at(increment, at)), vector_at(v, at));
    for (std::size_t k = 0; k < 3; ++k) out[at + k] = rate[static_cast<int>(k)];
  }
}

}  // namespace touchstone
