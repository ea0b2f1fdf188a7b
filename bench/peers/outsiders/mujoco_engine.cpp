// MuJoCo: conjugate gradients on sparse constraints, elliptic cones, steps of at most 5 ms within a frame. It has no
// restitution. Version 2.2.2 keeps its constraints in one block of at most 2 GB, in full matrices: where a scene needs
// more rows than fit, the run ends with that reason.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "peers/engine.h"

namespace touchstone::bench {
namespace {

constexpr double kStep = 0.005;                // [s]
constexpr double kBlock = 2147483647.0 - 1e7;  // bytes for rows and bodies
constexpr double kBytesOfBody = 1e4;           // that a body takes without its contacts, and some more
constexpr int kRowsOfContact = 3;
constexpr std::size_t kStack = 20000;   // its scratch space: numbers per body
constexpr double kContactsOfBody = 16;  // room for as many

[[noreturn]] void fail(const char* message) { throw std::runtime_error(message); }

void keep_quiet(const char*) {}  // instead of a log file in the working folder; the counts of warnings are read

// Rows that fit: 12 bytes for each of rows² (their own matrix) and 24 for each of rows·speeds (Jacobian and transpose).
int rows_that_fit(std::size_t bodies) {
  const double speeds = 6.0 * static_cast<double>(bodies), b = 24 * speeds;
  const double block = kBlock - kBytesOfBody * static_cast<double>(bodies);
  const double rows = (-b + std::sqrt(b * b + 4 * 12 * block)) / (2 * 12);
  return static_cast<int>(std::min(rows, kContactsOfBody * kRowsOfContact * static_cast<double>(bodies)));
}

void write_geom(std::ostream& out, const Item& item, const Scene& scene, const char* place) {
  const auto& h = item.half;
  out << "<geom type=\"" << (item.form == Form::kSphere ? "sphere" : "box") << "\" size=\"" << h[0];
  if (item.form == Form::kBox) out << ' ' << h[1] << ' ' << h[2];
  out << "\" friction=\"" << scene.friction << " 0 0\" condim=\"3\" density=\"" << scene.density << "\" " << place
      << "/>";
}

std::string place_of(const Item& item) {
  std::ostringstream out;
  out.precision(17);
  const auto& [p, q] = item.pose;
  out << "pos=\"" << p[0] << ' ' << p[1] << ' ' << p[2] << "\" quat=\"" << q[0] << ' ' << q[1] << ' ' << q[2] << ' '
      << q[3] << '"';
  return out.str();
}

std::string scene_text(const Scene& scene, double step) {
  const int rows = rows_that_fit(scene.bodies.size());
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><size njmax=\"" << rows << "\" nconmax=\"" << rows / kRowsOfContact << "\" nstack=\""
      << kStack * scene.bodies.size() << "\"/>"
      << "<option timestep=\"" << step << "\" gravity=\"0 0 " << -scene.gravity
      << "\" solver=\"CG\" jacobian=\"sparse\" cone=\"elliptic\"/><worldbody>";
  for (const Item& item : scene.statics) write_geom(out, item, scene, place_of(item).c_str());
  for (const Item& item : scene.bodies) {
    out << "<body " << place_of(item) << "><freejoint/>";
    write_geom(out, item, scene, "");
    out << "</body>\n";
  }
  out << "</worldbody></mujoco>";
  return out.str();
}

mjModel* load(const std::string& text) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[500] = "";
  mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(error);
  return model;
}

class MujocoEngine : public Engine {
 public:
  MujocoEngine(const Scene& scene, int substeps)
      : frame_(scene.step), step_(std::min(kStep, scene.step) / substeps), bodies_(scene.bodies.size()) {
    mju_user_error = fail;
    mju_user_warning = keep_quiet;
    model_.reset(load(scene_text(scene, step_)));
    data_.reset(mj_makeData(model_.get()));
    if (!data_) throw std::runtime_error("no memory for its data");
  }
  // Steps until the end of the frame is reached: three or four of 5 ms in 1/60 s.
  void frame() override {
    ++frames_;
    while (data_->time < frame_ * static_cast<double>(frames_) - 0.5 * step_) {
      mj_step(model_.get(), data_.get());
      if (data_->warning[mjWARN_CNSTRFULL].number || data_->warning[mjWARN_CONTACTFULL].number)
        throw std::runtime_error("more constraints than fit into its block of 2 GB");
      if (data_->warning[mjWARN_BADQACC].number || data_->warning[mjWARN_BADQPOS].number)
        throw std::runtime_error("it diverged (and starts anew by itself)");
    }
  }
  void read(std::vector<Motion>& out) override {
    out.resize(bodies_);
    for (std::size_t i = 0; i < bodies_; ++i) {
      const mjtNum *q = data_->qpos + 7 * i, *v = data_->qvel + 6 * i;
      out[i] = {{{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}}, {v[0], v[1], v[2]}, {0, 0, 0}};
      mju_rotVecQuat(out[i].angular_velocity.data(), v + 3, q + 3);  // its angular velocities are in body axes
    }
  }
  long contacts() override { return data_->ncon; }

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  double frame_, step_;
  std::size_t bodies_;
  long frames_ = 0;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

}  // namespace

std::unique_ptr<Engine> make_mujoco(const Scene& scene, const EngineOptions& options) {
  return std::make_unique<MujocoEngine>(scene, options.substeps);
}

}  // namespace touchstone::bench
