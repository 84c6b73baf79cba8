// Run whole, by one test of ctest.
#include <gtest/gtest.h>

TEST(Words, AreEqual) { EXPECT_STREQ("one", "two"); }
TEST(Words, AreSaid) { EXPECT_STREQ("one", "one"); }
