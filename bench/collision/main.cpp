// Collision detection of a settled pile of boxes by Touchstone, FCL and Bullet, on one thread; and how Touchstone's
// cost grows with the pile. The last lines are the ratios that the project promises.
//   bench_collision [--cache FOLDER] [--frames K] [--peers-up-to N] [--only-touchstone]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "allocation/counter.h"
#include "engine.h"

namespace touchstone::bench {
namespace {

constexpr const char *kOurs = "Touchstone", *kWithoutMargin = "without margin", *kCarried = "points re-used";
constexpr double kShake = 1e-4, kRest = 1e-6, kReuse = 1e-5;  // [m] how far a box is shaken; what may be re-used

struct Options {
  std::string cache = std::filesystem::temp_directory_path() / "touchstone-bench";
  int frames = 9;
  int peers_up_to = 10000;
};

struct Result {
  double seconds = 0, broad = 0;  // median frame; median of its broad phase
  Found found;
  long allocations = 0;  // in one more frame
};

// Every box is shaken a little: nothing begins or ends, but no engine may take the frame for the last one.
void shake(const Pile& pile, int frame, double by, std::vector<std::array<double, 3>>& positions) {
  positions.resize(pile.size());
  for (std::size_t i = 0; i < pile.size(); ++i) {
    positions[i] = pile[i].p;
    if (pile[i].fixed) continue;
    const double phase = 2.399963 * static_cast<double>(i) + 1.7 * frame;
    positions[i][0] += by * std::cos(phase);
    positions[i][1] += by * std::sin(phase);
    positions[i][2] += by * std::sin(1.3 * phase);
  }
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::map<std::string, Result> measure(const Pile& pile, const std::vector<std::unique_ptr<Engine>>& engines, int frames,
                                      double by) {
  constexpr int kRounds = 3, kWarm = 2;  // engines take turns, so that a busy minute of the machine hits all of them
  std::map<std::string, std::vector<double>> times, broad;
  std::map<std::string, Result> results;
  std::vector<std::array<double, 3>> positions;
  for (int round = 0; round < kRounds; ++round)
    for (const auto& engine : engines)
      for (int frame = -kWarm; frame < frames; ++frame) {
        shake(pile, frame, by, positions);
        engine->move(positions);
        Result& result = results[engine->name()];
        const double start = processor_time();
        result.found = engine->detect();
        const double seconds = processor_time() - start;
        if (frame < 0) continue;
        times[engine->name()].push_back(seconds);
        broad[engine->name()].push_back(result.found.broad);
      }
  for (const auto& engine : engines) {
    shake(pile, frames, by, positions);
    engine->move(positions);
    const testing::CountAllocations allocations;
    engine->detect();
    results[engine->name()].allocations = allocations.count();
  }
  for (auto& [name, result] : results) result.seconds = median(times[name]), result.broad = median(broad[name]);
  return results;
}

Pile pile_of(int count, const Options& options) {
  constexpr int kSettled = 10000;  // larger ones are copies of this pile side by side
  if (count <= kSettled) return settled_pile(count, options.cache);
  return tiled(settled_pile(kSettled, options.cache), count / kSettled);
}

// A pile at rest: points searched for in every frame, and carried along.
void compare_reuse(const Options& options) {
  const Pile pile = pile_of(10000, options);
  std::vector<std::unique_ptr<Engine>> engines;
  engines.push_back(make_touchstone(pile, kOurs, kMargin, 0));
  engines.push_back(make_touchstone(pile, kCarried, kMargin, kReuse));
  auto results = measure(pile, engines, options.frames, kRest);
  const Result &searched = results[kOurs], &carried = results[kCarried];
  std::printf(
      "at rest (1e-6 m): a search takes %.2f times as long as points re-used within 1e-5 m; %.2f without the broad "
      "phase; %ld and %ld contacts, %ld allocations\n",
      searched.seconds / carried.seconds, (searched.seconds - searched.broad) / (carried.seconds - carried.broad),
      searched.found.contacts, carried.found.contacts, carried.allocations);
}

void run(const Options& options) {
  std::filesystem::create_directories(options.cache);
  std::map<int, std::map<std::string, Result>> all;
  std::printf("%8s %-14s %10s %10s %9s %9s %9s %12s\n", "boxes", "engine", "ms/frame", "broad", "ns/body", "pairs",
              "contacts", "allocations");
  for (const int count : {1000, 10000, 30000, 100000}) {
    const Pile pile = pile_of(count, options);
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(make_touchstone(pile, kOurs, kMargin, 0));
    engines.push_back(make_touchstone(pile, kWithoutMargin, 0, 0));
    if (count <= options.peers_up_to) engines.push_back(make_bullet(pile)), engines.push_back(make_fcl(pile));
    all[count] = measure(pile, engines, options.frames, kShake);
    for (const auto& engine : engines) {
      const Result& r = all[count][engine->name()];
      std::printf("%8d %-14s %10.3f %10.3f %9.0f %9ld %9ld %12ld\n", count, engine->name(), 1e3 * r.seconds,
                  1e3 * r.broad, 1e9 * r.seconds / count, r.found.pairs, r.found.contacts, r.allocations);
    }
  }
  std::printf("\n");
  const auto per_body = [&](int count) { return all[count][kOurs].seconds / count; };
  for (const int count : {1000, 10000})
    for (const char* peer : {"FCL 0.7", "Bullet 3.24"}) {
      if (!all[count].contains(peer)) continue;
      const double theirs = all[count][peer].seconds;
      std::printf("%6d boxes: %s takes %.2f times as long as Touchstone (at least %s); %.2f without margin\n", count,
                  peer, theirs / all[count][kOurs].seconds, peer[0] == 'F' ? "2" : "1",
                  theirs / all[count][kWithoutMargin].seconds);
    }
  std::printf("cost per body from 10,000 to 30,000: %.2f times (at most 1.5)\n", per_body(30000) / per_body(10000));
  std::printf("cost per body from 1,000 to 100,000: %.2f times (at most 2.5)\n", per_body(100000) / per_body(1000));
  compare_reuse(options);
}

int main_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--only-touchstone") {
      options.peers_up_to = 0;
    } else if (i + 1 < argc && word == "--cache") {
      options.cache = argv[++i];
    } else if (i + 1 < argc && word == "--frames") {
      options.frames = std::max(1, std::atoi(argv[++i]));
    } else if (i + 1 < argc && word == "--peers-up-to") {
      options.peers_up_to = std::atoi(argv[++i]);
    } else {
      std::fprintf(stderr,
                   "usage: bench_collision [--cache FOLDER] [--frames K] [--peers-up-to N] [--only-touchstone]\n");
      return 2;
    }
  }
  run(options);
  return 0;
}

}  // namespace
}  // namespace touchstone::bench

int main(int argc, char** argv) { return touchstone::bench::main_of(argc, argv); }
