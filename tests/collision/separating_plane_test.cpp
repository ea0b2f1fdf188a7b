#include "collision/narrow/separating_plane.h"

#include "collision/routine_checks.h"

namespace touchstone {
namespace {

using namespace testing;

TEST(SeparatingPlane, PlanarAnswersAreProvenAndAgreeWithSeparatingAxes) {
  check_cold<2>(separating_plane<2>, 21, 20000);
}
TEST(SeparatingPlane, SpatialAnswersAreProvenAndAgreeWithSeparatingAxes) {
  check_cold<3>(separating_plane<3>, 22, 8000);
}
TEST(SeparatingPlane, AnyMemoryGivesTheSameAnswer) {
  check_wrong_memory<2>(separating_plane<2>, PairMemory::Kind::kPlane, 23, 5000);
  check_wrong_memory<3>(separating_plane<3>, PairMemory::Kind::kPlane, 24, 5000);
}
TEST(SeparatingPlane, WalksWithTheMemoryStayRight) {
  check_walk<2>(separating_plane<2>, 25, 100, 200);
  check_walk<3>(separating_plane<3>, 26, 100, 200);
}
TEST(SeparatingPlane, FarFromTheOriginNothingIsLost) {
  check_far_from_origin<2>(separating_plane<2>, 27, 500);
  check_far_from_origin<3>(separating_plane<3>, 28, 500);
}

}  // namespace
}  // namespace touchstone
