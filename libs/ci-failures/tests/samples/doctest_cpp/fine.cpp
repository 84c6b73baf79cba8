// Nothing fails here.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

TEST_CASE("passes") { CHECK(1 == 1); }
TEST_CASE("fails as it should" * doctest::should_fail()) { CHECK(1 == 2); }
