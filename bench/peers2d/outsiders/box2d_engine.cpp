// Box2D 2.4 as it comes: dynamic tree, 8 velocity and 3 position iterations, its skin and slop of 5 mm; nothing sleeps,
// nothing damps. What collides elastically does so at any speed: its usual threshold of 1 m/s would stop most of it.
#include <box2d/box2d.h>

#include <cmath>

#include "peers2d/engines.h"

namespace touchstone::bench {
namespace {

float f(double x) { return static_cast<float>(x); }
double angle_of(const Quaternion& q) { return 2 * std::atan2(-q[2], q[0]); }

class Box2dEngine : public Engine {
 public:
  Box2dEngine(const Scene& scene, int substeps) : substeps_(substeps), step_(f(scene.step / substeps)) {
    world_.SetGravity(b2Vec2(0, f(-scene.gravity)));
    world_.SetAllowSleeping(false);
    for (const Item& item : scene.statics) add(item, b2_staticBody, scene);
    for (const Item& item : scene.bodies) bodies_.push_back(add(item, b2_dynamicBody, scene));
  }
  void frame() override {
    for (int i = 0; i < substeps_; ++i) world_.Step(step_, 8, 3);
  }
  void read(std::vector<Motion>& out) override {
    out.clear();
    for (const b2Body* body : bodies_) {
      const b2Vec2 p = body->GetPosition(), v = body->GetLinearVelocity();
      const double half = 0.5 * static_cast<double>(body->GetAngle());
      out.push_back({{{p.x, 0, p.y}, {std::cos(half), 0, -std::sin(half), 0}},
                     {v.x, 0, v.y},
                     {0, -static_cast<double>(body->GetAngularVelocity()), 0}});
    }
  }
  long contacts() override {
    long count = 0;
    for (const b2Contact* c = world_.GetContactList(); c; c = c->GetNext())
      if (c->IsTouching()) count += c->GetManifold()->pointCount;
    return count;
  }

 private:
  b2Body* add(const Item& item, b2BodyType type, const Scene& scene) {
    const auto& [p, q] = item.pose;
    b2BodyDef def;
    def.type = type;
    def.position.Set(f(p[0]), f(p[2]));
    def.angle = f(angle_of(q));
    def.linearVelocity.Set(f(item.velocity[0]), f(item.velocity[2]));
    def.allowSleep = false;
    b2Body* body = world_.CreateBody(&def);
    b2CircleShape circle;
    circle.m_radius = f(item.half[0]);
    b2PolygonShape box;
    box.SetAsBox(f(item.half[0]), f(item.half[2]));
    b2FixtureDef fixture;
    fixture.shape = item.form == Form::kDisk ? static_cast<b2Shape*>(&circle) : &box;
    fixture.density = f(scene.density);
    fixture.friction = f(scene.friction);
    fixture.restitution = f(scene.restitution);
    fixture.restitutionThreshold = 0;
    body->CreateFixture(&fixture);
    return body;
  }

  int substeps_;
  float step_;
  b2World world_{b2Vec2(0, 0)};
  std::vector<b2Body*> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_box2d(const Scene& scene, const EngineOptions& options) {
  return std::make_unique<Box2dEngine>(scene, options.substeps);
}

}  // namespace touchstone::bench
