// Purpose: geoms of MJCF files as shapes for contacts or for drawing, and their masses. Source: MuJoCo, XML reference,
// "body/geom". Letters: none. Deviations: a plane is infinite; mass of a mesh by its exact volume. Fails: with an Error
// at the attribute.
#include <fmt/format.h>

#include "base/text.h"
#include "io/robot/mjcf.h"
#include "io/robot/mjcf_fit.h"
#include "io/robot/pose.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

// The attributes of one geom, all of them read, whether its type needs them or not.
struct Geom {
  std::string type, mesh, hfield;
  Vector3d size = Vector3d::Zero();
  RobotPose pose;
  std::optional<double> mass;
  double density = 1000.0, fit_scale = 1.0;
  RobotShape contact;
  bool touches = false;
  bool counts = true;  // its group is in inertiagrouprange
};

// A segment from one point to another along the z axis of the geom, which MuJoCo points from `to` to `from`.
void apply_ends(const XmlNode& node, const std::vector<double>& ends, Geom& geom) {
  const Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]), along = from - to;
  if (!(along.norm() > 1e-10)) node.refuse_attribute("fromto", "must have two points apart from each other");
  const Vector3d z = along.normalized();
  const auto [x, y] = planar_axes(z);
  Eigen::Matrix3d R;
  R << x, y, z;
  geom.pose = {(from + to) / 2, Eigen::Quaterniond(R).normalized()};
  const bool round = geom.type == "capsule" || geom.type == "cylinder";
  if (!round) geom.size[1] = geom.size[0];
  geom.size[round ? 1 : 2] = along.norm() / 2;
}

void read_contact(const XmlNode& node, Geom& geom, const MjcfContext& context) {
  RobotShape& out = geom.contact;
  out.name = node.text("name", "");
  out.source = node.source();
  out.category = static_cast<std::uint32_t>(node.integer("contype").value_or(1));
  out.mask = static_cast<std::uint32_t>(node.integer("conaffinity").value_or(1));
  out.priority = static_cast<int>(node.integer("priority").value_or(0));
  out.directions = static_cast<int>(node.integer("condim").value_or(3));
  if (const int d = out.directions; d != 1 && d != 3 && d != 4 && d != 6)
    node.refuse_attribute("condim", "must be 1, 3, 4 or 6");
  std::array<double, 3> friction{1, 0.005, 0.0001};
  node.overlay("friction", friction);
  for (const double each : friction)
    if (each < 0) node.refuse_attribute("friction", "must not be negative");
  out.friction = out.directions == 1 ? 0.0 : friction[0];
  out.torsional_friction = friction[1], out.rolling_friction = friction[2];
  out.margin = node.number("margin", 0.0);
  geom.touches = out.category != 0 || out.mask != 0 || context.paired_geoms.contains(out.name);
}

void read_color(const XmlNode& node, Geom& geom, const MjcfContext& context) {
  if (const auto material = node.text("material")) {
    const auto known = context.colors.find(*material);
    if (known == context.colors.end()) node.refuse_attribute("material", "is no material of <asset>");
    geom.contact.color = known->second;
  }
  node.overlay("rgba", geom.contact.color);
}

Geom read_attributes(const XmlNode& node, MjcfContext& context) {
  static const std::vector<std::string> types{"sphere",   "plane", "hfield", "capsule", "ellipsoid",
                                              "cylinder", "box",   "mesh",   "sdf"};
  Geom geom;
  geom.type = node.word("type", types);
  if (geom.type == "sdf") node.refuse_attribute("type", "is not supported: signed distance fields are plugins");
  geom.mesh = node.text("mesh", "");
  geom.hfield = node.text("hfield", "");
  node.overlay("size", std::span(geom.size.data(), 3));
  geom.pose = read_mjcf_pose(node, context.compiler);
  geom.mass = node.number("mass");
  geom.density = node.number("density", 1000.0);
  geom.fit_scale = node.number("fitscale", 1.0);
  if (geom.mass && *geom.mass < 0) node.refuse_attribute("mass", "must not be negative");
  if (geom.density < 0) node.refuse_attribute("density", "must not be negative");
  const double group = static_cast<double>(node.integer("group").value_or(0));
  geom.counts = group >= context.compiler.inertia_groups[0] && group <= context.compiler.inertia_groups[1];
  read_contact(node, geom, context);
  read_color(node, geom, context);
  if (const auto ends = node.numbers("fromto", 6, 6)) {
    const bool takes =
        geom.type == "capsule" || geom.type == "cylinder" || geom.type == "box" || geom.type == "ellipsoid";
    if (!takes) node.refuse_attribute("fromto", fmt::format("does not belong to a {}", geom.type));
    apply_ends(node, *ends, geom);
  }
  if (node.boolean("shellinertia").value_or(false))
    context.notes.approximated(node, "shellinertia of ", "the mass is spread over the volume, not over the surface");
  return geom;
}

double size_of(const XmlNode& node, const Geom& geom, int i) {
  if (!(geom.size[i] > 0))
    node.refuse_attribute(
        "size", fmt::format("needs {} greater than 0 m for a {}; number {} is {:g}",
                            counted(static_cast<std::uint64_t>(i) + 1, "length"), geom.type, i + 1, geom.size[i]));
  return geom.size[i];
}

// MJCF gives half lengths.
ShapeDescription primitive(const XmlNode& node, const Geom& geom) {
  const auto size = [&](int i) { return size_of(node, geom, i); };
  if (geom.type == "sphere") return ShapeDescription::sphere(size(0));
  if (geom.type == "capsule") return ShapeDescription::capsule(size(0), 2 * size(1));
  if (geom.type == "cylinder") return ShapeDescription::cylinder(size(0), 2 * size(1));
  if (geom.type == "ellipsoid") return ShapeDescription::ellipsoid(size(0), size(1), size(2));
  if (geom.type == "box") return ShapeDescription::box(2 * size(0), 2 * size(1), 2 * size(2));
  return ShapeDescription::half_space(Vector3d::UnitZ());
}

class GeomReader {
 public:
  GeomReader(const XmlNode& node, const RobotPose& frame, std::size_t link, bool needs_mass, MjcfContext& context,
             std::vector<MjcfGeomMass>& masses)
      : node_(node), context_(context), geom_(read_attributes(node, context)), link_(link), masses_(masses) {
    needs_mass_ = needs_mass && geom_.counts && geom_.mass.value_or(geom_.density) > 0;
    geom_.pose = frame * geom_.pose;
  }

  void read() {
    if (geom_.type == "mesh") return read_mesh();
    if (geom_.type == "hfield") {
      if (geom_.hfield.empty()) node_.refuse("a geom of type hfield needs the attribute 'hfield'");
      return keep(read_mjcf_height_field(node_, geom_.hfield, context_));
    }
    if (!geom_.mesh.empty()) {
      if (geom_.type == "plane") node_.refuse("a plane has no mesh");
      const MeshFit fit = fit_primitive(node_, geom_.type, read_mjcf_mesh(node_, geom_.mesh, context_));
      geom_.size = fit.half_sizes * geom_.fit_scale;
      geom_.pose = geom_.pose * fit.pose;
    }
    ShapeDescription shape = primitive(node_, geom_);
    if (needs_mass_ && geom_.type != "plane") add_mass(mass_properties<3>(make_shape<3>(shape), 1.0));
    keep(std::move(shape));
  }

 private:
  void read_mesh() {
    if (geom_.mesh.empty()) node_.refuse("a geom of type mesh needs the attribute 'mesh'");
    const bool drawn = !geom_.touches;
    if (drawn && !needs_mass_ && !context_.options.visuals) return;
    RobotMesh mesh;
    try {
      mesh = read_mjcf_mesh(node_, geom_.mesh, context_);
    } catch (const Error& e) {
      if (!drawn || needs_mass_) throw;
      return context_.notes.ignored(node_, "visual ", e.what(), false);
    }
    if (needs_mass_) add_mesh_mass(mesh);
    if (drawn && !context_.options.visuals) return;
    try {
      keep(drawn ? visual_shape(mesh, geom_.mesh) : collision_shape(mesh, context_.options.mesh_triangles, geom_.mesh));
    } catch (const Error& e) {
      node_.refuse_attribute("mesh", fmt::format("cannot be a shape for contacts: {}", e.what()));
    }
  }

  void add_mesh_mass(const RobotMesh& mesh) {
    MassProperties<3> unit = mesh_mass(mesh);
    if (unit.mass < 0) unit.mass = -unit.mass, unit.inertia = -unit.inertia;
    if (!(unit.mass > 1e-15))
      node_.refuse_attribute("mesh", fmt::format("encloses {:g} m³, too little for a mass; give the body an "
                                                 "<inertial>, or the geom mass=\"0\"",
                                                 unit.mass));
    add_mass(unit);
  }

  // `unit`: of density 1, in the geom's frame.
  void add_mass(MassProperties<3> unit) {
    const double factor = geom_.mass ? *geom_.mass / unit.mass : geom_.density;
    unit.mass *= factor, unit.inertia *= factor;
    masses_.push_back({moved(unit, Pose<3>{geom_.pose.position, geom_.pose.orientation})});
  }

  void keep(ShapeDescription shape) {
    shape.placement.position = geom_.pose.position;
    shape.placement.orientation = geom_.pose.orientation;
    RobotLink& owner = link_ == RobotLink::kWorld ? context_.out.world : context_.out.links[link_];
    const std::string name = geom_.contact.name;
    if (!geom_.touches) {
      owner.visuals.push_back({name, std::move(shape), geom_.contact.color, node_.source()});
      return;
    }
    geom_.contact.shape = std::move(shape);
    owner.shapes.push_back(std::move(geom_.contact));
    if (!name.empty() && !context_.geoms.emplace(name, std::pair(link_, owner.shapes.size() - 1)).second)
      node_.refuse("there is another geom of this name");
  }

  XmlNode node_;
  MjcfContext& context_;
  Geom geom_;
  std::size_t link_;
  std::vector<MjcfGeomMass>& masses_;
  bool needs_mass_ = false;
};

}  // namespace

void read_mjcf_geom(const XmlNode& node, const RobotPose& frame, std::size_t link, bool needs_mass,
                    MjcfContext& context, std::vector<MjcfGeomMass>& masses) {
  try {
    GeomReader(node, frame, link, needs_mass, context, masses).read();
  } catch (const Error& e) {
    node.throw_here(e);
  }
}

}  // namespace touchstone
