#include "io/robot/mjcf.h"

namespace touchstone {
namespace {

constexpr const char* kSoft = "softness of MuJoCo's constraints; the contact model decides";
constexpr const char* kSolver = "belongs to MuJoCo's own solver";
constexpr const char* kLook = "appearance beyond one colour is not drawn";
constexpr const char* kCompile = "belongs to MuJoCo's compiler and has no effect on motion";

void add_options(std::vector<KnownPart>& parts) {
  for (const char* name :
       {"apirate",        "impratio",       "tolerance",      "ls_tolerance",   "noslip_tolerance", "ccd_tolerance",
        "mpr_tolerance",  "o_margin",       "o_solref",       "o_solimp",       "o_friction",       "integrator",
        "cone",           "jacobian",       "solver",         "iterations",     "ls_iterations",    "noslip_iterations",
        "ccd_iterations", "mpr_iterations", "sdf_iterations", "sdf_initpoints", "collision",        "sleep_tolerance"})
    parts.push_back({"option", name, kSolver, false});
  for (const char* name : {"wind", "density", "viscosity"})
    parts.push_back({"option", name, "the medium around the robot is not simulated", true});
  parts.push_back({"option", "magnetic", "magnetic fields are not simulated", false});
  parts.push_back({"option", "actuatorgroupdisable", "groups of actuators are not switched off", true});
  for (const char* name : {"constraint", "equality", "frictionloss", "limit", "contact", "passive", "spring", "damper",
                           "clampctrl", "actuation"})
    parts.push_back({"flag", name, "parts of the simulation are not switched off by the file", true});
  for (const char* name : {"warmstart", "refsafe", "sensor", "override", "energy", "fwdinv", "sensornoise", "multiccd",
                           "midphase", "eulerdamp", "autoreset", "nativeccd", "island", "invdiscrete", "sleep"})
    parts.push_back({"flag", name, kSolver, false});
  for (const char* name : {"fitaabb", "discardvisual", "exactmeshinertia"})
    parts.push_back({"compiler", name, "all geoms are kept, meshes have their exact mass", true});
  for (const char* name :
       {"convexhull", "usethread", "fusestatic", "texturedir", "lengthrange", "alignfree", "saveinertial"})
    parts.push_back({"compiler", name, kCompile, false});
}

void add_looks(std::vector<KnownPart>& parts) {
  for (const char* name : {"texture", "texrepeat", "texuniform", "emission", "specular", "shininess", "reflectance",
                           "metallic", "roughness"})
    parts.push_back({"material", name, kLook, false});
  for (const char* element : {"light", "camera", "texture", "visual", "statistic", "skin", "layer"})
    parts.push_back({element, "", "lights, cameras and looks do not move anything", false});
  for (const char* name : {"smoothnormal", "texcoord", "normal", "maxhullvert", "content_type", "material"})
    parts.push_back({"mesh", name, kLook, false});
  parts.push_back({"hfield", "content_type", kLook, false});
  parts.push_back({"mesh", "inertia", "meshes have the mass of the volume that they enclose", true});
  for (const char* name : {"type", "size", "rgba", "material", "group"})
    parts.push_back({"site", name, "a site is a frame, without a form", false});
}

void add_elements(std::vector<KnownPart>& parts) {
  parts.push_back({"sensor", "", "sensors are not read", false});
  for (const char* element : {"custom", "size"}) parts.push_back({element, "", kCompile, false});
  parts.push_back({"lengthrange", "", kCompile, false});
  for (const char* element : {"composite", "flexcomp", "flex", "deformable", "replicate", "attach", "model"})
    parts.push_back(
        {element, "", "parts that MuJoCo generates are not made; save the model as one expanded file", true});
  for (const char* element : {"plugin", "extension"})
    parts.push_back({element, "", "plugins of MuJoCo are not supported", true});
  parts.push_back({"spatial", "", "spatial tendons are not simulated", true});
  parts.push_back({"distance", "", "distances between geoms are not constrained", true});
  for (const char* element : {"flexvert", "flexstrain"})
    parts.push_back({element, "", "deformable bodies are not simulated", true});
}

void add_attributes(std::vector<KnownPart>& parts) {
  for (const char* name : {"solref", "solimp", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
                           "solreffix", "solimpfix", "solmix", "gap", "torquescale"})
    parts.push_back({"", name, kSoft, true});
  parts.push_back({"joint", "margin", kSoft, true});
  for (const char* element : {"fixed", "spatial", "tendon", "pair"}) parts.push_back({element, "margin", kSoft, true});
  parts.push_back({"", "user", "data of users has no effect", false});
  parts.push_back({"", "group", "groups are for MuJoCo's viewer", false});
  for (const char* name : {"fluidshape", "fluidcoef"})
    parts.push_back({"geom", name, "the medium around the robot is not simulated", true});
  parts.push_back({"weld", "anchor", "the point about which a soft weld turns; welds are exact", false});
  parts.push_back({"body", "sleep", kSolver, false});
  parts.push_back({"joint", "actuatorgravcomp", "compensation of gravity acts on links, whatever drives them", false});
  for (const char* element : {"fixed", "tendon"}) {
    for (const char* name : {"width", "material", "rgba"}) parts.push_back({element, name, kLook, false});
    for (const char* name : {"actuatorfrcrange", "actuatorfrclimited", "armature"})
      parts.push_back({element, name, "a tendon has no inertia or force limit of its own", true});
  }
  for (const char* name : {"act", "mpos", "mquat"})
    parts.push_back({"key", name, "states of actuators and mocap bodies are not kept", true});
  for (const char* name : {"actlimited", "actrange", "actdim", "actearly"})
    parts.push_back({"", name, "internal states of actuators have no limits", true});
  for (const char* name : {"lengthrange", "cranklength", "nsample", "interp", "delay"})
    parts.push_back({"", name, "it has no effect on motors and servos of joints and tendons", false});
}

}  // namespace

const std::vector<KnownPart>& mjcf_known_parts() {
  static const std::vector<KnownPart> parts = [] {
    std::vector<KnownPart> out;
    add_options(out);
    add_looks(out);
    add_elements(out);
    add_attributes(out);
    return out;
  }();
  return parts;
}

}  // namespace touchstone
