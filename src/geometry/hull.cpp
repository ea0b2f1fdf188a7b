#include "geometry/hull.h"

#include <fmt/format.h>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Owns one run of qhull; everything it allocates goes with it.
class QhullRun {
 public:
  template <int D>
  explicit QhullRun(const std::vector<Vec<D>>& points, std::string command) {
    qh_zero(&qh_, nullptr);
    coordinates_.reserve(points.size() * D);
    for (const Vec<D>& p : points)
      for (int i = 0; i < D; ++i) coordinates_.push_back(p[i]);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> sink(std::fopen("/dev/null", "w"), &std::fclose);
    code_ = qh_new_qhull(&qh_, D, static_cast<int>(points.size()), coordinates_.data(), False, command.data(), nullptr,
                         sink.get());
  }
  ~QhullRun() {
    qh_freeqhull(&qh_, qh_ALL);
    int kept = 0, total = 0;
    qh_memfreeshort(&qh_, &kept, &total);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;
  int code() const { return code_; }
  qhT* get() { return &qh_; }

 private:
  qhT qh_;
  int code_ = 0;
  std::vector<double> coordinates_;
};

template <int D>
void check_points(const std::vector<Vec<D>>& points) {
  if (points.size() < static_cast<std::size_t>(D) + 1)
    throw Error(ErrorKind::kBadInput,
                fmt::format("a convex shape needs at least {} vertices, not {}", D + 1, points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite()) throw Error(ErrorKind::kBadInput, fmt::format("vertex {} is not finite", i + 1));
}

void sort_counter_clockwise(std::vector<Vec<2>>& vertices) {
  Vec<2> centre = Vec<2>::Zero();
  for (const Vec<2>& v : vertices) centre += v / static_cast<double>(vertices.size());
  std::sort(vertices.begin(), vertices.end(), [&](const Vec<2>& a, const Vec<2>& b) {
    return std::atan2(a[1] - centre[1], a[0] - centre[0]) < std::atan2(b[1] - centre[1], b[0] - centre[0]);
  });
}

std::vector<std::vector<std::uint32_t>> collect_faces(qhT* qh, const std::vector<int>& index_of,
                                                      const std::vector<Vec<3>>& vertices) {
  std::vector<std::vector<std::uint32_t>> faces;
  facetT* facet;
  FORALLfacets {
    setT* ring = qh_facet3vertex(qh, facet);
    std::vector<std::uint32_t> face;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(ring)
        face.push_back(static_cast<std::uint32_t>(index_of[static_cast<std::size_t>(qh_pointid(qh, vertex->point))]));
    qh_settempfree(qh, &ring);
    // qhull's ring direction depends on its build; orient by the outward facet normal.
    const Vec<3>&a = vertices[face[0]], &b = vertices[face[1]], &c = vertices[face[2]];
    const Vec<3> outward(facet->normal[0], facet->normal[1], facet->normal[2]);
    if (cross(Vec<3>(b - a), Vec<3>(c - a)).dot(outward) < 0) std::reverse(face.begin(), face.end());
    faces.push_back(std::move(face));
  }
  return faces;
}

// Points nearer to each other than this part of the set's size are one: faces between them would have no normal.
constexpr double kDouble = 1e-9;
// A set thinner than this part of its size is flat: its faces' normals would be rounding noise.
constexpr double kFlat = 1e-9;

[[noreturn]] void refuse_flat(int dimension) {
  throw Error(ErrorKind::kBadInput,
              dimension == 2
                  ? "the vertices lie on a line or in a point (to 1e-9 of their size); they must enclose an area"
                  : "the vertices lie in a plane, on a line or in a point (to 1e-9 of their size); they must "
                    "enclose a volume");
}

template <int D>
std::vector<Vec<D>> without_doubles(const std::vector<Vec<D>>& points) {
  const std::vector<std::uint32_t> place = weld<D>(points, kDouble * size_of<D>(points));
  std::vector<Vec<D>> out;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (place[i] == i) out.push_back(points[i]);
  return out;
}

// Mean distance (root of the mean square) from the plane or line that fits best.
template <int D>
double thickness_of(const std::vector<Vec<D>>& points) {
  Eigen::Matrix<double, Eigen::Dynamic, D> m(static_cast<Eigen::Index>(points.size()), D);
  Vec<D> middle = Vec<D>::Zero();
  for (const Vec<D>& p : points) middle += p / static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    m.row(static_cast<Eigen::Index>(i)) = (points[i] - middle).transpose();
  const Eigen::ColPivHouseholderQR<decltype(m)> qr(m);
  return std::abs(qr.matrixR()(D - 1, D - 1)) / std::sqrt(static_cast<double>(points.size()));
}

template <int D>
Polytope<D> hull_of(const std::vector<Vec<D>>& points, const std::string& command) {
  QhullRun run(points, command);
  if (run.code() != 0) refuse_flat(D);
  qhT* qh = run.get();
  std::vector<Vec<D>> vertices;
  std::vector<int> index_of(points.size(), -1);
  // In the order of the input, so that the hull does not depend on qhull's own order.
  vertexT* vertex;
  FORALLvertices index_of[static_cast<std::size_t>(qh_pointid(qh, vertex->point))] = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (index_of[i] < 0) continue;
    index_of[i] = static_cast<int>(vertices.size());
    vertices.push_back(points[i]);
  }
  if constexpr (D == 2) {
    sort_counter_clockwise(vertices);
    return make_polytope(std::move(vertices));
  } else {
    const auto faces = collect_faces(qh, index_of, vertices);
    return make_polytope(std::move(vertices), faces);
  }
}

}  // namespace

template <int D>
Polytope<D> convex_hull(const std::vector<Vec<D>>& given) {
  check_points(given);
  const std::vector<Vec<D>> points = without_doubles(given);
  if (points.size() <= D || thickness_of(points) <= kFlat * size_of<D>(points)) refuse_flat(D);
  try {
    return hull_of(points, "qhull");
  } catch (const Error&) {
    // Where merging coplanar facets leaves no proper surface, moving the points by their last bits does.
    return hull_of(points, "qhull QJ");
  }
}

template Polytope<2> convex_hull(const std::vector<Vec<2>>&);
template Polytope<3> convex_hull(const std::vector<Vec<3>>&);

}  // namespace touchstone
