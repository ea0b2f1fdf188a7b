#include "statics/certificate_reader.h"

#include <algorithm>
#include <set>

namespace touchstone::statics::certificate {
namespace {

// A word as a message shows it.
std::string shown(const std::string& word) {
  constexpr std::size_t kMost = 40;
  return "'" + (word.size() > kMost ? word.substr(0, kMost) + "..." : word) + "'";
}

// Time grows with the square of the digits.
constexpr std::size_t kMostDigits = 20000;

Whole whole(const std::string& text) {
  const std::size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
  if (start == text.size() || text.find_first_not_of("0123456789", start) != std::string::npos)
    fail(shown(text) + " is not a fraction");
  if (text.size() - start > kMostDigits)
    fail("a number has " + std::to_string(text.size() - start) + " digits; at most " + std::to_string(kMostDigits) +
         " are read");
  Whole value = 0;
  constexpr std::size_t kPiece = 18;  // digits that fit 64 bits
  for (std::size_t i = start; i < text.size(); i += kPiece) {
    const std::string piece = text.substr(i, kPiece);
    std::uint64_t power = 1;
    for (std::size_t k = 0; k < piece.size(); ++k) power *= 10;
    value = value * power + std::stoull(piece);
  }
  return start ? Whole(-value) : value;
}

Fraction fraction(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return Fraction(whole(text));
  const Whole below = whole(text.substr(slash + 1));
  if (below <= 0) fail(shown(text) + " has no positive denominator");
  return Fraction(whole(text.substr(0, slash)), below);
}

constexpr const char* kHeaders[] = {"verdict", "reason", "dimension", "law", "units"};
bool is_header(const std::string& w) {
  return std::any_of(std::begin(kHeaders), std::end(kHeaders), [&](const char* h) { return w == h; });
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  Certificate run() {
    read();
    return std::move(out_);
  }

 private:
  std::string word() {
    std::string w;
    if (!(line_ >> w)) fail("line " + std::to_string(number_) + " ends too early");
    return w;
  }
  void expect(const char* w) {
    const std::string found = word();
    if (found != w) fail("line " + std::to_string(number_) + ": '" + w + "' is expected, not " + shown(found));
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
    if (out_.bodies.empty()) fail("there are no bodies");
  }

  // Each once, before the bodies whose numbers are read by it: what is said twice, or not at all, is no premise.
  void read_header(const std::string& w) {
    if (!headers_.insert(w).second) fail("line " + std::to_string(number_) + ": '" + w + "' is given twice");
    if (!out_.bodies.empty()) fail("line " + std::to_string(number_) + ": '" + w + "' comes after the bodies");
    if (w == "verdict") {
      out_.verdict = word();
    } else if (w == "reason") {
      out_.reason = word();
    } else if (w == "dimension") {
      out_.dimension = index(4);
      if (out_.dimension != 2 && out_.dimension != 3) fail("the dimension is neither 2 nor 3");
    } else if (w == "law") {
      const std::string law = word();
      if (law != "circle" && law != "pyramid") fail("friction law " + shown(law) + " is not known");
      out_.pyramid = law == "pyramid";
    } else if (w == "units") {
      for (int i = 0; i < 3; ++i)
        if (next() <= 0) fail("a unit is not positive");
    }
  }

  void read_line(const std::string& w) {
    if (is_header(w)) {
      read_header(w);
    } else if (w == "body") {
      for (const char* header : kHeaders)
        if (!headers_.contains(header)) fail("the line '" + std::string(header) + "' is missing");
      read_body();
    } else if (w == "contact") {
      read_contact();
    } else if (w == "hold") {
      read_hold();
    } else if (w == "slip") {
      read_slip();
    } else if (w == "node") {
      read_node();
    } else if (w == "child") {
      read_child();
    } else if (w == "p" || w == "q") {
      if (out_.nodes.empty()) fail("a multiplier has no node");
      const std::size_t i = index(1000000000);
      auto& values = w == "p" ? out_.nodes.back().p : out_.nodes.back().q;
      if (!values.emplace(i, next()).second) fail("'" + w + " " + std::to_string(i) + "' is given twice in a node");
    } else if (w == "force" || w == "smooth_force" || w == "mechanism" || w == "acceleration" || w == "motion_force") {
      const std::size_t i = index(1000000000);
      if (!out_.values[w].emplace(i, next()).second) fail("'" + w + " " + std::to_string(i) + "' is given twice");
    } else {
      fail("line " + std::to_string(number_) + " begins with " + shown(w) + ", which is not known");
    }
  }

  void read_body() {
    if (index(1000000000) != out_.bodies.size()) fail("bodies are not in order");
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
    out_.bodies.push_back(b);
  }

  void check_inertia(const std::array<Fraction, 6>& i) const {
    const Fraction two = i[0] * i[1] - i[3] * i[3];
    const Fraction three = i[2] * two - i[4] * (i[4] * i[1] - i[3] * i[5]) + i[5] * (i[4] * i[3] - i[0] * i[5]);
    if (out_.dimension == 2 ? i[2] <= 0 : (i[0] <= 0 || two <= 0 || three <= 0))
      fail("an inertia is not positive definite");
  }

  void read_contact() {
    if (index(1000000000) != out_.contacts.size()) fail("contacts are not in order");
    Contact c;
    c.a = index(out_.bodies.size()), c.b = index(out_.bodies.size());
    if (c.a == c.b) fail("a contact joins a body with itself");
    expect("point"), c.point = triple();
    expect("normal"), c.frame[0] = triple();
    expect("tangents"), c.frame[1] = triple(), c.frame[2] = triple();
    expect("friction"), c.friction = next();
    if (c.friction < 0) fail("a friction is negative");
    check_frame(c);
    out_.contacts.push_back(c);
  }

  // Coulomb's law is about unit vectors: axes of other lengths or angles would make another cone of it. Directions are
  // rounded to 14 digits.
  void check_frame(const Contact& c) const {
    const Fraction rounding(1, 1000000000000);
    for (std::size_t i = 0; i < out_.dimension; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        Fraction product = 0;
        for (std::size_t k = 0; k < out_.dimension; ++k) product += c.frame[i][k] * c.frame[j][k];
        if (abs(product - (i == j ? 1 : 0)) > rounding)
          fail("line " + std::to_string(number_) + ": normal and tangents are not perpendicular unit vectors");
      }
  }

  void read_hold() {
    if (index(1000000000) != out_.limits.size()) fail("joint rows are not in order");
    out_.hold_sides.emplace_back();
    auto& side = out_.hold_sides.back();
    for (int k = 0; k < 2; ++k) {
      const std::string w = word();
      side[static_cast<std::size_t>(k)] = w == "ground" ? kNobody : static_cast<std::size_t>(whole(w));
      if (w != "ground" && side[static_cast<std::size_t>(k)] >= out_.bodies.size()) fail("a joint joins no body");
    }
    const std::string kind = word();
    if (kind != "limit" && kind != "equality") fail("a joint row is neither a limit nor an equality");
    out_.limits.push_back(kind == "limit");
    out_.hold_parts.emplace_back();
    for (Triple& t : out_.hold_parts.back()) t = triple();
  }

  void read_slip() {
    const std::size_t contact = index(out_.contacts.size());
    Slip s;
    s.leader = index(out_.contacts.size()), s.shear = next();
    if (!out_.slips.emplace(contact, s).second) fail("'slip " + std::to_string(contact) + "' is given twice");
  }

  void read_node() {
    if (index(100000000) != out_.nodes.size()) fail("nodes are not in order");
    Node n;
    const std::string kind = word();
    if (kind == "branch")
      n.kind = Node::Kind::kBranch, n.contact = index(out_.contacts.size());
    else if (kind == "leaf" || kind == "empty")
      n.kind = kind == "leaf" ? Node::Kind::kLeaf : Node::Kind::kEmpty;
    else
      fail("a node is neither a branch nor a leaf");
    out_.nodes.push_back(std::move(n));
  }

  void read_child() {
    if (out_.nodes.empty()) fail("a child has no node");
    const std::size_t child = index(100000000);
    const std::string kind = word();
    Mode m;
    m.kind = kind == "open"    ? Mode::Kind::kOpen
             : kind == "stick" ? Mode::Kind::kStick
             : kind == "still" ? Mode::Kind::kStill
             : kind == "touch" ? Mode::Kind::kTouch
             : kind == "slide" ? Mode::Kind::kSlide
                               : Mode::Kind::kUnknown;
    if (m.kind == Mode::Kind::kUnknown) fail("a mode is not known: " + shown(kind));
    if (m.kind == Mode::Kind::kSlide)
      for (Fraction* x : {&m.from[0], &m.from[1], &m.to[0], &m.to[1]}) *x = next();
    out_.nodes.back().children.emplace_back(child, m);
  }

  const std::string& text_;
  std::istringstream line_;
  std::set<std::string> headers_;
  std::size_t number_ = 0;
  Certificate out_;
};

}  // namespace

void fail(const std::string& what) { throw std::runtime_error(what); }

Certificate read(const std::string& text) { return Reader(text).run(); }

}  // namespace touchstone::statics::certificate
