#include "collision/narrow/vclip.h"

#include "collision/routine_checks.h"

namespace touchstone {
namespace {

using namespace testing;

TEST(Vclip, AnswersAreProvenAndAgreeWithSeparatingAxes) { check_cold<3>(vclip, 11, 8000); }
TEST(Vclip, AnyMemoryGivesTheSameAnswer) { check_wrong_memory<3>(vclip, PairMemory::Kind::kFeatures, 12, 5000); }
TEST(Vclip, WalksWithTheMemoryStayRight) { check_walk<3>(vclip, 13, 100, 200); }
TEST(Vclip, FarFromTheOriginNothingIsLost) { check_far_from_origin<3>(vclip, 14, 500); }

}  // namespace
}  // namespace touchstone
