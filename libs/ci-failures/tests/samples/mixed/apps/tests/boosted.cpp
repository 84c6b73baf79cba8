#define BOOST_TEST_MODULE Ledger tests
#include <boost/test/included/unit_test.hpp>
#include <boost/test/data/test_case.hpp>
#include <stdexcept>
BOOST_AUTO_TEST_SUITE(outer)
BOOST_AUTO_TEST_CASE(equal) { BOOST_CHECK_EQUAL(1, 2); BOOST_TEST(3 == 4, "three " << 3); }
BOOST_AUTO_TEST_CASE(required) { BOOST_REQUIRE_MESSAGE(false, "needed this"); }
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(throws) { throw std::runtime_error("boo"); }
BOOST_AUTO_TEST_CASE(fine) { BOOST_TEST(true); }
BOOST_DATA_TEST_CASE(table, boost::unit_test::data::xrange(3), n) { BOOST_TEST(n < 1); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(warns) { BOOST_WARN(false); }
BOOST_AUTO_TEST_CASE(exits) { BOOST_ERROR("by hand"); }
BOOST_AUTO_TEST_CASE(segv) { volatile int* p = nullptr; *p = 3; }
