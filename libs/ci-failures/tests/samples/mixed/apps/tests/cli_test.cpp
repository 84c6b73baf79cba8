#include <catch2/catch.hpp>
#include <vector>
#include <string>
SCENARIO("Users can be added to the very long list of users that exist in the system", "[users]") {
  GIVEN("an empty list") { std::vector<std::string> v; WHEN("one is added") { v.push_back("ann"); THEN("it has two") { REQUIRE(v.size() == 2); } THEN("it has one") { CHECK(v.size() == 1); } } }
}
TEST_CASE("cli: parses --flag=value, \"quoted\" and [brackets]", "[cli][.integration]") { FAIL("hidden"); }
TEST_CASE("cli: short") { int x = 3; CAPTURE(x); INFO("info " << x); CHECK(x == 4); CHECK_FALSE(x == 3); REQUIRE_THROWS_AS(throw 3, std::exception); }
TEST_CASE("matchers") { using namespace Catch::Matchers; REQUIRE_THAT(std::string("hello"), Contains("bye") && StartsWith("h")); }
TEST_CASE("generators") { auto i = GENERATE(1, 2, 3); SECTION("is odd") { CHECK(i % 2 == 1); } }
TEMPLATE_TEST_CASE("templates", "[t]", int, std::string, (std::vector<int>)) { CHECK(sizeof(TestType) > 10); }
TEST_CASE("throws") { throw std::runtime_error("unexpected thing"); }
struct Fix { int n = 1; };
TEST_CASE_METHOD(Fix, "with fixture") { REQUIRE(n == 2); }
