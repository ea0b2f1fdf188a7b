// Purpose: actuators of MJCF files in one form, gain and bias. Source: MuJoCo, XML reference, "actuator", and its
// chapter on computation, "Actuation model". Letters: none. Deviations: muscles, adhesion, plugins, and actuators of
// sites, bodies, slider-cranks and spatial tendons are left out and reported. Fails: with an Error at the attribute.
#include <fmt/format.h>

#include "io/robot/kinematics.h"
#include "io/robot/mjcf.h"

namespace touchstone {
namespace {

const std::set<std::string>& kinds() {
  static const std::set<std::string> names{"general",     "motor",  "position", "velocity", "damper",
                                           "cylinder",    "muscle", "adhesion", "plugin",   "intvelocity",
                                           "orientation", "pid",    "dcmotor"};
  return names;
}

// As MuJoCo holds an actuator: all kinds write into the same defaults.
struct Actuator {
  std::string gain_type = "fixed", bias_type = "none", dynamics = "none";
  std::array<double, 10> gain{1}, bias{}, dyn{1};
  std::array<double, 6> gear{1};
  std::array<double, 2> control_range{0, 0}, force_range{0, 0};
  bool has_control_range = false, has_force_range = false;
  std::optional<bool> control_limited, force_limited;
  double inherit_range = 0.0;
};

void overlay_first(const XmlNode& node, const char* attribute, std::span<double> values) {
  if (const auto given = node.numbers(attribute, 0, values.size()))
    std::copy(given->begin(), given->end(), values.begin());
}

// The format keeps a damping ratio in the place of a velocity gain, which is negative, so that any later word on the
// bias replaces it.
bool is_damping_ratio(const Actuator& a) {
  return a.gain_type == "fixed" && a.bias_type == "affine" && a.gain[0] == -a.bias[1] && a.bias[2] > 0;
}

void apply_servo(const XmlNode& node, Actuator& a) {
  const std::string& kind = node.name();
  a.gain_type = "fixed", a.bias_type = "affine", a.dynamics = kind == "intvelocity" ? "integrator" : "none";
  if (const auto kp = node.number("kp")) {
    if (*kp < 0) node.refuse_attribute("kp", "must not be negative");
    a.gain[0] = *kp;
  }
  a.bias[1] = -a.gain[0];
  if (const auto kv = node.number("kv")) {
    if (*kv < 0) node.refuse_attribute("kv", "must not be negative");
    a.bias[2] = -*kv;
  }
  if (const auto ratio = node.number("dampratio")) {
    if (*ratio < 0) node.refuse_attribute("dampratio", "must not be negative");
    if (node.has("kv")) node.refuse("has kv and dampratio; keep one");
    a.bias[2] = *ratio;  // a positive number: see is_damping_ratio
  }
  if (const auto time = node.number("timeconst"); time && *time > 0) a.dynamics = "filterexact", a.dyn[0] = *time;
  a.inherit_range = node.number("inheritrange", a.inherit_range);
  if (a.inherit_range < 0) node.refuse_attribute("inheritrange", "must not be negative");
}

void apply_velocity(const XmlNode& node, Actuator& a) {
  a.gain_type = "fixed", a.bias_type = "affine", a.dynamics = "none";
  a.bias.fill(0);
  if (const auto kv = node.number("kv")) {
    if (*kv < 0) node.refuse_attribute("kv", "must not be negative");
    a.gain[0] = *kv;
  }
  a.bias[2] = -a.gain[0];
}

void apply_damper(const XmlNode& node, Actuator& a) {
  a.gain_type = "affine", a.bias_type = "none", a.dynamics = "none";
  a.gain.fill(0);
  const double kv = node.number("kv", 1.0);
  if (kv < 0) node.refuse_attribute("kv", "must not be negative");
  a.gain[2] = -kv, a.control_limited = true;
}

void apply_general(const XmlNode& node, Actuator& a) {
  static const std::vector<std::string> gains{"fixed", "affine", "muscle", "user"};
  static const std::vector<std::string> biases{"none", "affine", "muscle", "user"};
  static const std::vector<std::string> dynamics{"none", "integrator", "filter", "filterexact", "muscle", "user"};
  if (node.has("gaintype")) a.gain_type = node.word("gaintype", gains);
  if (node.has("biastype")) a.bias_type = node.word("biastype", biases);
  if (node.has("dyntype")) a.dynamics = node.word("dyntype", dynamics);
  overlay_first(node, "gainprm", a.gain);
  overlay_first(node, "biasprm", a.bias);
  overlay_first(node, "dynprm", a.dyn);
}

// The attributes of one element, over those of the default classes before it.
void apply(const XmlNode& node, Actuator& a) {
  overlay_first(node, "gear", a.gear);
  if (const auto limited = node.text("ctrllimited")) a.control_limited = node.boolean("ctrllimited");
  if (const auto limited = node.text("forcelimited")) a.force_limited = node.boolean("forcelimited");
  if (node.has("ctrlrange")) overlay_first(node, "ctrlrange", a.control_range), a.has_control_range = true;
  if (node.has("forcerange")) overlay_first(node, "forcerange", a.force_range), a.has_force_range = true;
  const std::string& kind = node.name();
  if (kind == "motor") a.gain_type = "fixed", a.bias_type = "none", a.dynamics = "none", a.gain[0] = 1;
  if (kind == "position" || kind == "intvelocity") apply_servo(node, a);
  if (kind == "velocity") apply_velocity(node, a);
  if (kind == "damper") apply_damper(node, a);
  if (kind == "general") apply_general(node, a);
}

std::optional<std::array<double, 2>> limits(const XmlNode& node, const char* name, const std::array<double, 2>& range,
                                            bool given, std::optional<bool> limited, const MjcfContext& context) {
  if (limited == false) return std::nullopt;
  if (!limited && (!given || !context.compiler.autolimits || (range[0] == 0 && range[1] == 0))) return std::nullopt;
  if (!(range[0] < range[1]))
    node.refuse(fmt::format("{} = {:g} {:g} must have its lower end first, and an upper one above it", name, range[0],
                            range[1]));
  return range;
}

class ActuatorReader {
 public:
  explicit ActuatorReader(MjcfContext& context) : context_(context) {}

  void read(const XmlNode& node) {
    const std::vector<std::size_t> chain = context_.defaults.chain(node, node.text("class", ""), kinds());
    Actuator a;
    for (std::size_t i = chain.size(); i-- > 0;) apply(XmlNode(context_.document, chain[i]), a);
    apply(node, a);
    RobotActuator out;
    out.name = node.text("name", "");
    out.kind = node.name();
    out.source = node.source();
    std::optional<std::size_t> kept;
    if (set_target(node, out) && set_law(node, a, out)) {
      kept = context_.out.actuators.size();
      context_.out.actuators.push_back(std::move(out));
    }
    context_.actuators.push_back(kept);
  }

 private:
  bool ignore(const XmlNode& node, const std::string& reason) {
    context_.notes.ignored(node, "", reason, true);
    return false;
  }

  bool set_target(const XmlNode& node, RobotActuator& out) {
    const char* joint = node.has("joint") ? "joint" : "jointinparent";
    if (node.has(joint)) {
      const auto found = context_.joints.find(node.required(joint));
      if (found == context_.joints.end()) node.refuse_attribute(joint, "is no joint");
      out.target = found->second;
      if (std::string_view(joint) == "jointinparent" && coordinates_of(context_.out.joints[out.target].kind) > 1)
        context_.notes.approximated(node, "jointinparent of ", "the gear is in the axes of the child");
      return true;
    }
    if (node.has("tendon")) {
      const auto found = context_.tendons.find(node.required("tendon"));
      if (found == context_.tendons.end()) node.refuse_attribute("tendon", "is no tendon");
      if (!found->second) return ignore(node, "it drives a spatial tendon, which is not simulated");
      out.target_kind = RobotActuator::Target::kTendon;
      out.target = *found->second;
      return true;
    }
    for (const char* other : {"site", "refsite", "body", "slidersite", "cranksite"})
      if (node.has(other))
        return ignore(node, fmt::format("actuators with the attribute '{}' are not simulated", other));
    node.refuse("drives nothing: it needs the attribute 'joint' or 'tendon'");
  }

  bool set_law(const XmlNode& node, const Actuator& a, RobotActuator& out) {
    const std::string& kind = node.name();
    if (kind == "cylinder" || kind == "muscle" || kind == "adhesion" || kind == "plugin" || kind == "orientation" ||
        kind == "pid" || kind == "dcmotor")
      return ignore(node, fmt::format("actuators of the kind {} are not simulated", kind));
    for (const std::string& type : {a.gain_type, a.bias_type, a.dynamics})
      if (type == "muscle" || type == "user") return ignore(node, fmt::format("the type '{}' is not simulated", type));
    out.gear = a.gear;
    const std::size_t terms = a.gain_type == "affine" ? 3 : 1;
    out.gain_terms = {0, 0, 0};
    std::copy_n(a.gain.begin(), terms, out.gain_terms.begin());
    if (a.bias_type == "affine") std::copy_n(a.bias.begin(), 3, out.bias_terms.begin());
    if (is_damping_ratio(a)) out.bias_terms[2] = -critical_damping(node, a, out) * a.bias[2];
    using Dynamics = RobotActuator::Dynamics;
    out.dynamics = a.dynamics == "none"         ? Dynamics::kNone
                   : a.dynamics == "integrator" ? Dynamics::kIntegrator
                                                : Dynamics::kFilter;
    if (out.dynamics == Dynamics::kFilter) {
      out.time_constant = a.dyn[0];
      if (!(out.time_constant > 0)) node.refuse("its filter needs a time constant greater than 0 s");
    }
    out.force_range = limits(node, "forcerange", a.force_range, a.has_force_range, a.force_limited, context_);
    out.control_range = limits(node, "ctrlrange", a.control_range, a.has_control_range, a.control_limited, context_);
    if (a.inherit_range > 0 && !out.control_range) out.control_range = inherited_range(node, a, out);
    return true;
  }

  // 2 √(kp · m): m is the inertia that the actuator sees at the reference.
  double critical_damping(const XmlNode& node, const Actuator& a, const RobotActuator& out) {
    if (reflected_.size() == 0) reflected_ = reflected_inertias(context_.out);
    std::vector<RobotTendon::Term> terms{{out.target, 1.0}};
    if (out.target_kind == RobotActuator::Target::kTendon) terms = context_.out.tendons[out.target].terms;
    double mass = 0.0;
    for (const RobotTendon::Term& term : terms) {
      if (coordinates_of(context_.out.joints[term.joint].kind) != 1)
        node.refuse("dampratio needs a joint with one coordinate");
      const double arm = a.gear[0] * term.coefficient;
      if (std::abs(arm) > 1e-15) mass += reflected_[first_rate(term.joint)] / (arm * arm);
    }
    return 2 * std::sqrt(a.gain[0] * mass);
  }

  Eigen::Index first_rate(std::size_t joint) const {
    Eigen::Index at = 0;
    for (std::size_t i = 0; i < joint; ++i) at += rates_of(context_.out.joints[i].kind);
    return at;
  }

  // The range of the target about its middle, times the factor.
  std::array<double, 2> inherited_range(const XmlNode& node, const Actuator& a, const RobotActuator& out) const {
    std::optional<double> lower, upper;
    if (out.target_kind == RobotActuator::Target::kTendon)
      lower = context_.out.tendons[out.target].lower, upper = context_.out.tendons[out.target].upper;
    else
      lower = context_.out.joints[out.target].lower, upper = context_.out.joints[out.target].upper;
    if (!lower || !upper) node.refuse("inheritrange needs a joint or a tendon with a range");
    const double middle = (*lower + *upper) / 2, half = (*upper - *lower) / 2 * a.inherit_range;
    return {middle - half, middle + half};
  }

  MjcfContext& context_;
  Eigen::VectorXd reflected_;
};

}  // namespace

void read_mjcf_actuators(const XmlNode& mujoco, MjcfContext& context) {
  ActuatorReader reader(context);
  for (const XmlNode& section : mujoco.children("actuator"))
    for (const std::size_t place : std::vector<std::size_t>(section.child_places()))
      if (kinds().contains(mujoco.document().elements[place].name)) reader.read(XmlNode(mujoco.document(), place));
}

}  // namespace touchstone
