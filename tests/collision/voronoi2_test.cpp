#include "collision/narrow/voronoi2.h"

#include "collision/routine_checks.h"

namespace touchstone {
namespace {

using namespace testing;

TEST(Voronoi2, AnswersAreProvenAndAgreeWithSeparatingAxes) { check_cold<2>(voronoi2, 11, 20000); }
TEST(Voronoi2, AnyMemoryGivesTheSameAnswer) { check_wrong_memory<2>(voronoi2, PairMemory::Kind::kFeatures, 12, 5000); }
TEST(Voronoi2, WalksWithTheMemoryStayRight) { check_walk<2>(voronoi2, 13, 100, 200); }
TEST(Voronoi2, FarFromTheOriginNothingIsLost) { check_far_from_origin<2>(voronoi2, 14, 500); }

}  // namespace
}  // namespace touchstone
