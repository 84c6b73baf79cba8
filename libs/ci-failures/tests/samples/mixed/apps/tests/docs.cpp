#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <stdexcept>
TEST_SUITE("suite A") {
TEST_CASE("adds") { CHECK_EQ(1, 2); CHECK_MESSAGE(false, "told"); SUBCASE("first") { CHECK(1 > 2); SUBCASE("deep") { REQUIRE(0 == 1); } } SUBCASE("second") { WARN(false); } }
TEST_CASE_TEMPLATE("typed", T, int, double) { CHECK(sizeof(T) == 8); }
TEST_CASE("throws") { throw std::runtime_error("oops"); }
TEST_CASE("may" * doctest::may_fail()) { CHECK(false); }
TEST_CASE("should" * doctest::should_fail()) { CHECK(true); }
}
SCENARIO("a scenario") { GIVEN("x") { int x = 1; WHEN("y") { THEN("z") { CHECK(x == 2); } } } }
struct F { int v = 0; };
TEST_CASE_FIXTURE(F, "fixture, with comma") { CHECK(v == 1); CHECK_THROWS_AS(throw 1, std::exception); CHECK_THROWS_WITH(throw std::runtime_error("a"), "b"); CHECK_NOTHROW(throw 3); }
TEST_CASE("adds more") { CHECK(2 == 3); }
