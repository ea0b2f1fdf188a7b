#include "pile.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>

namespace touchstone::bench {
namespace {

constexpr double kSpacing = 1.3;  // of the lattice that they fall from [m]
constexpr int kLayers = 10;
constexpr double kWall = 1.0;         // half a wall's thickness [m]
constexpr double kWallHeight = 40.0;  // [m]

class Dice {
 public:
  double between(double low, double high) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

Pile pit_of(double side) {
  const double middle = 0.5 * kWallHeight, out = 0.5 * side + kWall;
  const std::array<double, 4> level = {0, 0, 0, 1};
  Pile pit = {{{out + kWall, out + kWall, kWall}, {0, 0, -kWall}, level, true}};
  for (const double s : {-1.0, 1.0}) {
    pit.push_back({{kWall, out + kWall, middle}, {s * out, 0, middle}, level, true});
    pit.push_back({{0.5 * side, kWall, middle}, {0, s * out, middle}, level, true});
  }
  return pit;
}

Pile lattice(int count) {
  const int across = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count) / kLayers)));
  const double side = across * kSpacing;
  Pile pile = pit_of(side);
  Dice dice;
  for (int i = 0; i < count; ++i) {
    BoxPose box{};
    const int column = i % (across * across), layer = i / (across * across);
    for (double& h : box.half) h = dice.between(0.4, 0.6);
    const double jitter = 0.1;
    box.p = {(column % across + 0.5) * kSpacing - 0.5 * side + dice.between(-jitter, jitter),
             (column / across + 0.5) * kSpacing - 0.5 * side + dice.between(-jitter, jitter),
             (layer + 0.8) * kSpacing * 1.3};
    double norm = 0;
    for (double& x : box.q) x = dice.between(-1, 1), norm += x * x;
    for (double& x : box.q) x /= std::sqrt(norm);
    pile.push_back(box);
  }
  return pile;
}

btTransform transform_of(const BoxPose& box) {
  const auto f = [](double x) { return static_cast<btScalar>(x); };
  return btTransform(btQuaternion(f(box.q[0]), f(box.q[1]), f(box.q[2]), f(box.q[3])),
                     btVector3(f(box.p[0]), f(box.p[1]), f(box.p[2])));
}

class Dynamics {
 public:
  explicit Dynamics(const Pile& pile) {
    world_.setGravity(btVector3(0, 0, btScalar(-9.81)));
    for (const BoxPose& box : pile) {
      shapes_.push_back(std::make_unique<btBoxShape>(btVector3(
          static_cast<btScalar>(box.half[0]), static_cast<btScalar>(box.half[1]), static_cast<btScalar>(box.half[2]))));
      const btScalar mass = box.fixed ? 0 : static_cast<btScalar>(8000 * box.half[0] * box.half[1] * box.half[2]);
      btVector3 inertia(0, 0, 0);
      if (!box.fixed) shapes_.back()->calculateLocalInertia(mass, inertia);
      btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
      info.m_startWorldTransform = transform_of(box);
      info.m_friction = btScalar(0.6);
      bodies_.push_back(std::make_unique<btRigidBody>(info));
      world_.addRigidBody(bodies_.back().get());
    }
  }
  ~Dynamics() {
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void step(double h) { world_.stepSimulation(static_cast<btScalar>(h), 0); }
  void read(Pile& pile) const {
    for (std::size_t i = 0; i < pile.size(); ++i) {
      const btTransform& at = bodies_[i]->getWorldTransform();
      const btQuaternion q = at.getRotation().normalized();
      for (int k = 0; k < 3; ++k) pile[i].p[static_cast<std::size_t>(k)] = static_cast<double>(at.getOrigin()[k]);
      for (int k = 0; k < 4; ++k) pile[i].q[static_cast<std::size_t>(k)] = static_cast<double>(q[k]);
    }
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btBoxShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

Settled settle(int count) {
  Settled out;
  out.pile = lattice(count);
  Dynamics dynamics(out.pile);
  // The fall takes 3 s. Then shorter steps, with which the pile comes nearer to rest; it creeps on for long. What it
  // moves in the last second is told.
  for (int step = 0; step < 3 * 60; ++step) dynamics.step(1.0 / 60);
  for (int step = 0; step < 2 * 240; ++step) dynamics.step(1.0 / 240);
  dynamics.read(out.pile);
  const Pile before = out.pile;
  for (int step = 0; step < 240; ++step) dynamics.step(1.0 / 240);
  dynamics.read(out.pile);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto &p = before[i].p, &q = out.pile[i].p;
    const double speed = std::hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    out.speed = std::max(out.speed, speed);
    out.mean_speed += speed / count;
  }
  return out;
}

Pile settled_pile(int count, const std::string& folder) {
  const std::string path = folder + "/pile-" + std::to_string(count) + ".bin";
  const std::size_t boxes = pit_of(1).size() + static_cast<std::size_t>(count);
  Pile pile(boxes);
  std::ifstream in(path, std::ios::binary);
  if (in.read(reinterpret_cast<char*>(pile.data()), static_cast<std::streamsize>(boxes * sizeof(BoxPose)))) return pile;
  std::printf("settling %d boxes with Bullet's dynamics ...\n", count);
  const Settled settled = settle(count);
  std::printf("  over the last second the fastest moved at %.2g m/s, the mean box at %.2g m/s\n", settled.speed,
              settled.mean_speed);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(settled.pile.data()), static_cast<std::streamsize>(boxes * sizeof(BoxPose)));
  return settled.pile;
}

Pile tiled(const Pile& pile, int copies) {
  double low = 0, high = 0;
  for (const BoxPose& box : pile)
    if (box.fixed) low = std::min(low, box.p[0] - box.half[0]), high = std::max(high, box.p[0] + box.half[0]);
  const int across = static_cast<int>(std::ceil(std::sqrt(copies)));
  Pile out;
  for (int c = 0; c < copies; ++c)
    for (BoxPose box : pile) {
      box.p[0] += (c % across) * (high - low + 1);
      box.p[1] += (c / across) * (high - low + 1);
      out.push_back(box);
    }
  return out;
}

}  // namespace touchstone::bench
