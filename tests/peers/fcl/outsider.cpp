#include "outsider.h"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <vector>

namespace {
// Debian's FCL has its assertions in. One that fails counts as an answer that FCL could not give: we jump out of it,
// since exceptions cannot pass what the compiler takes for a call that never throws. What FCL had allocated is lost.
std::jmp_buf before_fcl;
bool inside_fcl = false;
}  // namespace

extern "C" void __assert_fail(const char* what, const char* file, unsigned line, const char*) noexcept {
  if (inside_fcl) std::longjmp(before_fcl, 1);
  std::fprintf(stderr, "%s:%u: %s\n", file, line, what);
  std::abort();
}

namespace touchstone::testing {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const OutsideShape& s) {
  switch (s.kind) {
    case OutsideKind::kSphere:
      return std::make_shared<fcl::Sphered>(s.radius);
    case OutsideKind::kBox:
      return std::make_shared<fcl::Boxd>(2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
    case OutsideKind::kCapsule:
      return std::make_shared<fcl::Capsuled>(s.radius, s.length);
    case OutsideKind::kEllipsoid:
      return std::make_shared<fcl::Ellipsoidd>(s.half[0], s.half[1], s.half[2]);
    case OutsideKind::kCylinder:
      return std::make_shared<fcl::Cylinderd>(s.radius, s.length);
    case OutsideKind::kConvex:
      break;
  }
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (int i = 0; i < s.vertex_count; ++i)
    vertices->emplace_back(s.vertices[3 * i], s.vertices[3 * i + 1], s.vertices[3 * i + 2]);
  auto faces = std::make_shared<std::vector<int>>(s.faces, s.faces + s.face_numbers);
  return std::make_shared<fcl::Convexd>(vertices, s.face_count, faces);
}

fcl::Transform3d pose_of(const OutsideShape& s) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.translation() = fcl::Vector3d(s.p[0], s.p[1], s.p[2]);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) pose.linear()(r, c) = s.R[3 * c + r];
  return pose;
}

bool is_polytope(const OutsideShape& s) { return s.kind == OutsideKind::kBox || s.kind == OutsideKind::kConvex; }
bool has_direct_depth(const OutsideShape& a, const OutsideShape& b) {
  const bool sphere = a.kind == OutsideKind::kSphere || b.kind == OutsideKind::kSphere;
  const OutsideKind other = a.kind == OutsideKind::kSphere ? b.kind : a.kind;
  return sphere && other != OutsideKind::kConvex && other != OutsideKind::kEllipsoid;
}

// The depth that FCL gives with libccd: from EPA for two polytopes (for round shapes it takes seconds), from a contact
// where there is a direct routine; its other contacts come from MPR, which does not look for the least depth.
void depth_of(const OutsideShape& a, const OutsideShape& b, double contact_depth, bool libccd, OutsideAnswer& out,
              const fcl::CollisionObjectd& oa, const fcl::CollisionObjectd& ob) {
  if (libccd && is_polytope(a) && is_polytope(b)) {
    const fcl::DistanceRequestd signed_distance(false, true);
    fcl::DistanceResultd gap;
    fcl::distance(&oa, &ob, signed_distance, gap);
    out.gap = gap.min_distance;
  } else if (!libccd || has_direct_depth(a, b)) {
    out.gap = -std::abs(contact_depth);
  } else {
    out.has_gap = false;
  }
}

OutsideAnswer answer_of(const OutsideShape& a, const OutsideShape& b, OutsideSolver solver) {
  const fcl::CollisionObjectd oa(geometry_of(a), pose_of(a)), ob(geometry_of(b), pose_of(b));
  const bool libccd = solver == OutsideSolver::kLibccd;
  OutsideAnswer out;
  fcl::CollisionRequestd touch(1, true);
  touch.gjk_solver_type = libccd ? fcl::GST_LIBCCD : fcl::GST_INDEP;
  fcl::CollisionResultd touching;
  fcl::collide(&oa, &ob, touch, touching);
  out.touching = touching.isCollision();
  if (out.touching) {
    depth_of(a, b, touching.getContact(0).penetration_depth, libccd, out, oa, ob);
  } else {
    fcl::DistanceRequestd distance(false, false);
    distance.gjk_solver_type = touch.gjk_solver_type;
    fcl::DistanceResultd gap;
    fcl::distance(&oa, &ob, distance, gap);
    out.gap = gap.min_distance;
    if (out.gap < 0) out.touching = true, out.has_gap = false;  // −1 stands for "they overlap"
  }
  out.threw = !std::isfinite(out.gap);
  return out;
}

}  // namespace

OutsideAnswer ask_fcl(const OutsideShape& a, const OutsideShape& b, OutsideSolver solver) {
  OutsideAnswer failed;
  failed.threw = true;
  if (setjmp(before_fcl) != 0) {
    inside_fcl = false;
    return failed;
  }
  inside_fcl = true;
  try {
    const OutsideAnswer out = answer_of(a, b, solver);
    inside_fcl = false;
    return out;
  } catch (const std::exception&) {
    inside_fcl = false;
    return failed;
  }
}

}  // namespace touchstone::testing
