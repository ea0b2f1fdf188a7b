#include "peers/outside_view.h"

namespace touchstone::testing {
#ifdef TOUCHSTONE_FCL
namespace {

struct View {
  OutsideShape shape;
  std::vector<int> faces;
};

void view_of(const Shape<3>& s, const Vec<3>& p, const Mat<3>& R, View& view) {
  OutsideShape& o = view.shape;
  switch (s.kind) {
    case ShapeKind::kSphere:
      o.kind = OutsideKind::kSphere;
      break;
    case ShapeKind::kBox:
      o.kind = OutsideKind::kBox;
      break;
    case ShapeKind::kCapsule:
      o.kind = OutsideKind::kCapsule;
      break;
    case ShapeKind::kEllipsoid:
      o.kind = OutsideKind::kEllipsoid;
      break;
    case ShapeKind::kCylinder:
      o.kind = OutsideKind::kCylinder;
      break;
    default:
      o.kind = OutsideKind::kConvex;
      for (std::size_t f = 0; f < s.hull->face_count(); ++f) {
        const auto ring = s.hull->face(f);
        view.faces.push_back(static_cast<int>(ring.size()));
        for (const std::uint32_t v : ring) view.faces.push_back(static_cast<int>(v));
      }
      o.vertices = s.hull->vertices[0].data();
      o.vertex_count = static_cast<int>(s.hull->vertices.size());
      o.faces = view.faces.data();
      o.face_numbers = static_cast<int>(view.faces.size());
      o.face_count = static_cast<int>(s.hull->face_count());
  }
  o.radius = s.radius;
  o.length = 2 * s.half_length;
  for (int i = 0; i < 3; ++i) o.half[i] = s.half[i], o.p[i] = p[i];
  for (int i = 0; i < 9; ++i) o.R[i] = R.data()[i];
}

}  // namespace

template <>
std::vector<std::pair<std::string, OutsideAnswer>> outside_views(const PairCase<3>& pair) {
  View a, b;
  view_of(pair.a, pair.pa, pair.Ra, a);
  view_of(pair.b, pair.pb, pair.Rb, b);
  return {{"fcl libccd", ask_fcl(a.shape, b.shape, OutsideSolver::kLibccd)},
          {"fcl indep", ask_fcl(a.shape, b.shape, OutsideSolver::kIndependent)}};
}
#else
template <>
std::vector<std::pair<std::string, OutsideAnswer>> outside_views(const PairCase<3>&) {
  return {};
}
#endif

template <>
std::vector<std::pair<std::string, OutsideAnswer>> outside_views(const PairCase<2>&) {
  return {};
}

}  // namespace touchstone::testing
