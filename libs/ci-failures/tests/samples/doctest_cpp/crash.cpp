// A program that dies in the midst of a test.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <csignal>

TEST_CASE("fails first") { CHECK(1 == 2); }
TEST_CASE("dies") {
    SUBCASE("by a signal") { std::raise(SIGSEGV); }
}
TEST_CASE("never runs") { CHECK(1 == 2); }
