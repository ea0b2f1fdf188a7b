#pragma once
// An articulated tree as a clique of a contact problem: its mass matrix with sparse factors, and the rows of its
// bodies.
#include <vector>

#include "contact/mechanism.h"
#include "dynamics/tree/tree_body.h"

namespace touchstone {

class TreeMechanism final : public Mechanism<3> {
 public:
  // For this tree, which must stay where it is.
  explicit TreeMechanism(const TreeBody& tree);
  TreeMechanism(TreeMechanism&&) = default;

  // Kinematics at q and v of the state, and M + diag(added), factored. `added` empty: nothing.
  void place(const State<3>& state, std::span<const double> added);
  // Velocities of the tree's bodies with these rates, at the pose of place(); others are left alone.
  template <class Write>
  void for_each_velocity(std::span<const double> rates, Write write) {
    find_velocities(rates);
    for (std::size_t k = 0; k < tree_->bodies.size(); ++k) write(tree_->bodies[k], at_center_[k]);
  }

  const TreeBody& tree() const { return *tree_; }
  TreeData& data() { return data_; }
  const TreeData& data() const { return data_; }
  std::span<const Vec<3>> centers() const { return center_; }  // of mass, by body

  std::span<const std::uint32_t> bodies() const override { return tree_->bodies; }
  const SymmetricOperator& mass() const override { return mass_; }
  void add_row(std::uint32_t body, const Vec<3>& linear, const AngVec<3>& angular,
               std::span<double> row) const override;

 private:
  class Mass final : public SymmetricOperator {
   public:
    std::size_t size() const override { return owner->tree_->model.nv(); }
    void multiply(std::span<const double> x, std::span<double> out) const override;
    void solve(std::span<const double> x, std::span<double> out) const override;
    void write(std::span<double> out) const override;
    const TreeMechanism* owner = nullptr;
  };
  void find_velocities(std::span<const double> rates);

  const TreeBody* tree_;
  TreeData data_;
  Mass mass_;
  std::vector<std::uint32_t> place_of_;  // in tree_->bodies, by slot
  std::vector<Vec<3>> center_;
  std::vector<Spatial> at_center_;
};

}  // namespace touchstone
