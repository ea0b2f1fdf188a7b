// Runs the scenes of the table under one method.
#include <algorithm>
#include <cmath>
#include <limits>

#include "study/papers/drumwright2009/drumwright2009.h"
#include "touchstone/error.h"

namespace touchstone::drumwright2009 {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kSettling = 20;  // steps before times count: the first ones are not like the rest

class MethodRun {
 public:
  MethodRun(const Method& method, const PaperOptions& options, PaperStudy& study, Score& score)
      : method_(method), options_(options), study_(study), score_(score) {}

  bool run() {
    score_ = {0, 0, kNone, kNone, kNone, kNone, kNone, kNone, {}, {}, ""};
    const bool all = creep("slope", score_.slope_creep) && creep("stack", score_.stack_creep) && heap() &&
                     bounce("bounce_ball", score_.one_contact) && bounce("bounce_box", score_.four_contacts) &&
                     growth(false) && growth(true);
    score_.converged = steps_ > 0 ? converged_ / steps_ : kNone;
    if (steps_ == 0) score_.penetration = kNone;
    return all;
  }

 private:
  SceneDescription scene(const std::string& name) const {
    SceneDescription s = paper_scene(options_, "drumwright2009", name);
    s.model = method_.model;
    return s;
  }
  // False only if interrupted: a method that gives up has said so.
  template <class Run>
  bool attempt(Run run) {
    try {
      return run();
    } catch (const Error& e) {
      if (score_.failure.empty()) score_.failure = e.what();
      return true;
    }
  }
  bool watch(Simulation& sim, double seconds, const std::string& label) {
    sim.set_yardstick(true);
    const auto steps = static_cast<std::uint64_t>(std::llround(seconds / sim.step_size()));
    return advance(sim, steps, options_, method_.label + ": " + label, study_, [this](const StepReport& r) {
      steps_ += 1;
      converged_ += r.status == StepStatus::kOk;
      score_.penetration = std::max(score_.penetration, r.measures.penetration.worst);
      return false;
    });
  }

  // The mean speed of whichever body has gone farthest, over the second half of the run.
  bool creep(const std::string& name, double& out) {
    return attempt([&] {
      Simulation sim(scene(name));
      const double half = (options_.quick ? 0.1 : 0.5) * scene(name).duration;
      if (!watch(sim, half, name)) return false;
      std::vector<Eigen::Vector3d> middle;
      for (const BodyId id : sim.bodies()) middle.push_back(sim.state(id).center_of_mass);
      if (!watch(sim, half, name)) return false;
      double farthest = 0;
      for (std::size_t i = 0; i < middle.size(); ++i)
        farthest = std::max(farthest, (sim.state(sim.bodies()[i]).center_of_mass - middle[i]).norm());
      out = farthest / half;
      return true;
    });
  }

  bool heap() {
    return attempt([&] {
      const SceneDescription s = scene("heap");
      Simulation sim(s);
      return watch(sim, options_.quick ? 0.5 * s.duration : s.duration, "heap");
    });
  }

  // Away at e times the speed it came with, and not turning.
  bool bounce(const std::string& name, double& out) {
    return attempt([&] {
      const SceneDescription s = scene(name);
      Simulation sim(s);
      const BodyId body = sim.find_body("body");
      const double speed = -sim.state(body).velocity.z(), e = s.materials.front().restitution;
      const auto steps = static_cast<std::uint64_t>(std::llround(s.duration / s.step));
      if (!advance(sim, steps, options_, method_.label + ": " + name, study_, [](const StepReport&) { return false; }))
        return false;
      const BodyState after = sim.state(body);
      constexpr double kRadius = 0.1;  // about which a turn counts as a speed [m]
      out = std::hypot((after.velocity - Eigen::Vector3d(0, 0, e * speed)).norm(),
                       kRadius * after.angular_velocity.norm()) /
            speed;
      return true;
    });
  }

  SceneDescription cubes(int count, bool together) const {
    SceneDescription s = scene("stack");
    const BodyDescription cube = s.bodies.at(1);
    s.bodies.resize(1);
    for (int i = 0; i < count; ++i) {
      s.bodies.push_back(cube);
      s.bodies.back().name = "cube " + std::to_string(i);
      s.bodies.back().placement.position += (together ? Eigen::Vector3d(0, 0, 0.2) : Eigen::Vector3d(0.5, 0, 0)) * i;
    }
    return s;
  }

  // The median time of a step at rest, the least of three runs of them: what goes on the machine meanwhile makes times
  // longer. False if interrupted.
  struct StepTime {
    double least = std::numeric_limits<double>::infinity();  // [s]
    bool converged = true;
  };
  bool time_step(const SceneDescription& s, StepTime& out) {
    Simulation sim(s);
    sim.set_threads(1);
    std::vector<double> times;
    const auto run = [&](std::size_t least, std::size_t most, double seconds) {
      times.clear();
      for (double sum = 0; times.size() < least || (times.size() < most && sum < seconds); sum += times.back()) {
        if (!advance(sim, 1, options_, method_.label + ": cost", study_, [](const StepReport&) { return false; }))
          return false;
        times.push_back(sim.report().wall_time);
      }
      return true;
    };
    if (!run(kSettling, kSettling, 0)) return false;
    for (int i = 0; i < 3; ++i) {
      if (!run(3, 31, options_.quick ? 0.03 : 0.2)) return false;
      out.converged &= sim.report().status == StepStatus::kOk;
      std::sort(times.begin(), times.end());
      out.least = std::min(out.least, times[times.size() / 2]);
    }
    return true;
  }

  // Larger stacks are left out where a step would take too long, or where a method that converged
  // so far does not.
  bool growth(bool together) {
    return attempt([&] {
      const std::vector<int> sizes = together ? std::vector<int>{2, 4, 8, 16, 32, 64} : std::vector<int>{8, 32, 128};
      const double most = options_.quick ? 0.01 : 0.15;  // of a step [s]
      std::vector<double> n, times;
      bool converges = true;
      for (const int size : sizes) {
        if (n.size() >= 2 && times.back() * std::pow(size / n.back(), 3) > most) break;
        StepTime time;
        if (!time_step(cubes(size, together), time)) return false;
        if (n.size() >= 2 && converges && !time.converged) break;
        converges &= time.converged;
        n.push_back(size);
        times.push_back(time.least);
      }
      (together ? score_.growth_together : score_.growth_apart) = fitted_exponent(n, times);
      if (together) score_.sizes = n, score_.times = times;
      return true;
    });
  }

  const Method& method_;
  const PaperOptions& options_;
  PaperStudy& study_;
  Score& score_;
  double steps_ = 0, converged_ = 0;
};

}  // namespace

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t count = std::min<std::size_t>(3, x.size());
  if (count < 2) return kNone;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = x.size() - count; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  const double n = static_cast<double>(count);
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

bool measure(const Method& method, const PaperOptions& options, PaperStudy& study, Score& score) {
  return MethodRun(method, options, study, score).run();
}

}  // namespace touchstone::drumwright2009
