// Bullet as it comes: dynamic tree, sequential impulses, 10 iterations, split impulse; nothing sleeps, nothing damps.
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "peers/engine.h"

namespace touchstone::bench {
namespace {

btScalar f(double x) { return static_cast<btScalar>(x); }

class BulletEngine : public Engine {
 public:
  BulletEngine(const Scene& scene, int substeps) : substeps_(substeps), step_(scene.step / substeps) {
    world_.setGravity(btVector3(0, 0, f(-scene.gravity)));
    world_.getSolverInfo().m_numIterations = 10;
    for (const Item& item : scene.statics) add(item, 0, scene);
    for (const Item& item : scene.bodies) add(item, mass_of(item, scene.density), scene);
  }
  ~BulletEngine() override {
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void frame() override {
    for (int i = 0; i < substeps_; ++i) world_.stepSimulation(f(step_), 0);  // 0: exactly one step of this length
  }
  void read(std::vector<Motion>& out) override {
    out.clear();
    for (const auto& body : bodies_) {
      if (body->isStaticObject()) continue;
      const btVector3 &p = body->getWorldTransform().getOrigin(), &v = body->getLinearVelocity(),
                      &w = body->getAngularVelocity();
      const btQuaternion q = body->getWorldTransform().getRotation();
      out.push_back(
          {{{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}}, {v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}});
    }
  }
  long contacts() override {
    long count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
      count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    return count;
  }

 private:
  // Equal bodies share one shape, as a user would do it.
  btCollisionShape* shape_of(const Item& item) {
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (of_[i].form == item.form && of_[i].half == item.half) return shapes_[i].get();
    if (item.form == Form::kSphere)
      shapes_.push_back(std::make_unique<btSphereShape>(f(item.half[0])));
    else
      shapes_.push_back(std::make_unique<btBoxShape>(btVector3(f(item.half[0]), f(item.half[1]), f(item.half[2]))));
    of_.push_back(item);
    return shapes_.back().get();
  }
  void add(const Item& item, double mass, const Scene& scene) {
    btCollisionShape* shape = shape_of(item);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(f(mass), inertia);
    const auto& [p, q] = item.pose;
    btRigidBody::btRigidBodyConstructionInfo info(f(mass), nullptr, shape, inertia);
    info.m_startWorldTransform =
        btTransform(btQuaternion(f(q[1]), f(q[2]), f(q[3]), f(q[0])), btVector3(f(p[0]), f(p[1]), f(p[2])));
    info.m_friction = f(std::sqrt(scene.friction));  // Bullet multiplies the two of a pair
    info.m_restitution = f(std::sqrt(scene.restitution));
    info.m_linearDamping = info.m_angularDamping = 0;
    auto body = std::make_unique<btRigidBody>(info);
    if (mass > 0) body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get());
    bodies_.push_back(std::move(body));
  }

  int substeps_;
  double step_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<Item> of_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_bullet(const Scene& scene, const EngineOptions& options) {
  return std::make_unique<BulletEngine>(scene, options.substeps);
}

}  // namespace touchstone::bench
