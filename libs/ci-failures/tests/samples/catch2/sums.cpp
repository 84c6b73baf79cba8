// What Catch2 reports: sections, generators, templates, long names, expected failures, decoys.
#include <stdexcept>
#include <string>
#include <vector>
#ifdef CATCH_THREE
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
#include <iostream>

TEST_CASE("adds", "[sums]") { REQUIRE(2 + 2 == 4); }

TEST_CASE("fails plainly", "[sums]") {
    int total = 2 + 2;
    CHECK(total == 5);
    CHECK(total == 6);
    REQUIRE(total == 7);
    REQUIRE(total == 8);
}

TEST_CASE("a name, with [brackets], \"quotes\" and - dashes: and more", "[odd]") { FAIL("it's \n  two lines"); }

TEST_CASE("a test case whose name is so very long that it does not fit into the seventy-nine columns of a console",
          "[long]") {
    CHECK(false);
    SECTION("and a section whose name is also much too long for one single line of the console") { CHECK(1 == 2); }
}

TEST_CASE("std::vector<std::pair<std::string,int>>::push_back/emplace_back(value_type&&)/growth_is_amortised_not_linear",
          "[long]") {
    CHECK(false);
}

TEST_CASE("sections") {
    std::vector<int> all(3);
    SECTION("is right") { CHECK(all.size() == 3); }
    SECTION("is wrong") {
        CHECK(all.size() == 4);
        SECTION("and deeper") { CHECK(all.empty()); }
        SECTION("and elsewhere") { CHECK(all[0] == 1); }
    }
}

TEST_CASE("generated") {
    auto value = GENERATE(1, 2, 3, 4);
    CAPTURE(value);
    CHECK(value % 2 == 0);
}

TEMPLATE_TEST_CASE("is one byte", "[types]", char, int, (std::vector<int>)) { CHECK(sizeof(TestType) == 1); }

SCENARIO("a store is filled") {
    GIVEN("an empty store") {
        std::vector<int> store;
        WHEN("one is put in") {
            store.push_back(1);
            THEN("it has two") { CHECK(store.size() == 2); }
        }
    }
}

TEST_CASE("throws") { throw std::runtime_error("no such sum: test.cpp:3: FAILED:"); }
TEST_CASE("throws in an assertion") { CHECK(std::stoi("x") == 1); }
TEST_CASE("does not throw") { CHECK_THROWS_AS(std::stoi("1"), std::invalid_argument); }

TEST_CASE("does not matter") { CHECK_NOFAIL(1 == 2); }
TEST_CASE("hidden", "[.]") { CHECK(1 == 2); }

TEST_CASE("prints what others print") {
    std::cout << "sums.cpp:1: FAILED:\n  CHECK( false )\n\n";
    std::cout << "===============================================================================\n"
                 "test cases: 3 | 1 passed | 2 failed\nassertions: 3 | 3 failed\n\n";
    CHECK(true);
}

struct Fixture {
    std::vector<int> items{1};
};
TEST_CASE_METHOD(Fixture, "uses a fixture gr\xc3\xbc\xc3\x9f" "e") {
    INFO("while counting");
    REQUIRE(items.size() == 2);
}
