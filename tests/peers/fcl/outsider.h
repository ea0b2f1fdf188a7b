#pragma once
// FCL behind plain numbers. It is a library of its own, compiled as FCL was: its headers do not pass our warnings, and
// it catches FCL's assertions.

namespace touchstone::testing {

enum class OutsideKind { kSphere, kBox, kCapsule, kConvex, kEllipsoid, kCylinder };

struct OutsideShape {
  OutsideKind kind = OutsideKind::kSphere;
  double radius = 0, length = 0;  // length: between cap centres, or of the cylinder
  double half[3] = {0, 0, 0};
  const double* vertices = nullptr;  // x, y, z of each
  int vertex_count = 0;
  const int* faces = nullptr;  // of each: how many vertices, and which
  int face_numbers = 0, face_count = 0;
  double p[3] = {0, 0, 0};
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // by columns
};

enum class OutsideSolver { kLibccd, kIndependent };

struct OutsideAnswer {
  bool threw = false;     // an exception, a failed assertion, or no number
  bool touching = false;  // fcl::collide
  bool has_gap = true;    // false: it has no least depth for this pair
  double gap = 0;         // distance, or minus the depth
};

OutsideAnswer ask_fcl(const OutsideShape& a, const OutsideShape& b, OutsideSolver solver);

}  // namespace touchstone::testing
