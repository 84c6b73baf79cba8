// Nothing fails here.
#include <gtest/gtest.h>

TEST(Fine, Passes) { EXPECT_TRUE(true); }
TEST(Fine, SaysFailure) { std::puts("fine.cc:5: Failure was expected: 3 FAILED TESTS"); }
