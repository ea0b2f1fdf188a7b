#include "dynamics/user_forces.h"

#include <algorithm>

namespace touchstone {

template <int D>
void UserForces<D>::begin_step(double start, double end) {
  previewed_ = false;
  last_ = start;
  end_ = std::max(start, end);
}

template <int D>
void UserForces<D>::call(double time, const State<D>& state) {
  asked_ = time;
  last_ = std::clamp(time, last_, end_);
  forces_.assign(state.size(), Wrench<D>{});
  callback_(last_, state, forces_);
}

template <int D>
void UserForces<D>::add(Evaluation evaluation, double time, const State<D>& state, std::vector<Wrench<D>>& out) {
  const bool kept = previewed_ && asked_ == time;
  if (evaluation != Evaluation::kRepeat && !kept) call(time, state);
  if (evaluation != Evaluation::kRepeat) previewed_ = evaluation == Evaluation::kPreview;
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    out[i].force += forces_[i].force;
    out[i].torque += forces_[i].torque;
  }
}

template class UserForces<2>;
template class UserForces<3>;

}  // namespace touchstone
