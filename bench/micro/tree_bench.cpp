// Forward dynamics of trees: a chain of 5 to 100 links (whose exponent is fitted), a tree like a humanoid, and both
// under MuJoCo where it is installed (positions, velocities and accelerations without constraints).
#include <benchmark/benchmark.h>

#include "dynamics/tree/aba.h"
#include "dynamics/tree/crba.h"
#include "dynamics/tree/impulse_response.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/rnea.h"
#include "dynamics/tree/sparse_inertia.h"
#include "micro/tree_trees.h"
#ifdef TOUCHSTONE_MUJOCO
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#endif

namespace touchstone::bench {
namespace {

const Vec<3> kGravity{0, 0, -9.81};

struct Placed {
  TreeModel model;
  TreeData data;
  std::vector<double> q, v, force, out;

  explicit Placed(const std::vector<HingedBody>& bodies) : model(make_tree(links_of(bodies))), data(model) {
    q = model.neutral();
    v.assign(model.nv(), 0.0), out = force = v;
    for (std::size_t i = 0; i < model.nv(); ++i) {
      v[i] = 0.1 * static_cast<double>(i % 7) - 0.3;
      if (model.coordinate[i] != TreeModel::kNone) q[model.coordinate[i]] += 0.1 * static_cast<double>(i % 5) - 0.2;
    }
    place_links(model, q, data), move_links(model, v, data);
  }
  void accelerations() {
    for (std::size_t i = 0; i < model.nv(); ++i) force[i] = -model.rates[i].damping * v[i];
    place_links(model, q, data);
    move_links(model, v, data);
    factor_tree(model, data);
    forward_dynamics(model, data, kGravity, force, {}, out);
  }
};

void tree_chain_forward_dynamics(benchmark::State& bench) {
  Placed tree(chain(static_cast<int>(bench.range(0))));
  for (auto _ : bench) {
    tree.accelerations();
    benchmark::DoNotOptimize(tree.out.data());
  }
  bench.SetComplexityN(bench.range(0));
}
BENCHMARK(tree_chain_forward_dynamics)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(100)->Complexity(benchmark::oN);

void tree_humanoid_forward_dynamics(benchmark::State& bench) {
  Placed tree(humanoid());
  for (auto _ : bench) {
    tree.accelerations();
    benchmark::DoNotOptimize(tree.out.data());
  }
}
BENCHMARK(tree_humanoid_forward_dynamics);

template <class Work>
void measure(benchmark::State& bench, Work work) {
  Placed tree(bench.range(0) == 0 ? humanoid() : chain(static_cast<int>(bench.range(0))));
  factor_tree(tree.model, tree.data), find_mass_matrix(tree.model, tree.data);
  factor_mass_matrix(tree.model, tree.data);
  for (auto _ : bench) {
    work(tree);
    benchmark::DoNotOptimize(tree.out.data());
  }
}
// Argument: links of the chain, 0 for the humanoid.
void tree_place_links(benchmark::State& bench) {
  measure(bench, [](Placed& t) { place_links(t.model, t.q, t.data); });
}
BENCHMARK(tree_place_links)->Arg(0)->Arg(100);
void tree_move_links(benchmark::State& bench) {
  measure(bench, [](Placed& t) { move_links(t.model, t.v, t.data); });
}
BENCHMARK(tree_move_links)->Arg(0)->Arg(100);
void tree_factor(benchmark::State& bench) {
  measure(bench, [](Placed& t) { factor_tree(t.model, t.data); });
}
BENCHMARK(tree_factor)->Arg(0)->Arg(100);
void tree_inverse_dynamics(benchmark::State& bench) {
  measure(bench, [](Placed& t) { inverse_dynamics(t.model, t.data, kGravity, t.v, {}, t.out); });
}
BENCHMARK(tree_inverse_dynamics)->Arg(0)->Arg(100);
void tree_mass_matrix(benchmark::State& bench) {
  measure(bench, [](Placed& t) { find_mass_matrix(t.model, t.data); });
}
BENCHMARK(tree_mass_matrix)->Arg(0)->Arg(100);
void tree_sparse_factor(benchmark::State& bench) {
  measure(bench, [](Placed& t) { factor_mass_matrix(t.model, t.data); });
}
BENCHMARK(tree_sparse_factor)->Arg(0)->Arg(100);
void tree_impulse_response(benchmark::State& bench) {
  measure(bench, [](Placed& t) {
    impulse_response(t.model, t.data, t.model.size() - 1, t.data.p.back(), Spatial::Ones(), t.out);
  });
}
BENCHMARK(tree_impulse_response)->Arg(0)->Arg(100);

#ifdef TOUCHSTONE_MUJOCO
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
    if (!model) throw std::runtime_error(message);
    data = mj_makeData(model);
    for (int i = 0; i < model->nv; ++i) data->qvel[i] = 0.1 * (i % 7) - 0.3;
    for (int i = model->nq - model->njnt + (model->nq > model->nv); i < model->nq; ++i)
      data->qpos[i] += 0.1 * (i % 5) - 0.2;
  }
  ~Rival() { mj_deleteData(data), mj_deleteModel(model); }
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;
};

void mujoco_smooth_dynamics(benchmark::State& bench) {
  Rival rival(bench.range(0) == 0 ? mjcf_of(humanoid()) : urdf_of(chain(static_cast<int>(bench.range(0)))));
  for (auto _ : bench) {
    mj_fwdPosition(rival.model, rival.data);
    mj_fwdVelocity(rival.model, rival.data);
    mj_fwdAcceleration(rival.model, rival.data);
    benchmark::DoNotOptimize(rival.data->qacc_smooth);
  }
  bench.counters["freedom"] = rival.model->nv;
}
BENCHMARK(mujoco_smooth_dynamics)->Arg(0)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(100);
#endif

}  // namespace
}  // namespace touchstone::bench
