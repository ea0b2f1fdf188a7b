// ODE: QuickStep with 20 iterations, up to 8 contacts a pair, surface layer 1 mm, hash space; nothing is disabled.
#include <ode/ode.h>

#include "peers/engine.h"

namespace touchstone::bench {
namespace {

constexpr int kContactsOfPair = 8;
// Bounces end below this approach speed [m/s]: what gravity gives in a step of 1 ms.
constexpr double kBounceSpeed = 0.01;

class OdeEngine : public Engine {
 public:
  OdeEngine(const Scene& scene, int substeps) : scene_(scene), substeps_(substeps), step_(scene.step / substeps) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -scene.gravity);
    dWorldSetQuickStepNumIterations(world_, 20);
    dWorldSetContactSurfaceLayer(world_, 0.001);
    dWorldSetAutoDisableFlag(world_, 0);
    for (const Item& item : scene.statics) place(geom_of(item), item);
    for (const Item& item : scene.bodies) add(item);
  }
  ~OdeEngine() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  void frame() override {
    for (int i = 0; i < substeps_; ++i) {
      contacts_ = 0;
      dSpaceCollide(space_, this, &OdeEngine::near_callback);
      dWorldQuickStep(world_, step_);
      dJointGroupEmpty(joints_);
    }
  }
  void read(std::vector<Motion>& out) override {
    out.clear();
    for (const dBodyID body : bodies_) {
      const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body), *v = dBodyGetLinearVel(body),
                  *w = dBodyGetAngularVel(body);
      out.push_back({{{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}});
    }
  }
  long contacts() override { return contacts_; }

 private:
  dGeomID geom_of(const Item& item) {
    if (item.form == Form::kSphere) return dCreateSphere(space_, item.half[0]);
    return dCreateBox(space_, 2 * item.half[0], 2 * item.half[1], 2 * item.half[2]);
  }
  static void place(dGeomID geom, const Item& item) {
    const auto& [p, q] = item.pose;
    const dQuaternion quaternion{q[0], q[1], q[2], q[3]};
    dGeomSetPosition(geom, p[0], p[1], p[2]);
    dGeomSetQuaternion(geom, quaternion);
  }
  void add(const Item& item) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    if (item.form == Form::kSphere)
      dMassSetSphere(&mass, scene_.density, item.half[0]);
    else
      dMassSetBox(&mass, scene_.density, 2 * item.half[0], 2 * item.half[1], 2 * item.half[2]);
    dBodySetMass(body, &mass);
    const dGeomID geom = geom_of(item);
    dGeomSetBody(geom, body);
    place(geom, item);
    bodies_.push_back(body);
  }
  static void near_callback(void* self, dGeomID a, dGeomID b) { static_cast<OdeEngine*>(self)->near(a, b); }
  void near(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    dContact contacts[kContactsOfPair];
    const int count = dCollide(a, b, kContactsOfPair, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dSurfaceParameters& surface = contacts[i].surface;
      surface = {};
      surface.mode = dContactApprox1;  // without it mu would be a force
      surface.mu = scene_.friction;
      if (scene_.restitution > 0) {
        surface.mode |= dContactBounce;
        surface.bounce = scene_.restitution;
        surface.bounce_vel = kBounceSpeed;
      }
      dJointAttach(dJointCreateContact(world_, joints_, &contacts[i]), body_a, body_b);
    }
    contacts_ += count;
  }

  Scene scene_;
  int substeps_;
  double step_;
  long contacts_ = 0;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID joints_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_ode(const Scene& scene, const EngineOptions& options) {
  return std::make_unique<OdeEngine>(scene, options.substeps);
}

}  // namespace touchstone::bench
