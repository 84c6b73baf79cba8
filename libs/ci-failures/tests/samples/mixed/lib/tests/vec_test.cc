#include <gtest/gtest.h>
#include <vector>
#include <string>
#include <stdexcept>
#include <iostream>
#include <map>
namespace { struct Point { int x, y; bool operator==(const Point& o) const { return x==o.x && y==o.y; } };
std::ostream& operator<<(std::ostream& s, const Point& p) { return s << "Point{\n  " << p.x << ",\n  " << p.y << "}"; } }
TEST(Vec, Equal) { EXPECT_EQ((std::vector<int>{1,2,3}), (std::vector<int>{1,2,4})) << "vectors of " << 3; }
TEST(Vec, Multi) { EXPECT_EQ(1, 2); EXPECT_TRUE(false); ASSERT_STREQ("a\nb\nc", "a\nX\nc"); }
TEST(Vec, Diff) { EXPECT_EQ(std::string("one\ntwo\nthree\nfour\n"), std::string("one\n2\nthree\nfive\n")); }
TEST(Vec, Throws) { throw std::runtime_error("thrown: disk full"); }
TEST(Vec, ThrowsInt) { throw 3; }
TEST(Vec, NoThrow) { EXPECT_NO_THROW(throw std::logic_error("bad")); EXPECT_THROW(std::cout << "", std::exception); }
TEST(Vec, Prints) { std::cout << "[ RUN      ] Fake.Test\n/decoy.cc:3: Failure\n[  FAILED  ] Fake.Test (0 ms)\n"; std::cerr << "ERROR: everything is fine\n"; }
TEST(Vec, NoNewline) { std::cout << "partial line"; EXPECT_NEAR(1.0, 1.5, 0.1); }
TEST(Vec, Traced) { SCOPED_TRACE("outer trace"); for (int i = 0; i < 2; ++i) { SCOPED_TRACE("i=" + std::to_string(i)); EXPECT_LT(i, 0); } }
TEST(Vec, Ok) {}
TEST(Vec, Skip) { GTEST_SKIP() << "no gpu"; }
TEST(Vec, PointDiffers) { EXPECT_EQ((Point{1,2}), (Point{3,4})); }
TEST(Vec, DeathFails) { EXPECT_DEATH({ std::cerr << "other words\n"; exit(1); }, "the words"); }
TEST(Vec, DeathLives) { EXPECT_DEATH({ int a = 1; (void)a; }, ""); }
TEST(Vec, DISABLED_Never) { FAIL(); }
static void helper(int v) { ASSERT_GT(v, 5) << "from the helper"; }
TEST(Vec, Helper) { helper(3); EXPECT_NO_FATAL_FAILURE(helper(4)); }
struct Fixture : ::testing::Test { void SetUp() override { FAIL() << "cannot connect"; } };
TEST_F(Fixture, NeverRuns) {}
struct Td : ::testing::Test { void TearDown() override { ADD_FAILURE() << "leaked 3 handles"; } };
TEST_F(Td, Leaves) {}
class Param : public ::testing::TestWithParam<std::pair<std::string,int>> {};
TEST_P(Param, IsSmall) { EXPECT_LT(GetParam().second, 2); }
INSTANTIATE_TEST_SUITE_P(All, Param, ::testing::Values(std::make_pair("a", 1), std::make_pair("b c", 2), std::make_pair("d", 3)));
INSTANTIATE_TEST_SUITE_P(Named, Param, ::testing::Values(std::make_pair("a", 1), std::make_pair("b", 2)), [](auto& i) { return "Case_" + i.param.first; });
