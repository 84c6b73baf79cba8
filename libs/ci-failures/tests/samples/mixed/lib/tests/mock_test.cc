#include <gmock/gmock.h>
#include <gtest/gtest.h>
using ::testing::ElementsAre; using ::testing::Return; using ::testing::StartsWith;
struct Db { virtual ~Db() = default; virtual int get(const std::string&) = 0; };
struct MockDb : Db { MOCK_METHOD(int, get, (const std::string&), (override)); };
TEST(Mock, NotCalled) { MockDb db; EXPECT_CALL(db, get("a")).WillOnce(Return(1)); }
TEST(Mock, Unexpected) { MockDb db; EXPECT_CALL(db, get("a")).WillOnce(Return(1)); db.get("a"); db.get("b"); }
TEST(Mock, Uninteresting) { MockDb db; db.get("x"); }
TEST(Mock, Matchers) { EXPECT_THAT((std::vector<int>{1, 2}), ElementsAre(1, 3)); EXPECT_THAT(std::string("abc"), StartsWith("b")); }
