#include "programs/outsiders/ipopt.h"

#include <IpStdCInterface.h>

#include <algorithm>
#include <cstddef>

namespace touchstone::bench {
namespace {

constexpr double kIpoptInfinity = 1e19;  // from there on Ipopt takes a bound for absent

struct Data : IpoptProgram {
  int iterations = 0;
};

const IpoptProgram& program_of(UserDataPtr data) { return *static_cast<const Data*>(data); }

std::vector<double> gradient_of(const IpoptProgram& p, const double* x) {
  std::vector<double> out = p.c;
  for (std::size_t k = 0; k < p.q_value.size(); ++k) {
    const int i = p.q_row[k], j = p.q_column[k];
    out[static_cast<std::size_t>(i)] += p.q_value[k] * x[j];
    if (i != j) out[static_cast<std::size_t>(j)] += p.q_value[k] * x[i];
  }
  return out;
}

Bool objective(Index n, Number* x, Bool, Number* value, UserDataPtr data) {
  const IpoptProgram& p = program_of(data);
  const std::vector<double> gradient = gradient_of(p, x);
  *value = 0;
  for (int j = 0; j < n; ++j) {
    const std::size_t at = static_cast<std::size_t>(j);
    *value += 0.5 * x[j] * (gradient[at] + p.c[at]);
  }
  return TRUE;
}
Bool gradient(Index, Number* x, Bool, Number* values, UserDataPtr data) {
  const std::vector<double> out = gradient_of(program_of(data), x);
  std::copy(out.begin(), out.end(), values);
  return TRUE;
}
Bool constraints(Index, Number* x, Bool, Index m, Number* values, UserDataPtr data) {
  const IpoptProgram& p = program_of(data);
  std::fill(values, values + m, 0.0);
  for (std::size_t k = 0; k < p.a_value.size(); ++k) values[p.a_row[k]] += p.a_value[k] * x[p.a_column[k]];
  return TRUE;
}
Bool jacobian(Index, Number*, Bool, Index, Index, Index* row, Index* column, Number* values, UserDataPtr data) {
  const IpoptProgram& p = program_of(data);
  if (values) {
    std::copy(p.a_value.begin(), p.a_value.end(), values);
  } else {
    std::copy(p.a_row.begin(), p.a_row.end(), row);
    std::copy(p.a_column.begin(), p.a_column.end(), column);
  }
  return TRUE;
}
Bool hessian(Index, Number*, Bool, Number factor, Index, Number*, Bool, Index, Index* row, Index* column,
             Number* values, UserDataPtr data) {
  const IpoptProgram& p = program_of(data);
  if (values) {
    std::transform(p.q_value.begin(), p.q_value.end(), values, [&](double q) { return factor * q; });
  } else {
    std::copy(p.q_row.begin(), p.q_row.end(), row);
    std::copy(p.q_column.begin(), p.q_column.end(), column);
  }
  return TRUE;
}

Bool count_iteration(Index, Index iteration, Number, Number, Number, Number, Number, Number, Number, Number, Index,
                     UserDataPtr data) {
  static_cast<Data*>(data)->iterations = iteration;
  return TRUE;
}

// More equations than unknowns are refused, whether they depend on each other or not. It moves bounds by 1e-8 anyway.
void widen_equations(int variables, std::vector<double>& lower, std::vector<double>& upper) {
  int equations = 0;
  for (std::size_t i = 0; i < lower.size(); ++i) equations += lower[i] == upper[i];
  if (equations < variables) return;
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (lower[i] == upper[i]) lower[i] -= 1e-8, upper[i] += 1e-8;
}

}  // namespace

IpoptAnswer solve_by_ipopt(const IpoptProgram& program) {
  Data p{program};
  if (p.variables == 0 || p.rows == 0) return {};
  if (p.a_value.empty()) p.a_row = {0}, p.a_column = {0}, p.a_value = {0.0};  // it creates no problem without entries
  const auto bounded = [](std::vector<double> bounds) {
    for (double& b : bounds) b = std::clamp(b, -2 * kIpoptInfinity, 2 * kIpoptInfinity);
    return bounds;
  };
  std::vector<double> lower = bounded(p.lower), upper = bounded(p.upper);
  widen_equations(p.variables, lower, upper);
  const std::size_t n = static_cast<std::size_t>(p.variables);
  std::vector<double> x_lower(n, -2 * kIpoptInfinity), x_upper(n, 2 * kIpoptInfinity);
  IpoptProblem problem =
      CreateIpoptProblem(p.variables, x_lower.data(), x_upper.data(), p.rows, lower.data(), upper.data(),
                         static_cast<int>(p.a_value.size()), static_cast<int>(p.q_value.size()), 0, &objective,
                         &constraints, &gradient, &jacobian, &hessian);
  const auto set = [&](const char* name, const char* value) {
    AddIpoptStrOption(problem, const_cast<char*>(name), const_cast<char*>(value));
  };
  if (!problem) return {};
  AddIpoptIntOption(problem, const_cast<char*>("print_level"), 0);
  AddIpoptNumOption(problem, const_cast<char*>("tol"), p.tolerance);
  // A quadratic program's derivatives are constant: it need not be asked twice.
  set("sb", "yes"), set("hessian_constant", "yes"), set("jac_c_constant", "yes"), set("jac_d_constant", "yes");
  set("mehrotra_algorithm", "yes");
  SetIntermediateCallback(problem, &count_iteration);
  IpoptAnswer out;
  out.x.assign(n, 0.0);
  const auto status =
      IpoptSolve(problem, out.x.data(), nullptr, &out.objective, nullptr, nullptr, nullptr, static_cast<void*>(&p));
  out.iterations = p.iterations;
  FreeIpoptProblem(problem);
  out.optimal = status == Solve_Succeeded;  // "acceptable" answers may be far off
  return out;
}

}  // namespace touchstone::bench
