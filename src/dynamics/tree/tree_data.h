#pragma once
// What depends on the coordinates and rates of a tree: the workspace of its algorithms, made once for a model. Each
// member says which function fills it. Spatial vectors of a link are in world axes about its reference point.
#include <vector>

#include "dynamics/tree/tree_model.h"

namespace touchstone {

struct TreeData {
  explicit TreeData(const TreeModel& model);
  TreeData() = default;

  // place_links(): by link, and the columns of the joints by rate.
  std::vector<Vec<3>> p;    // reference points, in the world
  std::vector<Vec<3>> arm;  // from the parent's reference point; of a root: from the origin of the world
  std::vector<Mat<3>> R;    // of M
  std::vector<Spatial> column;
  std::vector<RigidInertia> inertia;
  // move_links(): velocity, and the acceleration that it causes without any of the rates changing.
  std::vector<Spatial> velocity, bias;
  // find_mass_matrix(), factor_mass_matrix(): rows of TreeModel::row_begin; L is unit lower triangular, its diagonal
  // places hold D.
  std::vector<double> mass, factor;
  std::vector<RigidInertia> composite;
  // factor_tree(): the articulated inertia's U and d by rate, for ABA and impulse responses.
  std::vector<Spatial> u;
  std::vector<double> inverse_d;
  std::vector<Mat<6>> articulated;
  // Scratch of the algorithms; acceleration: of inverse_dynamics() and forward_dynamics(), gravity not included.
  std::vector<Spatial> force, acceleration;
  std::vector<double> push;
};

}  // namespace touchstone
