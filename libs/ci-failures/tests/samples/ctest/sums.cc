// Found by gtest_discover_tests, and run whole as well.
#include <gtest/gtest.h>

TEST(Sums, Adds) { EXPECT_EQ(2 + 2, 4); }
TEST(Sums, Fails) { EXPECT_EQ(2 + 2, 5) << "the total is wrong"; }

class Even : public ::testing::TestWithParam<int> {};
TEST_P(Even, IsEven) { EXPECT_EQ(GetParam() % 2, 0); }
INSTANTIATE_TEST_SUITE_P(Some, Even, ::testing::Values(2, 3));
