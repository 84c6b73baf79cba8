#include <stdio.h>

int main(void) {
  puts("FAIL: decoy");
  return 1;
}
