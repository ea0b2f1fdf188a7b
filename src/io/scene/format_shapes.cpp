// The part of the format that is about shapes.
#include <algorithm>

#include "io/scene/format.h"
#include "io/scene/format_keys.h"

namespace touchstone {

using enum ValueType;

void add_rotation(TableSpec& table) {
  table.keys.push_back(
      only(2, number("angle", "rad", "0", "Rotation, counter-clockwise. In 3D use `orientation` or `axis_angle`.")));
  table.keys.push_back(only(3, key_of("orientation", kNumberOrList, "", "[1, 0, 0, 0]",
                                      "Rotation as a quaternion w, x, y, z; it is normalised. In 2D use `angle`.")));
  table.keys.push_back(only(3, key_of("axis_angle", kNumberOrList, "rad", "",
                                      "Rotation as x, y, z, angle, instead of `orientation`. In 2D use `angle`.")));
}

const TableSpec& shape_format() {
  static const TableSpec table = [] {
    TableSpec t{"shape", "A shape of a body. Which of the sizes it takes depends on `kind`, as listed below.", {}};
    std::vector<std::string> kinds;
    for (const ShapeFormat& shape : shape_formats()) kinds.push_back(shape.name);
    t.keys.push_back(required(one_of(kinds, text("kind", "", "Kind of shape."))));
    t.keys.push_back(above(0, number("radius", "m", "", "Radius.")));
    t.keys.push_back(above(0, number("length", "m", "", "Length along the last axis: y in 2D, z in 3D.")));
    t.keys.push_back(above(0, vector("size", "m", "", "Edge lengths.")));
    t.keys.push_back(above(0, vector("radii", "m", "", "Half axes.")));
    t.keys.push_back(vector("normal", "", "up: the last axis", "Outward normal of the plane; it is normalised."));
    t.keys.push_back(key_of("vertices", kVectorList, "m", "",
                            "Points: whose convex hull is the shape, or of a mesh or chain as they are."));
    t.keys.push_back(
        key_of("triangles", kTripleList, "", "",
               "Three places among the vertices each, counted from 0, counter-clockwise seen from the front."));
    t.keys.push_back(
        text("file", "", "Mesh file, sought beside the scene: OBJ, STL, PLY, glTF, GLB or Collada (.dae)."));
    t.keys.push_back(above(0, number("scale", "", "1", "Factor on the coordinates of a mesh.")));
    t.keys.push_back(one_of({"triangles", "hull", "convex_parts"},
                            text("as", "triangles",
                                 "What a mesh is taken for: its triangles, the convex hull of all of it, or a compound "
                                 "of the hulls of the file's objects.")));
    t.keys.push_back(boolean("closed", "false",
                             "Whether a chain is the outline of a solid: its last vertex is joined to the first."));
    t.keys.push_back(boolean("two_sided", "false, of a segment true", "Whether the back of a surface is touched too."));
    t.keys.push_back(key_of("heights", kNumberRows, "m", "",
                            "Heights over a grid: in 3D rows along x, the first one at the lowest y; in 2D one row."));
    t.keys.push_back(above(0, number("spacing", "m", "", "Distance of neighbouring heights.")));
    t.keys.push_back(vector("position", "m", "zero", "Position in the body's frame."));
    add_rotation(t);
    t.keys.push_back(text("material", "the body's", "Material of this shape."));
    return t;
  }();
  return table;
}

const std::vector<ShapeFormat>& shape_formats() {
  using enum ShapeKind;
  static const std::vector<ShapeFormat> shapes{
      {"circle", kSphere, 2, {"radius"}, {}, "A disc about the frame's origin."},
      {"sphere", kSphere, 3, {"radius"}, {}, "A ball about the frame's origin."},
      {"box", kBox, 0, {"size"}, {}, "A rectangle or cuboid about the frame's origin, along its axes."},
      {"capsule",
       kCapsule,
       0,
       {"radius", "length"},
       {},
       "All within `radius` of a segment along the last axis; `length` is between the cap centres."},
      {"half_space",
       kHalfSpace,
       0,
       {},
       {"normal"},
       "All below the plane through the frame's origin. Static and kinematic bodies only."},
      {"convex", kConvex, 0, {"vertices"}, {}, "The convex hull of points."},
      {"ellipse", kEllipsoid, 2, {"radii"}, {}, "An ellipse along the frame's axes."},
      {"ellipsoid", kEllipsoid, 3, {"radii"}, {}, "An ellipsoid along the frame's axes."},
      {"cylinder", kCylinder, 3, {"radius", "length"}, {}, "A cylinder along the last axis, about the frame's origin."},
      {"mesh",
       kMesh,
       3,
       {},
       {"file", "vertices", "triangles", "scale", "as", "two_sided"},
       "A surface of triangles: of a `file`, or of `vertices` and `triangles`. It is touched from its front, unless "
       "`two_sided`. A dynamic body gets its mass from a mesh only if that is closed."},
      {"chain",
       kMesh,
       2,
       {"vertices"},
       {"closed", "two_sided"},
       "Segments from vertex to vertex. The front is on the left: a floor is listed from left to right. A `closed` one "
       "has its front outside, whichever way it is listed."},
      {"segment",
       kMesh,
       2,
       {"vertices"},
       {"two_sided"},
       "The segment between two vertices, which is touched from both sides unless `two_sided = false`."},
      {"height_field",
       kHeightField,
       0,
       {"heights", "spacing"},
       {"two_sided"},
       "A surface over a regular grid, centred about the frame's origin, with its front up (the last axis). It has no "
       "mass."},
  };
  return shapes;
}

bool is_shape_parameter(const std::string& key) {
  const auto has = [&](const std::vector<std::string>& keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const auto takes = [&](const ShapeFormat& shape) { return has(shape.required) || has(shape.optional); };
  return std::any_of(shape_formats().begin(), shape_formats().end(), takes);
}

}  // namespace touchstone
