#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "0";
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "sleep")) sleep(30);
  if (!strcmp(what, "tap")) {
    puts("1..2\nok 1 - adds\nnot ok 2 - subtracts");
    return 1;
  }
  fprintf(stderr, "src/prog.c:17: FAIL: decoy, leaving with %s\n", what);
  return atoi(what);
}
