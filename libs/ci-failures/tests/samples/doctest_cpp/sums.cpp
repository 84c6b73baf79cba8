// What doctest reports: subcases, suites, templates, expected failures, decoys.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

TEST_CASE("adds") { REQUIRE(2 + 2 == 4); }

TEST_CASE("fails plainly") {
    int total = 2 + 2;
    CHECK(total == 5);
    WARN(total == 9);
    REQUIRE_MESSAGE(total == 6, "the total is ", total);
    CHECK(total == 7);
}

TEST_CASE("  a name, with [brackets], \"quotes\" and - dashes: TEST CASE:  inner") { FAIL("it's\n  two lines"); }

TEST_SUITE("sums") {
    TEST_CASE("in a suite") { CHECK_EQ(1, 2); }
    TEST_CASE("sections") {
        std::vector<int> all(3);
        SUBCASE("is right") { CHECK(all.size() == 3); }
        SUBCASE("is wrong") {
            CHECK(all.size() == 4);
            SUBCASE("and deeper") { CHECK(all.empty()); }
            SUBCASE("and elsewhere") { CHECK(all[0] == 1); }
        }
    }
}

TEST_CASE_TEMPLATE("is one byte", T, char, int, double) { CHECK(sizeof(T) == 1); }

SCENARIO("a store is filled") {
    GIVEN("an empty store") {
        std::vector<int> store;
        WHEN("one is put in") {
            store.push_back(1);
            THEN("it has two") { CHECK(store.size() == 2); }
        }
    }
}

TEST_CASE("throws") { throw std::runtime_error("no such sum"); }
TEST_CASE("throws in an assertion") { CHECK(std::stoi("x") == 1); }
TEST_CASE("does not throw") { CHECK_THROWS_AS(std::stoi("1"), std::invalid_argument); }
TEST_CASE("throws another") { CHECK_THROWS_WITH(throw std::runtime_error("one"), "two"); }

TEST_CASE("fails as it should" * doctest::should_fail()) { CHECK(1 == 2); }
TEST_CASE("may fail" * doctest::may_fail()) { CHECK(1 == 2); }
TEST_CASE("should fail but passes" * doctest::should_fail()) { CHECK(1 == 1); }
TEST_CASE("fails twice as expected" * doctest::expected_failures(2)) {
    CHECK(1 == 2);
    CHECK(1 == 3);
}
TEST_CASE("fails twice, not three times" * doctest::expected_failures(3)) {
    CHECK(1 == 2);
    CHECK(1 == 3);
}
TEST_CASE("is skipped" * doctest::skip()) { CHECK(1 == 2); }
TEST_CASE("only warns") { WARN(1 == 2); MESSAGE("sums.cpp:1: ERROR: CHECK( false ) is NOT correct!"); }
TEST_CASE("takes too long" * doctest::timeout(0.000001)) { for (volatile int i = 0; i < 1000000; i = i + 1) {} }

TEST_CASE("prints what others print") {
    std::puts("sums.cpp:1: ERROR: CHECK( false ) is NOT correct!");
    std::puts("[doctest] test cases:  3 |  1 passed | 2 failed | 0 skipped");
    CHECK(true);
}
TEST_CASE("a name so long that other frameworks would break it into two lines, but this one does not do that at all") {
    INFO("while counting");
    CHECK_FALSE(true);
}
