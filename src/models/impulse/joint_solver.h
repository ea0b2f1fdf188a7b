#pragma once
// The joints of a world in the loop of the impulse model: each is solved as a block, in turn.
#include <array>
#include <span>
#include <vector>

#include "dynamics/joints/joint.h"
#include "models/contact_model.h"
#include "models/impulse/contact_groups.h"

namespace touchstone {

template <int D>
class JointSolver {
 public:
  static constexpr int kRows = kMaxJointRows<D>, kEqualities = D + kAngular<D>;

  bool empty() const { return solved_.empty(); }
  // A step begins; warm: the impulses of the last one are the first guess.
  void begin(const StepInput<D>& in);
  // Rows at these poses. held: for a time h, at the end of which the errors are to be gone; otherwise for an instant,
  // at which the velocities are to be right. forced: how long motors act [s].
  void prepare(const StepInput<D>& in, const State<D>& state, std::span<const AngMat<D>> inv_inertia, double h,
               bool held, double forced);
  // The impulses that the rows hold, onto the velocities.
  void warm_start(std::span<BodyVelocity<D>> velocity) const;
  // One sweep; returns the greatest change of a row's velocity [m/s, rad/s].
  double sweep(std::span<BodyVelocity<D>> velocity);
  // Re-evaluates the errors at the end of h exactly, at the poses that these velocities lead to, and sets what the
  // sweeps aim at by it. Returns the greatest error [m, rad].
  double predict(const StepInput<D>& in, const State<D>& state, std::span<const BodyVelocity<D>> velocity);
  // Sweeps until no row's velocity is off by more than this [m/s, rad/s], or so many have been made.
  std::int64_t sweep_to(double tolerance, std::int64_t most, std::span<BodyVelocity<D>> velocity);
  // The impulses of a solve elsewhere, joint after joint in the order of their rows.
  void set_impulses(std::span<const double> impulses);
  // For an instant that starts from no impulses: collisions.
  void clear_impulses();
  // impulses += factor·direction; direction = factor·direction + change; and Σ K·change².
  void extrapolate(double factor);
  double change_energy() const;

  // The impulses so far belong to the step: they are added to its totals.
  void add_totals(const StepInput<D>& in, const State<D>& state);
  // What each body received in this solve.
  void body_impulses(std::span<BodyImpulse<D>> out) const;
  // Their work on dynamic bodies in this solve, and of this the motors', as ProblemBuilder::joint_work has it. mean: of
  // a body, its velocity before and after.
  template <class Mean>
  void add_work(const Bodies<D>& bodies, const Mean& mean, double& all, double& motors) const {
    for (const Solved& j : solved_) {
      const Twist<D> a = j.a != kWorldBody ? mean(j.a) : Twist<D>{}, b = j.b != kWorldBody ? mean(j.b) : Twist<D>{};
      for (int r = 0; r < j.rows; ++r) {
        const JointRow<D>& row = j.row[r];
        const double by_a = j.lambda[r] * (row.linear_a.dot(a.linear) + row.angular_a.dot(a.angular));
        const double by_b = j.lambda[r] * (row.linear_b.dot(b.linear) + row.angular_b.dot(b.angular));
        if (j.a != kWorldBody && bodies.dynamic(j.a)) all += by_a;
        if (j.b != kWorldBody && bodies.dynamic(j.b)) all += by_b;
        if (row.kind == RowKind::kMotor) motors += by_a + by_b;
      }
    }
  }
  void remember(double h);  // as forces: h is how long the impulses lasted
  std::span<const JointImpulse<D>> totals() const { return totals_; }

  void keep() { kept_ = forces_, kept_totals_ = totals_; }
  void restore() { forces_ = kept_, totals_ = kept_totals_; }
  void forget() { forces_.clear(), totals_.clear(); }  // joints were added or removed
  void serialize(Archive& ar) { ar(forces_), ar(totals_); }

 private:
  using Forces = std::array<double, kRows>;
  struct Solved {
    std::uint32_t a, b;  // kWorldBody: does not move
    int rows = 0, equalities = 0;
    std::array<JointRow<D>, kRows> row;
    std::array<Vec<D>, kRows> push_a, push_b;  // M⁻¹·Jᵀ
    std::array<AngVec<D>, kRows> turn_a, turn_b;
    std::array<double, kRows> k, aim, lambda, change, direction, limit;  // aim: J·v is to be this
    Eigen::Matrix<double, kEqualities, kEqualities> inverse;             // of the equalities' K
  };
  double rate(const Solved& j, int row, std::span<const BodyVelocity<D>> velocity) const;
  void push(const Solved& j, int row, double impulse, std::span<BodyVelocity<D>> velocity) const;
  void set_masses(const StepInput<D>& in, std::span<const AngMat<D>> inv_inertia, Solved& j);

  std::vector<Solved> solved_;
  std::vector<Forces> forces_, kept_;
  std::vector<JointImpulse<D>> totals_, kept_totals_;
  double h_ = 0;
};

}  // namespace touchstone
