// A program that dies in the midst of a test.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <csignal>

TEST_CASE("fails first") { CHECK(1 == 2); }
TEST_CASE("dies") {
    SECTION("by a signal") { std::raise(SIGSEGV); }
}
TEST_CASE("never runs") { CHECK(1 == 2); }
