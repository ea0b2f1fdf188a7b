#include "collision/detector.h"
#include "engine.h"

namespace touchstone::bench {
namespace {

class TouchstoneEngine : public Engine {
 public:
  TouchstoneEngine(const Pile& pile, const char* name, double margin, double reuse)
      : name_(name), margin_(margin), reuse_(reuse), reach_(pile.size(), 0.5 * margin) {
    for (const BoxPose& box : pile) {
      ShapeDescription shape;
      shape.kind = ShapeKind::kBox;
      shape.size = {2 * box.half[0], 2 * box.half[1], 2 * box.half[2]};
      Collider<3> c;
      c.set_form({make_shape<3>(shape)});
      c.body = static_cast<std::uint32_t>(position_.size());
      c.movable = !box.fixed;
      detector_.colliders().add(c);
      position_.push_back({box.p[0], box.p[1], box.p[2]});
      orientation_.emplace_back(box.q[3], box.q[0], box.q[1], box.q[2]);
    }
  }
  const char* name() const override { return name_; }
  void move(std::span<const std::array<double, 3>> positions) override {
    for (std::size_t i = 0; i < positions.size(); ++i)
      position_[i] = {positions[i][0], positions[i][1], positions[i][2]};
  }
  Found detect() override {
    const double start = processor_time();
    detector_.find_pairs(position_, orientation_, reach_, parallel_);
    const double broad = processor_time() - start;
    detector_.find_contacts(position_, orientation_, margin_, parallel_, contacts_, reuse_);
    return {static_cast<long>(detector_.pairs().size()), static_cast<long>(contacts_.size()), broad};
  }

 private:
  const char* name_;
  double margin_, reuse_;
  Parallel parallel_{1};
  Detector<3> detector_;
  std::vector<Vec<3>> position_;
  std::vector<Rotation<3>> orientation_;
  std::vector<double> reach_;
  std::vector<Contact<3>> contacts_;
};

}  // namespace

std::unique_ptr<Engine> make_touchstone(const Pile& pile, const char* name, double margin, double reuse) {
  return std::make_unique<TouchstoneEngine>(pile, name, margin, reuse);
}

}  // namespace touchstone::bench
