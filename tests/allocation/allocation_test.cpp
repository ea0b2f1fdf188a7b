// A steady step allocates nothing. Every operator new of this program is counted while a switch is on.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "physics/scene_builders.h"

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  if (counting) ++allocations;
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size ? size : 1);
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

void* operator new(std::size_t size) { return counted(size, 0); }
void* operator new[](std::size_t size) { return counted(size, 0); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace touchstone::testing {
namespace {

class Allocation : public ::testing::TestWithParam<std::tuple<int, Integrator, bool>> {};
INSTANTIATE_TEST_SUITE_P(Step, Allocation,
                         ::testing::Combine(::testing::Values(2, 3),
                                            ::testing::Values(Integrator::kSemiImplicitEuler, Integrator::kRk4),
                                            ::testing::Bool()));

TEST_P(Allocation, ASteadyStepAllocatesNothing) {
  const auto [dimension, integrator, yardstick] = GetParam();
  SceneDescription scene = empty_scene(dimension);
  scene.integrator = integrator;
  scene.bodies = {fixed("floor", half_space(up(dimension)))};
  for (int i = 0; i < 20; ++i) {
    Eigen::Vector3d at = 0.1 * up(dimension);
    at.x() = 0.5 * i;
    scene.bodies.push_back(body("b" + std::to_string(i),
                                i % 2            ? sphere(0.1)
                                : dimension == 2 ? box(0.2, 0.2)
                                                 : box(0.2, 0.2, 0.2),
                                at));
  }
  SpringDescription spring;
  spring.body_a = "b0", spring.body_b = "b1", spring.stiffness = 10, spring.damping = 1;
  scene.springs = {spring};
  Simulation sim(scene);
  sim.set_yardstick(yardstick);
  const BodyId pushed = sim.find_body("b3");
  for (int i = 0; i < 200; ++i) {
    sim.apply_force(pushed, {0.1, 0, 0});
    sim.step();
  }
  ASSERT_GT(sim.report().contacts, 20);
  allocations = 0;
  counting = true;
  for (int i = 0; i < 100; ++i) {
    sim.apply_force(pushed, {0.1, 0, 0});
    sim.step();
  }
  counting = false;
  EXPECT_EQ(allocations.load(), 0);
  counting = true;
  delete new int(1);  // the counter does count
  counting = false;
  EXPECT_EQ(allocations.load(), 1);
}

}  // namespace
}  // namespace touchstone::testing
