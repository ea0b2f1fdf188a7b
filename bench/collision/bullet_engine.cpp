#include <btBulletCollisionCommon.h>

#include "engine.h"

namespace touchstone::bench {
namespace {

class BulletEngine : public Engine {
 public:
  explicit BulletEngine(const Pile& pile) {
    const auto f = [](double x) { return static_cast<btScalar>(x); };
    for (const BoxPose& box : pile) {
      shapes_.push_back(std::make_unique<btBoxShape>(btVector3(f(box.half[0]), f(box.half[1]), f(box.half[2]))));
      auto object = std::make_unique<btCollisionObject>();
      object->setCollisionShape(shapes_.back().get());
      object->setWorldTransform(btTransform(btQuaternion(f(box.q[0]), f(box.q[1]), f(box.q[2]), f(box.q[3])),
                                            btVector3(f(box.p[0]), f(box.p[1]), f(box.p[2]))));
      // An object without a body counts as static; these are to be looked at in every frame.
      object->setCollisionFlags(box.fixed ? btCollisionObject::CF_STATIC_OBJECT : 0);
      object->setActivationState(box.fixed ? ISLAND_SLEEPING : DISABLE_DEACTIVATION);
      world_.addCollisionObject(
          object.get(), box.fixed ? btBroadphaseProxy::StaticFilter : btBroadphaseProxy::DefaultFilter,
          box.fixed ? btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter : btBroadphaseProxy::AllFilter);
      objects_.push_back(std::move(object));
    }
    world_.setForceUpdateAllAabbs(false);
  }
  ~BulletEngine() override {
    for (auto& object : objects_) world_.removeCollisionObject(object.get());
  }
  const char* name() const override { return "Bullet 3.24"; }
  void move(std::span<const std::array<double, 3>> positions) override {
    for (std::size_t i = 0; i < positions.size(); ++i)
      objects_[i]->getWorldTransform().setOrigin(btVector3(static_cast<btScalar>(positions[i][0]),
                                                           static_cast<btScalar>(positions[i][1]),
                                                           static_cast<btScalar>(positions[i][2])));
  }
  Found detect() override {
    world_.performDiscreteCollisionDetection();
    Found found;
    found.pairs = broad_.getOverlappingPairCache()->getNumOverlappingPairs();
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
      found.contacts += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    return found;
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_;
  btCollisionWorld world_{&dispatcher_, &broad_, &configuration_};
  std::vector<std::unique_ptr<btBoxShape>> shapes_;
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

}  // namespace

std::unique_ptr<Engine> make_bullet(const Pile& pile) { return std::make_unique<BulletEngine>(pile); }

}  // namespace touchstone::bench
