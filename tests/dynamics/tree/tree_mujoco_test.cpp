// Trees against MuJoCo, where Debian's package of it is installed: poses, mass matrix, bias, accelerations and energy
// of random trees that are read there from text.
#ifdef TOUCHSTONE_MUJOCO
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>

#include "dynamics/tree/mujoco_text.h"
#include "dynamics/tree/random_trees.h"

namespace touchstone {
namespace {

constexpr double kAgreement = 1e-9;  // relative to the greatest number

struct Rival {
  mjModel* model = nullptr;
  mjData* data = nullptr;

  explicit Rival(const std::string& text) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "tree.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char message[1000] = "";
    model = mj_loadXML("tree.xml", files.get(), message, sizeof message);
    mj_deleteVFS(files.get());
    if (model) data = mj_makeData(model);
    EXPECT_NE(model, nullptr) << message;
  }
  ~Rival() {
    if (data) mj_deleteData(data);
    if (model) mj_deleteModel(model);
  }
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;
};

// Links that MuJoCo has, too, in depth-first order.
std::vector<TreeLink> links_for_both(std::size_t number, bool floating, bool chain, TreeDice& dice) {
  using enum TreeJoint;
  const std::vector<TreeJoint> kinds{kRevolute, kPrismatic, kCylindrical, kUniversal, kPlanar, kSpherical, kFixed};
  std::vector<TreeLink> out;
  std::vector<std::int32_t> way;  // to the last link
  for (std::size_t i = 0; i < number; ++i) {
    if (!chain && way.size() > 1 && dice.below(3) == 0) way.resize(1 + dice.below(way.size() - 1));
    const TreeJoint joint = i == 0  ? (floating ? kFloating : kRevolute)
                            : chain ? kRevolute
                                    : kinds[dice.below(kinds.size())];
    TreeLink link = random_link(way.empty() ? TreeLink::kWorld : way.back(), joint, dice);
    for (TreeRate& rate : link.rates) rate = link.rates[0];
    give_mass(link, dice);  // diagonal
    if (joint == kSpherical || joint == kFloating) link.joint_in_link.R.setIdentity();
    if (joint == kFloating) link.joint_in_link = link.joint_in_parent = {};
    way.push_back(static_cast<std::int32_t>(i));
    out.push_back(link);
  }
  return out;
}

double difference(const double* theirs, const std::vector<double>& ours) {
  return (Eigen::Map<const Eigen::VectorXd>(theirs, static_cast<Eigen::Index>(ours.size())) - as_vector(ours))
      .cwiseAbs()
      .maxCoeff();
}

void compare(const std::vector<TreeLink>& links, TreeDice& dice) {
  PlacedTree t(links, dice);
  const Rival rival(mujoco_text(links, t.gravity));
  ASSERT_NE(rival.data, nullptr);
  ASSERT_EQ(static_cast<std::size_t>(rival.model->nq), t.model.nq());
  ASSERT_EQ(static_cast<std::size_t>(rival.model->nv), t.model.nv());
  const std::vector<double> force = dice.numbers(t.model.nv(), 5.0);
  std::copy(t.q.begin(), t.q.end(), rival.data->qpos);
  std::copy(t.v.begin(), t.v.end(), rival.data->qvel);
  std::copy(force.begin(), force.end(), rival.data->qfrc_applied);
  mj_forward(rival.model, rival.data);

  for (std::size_t i = 0; i < links.size(); ++i) {
    const double* p = rival.data->xpos + 3 * (i + 1);
    ASSERT_LE((link_pose(t.model, t.data, i).p - Vec<3>(p[0], p[1], p[2])).norm(), 1e-11) << "link " << i;
  }
  const auto nv = static_cast<Eigen::Index>(t.model.nv());
  Eigen::MatrixXd ours(nv, nv);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> theirs(nv, nv);
  find_mass_matrix(t.model, t.data), fill_mass_matrix(t.model, t.data, ours);
  mj_fullM(rival.model, theirs.data(), rival.data->qM);
  ASSERT_LE((ours - theirs).cwiseAbs().maxCoeff(), kAgreement * ours.cwiseAbs().maxCoeff());

  std::vector<double> bias(t.model.nv()), acceleration(t.model.nv()), total = force;
  inverse_dynamics(t.model, t.data, t.gravity, {}, {}, bias);
  ASSERT_LE(difference(rival.data->qfrc_bias, bias), kAgreement * greatest(bias));
  for (std::size_t i = 0; i < total.size(); ++i) total[i] -= t.model.rates[i].damping * t.v[i];
  factor_tree(t.model, t.data);
  forward_dynamics(t.model, t.data, t.gravity, total, {}, acceleration);
  ASSERT_LE(difference(rival.data->qacc_smooth, acceleration), kAgreement * greatest(acceleration));
  const double kinetic = kinetic_energy(t.model, t.data, t.v), potential = potential_energy(t.model, t.data, t.gravity);
  ASSERT_NEAR(rival.data->energy[0], potential, kAgreement * std::max(1.0, std::abs(potential)));
  ASSERT_NEAR(rival.data->energy[1], kinetic, kAgreement * kinetic);
}

TEST(TreeMujoco, RandomTreesAgree) {
  TreeDice dice(23);
  for (const bool floating : {false, true})
    for (const std::size_t links : {1, 2, 5, 20, 60})
      for (int trial = 0; trial < 5; ++trial) {
        SCOPED_TRACE(testing::Message() << links << " links, floating " << floating << ", trial " << trial);
        ASSERT_NO_FATAL_FAILURE(compare(links_for_both(links, floating, false, dice), dice));
      }
}

// Its reader nests no deeper.
TEST(TreeMujoco, LongChainsAgree) {
  TreeDice dice(29);
  for (const bool floating : {false, true})
    ASSERT_NO_FATAL_FAILURE(compare(links_for_both(96, floating, true, dice), dice)) << floating;
}

}  // namespace
}  // namespace touchstone
#endif
