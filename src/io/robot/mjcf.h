#pragma once
// MJCF files, the format of MuJoCo. Source: the XML reference of MuJoCo, https://mujoco.readthedocs.io (2.3 to 3.3).
#include <map>
#include <set>
#include <unordered_map>

#include "geometry/mass_properties.h"
#include "io/robot/meshes.h"
#include "io/robot/notes.h"
#include "touchstone/robot.h"

namespace touchstone {

// <compiler>, all of them, the last word counting.
struct MjcfCompiler {
  bool degrees = true, autolimits = true, balance_inertia = false, strip_path = false, discard_visual = false;
  std::string euler_sequence = "xyz";
  std::string mesh_folder;
  double bound_mass = 0.0, bound_inertia = 0.0, total_mass = -1.0;
  enum class FromGeoms { kAuto, kAlways, kNever } inertia_from_geoms = FromGeoms::kAuto;
  std::array<double, 2> inertia_groups{0, 5};

  double angle(double value) const;  // [rad]
};

// The tree of <default> classes.
class MjcfDefaults {
 public:
  void read(const XmlNode& mujoco);
  // The elements of a name in a class and in the classes around it, nearest first. Several names: those that share
  // their defaults (actuators). Throws Error at `node` for an unknown class.
  std::vector<std::size_t> chain(const XmlNode& node, const std::string& class_name,
                                 const std::set<std::string>& names) const;
  // The same element with the defaults of its class, or else of `inherited`.
  XmlNode with_defaults(const XmlNode& node, const std::string& inherited, const char* name) const;

 private:
  struct Class {
    std::string parent;
    std::vector<std::size_t> elements;
  };
  void add(const XmlNode& node, const std::string& parent);
  std::map<std::string, Class> classes_;
};

struct MjcfMeshAsset {
  std::size_t element = 0;
  std::vector<std::size_t> defaults;
};

// What the readers of one MJCF file share.
struct MjcfContext {
  XmlDocument& document;
  const ImportOptions& options;
  ImportNotes& notes;
  RobotMeshes& meshes;
  RobotDescription& out;
  MjcfCompiler compiler;
  MjcfDefaults defaults;
  std::map<std::string, MjcfMeshAsset> mesh_assets;
  std::map<std::string, std::size_t> height_fields;  // their elements
  std::map<std::string, std::array<double, 4>> colors;
  std::set<std::string> paired_geoms;  // named by <pair>: they touch whatever their masks
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> geoms;  // link (or kWorld), place in its shapes
  std::unordered_map<std::string, std::pair<std::size_t, RobotPose>> sites;    // link (or kWorld), pose in it
  std::unordered_map<std::string, std::size_t> links, joints;
  std::unordered_map<std::string, std::optional<std::size_t>> tendons;  // nothing: a spatial one
  std::vector<std::optional<std::size_t>> actuators;  // of the file: the place in `out`, nothing: ignored
  std::vector<std::size_t> spring_dampers;            // joints whose spring is given by a time constant
  std::vector<std::array<double, 2>> spring_damper_values;
};

// `document`'s root is <mujoco>.
RobotDescription read_mjcf(XmlDocument& document, const ImportOptions& options, ImportNotes& notes,
                           RobotMeshes& meshes);

// The stages.
void include_mjcf_files(XmlDocument& document);
RobotPose read_mjcf_pose(const XmlNode& node, const MjcfCompiler& compiler);
void read_mjcf_assets(const XmlNode& mujoco, MjcfContext& context);
// Throws Error that names the mesh: unknown, no file, damaged.
RobotMesh read_mjcf_mesh(const XmlNode& geom, const std::string& name, MjcfContext& context);
ShapeDescription read_mjcf_height_field(const XmlNode& geom, const std::string& name, MjcfContext& context);
void read_mjcf_bodies(const XmlNode& mujoco, MjcfContext& context);
void read_mjcf_joint(const XmlNode& node, std::size_t link, MjcfContext& context);
// Appends to the shapes or visuals of a link, and the geom's mass to `geoms` if it counts.
struct MjcfGeomMass {
  MassProperties<3> properties;  // in the link's frame
};
void read_mjcf_geom(const XmlNode& node, const RobotPose& frame, std::size_t link, bool needs_mass,
                    MjcfContext& context, std::vector<MjcfGeomMass>& masses);
// Mass, centre and inertia of a link from <inertial> or from its geoms.
bool needs_mjcf_geom_masses(const std::optional<XmlNode>& inertial, const MjcfContext& context);
void set_mjcf_inertia(const std::optional<XmlNode>& inertial, const RobotPose& frame,
                      const std::vector<MjcfGeomMass>& masses, const MjcfContext& context, RobotLink& link);
void scale_mjcf_masses(const MjcfContext& context);
void read_mjcf_contacts(const XmlNode& mujoco, MjcfContext& context);
void read_mjcf_equalities(const XmlNode& mujoco, MjcfContext& context);
void read_mjcf_tendons(const XmlNode& mujoco, MjcfContext& context);
void read_mjcf_actuators(const XmlNode& mujoco, MjcfContext& context);
void read_mjcf_keyframes(const XmlNode& mujoco, MjcfContext& context);

// Range attributes with their switch (true, false, auto): nothing if there is no limit.
std::optional<std::array<double, 2>> read_mjcf_range(const XmlNode& node, const char* range, const char* limited,
                                                     MjcfContext& context);
// The volume, centre and inertia of a triangle mesh of density 1, by signed tetrahedra. Open meshes count as closed by
// the apex of the tetrahedra.
MassProperties<3> mesh_mass(const RobotMesh& mesh);

// All elements of a section, which may stand several times.
std::vector<XmlNode> mjcf_section(const XmlNode& mujoco, const char* section, const char* element);

// Parts of the format that are not simulated.
const std::vector<KnownPart>& mjcf_known_parts();

}  // namespace touchstone
