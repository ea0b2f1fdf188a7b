// Chipmunk 7 as it comes: a tree of bounding boxes, 10 iterations; nothing sleeps, nothing damps. Its slop is 5 mm, as
// Box2D's, and not its own of 0.1, which is meant for pixels.
#include <chipmunk/chipmunk.h>

#include <cmath>
#include <functional>

#include "peers2d/engines.h"

namespace touchstone::bench {
namespace {

double angle_of(const Quaternion& q) { return 2 * std::atan2(-q[2], q[0]); }

class ChipmunkEngine : public Engine {
 public:
  ChipmunkEngine(const Scene& scene, int substeps) : substeps_(substeps), step_(scene.step / substeps) {
    space_ = cpSpaceNew();
    cpSpaceSetGravity(space_, cpv(0, -scene.gravity));
    cpSpaceSetCollisionSlop(space_, 0.005);
    for (const Item& item : scene.statics) add(item, cpBodyNewStatic(), scene);
    for (const Item& item : scene.bodies) {
      cpBody* body = cpBodyNew(mass_of(item, scene.density), inertia_of(item, scene.density));
      bodies_.push_back(add(item, body, scene));
    }
  }
  void frame() override {
    for (int i = 0; i < substeps_; ++i) cpSpaceStep(space_, step_);
  }
  void read(std::vector<Motion>& out) override {
    out.clear();
    for (const cpBody* body : bodies_) {
      const cpVect p = cpBodyGetPosition(body), v = cpBodyGetVelocity(body);
      const double half = 0.5 * cpBodyGetAngle(body);
      out.push_back({{{p.x, 0, p.y}, {std::cos(half), 0, -std::sin(half), 0}},
                     {v.x, 0, v.y},
                     {0, -cpBodyGetAngularVelocity(body), 0}});
    }
  }
  long contacts() override {
    long count = 0;
    const auto add = [](cpBody*, cpArbiter* arbiter, void* sum) {
      cpBody *a = nullptr, *b = nullptr;
      cpArbiterGetBodies(arbiter, &a, &b);  // a is always the one that is asked
      const bool again = cpBodyGetType(b) == CP_BODY_TYPE_DYNAMIC && std::less<>()(b, a);  // both have the arbiter
      if (!again) *static_cast<long*>(sum) += cpArbiterGetCount(arbiter);
    };
    for (cpBody* body : bodies_) cpBodyEachArbiter(body, add, &count);
    return count;
  }

 private:
  cpBody* add(const Item& item, cpBody* body, const Scene& scene) {
    const auto& [p, q] = item.pose;
    cpSpaceAddBody(space_, body);
    cpBodySetPosition(body, cpv(p[0], p[2]));
    cpBodySetAngle(body, angle_of(q));
    if (cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC) cpBodySetVelocity(body, cpv(item.velocity[0], item.velocity[2]));
    cpShape* shape = item.form == Form::kDisk ? cpCircleShapeNew(body, item.half[0], cpvzero)
                                              : cpBoxShapeNew(body, 2 * item.half[0], 2 * item.half[2], 0);
    cpShapeSetFriction(shape, std::sqrt(scene.friction));  // Chipmunk multiplies the two of a pair
    cpShapeSetElasticity(shape, std::sqrt(scene.restitution));
    cpSpaceAddShape(space_, shape);
    return body;
  }

  int substeps_;
  double step_;
  cpSpace* space_;  // goes with the run's process
  std::vector<cpBody*> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_chipmunk(const Scene& scene, const EngineOptions& options) {
  return std::make_unique<ChipmunkEngine>(scene, options.substeps);
}

}  // namespace touchstone::bench
