#include <gtest/gtest.h>
#include <list>
#include <deque>
#include <vector>
template <class T> struct Containers : ::testing::Test { T c; };
using Ts = ::testing::Types<std::vector<int>, std::list<std::pair<int, char>>, std::deque<double>>;
TYPED_TEST_SUITE(Containers, Ts);
TYPED_TEST(Containers, IsBig) { EXPECT_GT(sizeof(this->c), 30u); }
TYPED_TEST(Containers, IsEmpty) { EXPECT_TRUE(this->c.empty()); }
template <class T> struct Abs : ::testing::Test {};
TYPED_TEST_SUITE_P(Abs);
TYPED_TEST_P(Abs, Fails) { EXPECT_EQ(TypeParam(1), TypeParam(2)); }
REGISTER_TYPED_TEST_SUITE_P(Abs, Fails);
using Us = ::testing::Types<int, unsigned long>;
INSTANTIATE_TYPED_TEST_SUITE_P(My, Abs, Us);
