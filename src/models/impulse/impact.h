#pragma once
// Collisions: instants at which touching points that approach faster than the threshold are turned around by Newton's
// law, in a loop until no pair collides any more [bender2006, §3.1].
#include <span>
#include <vector>

#include "contact/impact_law.h"
#include "contact/problem_builder.h"
#include "contact/solvers/newton_contact.h"
#include "models/impulse/contact_record.h"
#include "models/impulse/joint_solver.h"

namespace touchstone {

template <int D>
struct ImpactInput {
  const StepInput<D>& step;
  double time, h;
  double tolerance;  // of velocities after the collisions [m/s]; 0: as near as rounding allows
  // What collides after so many passes, or is left after so many sweeps in a pass, is left to the resting contacts,
  // which stop it. 0: as many as it takes, and a cap that is reported.
  std::int64_t most_passes, most_sweeps;
  double threshold;   // slower contacts rest [m/s]
  double touching;    // contacts with a gap above this do not collide, unless they close it within `reach_time` [m]
  double reach_time;  // [s]; 0 if times of impact are met exactly
  std::span<const Vec<D>> position;               // of bodies with contacts, where those were found
  std::span<const Displacement<D>> displacement;  // since then
  bool still;  // nothing has moved since the contacts were found: all displacements are zero
  std::span<const AngMat<D>> inv_inertia;
  JointSolver<D>& joints;
  std::span<BodyVelocity<D>> scratch;  // one a body
  RestitutionLaw law;
};

struct ImpactReport {
  std::int64_t collisions = 0, sweeps = 0, passes = 0;
  bool converged = true;
  double gain = 0;  // along the relative motion [J], never positive without friction
  // On the bodies that move by forces: prescribed bodies and belts put in what this is above `gain`. Of joints, which
  // hold meanwhile, and of their motors [J].
  double work = 0, joint_work = 0, motor_work = 0;
};

template <int D>
class Impacts {
 public:
  ImpactReport resolve(const ImpactInput<D>& in, std::span<ContactRecord<D>> records, State<D>& state);

 private:
  struct Colliding {
    std::size_t record;
    Vec<D> arm_a, arm_b;
    Mat<D> axes;  // columns: normal, then tangents
    Mat<D> k;     // K in those axes
    Eigen::Matrix<double, D - 1, D - 1> inv_k_tangent;
    double target, lambda;
    Vec<D> before;  // relative velocity, in the axes
    Vec<D> p = Vec<D>::Zero();
    bool stuck = false;
  };
  void select(const ImpactInput<D>& in, std::span<ContactRecord<D>> records, const State<D>& state);
  void stir(const Bodies<D>& bodies, std::span<const ContactRecord<D>> records);
  Vec<D> velocity_of(const Colliding& c, std::span<const ContactRecord<D>> records, const State<D>& state) const;
  Vec<D> prescribed_velocity(const Bodies<D>& bodies, const Colliding& c, const ContactRecord<D>& r,
                             const State<D>& state) const;
  void count_joint_work(const ImpactInput<D>& in, const State<D>& state, ImpactReport& report) const;
  double solve(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, Colliding& c, State<D>& state);
  bool sweep(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, double enough, State<D>& state,
             ImpactReport& report);
  // impact_course.cpp
  SolvedContact<D> solved(const Colliding& c, std::span<const ContactRecord<D>> records, const State<D>& state) const;
  bool follow(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, double tolerance, State<D>& state,
              ImpactReport& report);
  double sweep_joints(const ImpactInput<D>& in, State<D>& state);
  double sweep_some(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, std::uint8_t number,
                    double enough, State<D>& state);
  void finish(const ImpactInput<D>& in, std::span<ContactRecord<D>> records, const State<D>& state,
              ImpactReport& report);
  void show(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, const State<D>& state);

  std::vector<Colliding> colliding_;
  std::vector<std::uint8_t> stirred_;  // by body: its velocity may have been changed by the last pass
  std::vector<std::uint8_t> changed_;  // by body: number of the last sweep that changed its velocity noticeably
  std::vector<SolvedContact<D>> shown_;
  std::vector<Twist<D>> before_, after_;
  std::vector<BodyImpulse<D>> joint_push_;
  ProblemBuilder<D> builder_;
  ImpactLaw law_;
  NewtonContact compress_;
  ContactSolution solution_;
};

}  // namespace touchstone
