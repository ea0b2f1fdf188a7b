#pragma once
// How a structure begins to fall: the accelerations of all bodies at the first instant.
#include "base/stop.h"
#include "statics/structure.h"

namespace touchstone::statics {

struct InitialMotion {
  bool converged = false;
  std::string method;            // "quadratic program", "nsgs"
  double residual = 0;           // of the method, in units of acceleration
  Eigen::VectorXd acceleration;  // by freedom
  Eigen::VectorXd forces;        // in the rows, as in equations.h
};

// Without friction by Gauss' principle of least restraint, where it is unique. With friction one that obeys Coulomb's
// law is computed; it need not be the only one.
// `most_iterations`: of the solver with friction.
InitialMotion initial_motion(const Structure& scaled, const StopFlag& stop, std::int64_t most_iterations = 20000);

}  // namespace touchstone::statics
