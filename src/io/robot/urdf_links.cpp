// Purpose: links of URDF files: inertials, collision and visual shapes. Source: http://wiki.ros.org/urdf/XML/link.
// Letters: none. Deviations: collision meshes become their convex hulls unless triangles are asked for. Fails: with an
// Error at the line of the element.
#include <fmt/format.h>

#include "base/text.h"
#include "io/robot/checks.h"
#include "io/robot/find_file.h"
#include "io/robot/pose.h"
#include "io/robot/urdf.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

double positive(const XmlNode& node, const char* attribute) {
  const auto value = node.number(attribute);
  if (!value) node.refuse(fmt::format("the attribute '{}' is missing", attribute));
  if (!(*value > 0)) node.refuse_attribute(attribute, "must be greater than 0 m");
  return *value;
}

void read_inertial(const XmlNode& node, RobotLink& link) {
  const RobotPose origin = read_urdf_origin(node);
  const auto mass = node.child("mass");
  const auto inertia = node.child("inertia");
  if (!mass) node.refuse("a <mass value=\"…\"/> is missing");
  if (!inertia) node.refuse("an <inertia ixx=\"…\" …/> is missing");
  link.mass = mass->number("value").value_or(-1);
  if (!mass->has("value")) mass->refuse("the attribute 'value' is missing");
  if (link.mass < 0) mass->refuse_attribute("value", fmt::format("must not be negative (link '{}')", link.name));
  const auto moment = [&](const char* name) {
    const auto value = inertia->number(name);
    if (!value) inertia->refuse(fmt::format("the attribute '{}' is missing (link '{}')", name, link.name));
    return *value;
  };
  const double xx = moment("ixx"), xy = moment("ixy"), xz = moment("ixz");
  const double yy = moment("iyy"), yz = moment("iyz"), zz = moment("izz");
  Eigen::Matrix3d about;
  about << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const Eigen::Matrix3d R = origin.orientation.toRotationMatrix();
  link.center_of_mass = origin.position;
  link.inertia = R * about * R.transpose();
  link.inertia = (link.inertia + link.inertia.transpose()).eval() / 2;
  const RobotSource whole = link.source;
  link.source = inertia->source();  // the line of a wrong number
  check_link_mass(link);
  link.source = whole;
}

// The mesh of a <mesh>; throws Error if it is not there or not a mesh.
RobotMesh read_mesh(const XmlNode& node, UrdfContext& context) {
  const std::string address = node.required("filename");
  const Eigen::Vector3d scale = node.vector("scale", Eigen::Vector3d::Ones());
  if (scale.prod() == 0) node.refuse_attribute("scale", "must not have a 0 in it");
  const FoundFile found = find_robot_file(address, node.source().file, context.options.package_roots);
  if (found.path.empty()) node.refuse_attribute("filename", fmt::format("is not found: {}", valid_utf8(found.tried)));
  if (!found.note.empty()) context.notes.approximated(node, "", found.note);
  try {
    return context.meshes.get(found.path, scale);
  } catch (const Error& e) {
    node.refuse(e.what());
  }
}

// One of sphere, box, cylinder, capsule; nothing for a mesh.
std::optional<ShapeDescription> read_primitive(const XmlNode& node) {
  if (node.name() == "sphere") return ShapeDescription::sphere(positive(node, "radius"));
  if (node.name() == "cylinder") return ShapeDescription::cylinder(positive(node, "radius"), positive(node, "length"));
  if (node.name() == "capsule") return ShapeDescription::capsule(positive(node, "radius"), positive(node, "length"));
  if (node.name() != "box") return std::nullopt;
  const auto size = node.vector("size");
  if (!size) node.refuse("the attribute 'size' is missing");
  if (!(size->minCoeff() > 0)) node.refuse_attribute("size", "must be three lengths greater than 0 m");
  return ShapeDescription::box(size->x(), size->y(), size->z());
}

XmlNode geometry_of(const XmlNode& node) {
  const auto geometry = node.child("geometry");
  if (!geometry) node.refuse("a <geometry> is missing");
  std::optional<XmlNode> only;
  for (const char* name : {"sphere", "box", "cylinder", "capsule", "mesh"})
    if (const auto found = geometry->child(name)) {
      if (only) found->refuse(fmt::format("<geometry> has a <{}> too; keep one of them", only->name()));
      only = found;
    }
  if (!only) geometry->refuse("must hold a <box>, <sphere>, <cylinder>, <capsule> or <mesh>");
  return *only;
}

ShapeDescription placed(ShapeDescription shape, const RobotPose& pose) {
  shape.placement.position = pose.position;
  shape.placement.orientation = pose.orientation;
  return shape;
}

RobotShape read_collision(const XmlNode& node, UrdfContext& context) {
  RobotShape out;
  out.name = node.text("name", "");
  out.source = node.source();
  const RobotPose pose = read_urdf_origin(node);
  const XmlNode geometry = geometry_of(node);
  if (auto primitive = read_primitive(geometry)) {
    out.shape = placed(std::move(*primitive), pose);
    return out;
  }
  const RobotMesh mesh = read_mesh(geometry, context);
  const std::string source = geometry.text("filename", "");
  try {
    out.shape = placed(collision_shape(mesh, context.options.mesh_triangles, source), pose);
  } catch (const Error& e) {
    geometry.refuse_attribute("filename", fmt::format("cannot be a shape for contacts: {}", e.what()));
  }
  if (!context.options.mesh_triangles)
    context.notes.approximated(geometry, "", "contacts see the convex hull of the mesh");
  return out;
}

std::array<double, 4> color_of(const XmlNode& node, UrdfContext& context) {
  std::array<double, 4> color{0.5, 0.5, 0.5, 1};
  const auto material = node.child("material");
  if (!material) return color;
  const std::string name = material->text("name", "");
  if (const auto inside = material->child("color")) {
    if (const auto rgba = inside->numbers("rgba", 4, 4)) std::copy(rgba->begin(), rgba->end(), color.begin());
    if (!name.empty()) context.colors.emplace(name, color);
  } else if (const auto known = context.colors.find(name); known != context.colors.end()) {
    color = known->second;
  }
  return color;
}

void read_visual(const XmlNode& node, RobotLink& link, UrdfContext& context) {
  RobotVisual out;
  out.name = node.text("name", "");
  out.source = node.source();
  const RobotPose pose = read_urdf_origin(node);
  const XmlNode geometry = geometry_of(node);
  out.color = color_of(node, context);
  if (auto primitive = read_primitive(geometry)) {
    out.shape = placed(std::move(*primitive), pose);
  } else {
    const std::string file = geometry.required("filename");
    if (!context.options.visuals) {
      geometry.vector("scale");
      return;
    }
    try {
      out.shape = placed(visual_shape(read_mesh(geometry, context), file), pose);
      if (file.ends_with(".dae") && !node.child("material"))
        context.notes.ignored(geometry, "colours of ", "colours inside of mesh files are not drawn", false);
    } catch (const Error& e) {
      return context.notes.ignored(geometry, "visual ", e.what(), false);
    }
  }
  link.visuals.push_back(std::move(out));
}

}  // namespace

RobotPose read_urdf_origin(const XmlNode& parent) {
  const auto origin = parent.child("origin");
  if (!origin) return {};
  const Eigen::Vector3d rpy = origin->vector("rpy", Eigen::Vector3d::Zero());
  RobotPose pose;
  pose.position = origin->vector("xyz", Eigen::Vector3d::Zero());
  // Roll, pitch and yaw about the fixed axes x, y and z: R = Rz · Ry · Rx.
  pose.orientation =
      (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
          .normalized();
  return pose;
}

void read_urdf_colors(const XmlNode& robot, UrdfContext& context) {
  for (const XmlNode& material : robot.children("material")) {
    const std::string name = material.text("name", "");
    const auto color = material.child("color");
    const auto rgba = color ? color->numbers("rgba", 4, 4) : std::nullopt;
    if (rgba && !name.empty()) std::copy(rgba->begin(), rgba->end(), context.colors[name].begin());
  }
}

RobotLink read_urdf_link(const XmlNode& node, UrdfContext& context) {
  RobotLink link;
  link.name = node.required("name");
  link.source = node.source();
  if (const auto inertial = node.child("inertial")) read_inertial(*inertial, link);
  for (const XmlNode& collision : node.children("collision")) link.shapes.push_back(read_collision(collision, context));
  for (const XmlNode& visual : node.children("visual")) read_visual(visual, link, context);
  return link;
}

}  // namespace touchstone
