// A million pairs through every routine of features and axes: outside the default run.
#include "collision/narrow/separating_plane.h"
#include "collision/narrow/vclip.h"
#include "collision/narrow/voronoi2.h"
#include "collision/routine_checks.h"

namespace touchstone {
namespace {

using namespace testing;

TEST(LongRoutines, VclipIsRightOnAMillionPairs) { check_cold<3>(vclip, 101, 1000000); }
TEST(LongRoutines, Voronoi2IsRightOnAMillionPairs) { check_cold<2>(voronoi2, 102, 1000000); }
TEST(LongRoutines, SeparatingPlaneIsRightOnAMillionPairs) {
  check_cold<2>(separating_plane<2>, 103, 500000);
  check_cold<3>(separating_plane<3>, 104, 500000);
}
TEST(LongRoutines, WrongMemoriesAndWalksDoNoHarm) {
  check_wrong_memory<2>(voronoi2, PairMemory::Kind::kFeatures, 105, 100000);
  check_wrong_memory<3>(vclip, PairMemory::Kind::kFeatures, 106, 100000);
  check_wrong_memory<3>(separating_plane<3>, PairMemory::Kind::kPlane, 107, 100000);
  check_walk<2>(voronoi2, 108, 1000, 1000);
  check_walk<3>(vclip, 109, 1000, 500);
  check_walk<3>(separating_plane<3>, 110, 1000, 500);
}

}  // namespace
}  // namespace touchstone
