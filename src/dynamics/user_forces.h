#pragma once
// The forces of a user's callback. The callback may keep state of its own (a controller, a random source), so it is
// called once for each evaluation of the integrator, in order of time, and for nothing else: detection and sleeping,
// which need the forces as well, share the integrator's call.
#include <cstdint>
#include <functional>
#include <vector>

#include "dynamics/bodies.h"

namespace touchstone {

// kStage: an evaluation of the integrator. kPreview: the forces of the evaluation that comes next, at this time; the
// callback is called now and its forces are kept for that evaluation. kRepeat: the last forces again, without a call.
enum class Evaluation : std::uint8_t { kStage, kPreview, kRepeat };

template <int D>
class UserForces {
 public:
  using Callback = std::function<void(double time, const State<D>&, std::vector<Wrench<D>>&)>;
  explicit UserForces(Callback callback) : callback_(std::move(callback)) {}

  // A step from `start` to `end` [s] begins; kept forces of a step that failed are dropped.
  void begin_step(double start, double end);
  // Adds the callback's forces to `out`, one wrench a body.
  void add(Evaluation evaluation, double time, const State<D>& state, std::vector<Wrench<D>>& out);

 private:
  void call(double time, const State<D>& state);

  Callback callback_;
  std::vector<Wrench<D>> forces_;  // of the last call
  double asked_ = 0;               // the time of the last call, as it was asked for
  bool previewed_ = false;         // the last call was a preview that no evaluation has used yet
  double last_ = 0, end_ = 0;      // the callback's times lie between these: rounding never turns them round
};

}  // namespace touchstone
