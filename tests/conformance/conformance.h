#pragma once
// The conformance suite: every case of the validation catalogue (B01-B36, B63) is built and measured once, and run over
// every model. What is expected of which model is in one table, tolerances.cpp.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "physics/scene_builders.h"

namespace touchstone::conformance {

// How a reading is judged, and by which number of the table.
enum class Grade {
  kSolve,    // an answer of one solve: relative deviation
  kStepped,  // the outcome of many steps: relative deviation
  kStill,    // [m, m/s, rad] what should be zero: how far it is from that
  kHappens,  // yes or no
  kCreep,    // [m/s] of what rests
  kGate      // the yardstick's natural map
};

struct Reading {
  std::string what;
  double value = 0, reference = 0, scale = 1;  // the deviation is |value − reference|/scale
  Grade grade = Grade::kSolve;
  double ease = 1;  // the tolerance is so many times the usual one, where the catalogue allows it
};
double deviation(const Reading& reading);

struct Tolerance {
  double solve = 0, stepped = 0;  // relative
  double still = 0;               // [m, m/s, rad]
  double creep = 0;               // [m/s]
  double gate = 0;                // natural map [1]
  double unconverged = 0;         // part of the steps that may be reported as not converged
};

// What the table says of a case that is not judged by the row's usual tolerance.
struct Entry {
  std::string which;  // the case; "B04 long": its long version; "*": all that have no entry of their own
  int dimension = 0;  // 2, 3, or 0 for both
  bool supported = true;
  Tolerance tolerance{};
  double step = 0;  // [s]; 0: the case's
  std::string reason;
};

// Restitution at many contacts at once (B13): from contact to contact, or at all in the same instant.
enum class Cradle { kSequential, kSimultaneous };

// One way of running a model. A model's first row has its name as label, and takes all cases.
struct Row {
  std::string label, model;
  Options options;
  Tolerance usual;
  Cradle cradle = Cradle::kSimultaneous;
  bool events = false;  // collisions at their time of impact
  Integrator integrator = Integrator::kSemiImplicitEuler;
  bool soft = false;  // contacts are springs: an impact takes time, and a load must settle

  std::vector<std::string> only;  // the cases; empty: all
  std::vector<Entry> entries;
};
const std::vector<Row>& rows();
bool runs(const Row& row, const std::string& which);
const Entry* find_entry(const Row& row, const std::string& which, int dimension, bool full = false);

// Where a case puts its scenes and its readings. It knows which model runs and how soft that is.
class Bench {
 public:
  Bench(const Row& row, const Entry* entry, int dimension, bool full)
      : row_(row), step_(entry ? entry->step : 0), dimension_(dimension), full_(full) {}
  int dimension() const { return dimension_; }
  bool full() const { return full_; }  // the long version of a case
  const Row& row() const { return row_; }
  double step_size(double usual) const { return step_ > 0 ? step_ : usual; }

  // `more`: options besides those of the row.
  Simulation simulate(SceneDescription scene, const Options& more = {}) const;
  bool offers(const std::string& option) const;  // the row's model
  void step(Simulation& sim);
  void run(Simulation& sim, double seconds);
  // One step; for a soft model as many as the impact takes. Returns the impulse that the body received from contacts.
  Eigen::Vector3d impact(Simulation& sim, const std::string& body);
  // How far the body that moved most has come.
  double moved(const SceneDescription& scene, double seconds);

  void solve(const std::string& what, double value, double reference, double scale = 0);
  void stepped(const std::string& what, double value, double reference, double ease = 1);
  void still(const std::string& what, double value, double ease = 1);
  void happens(const std::string& what, bool yes);
  void creep(const std::string& what, double speed);
  void gate(const std::string& what, double natural_map);

  const std::vector<Reading>& readings() const { return readings_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t unconverged() const { return unconverged_; }
  std::int64_t iterations() const { return iterations_; }  // of the step that took most

 private:
  const Row& row_;
  double step_;
  int dimension_;
  bool full_;
  std::vector<Reading> readings_;
  std::int64_t steps_ = 0, unconverged_ = 0, iterations_ = 0;
};

struct Case {
  std::string name, set_up;
  std::vector<int> dimensions;
  void (*measure)(Bench&);
  bool longer = false;  // has a long version
};
std::vector<Case> friction_cases();  // B01-B08, B35, B36
std::vector<Case> rolling_cases();   // B09-B12
std::vector<Case> impact_cases();    // B13-B16, B19-B21, B63
std::vector<Case> joined_cases();    // B17, B18, B22, B30
std::vector<Case> rocking_cases();   // B23, B24
std::vector<Case> statics_cases();   // B25-B29
std::vector<Case> resting_cases();   // B31, B34, creep, mass ratio
std::vector<Case> arch_cases();      // B32, B33
std::vector<Case> law_cases();       // two coefficients, tripod, repeatable runs
const std::vector<Case>& cases();    // all, by number

// What a run of a case came to.
struct Verdict {
  const Case* which = nullptr;
  const Row* row = nullptr;
  int dimension = 0;
  bool supported = true;
  std::string reason;   // of the table
  std::string refused;  // the model's words, if it refused the scene
  std::vector<Reading> readings;
  std::int64_t steps = 0, unconverged = 0, iterations = 0;
  std::vector<std::string> faults;  // readings beyond the tolerance
};
Verdict judge(const Case& which, const Row& row, int dimension, bool full);
// The models that have no row of their own over all cases.
std::vector<std::string> without_row(const std::vector<std::string>& models, const std::vector<Row>& table);

// docs/conformance.md.
std::string markdown(const std::vector<Verdict>& verdicts);

}  // namespace touchstone::conformance
