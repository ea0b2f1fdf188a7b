#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>

#include "engine.h"

namespace touchstone::bench {
namespace {

struct Query {
  fcl::CollisionRequestd request{8, true};
  Found found;
};

bool collide_pair(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
  auto& query = *static_cast<Query*>(data);
  // Walls meet walls in FCL's tree too; nobody wants those.
  if (a->getUserData() && b->getUserData()) return false;
  ++query.found.pairs;
  fcl::CollisionResultd result;
  fcl::collide(a, b, query.request, result);
  query.found.contacts += static_cast<long>(result.numContacts());
  return false;
}

class FclEngine : public Engine {
 public:
  explicit FclEngine(const Pile& pile) {
    for (const BoxPose& box : pile) {
      auto shape = std::make_shared<fcl::Boxd>(2 * box.half[0], 2 * box.half[1], 2 * box.half[2]);
      fcl::Transform3d at = fcl::Transform3d::Identity();
      at.linear() = fcl::Quaterniond(box.q[3], box.q[0], box.q[1], box.q[2]).normalized().toRotationMatrix();
      at.translation() = fcl::Vector3d(box.p[0], box.p[1], box.p[2]);
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shape, at));
      objects_.back()->setUserData(box.fixed ? this : nullptr);
      objects_.back()->computeAABB();
      manager_.registerObject(objects_.back().get());
    }
    manager_.setup();
  }
  const char* name() const override { return "FCL 0.7"; }
  void move(std::span<const std::array<double, 3>> positions) override {
    for (std::size_t i = 0; i < positions.size(); ++i)
      objects_[i]->setTranslation(fcl::Vector3d(positions[i][0], positions[i][1], positions[i][2]));
  }
  Found detect() override {
    for (auto& object : objects_) object->computeAABB();
    manager_.update();
    Query query;
    manager_.collide(&query, collide_pair);
    return query.found;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<Engine> make_fcl(const Pile& pile) { return std::make_unique<FclEngine>(pile); }

}  // namespace touchstone::bench
