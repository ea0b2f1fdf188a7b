#pragma once
// Islands that sweeps do not get done with: Newton's method on all contacts of an island at once.
#include <algorithm>
#include <span>
#include <vector>

#include "base/archive.h"
#include "contact/islands.h"
#include "math/block_cholesky.h"
#include "models/impulse/contact_groups.h"

namespace touchstone {

template <int D>
struct NewtonInput {
  const Bodies<D>& bodies;
  const State<D>& state;  // poses, and velocities before the solve
  std::span<const AngMat<D>> inv_inertia;
  double tolerance;  // of a relative velocity at a contact [m/s]
  double target;     // which is gone on to as long as it is quick: a tall stack magnifies what is left [m/s]
  // Unless masses in it are far apart, for which sweeps are hopeless:
  double greatest_speed;  // islands in which something moved faster before the solve are left alone [m/s]
  double most_products;   // of blocks, in one factorisation: larger islands are left alone
  std::uint32_t large;    // bodies of an island that is solved only now and then, see NewtonPause
};

// Large islands cost much at a time. After one was solved, none is for a number of solves that doubles each time, and
// shrinks again while there is no need: what comes to rest is solved once, what keeps moving does not stop the show.
struct NewtonPause {
  static constexpr std::int32_t kLeast = 4, kMost = 1024;
  std::int32_t wait = 0, next = kLeast;
  void tick() {
    if (wait > 0)
      --wait;
    else if (next > kLeast)
      --next;
  }
  void start() { wait = next, next = std::min(kMost, 2 * next); }
  void serialize(Archive& ar) { ar(wait), ar(next); }
};

template <int D>
class ContactNewton {
 public:
  NewtonPause pause;

  // Finds the islands of a step's contacts. Those with more bodies than `most_bodies` are never looked at.
  void begin(const Bodies<D>& bodies, ContactGroups<D>& groups, std::size_t most_bodies);
  // Solves the islands that are not within the tolerance, as far as they are small enough. Returns how many were.
  std::int64_t solve(const NewtonInput<D>& in, ContactGroups<D>& groups, std::span<BodyVelocity<D>> velocity);
  // The greatest violation that is left among those that were solved [m/s].
  double violation() const { return violation_; }
  // Whether some contacts were in no island that it looked at.
  bool left_out() const { return left_out_; }
  std::int64_t factorisations() const { return factorisations_; }

 private:
  static constexpr int kSize = D + kAngular<D>;
  using Block = Eigen::Matrix<double, kSize, kSize>;
  using Vector = Eigen::Matrix<double, kSize, 1>;
  using Jacobian = Eigen::Matrix<double, D, kSize>;

  struct Point {
    std::uint32_t group, point;
    int lane;
    std::uint32_t root;
    std::uint32_t a, b;  // in the island; n: does not move
    Jacobian j_a, j_b;
    Vec<D> still;  // what is added to J·v: bias, skin, velocities of what does not move
    Vec<D> lambda, z, w;
    double k = 0, rho = 0, bound = 0, static_friction = 0, dynamic_friction = 0;
    bool stuck;
  };
  bool find_slow(const NewtonInput<D>& in);
  void collect(const ContactGroups<D>& groups);
  double natural_residual(const Point& p, std::span<const BodyVelocity<D>> velocity,
                          const ContactGroups<D>& groups) const;
  bool build(const NewtonInput<D>& in, const ContactGroups<D>& groups, std::size_t begin, std::size_t end,
             std::span<const BodyVelocity<D>> velocity);
  void iterate(std::size_t begin, std::size_t end, double tolerance, double target);
  void minimise(std::span<Point> points, double enough);
  bool newton_step(std::span<Point> points, bool first, double enough);
  void place(std::span<Point> points, const std::vector<Vector>& v) const;  // z for these velocities
  Vec<D> project(const Point& p, const Vec<D>& z) const;                    // Π
  double line_search(std::span<Point> points, double descent);
  void find_loads(std::span<Point> points);
  double update(std::span<Point> points);
  double residual(const Point& p, const Vec<D>& lambda) const;
  void keep(const ContactGroups<D>& groups, std::span<const Point> points, std::span<const BodyVelocity<D>> velocity);
  void put_back(ContactGroups<D>& groups, std::span<const Point> points, std::span<BodyVelocity<D>> velocity) const;
  void write_back(const NewtonInput<D>& in, ContactGroups<D>& groups, std::span<const Point> points,
                  std::span<BodyVelocity<D>> velocity);
  Vec<D> velocity_at(const Point& p, const std::vector<Vector>& v) const;

  std::vector<std::uint32_t> root_;          // by body; Islands::kNone if it is in no island to look at
  std::vector<std::uint32_t> size_;          // by root
  std::vector<double> lightest_, heaviest_;  // by root [kg]
  std::vector<std::uint8_t> chosen_;         // by root: slow enough
  std::vector<std::uint32_t> members_;       // bodies of islands to look at
  std::vector<Point> points_;
  std::vector<std::uint32_t> bodies_, local_;  // bodies of the island, and where they are in it
  std::vector<Block> mass_;
  std::vector<Vector> free_, v_, trial_, gradient_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<BodyVelocity<D>> kept_velocity_;
  std::vector<std::pair<Vec<D>, bool>> kept_points_;
  BlockCholesky<kSize> cholesky_;
  double violation_ = 0, first_slope_ = 0;
  bool too_large_ = false, left_out_ = false;
  std::int64_t factorisations_ = 0;
};

}  // namespace touchstone
