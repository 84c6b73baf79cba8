#include <gtest/gtest.h>
#include <thread>
#include <chrono>
TEST(Mem, Fine) {}
TEST(Mem, UseAfterFree) { int* p = new int(3); delete p; volatile int v = *p; EXPECT_EQ(v, 3); }
TEST(Mem, Segv) { volatile int* p = nullptr; *p = 3; }
TEST(Mem, Aborts) { fprintf(stderr, "fatal: giving up\n"); abort(); }
TEST(Mem, Hangs) { std::this_thread::sleep_for(std::chrono::seconds(30)); }
TEST(Mem, Leaks) { volatile int* p = new int[10]; p[0] = 1; p = nullptr; }
TEST(Mem, Plain) { EXPECT_EQ(1, 2); }
