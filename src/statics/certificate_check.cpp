// Purpose: an independent check of a verdict of statics, by multiplication and comparison of fractions.
// Letters: a accelerations, f forces, J rows of contacts and joints, M masses, W loads; y a mechanism; p, q
// multipliers. What is verified, for the contact points, normals, masses and loads that the certificate states:
//   forces        Jᵀ·f = −W, f in the cone of friction
//   no_forces     y·J in the dual cone of every contact, and W·y > 0: no forces balance the loads (Farkas)
//   frictionless  no contact has friction: W·a = −f·J·a <= 0 for every admissible a, and aᵀM·a <= W·a
//   supported     the same with forces that are normal everywhere
//   modes         a tree of contact modes that leaves nothing out; each leaf proves W·a <= 0 in its modes, or that
//                 nothing obeys them
//   two_answers   forces, and an acceleration with forces of its own that obeys all laws and is not zero
// With friction law "circle" the cone is Coulomb's own circle, whatever polygons the solver used.
#include "statics/certificate_check.h"

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace touchstone::statics {
namespace {

using Fraction = boost::multiprecision::cpp_rational;
using Whole = boost::multiprecision::cpp_int;
using Triple = std::array<Fraction, 3>;
using Row = std::vector<std::pair<std::size_t, Fraction>>;
using Vector = std::vector<Fraction>;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

Whole whole(const std::string& text) {
  const std::size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
  if (start == text.size() || text.find_first_not_of("0123456789", start) != std::string::npos)
    fail("'" + text + "' is not a fraction");
  Whole value = 0;
  for (std::size_t i = start; i < text.size(); ++i) value = value * 10 + (text[i] - '0');
  return start ? Whole(-value) : value;
}

Fraction fraction(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return Fraction(whole(text));
  const Whole below = whole(text.substr(slash + 1));
  if (below <= 0) fail("'" + text + "' has no positive denominator");
  return Fraction(whole(text.substr(0, slash)), below);
}

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Body {
  bool held = true;
  std::size_t first = 0;  // freedom
  Fraction mass;
  Triple center, weight, force, torque;
  std::array<Fraction, 6> inertia;  // xx yy zz xy xz yz
};
struct Contact {
  std::size_t a = 0, b = 0;
  Triple point;
  std::array<Triple, 3> frame;
  Fraction friction;
};
struct Mode {
  enum class Kind { kUnknown, kOpen, kStick, kTouch, kSlide } kind = Kind::kUnknown;
  std::array<Fraction, 2> from{}, to{};
};
struct Node {
  enum class Kind { kNone, kBranch, kLeaf, kEmpty } kind = Kind::kNone;
  std::size_t contact = 0;
  std::vector<std::pair<std::size_t, Mode>> children;
  std::map<std::size_t, Fraction> p, q;
};

using Plane = std::array<Fraction, 2>;
Fraction turn(const Plane& a, const Plane& b) { return a[0] * b[1] - a[1] * b[0]; }
Fraction dot(const Plane& a, const Plane& b) { return a[0] * b[0] + a[1] * b[1]; }

class Checker {
 public:
  explicit Checker(const std::string& text) : text_(text) {}

  CheckResult run() {
    read();
    build();
    result_.verdict = verdict_, result_.reason = reason_;
    result_.bodies = bodies_.size(), result_.contacts = contacts_.size();
    const std::string wanted = reason_ == "no_forces" ? "falls" : reason_ == "two_answers" ? "may_stand" : "stands";
    if (verdict_ != wanted) fail("reason '" + reason_ + "' does not prove '" + verdict_ + "'");
    if (reason_ == "no_forces") {
      check_mechanism();
    } else {
      check_balance(values_["force"], "force");
      if (reason_ == "frictionless")
        check_no_friction();
      else if (reason_ == "supported")
        check_support();
      else if (reason_ == "two_answers")
        check_motion();
      else if (reason_ == "modes")
        check_tree();
      else
        fail("reason '" + reason_ + "' is not known");
    }
    result_.holds = true;
    return result_;
  }

  CheckResult result_;

 private:
  // Reading.
  std::string word() {
    std::string w;
    if (!(line_ >> w)) fail("line " + std::to_string(number_) + " ends too early");
    return w;
  }
  void expect(const char* w) {
    const std::string found = word();
    if (found != w) fail("line " + std::to_string(number_) + ": '" + w + "' is expected, not '" + found + "'");
  }
  Fraction next() { return fraction(word()); }
  std::size_t index(std::size_t limit) {
    const Whole w = whole(word());
    if (w < 0 || w >= limit) fail("line " + std::to_string(number_) + ": an index is out of range");
    return static_cast<std::size_t>(w);
  }
  Triple triple() {
    Triple t;
    for (Fraction& x : t) x = next();
    return t;
  }

  void check_sum(const std::string& line, std::size_t begin) {
    std::uint64_t h = 14695981039346656037ull;
    for (std::size_t i = 0; i < begin; ++i) h = (h ^ static_cast<unsigned char>(text_[i])) * 1099511628211ull;
    std::ostringstream hex;
    hex << "checksum ";
    hex.fill('0'), hex.width(16), hex << std::hex << h;
    if (line != hex.str()) fail("the checksum does not fit the text: it was changed");
  }

  void read() {
    std::istringstream lines(text_);
    std::string line;
    bool ended = false;
    std::size_t begin = 0;
    while (std::getline(lines, line)) {
      ++number_;
      if (ended) fail("there is text after the checksum");
      line_ = std::istringstream(line);
      const std::string w = word();
      if (number_ == 1 && line != "touchstone-certificate 1") fail("this is not a certificate of version 1");
      if (w == "checksum")
        check_sum(line, begin), ended = true;
      else if (number_ > 1)
        read_line(w);
      std::string rest;
      if (number_ > 1 && !ended && line_ >> rest) fail("line " + std::to_string(number_) + " has too many words");
      begin += line.size() + 1;
    }
    if (!ended) fail("the checksum is missing: the file is cut off");
  }

  void read_line(const std::string& w) {
    if (w == "verdict") {
      verdict_ = word();
    } else if (w == "reason") {
      reason_ = word();
    } else if (w == "dimension") {
      dimension_ = index(4);
      if (dimension_ != 2 && dimension_ != 3) fail("the dimension is neither 2 nor 3");
    } else if (w == "law") {
      const std::string law = word();
      if (law != "circle" && law != "pyramid") fail("friction law '" + law + "' is not known");
      pyramid_ = law == "pyramid";
    } else if (w == "units") {
      for (int i = 0; i < 3; ++i)
        if (next() <= 0) fail("a unit is not positive");
    } else if (w == "body") {
      read_body();
    } else if (w == "contact") {
      read_contact();
    } else if (w == "hold") {
      read_hold();
    } else if (w == "node") {
      read_node();
    } else if (w == "child") {
      read_child();
    } else if (w == "p" || w == "q") {
      if (nodes_.empty()) fail("a multiplier has no node");
      const std::size_t i = index(1000000000);
      (w == "p" ? nodes_.back().p : nodes_.back().q)[i] = next();
    } else if (w == "force" || w == "smooth_force" || w == "mechanism" || w == "acceleration" || w == "motion_force") {
      const std::size_t i = index(1000000000);
      if (!values_[w].emplace(i, next()).second) fail("'" + w + " " + std::to_string(i) + "' is given twice");
    } else {
      fail("line " + std::to_string(number_) + " begins with '" + w + "', which is not known");
    }
  }

  void read_body() {
    if (index(1000000000) != bodies_.size()) fail("bodies are not in order");
    Body b;
    const std::string kind = word();
    word();
    if (kind == "free") {
      b.held = false;
      expect("mass"), b.mass = next();
      if (b.mass <= 0) fail("a mass is not positive");
      expect("center"), b.center = triple();
      expect("inertia");
      for (Fraction& x : b.inertia) x = next();
      expect("weight"), b.weight = triple();
      expect("force"), b.force = triple();
      expect("torque"), b.torque = triple();
      check_inertia(b.inertia);
    } else if (kind != "held") {
      fail("a body is neither free nor held");
    }
    bodies_.push_back(b);
  }

  void check_inertia(const std::array<Fraction, 6>& i) const {
    const Fraction two = i[0] * i[1] - i[3] * i[3];
    const Fraction three = i[2] * two - i[4] * (i[4] * i[1] - i[3] * i[5]) + i[5] * (i[4] * i[3] - i[0] * i[5]);
    if (dimension_ == 2 ? i[2] <= 0 : (i[0] <= 0 || two <= 0 || three <= 0))
      fail("an inertia is not positive definite");
  }

  void read_contact() {
    if (index(1000000000) != contacts_.size()) fail("contacts are not in order");
    Contact c;
    c.a = index(bodies_.size()), c.b = index(bodies_.size());
    if (c.a == c.b) fail("a contact joins a body with itself");
    expect("point"), c.point = triple();
    expect("normal"), c.frame[0] = triple();
    expect("tangents"), c.frame[1] = triple(), c.frame[2] = triple();
    expect("friction"), c.friction = next();
    if (c.friction < 0) fail("a friction is negative");
    contacts_.push_back(c);
  }

  void read_hold() {
    if (index(1000000000) != limits_.size()) fail("joint rows are not in order");
    hold_sides_.emplace_back();
    auto& side = hold_sides_.back();
    for (int k = 0; k < 2; ++k) {
      const std::string w = word();
      side[static_cast<std::size_t>(k)] = w == "ground" ? kNobody : static_cast<std::size_t>(whole(w));
      if (w != "ground" && side[static_cast<std::size_t>(k)] >= bodies_.size()) fail("a joint joins no body");
    }
    const std::string kind = word();
    if (kind != "limit" && kind != "equality") fail("a joint row is neither a limit nor an equality");
    limits_.push_back(kind == "limit");
    hold_parts_.emplace_back();
    for (Triple& t : hold_parts_.back()) t = triple();
  }

  void read_node() {
    if (index(100000000) != nodes_.size()) fail("nodes are not in order");
    Node n;
    const std::string kind = word();
    if (kind == "branch")
      n.kind = Node::Kind::kBranch, n.contact = index(contacts_.size());
    else if (kind == "leaf" || kind == "empty")
      n.kind = kind == "leaf" ? Node::Kind::kLeaf : Node::Kind::kEmpty;
    else
      fail("a node is neither a branch nor a leaf");
    nodes_.push_back(std::move(n));
  }

  void read_child() {
    if (nodes_.empty()) fail("a child has no node");
    const std::size_t child = index(100000000);
    const std::string kind = word();
    Mode m;
    m.kind = kind == "open"    ? Mode::Kind::kOpen
             : kind == "stick" ? Mode::Kind::kStick
             : kind == "touch" ? Mode::Kind::kTouch
             : kind == "slide" ? Mode::Kind::kSlide
                               : Mode::Kind::kUnknown;
    if (m.kind == Mode::Kind::kUnknown) fail("a mode is not known: " + kind);
    if (m.kind == Mode::Kind::kSlide)
      for (Fraction* x : {&m.from[0], &m.from[1], &m.to[0], &m.to[1]}) *x = next();
    nodes_.back().children.emplace_back(child, m);
  }

  // Equations.
  void add_side(std::size_t body, const Triple& linear, const Triple& angular, int sign, Row& row) const {
    if (body == kNobody || bodies_[body].held) return;
    const std::size_t first = bodies_[body].first;
    for (std::size_t k = 0; k < dimension_; ++k) row.emplace_back(first + k, sign * linear[k]);
    if (dimension_ == 2) return row.emplace_back(first + 2, sign * angular[2]), void();
    for (std::size_t k = 0; k < 3; ++k) row.emplace_back(first + 3 + k, sign * angular[k]);
  }

  void build() {
    for (Body& b : bodies_)
      if (!b.held) b.first = freedoms_, freedoms_ += dimension_ == 2 ? 3 : 6;
    load_.assign(freedoms_, 0);
    for (const Body& b : bodies_) {
      if (b.held) continue;
      for (std::size_t k = 0; k < dimension_; ++k) load_[b.first + k] = b.weight[k] + b.force[k];
      if (dimension_ == 2)
        load_[b.first + 2] = b.torque[2];
      else
        for (std::size_t k = 0; k < 3; ++k) load_[b.first + 3 + k] = b.torque[k];
    }
    for (const Contact& c : contacts_)
      for (std::size_t axis = 0; axis < dimension_; ++axis) {
        Row row;
        for (const auto& [body, sign] : {std::pair(c.a, -1), std::pair(c.b, 1)}) {
          Triple arm;
          for (std::size_t k = 0; k < 3; ++k) arm[k] = c.point[k] - bodies_[body].center[k];
          add_side(body, c.frame[axis], cross(arm, c.frame[axis]), sign, row);
        }
        rows_.push_back(std::move(row));
      }
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      Row row;
      add_side(hold_sides_[i][0], hold_parts_[i][0], hold_parts_[i][1], 1, row);
      add_side(hold_sides_[i][1], hold_parts_[i][2], hold_parts_[i][3], 1, row);
      rows_.push_back(std::move(row));
    }
  }

  Vector dense(const std::map<std::size_t, Fraction>& values, std::size_t size, const char* what) const {
    Vector out(size, 0);
    for (const auto& [i, value] : values) {
      if (i >= size) fail(std::string("an index of ") + what + " is out of range");
      out[i] = value;
    }
    return out;
  }
  static Fraction along(const Row& row, const Vector& x) {
    Fraction sum = 0;
    for (const auto& [i, value] : row) sum += value * x[i];
    return sum;
  }
  static Fraction product(const Vector& a, const Vector& b) {
    Fraction sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  Vector transposed(const Vector& f) const {  // Jᵀ·f
    Vector out(freedoms_, 0);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const auto& [i, value] : rows_[r]) out[i] += value * f[r];
    return out;
  }
  Vector momentum(const Vector& a) const {  // M·a
    Vector out(freedoms_, 0);
    for (const Body& b : bodies_) {
      if (b.held) continue;
      for (std::size_t k = 0; k < dimension_; ++k) out[b.first + k] = b.mass * a[b.first + k];
      const auto& i = b.inertia;
      if (dimension_ == 2) {
        out[b.first + 2] = i[2] * a[b.first + 2];
        continue;
      }
      const std::size_t r = b.first + 3;
      out[r] = i[0] * a[r] + i[3] * a[r + 1] + i[4] * a[r + 2];
      out[r + 1] = i[3] * a[r] + i[1] * a[r + 1] + i[5] * a[r + 2];
      out[r + 2] = i[4] * a[r] + i[5] * a[r + 1] + i[2] * a[r + 2];
    }
    return out;
  }
  // Of contact i: normal, and the tangential pair.
  Fraction normal(const Vector& x, std::size_t i) const { return x[i * dimension_]; }
  Plane tangential(const Vector& x, std::size_t i) const {
    return {x[i * dimension_ + 1], dimension_ == 3 ? x[i * dimension_ + 2] : Fraction(0)};
  }
  Vector rates(const Vector& a) const {
    Vector out;
    for (const Row& row : rows_) out.push_back(along(row, a));
    return out;
  }
  std::size_t hold_row(std::size_t i) const { return contacts_.size() * dimension_ + i; }
  static std::string place(std::size_t i) { return "contact " + std::to_string(i); }

  bool in_cone(const Fraction& n, const Plane& t, const Fraction& mu) const {
    if (n < 0) return false;
    if (pyramid_ && dimension_ == 3) return abs(t[0]) + abs(t[1]) <= mu * n;
    return dot(t, t) <= mu * mu * n * n;
  }
  // n + μ·d·t >= 0 for every friction direction d.
  bool in_dual_cone(const Fraction& n, const Plane& t, const Fraction& mu) const {
    if (n < 0) return false;
    if (pyramid_ && dimension_ == 3) return n >= mu * abs(t[0]) && n >= mu * abs(t[1]);
    return n * n >= mu * mu * dot(t, t);
  }

  void check_equal(const Vector& left, const Vector& right, const std::string& what) const {
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i] != right[i]) fail(what + " does not hold at freedom " + std::to_string(i));
  }
  void check_cones(const Vector& f, const std::string& what) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (!in_cone(normal(f, i), tangential(f, i), contacts_[i].friction))
        fail("the " + what + " of " + place(i) + " is outside its cone");
    for (std::size_t i = 0; i < limits_.size(); ++i)
      if (limits_[i] && f[hold_row(i)] < 0) fail("a limit of a joint pulls");
  }
  Vector opposite(const Vector& x) const {
    Vector out;
    for (const Fraction& v : x) out.push_back(-v);
    return out;
  }

  // Proofs.
  void check_balance(const std::map<std::size_t, Fraction>& forces, const std::string& what) {
    const Vector f = dense(forces, rows_.size(), "a force");
    check_cones(f, what);
    check_equal(transposed(f), opposite(load_), "the balance of every body (" + what + ")");
  }

  void check_mechanism() {
    const Vector y = dense(values_["mechanism"], freedoms_, "the mechanism"), rate = rates(y);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (!in_dual_cone(normal(rate, i), tangential(rate, i), contacts_[i].friction))
        fail(place(i) + " resists the mechanism");
    for (std::size_t i = 0; i < limits_.size(); ++i)
      if (limits_[i] ? rate[hold_row(i)] < 0 : rate[hold_row(i)] != 0) fail("a joint resists the mechanism");
    if (product(load_, y) <= 0) fail("the loads do no work on the mechanism");
  }

  void check_no_friction() const {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (contacts_[i].friction != 0) fail(place(i) + " has friction");
  }

  void check_support() {
    const Vector f = dense(values_["smooth_force"], rows_.size(), "a force");
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (dot(tangential(f, i), tangential(f, i)) != 0) fail("a smooth force has a tangential part at " + place(i));
    check_balance(values_["smooth_force"], "normal force");
  }

  void check_motion() {
    const Vector a = dense(values_["acceleration"], freedoms_, "the acceleration");
    const Vector f = dense(values_["motion_force"], rows_.size(), "a force of the motion");
    Vector right = transposed(f);
    for (std::size_t i = 0; i < freedoms_; ++i) right[i] += load_[i];
    check_equal(momentum(a), right, "M·a = W + Jᵀ·f");
    check_cones(f, "force of the motion");
    const Vector rate = rates(a);
    for (std::size_t i = 0; i < contacts_.size(); ++i) check_law(i, rate, f);
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const Fraction &r = rate[hold_row(i)], &force = f[hold_row(i)];
      if (limits_[i] ? (r < 0 || r * force != 0) : r != 0) fail("the motion breaks a joint");
    }
    if (product(load_, a) <= 0) fail("the motion is none");
  }

  void check_law(std::size_t i, const Vector& rate, const Vector& f) const {
    const Fraction n = normal(rate, i), fn = normal(f, i);
    if (n < 0) fail("the motion closes " + place(i));
    if (n > 0 && fn != 0) fail(place(i) + " opens and carries a force");
    if (n > 0 || fn == 0) return;
    const Plane t = tangential(rate, i), ft = tangential(f, i);
    const Fraction mu = contacts_[i].friction, work = dot(t, ft);
    // Friction does the least work that the cone allows.
    bool least;
    if (pyramid_ && dimension_ == 3)
      least = -work == mu * fn * std::max(Fraction(abs(t[0])), Fraction(abs(t[1])));
    else
      least = work <= 0 && work * work == mu * mu * fn * fn * dot(t, t);
    if (!least) fail("friction at " + place(i) + " does not oppose its sliding");
  }

  void check_tree() {
    if (nodes_.empty()) fail("the tree of modes is missing");
    std::vector<std::uint8_t> seen(nodes_.size(), 0);
    std::vector<std::pair<std::size_t, std::vector<Mode>>> tasks{{0, std::vector<Mode>(contacts_.size())}};
    while (!tasks.empty()) {
      auto [at, modes] = std::move(tasks.back());
      tasks.pop_back();
      if (seen[at]) fail("a node of the tree is used twice");
      seen[at] = 1;
      const Node& node = nodes_[at];
      if (node.kind != Node::Kind::kBranch) {
        check_leaf(at, modes), ++result_.leaves;
        continue;
      }
      check_cover(node, modes[node.contact], contacts_[node.contact].friction > 0);
      for (const auto& [child, mode] : node.children) {
        if (child >= nodes_.size()) fail("a child is missing");
        tasks.emplace_back(child, modes);
        tasks.back().second[node.contact] = mode;
      }
    }
  }

  // The children of a node leave no mode out.
  void check_cover(const Node& node, const Mode& before, bool rough) const {
    bool open = false, stick = false, touch = false;
    std::vector<Mode> slides;
    for (const auto& [child, mode] : node.children) {
      open |= mode.kind == Mode::Kind::kOpen, stick |= mode.kind == Mode::Kind::kStick;
      touch |= mode.kind == Mode::Kind::kTouch;
      if (mode.kind == Mode::Kind::kSlide) slides.push_back(mode);
      if (mode.kind == Mode::Kind::kTouch && rough) fail("a contact with friction is taken for one without");
    }
    if (before.kind == Mode::Kind::kUnknown) {
      if (!open || !(stick || touch)) fail("a branch leaves out a mode");
      if (!touch) check_circle(slides, nullptr);
    } else if (before.kind == Mode::Kind::kSlide) {
      check_circle(slides, &before);
    } else {
      fail("a contact is split whose mode is known");
    }
  }

  // Sectors one after the other, each less than half a turn, fill a sector or the whole turn.
  void check_circle(const std::vector<Mode>& all, const Mode* within) const {
    if (dimension_ == 2) {
      bool plus = false, minus = false;
      for (const Mode& m : all) plus |= m.from[0] > 0, minus |= m.from[0] < 0;
      if (within || !plus || !minus) fail("a branch leaves out a direction of sliding");
      return;
    }
    std::vector<Mode> slides;
    for (const Mode& m : all)
      if (turn(m.from, m.to) > 0)
        slides.push_back(m);
      else if (turn(m.from, m.to) != 0 || dot(m.from, m.to) <= 0)
        fail("a sector is half a turn or more");
    if (slides.empty()) fail("a branch leaves out all directions of sliding");
    const auto same = [](const Plane& a, const Plane& b) { return turn(a, b) == 0 && dot(a, b) > 0; };
    for (std::size_t k = 0; k + 1 < slides.size(); ++k)
      if (!same(slides[k].to, slides[k + 1].from)) fail("sectors of sliding do not meet");
    const Plane &first = slides.front().from, &last = slides.back().to;
    if (within ? !same(first, within->from) || !same(last, within->to) : !same(first, last))
      fail("sectors of sliding leave out a direction");
  }

  void check_leaf(std::size_t at, const std::vector<Mode>& modes) const {
    const Node& node = nodes_[at];
    const std::string where = "leaf " + std::to_string(at);
    const Vector p = dense(node.p, freedoms_, "a multiplier"), q = dense(node.q, rows_.size(), "a multiplier");
    Vector sum = momentum(p);
    const Vector back = transposed(q);
    const bool empty = node.kind == Node::Kind::kEmpty;
    for (std::size_t i = 0; i < freedoms_; ++i)
      if (sum[i] + back[i] + (empty ? Fraction(0) : load_[i]) != 0) fail(where + ": its equation does not hold");
    const Fraction work = product(load_, p);
    if (empty ? work <= 0 : work < 0) fail(where + ": it does not bound the work of the loads");
    const Vector rate = rates(p);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      check_rate_factors(where, i, modes[i], normal(q, i), tangential(q, i));
      check_force_side(where, i, modes[i], normal(rate, i), tangential(rate, i));
    }
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      if (limits_[i] && q[hold_row(i)] < 0) fail(where + ": a limit has a negative factor");
      if (limits_[i] ? rate[hold_row(i)] < 0 : rate[hold_row(i)] != 0) fail(where + ": a joint's force is not covered");
    }
  }

  // q·(J·a) >= 0 for every acceleration in the mode.
  void check_rate_factors(const std::string& where, std::size_t i, const Mode& m, const Fraction& n,
                          const Plane& t) const {
    const bool closed = m.kind != Mode::Kind::kUnknown && m.kind != Mode::Kind::kOpen;
    if (!closed && n < 0) fail(where + ": a factor of " + place(i) + " is negative");
    if (m.kind == Mode::Kind::kStick) return;
    if (m.kind == Mode::Kind::kSlide) {
      if (dot(t, m.from) < 0 || dot(t, m.to) < 0) fail(where + ": a slip of " + place(i) + " is not covered");
    } else if (dot(t, t) != 0) {
      fail(where + ": a slip of " + place(i) + " has a factor and no sign");
    }
  }

  // (J·p)·f >= 0 for every force of the mode; for sliding, friction −μ·d with d in the sector.
  void check_force_side(const std::string& where, std::size_t i, const Mode& m, const Fraction& n,
                        const Plane& t) const {
    if (m.kind == Mode::Kind::kOpen) return;
    const Fraction& mu = contacts_[i].friction;
    const std::string what = where + ": a force of " + place(i) + " is not covered";
    if (m.kind != Mode::Kind::kSlide) {
      if (!in_dual_cone(n, t, mu)) fail(what);
      return;
    }
    if (dimension_ == 3 && pyramid_) return check_corners(what, m, n, t, mu);
    // The friction that helps least is −μ·t/|t| if that direction is within the sector, else at one of its ends.
    const bool inside =
        dimension_ == 3 && turn(m.from, t) >= 0 && turn(t, m.to) >= 0 && dot(t, m.from) + dot(t, m.to) > 0;
    if (inside && (n < 0 || n * n < mu * mu * dot(t, t))) fail(what);
    for (const Plane* end : {&m.from, &m.to}) {
      if (dimension_ == 3 && dot(*end, *end) != 1) fail(where + ": a ray is not of length 1");
      if (n < mu * dot(t, *end)) fail(what);
    }
  }

  // Corners of the pyramid that oppose some slip of the sector most: those of its ends, as a sector is at most a
  // quarter.
  void check_corners(const std::string& what, const Mode& m, const Fraction& n, const Plane& t,
                     const Fraction& mu) const {
    if (dot(m.from, m.to) < 0) fail("a sector of the pyramid is more than a quarter");
    for (const Plane& slip : {m.from, m.to, Plane{m.from[0] + m.to[0], m.from[1] + m.to[1]}})
      for (const Plane& corner : {Plane{1, 0}, Plane{0, 1}, Plane{-1, 0}, Plane{0, -1}}) {
        const bool active = -dot(slip, corner) == std::max(Fraction(abs(slip[0])), Fraction(abs(slip[1])));
        if (active && !is_edge_only(m, corner) && n + mu * dot(t, corner) < 0) fail(what);
      }
  }
  // A corner that only opposes the very ends of a sector is covered by the sectors of those rays.
  static bool is_edge_only(const Mode& m, const Plane& corner) {
    if (turn(m.from, m.to) == 0) return false;
    const Plane middle{m.from[0] + m.to[0], m.from[1] + m.to[1]};
    return -dot(middle, corner) != std::max(Fraction(abs(middle[0])), Fraction(abs(middle[1])));
  }

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  const std::string& text_;
  std::istringstream line_;
  std::size_t number_ = 0, dimension_ = 3, freedoms_ = 0;
  bool pyramid_ = false;
  std::string verdict_, reason_;
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
  std::vector<std::array<std::size_t, 2>> hold_sides_;
  std::vector<std::array<Triple, 4>> hold_parts_;
  std::vector<std::uint8_t> limits_;
  std::map<std::string, std::map<std::size_t, Fraction>> values_;
  std::vector<Node> nodes_;
  std::vector<Row> rows_;
  Vector load_;
};

}  // namespace

CheckResult check_certificate(const std::string& text) {
  Checker checker(text);
  try {
    return checker.run();
  } catch (const std::runtime_error& e) {
    checker.result_.holds = false;
    checker.result_.failure = e.what();
    return checker.result_;
  }
}

}  // namespace touchstone::statics
