// What gtest reports: plain failures, parameters, types, death tests, fixtures, decoys.
#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

TEST(Sums, Adds) { EXPECT_EQ(2 + 2, 4); }

TEST(Sums, Fails) {
  int total = 2 + 2;
  EXPECT_EQ(total, 5) << "the total is wrong";
  EXPECT_LT(total, 1);
}

TEST(Sums, Throws) { throw std::runtime_error("no such sum: 7 FAILED TESTS"); }

TEST(Sums, ManyLines) {
  std::string got = "one\ntwo\nthree\n", wanted = "one\n2\nthree\n";
  EXPECT_EQ(got, wanted) << "first\n\nsecond [  FAILED  ] Sums.Adds (0 ms)";
}

TEST(Sums, SaysBeforeItFails) {
  std::printf("no end of line: ");
  ADD_FAILURE() << "said something";
}

TEST(Sums, IsSkipped) { GTEST_SKIP() << "not on this machine"; }
TEST(Sums, DISABLED_NeverRun) { FAIL(); }

TEST(Decoys, PrintsWhatOthersPrint) {
  std::puts("[ RUN      ] Inner.Test");
  std::puts("inner.cc:3: Failure");
  std::puts("[  FAILED  ] Inner.Test (0 ms)");
  std::puts("[  FAILED  ] 1 test, listed below:");
  std::puts("[  FAILED  ] Inner.Test");
  std::puts("\n 1 FAILED TEST");
  std::puts("6 tests failed as expected");
}

void check(int value) { ASSERT_EQ(value, 3); }
TEST(Traced, InAHelper) {
  SCOPED_TRACE("while checking 4");
  ASSERT_NO_FATAL_FAILURE(check(4));
}

class Stack : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(items.size() == 1) << "set-up failed"; }
  std::vector<int> items;
};
TEST_F(Stack, IsEmpty) { EXPECT_TRUE(items.empty()); }

class Broken : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { FAIL() << "the suite cannot start"; }
};
TEST_F(Broken, WouldPass) { SUCCEED(); }

class Even : public ::testing::TestWithParam<int> {};
TEST_P(Even, IsEven) { EXPECT_EQ(GetParam() % 2, 0); }
INSTANTIATE_TEST_SUITE_P(Some, Even, ::testing::Values(2, 3, 4, 5));

class Words : public ::testing::TestWithParam<std::string> {};
TEST_P(Words, AreShort) { EXPECT_LE(GetParam().size(), 4u); }
INSTANTIATE_TEST_SUITE_P(Odd, Words,
                         ::testing::Values("a b", "it's, where GetParam() = 5 (0 ms)", "gr\xc3\xbc\xc3\x9f" "e"));
INSTANTIATE_TEST_SUITE_P(Named, Words, ::testing::Values("short", "tall", "longer"),
                         [](const auto& info) { return info.param; });

template <typename T>
class Typed : public ::testing::Test {};
using Types = ::testing::Types<char, int, std::vector<double>>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, IsOneByte) { EXPECT_EQ(sizeof(TypeParam), 1u); }

TEST(DyingDeathTest, DoesNotDie) { EXPECT_DEATH(std::puts("alive"), "killed"); }
TEST(DyingDeathTest, DiesOtherwise) { EXPECT_DEATH(std::abort(), "another message"); }
