// A program that dies in the midst of a test: the tests after it never run.
#include <gtest/gtest.h>

#include <cstdlib>

TEST(Before, Fails) { EXPECT_TRUE(false); }
TEST(Before, Passes) { EXPECT_TRUE(true); }
TEST(Crash, Aborts) { std::abort(); }
TEST(Crash, NeverRuns) { EXPECT_TRUE(false); }
