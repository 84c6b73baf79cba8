#include <cassert>
#include <cstdio>
#include <cstring>
#include <stdexcept>
int main(int c, char** v) {
  if (!strcmp(v[1], "assert")) assert(c == 7 && "seven words");
  if (!strcmp(v[1], "exit")) { fprintf(stderr, "src/plain.cc:12: check failed: a != b\n"); return 2; }
  if (!strcmp(v[1], "throw")) throw std::runtime_error("not caught");
  puts("all good"); return 0; }
