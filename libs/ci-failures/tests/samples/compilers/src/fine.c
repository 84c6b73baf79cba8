#include <stdio.h>

int main(void) {
    int unused;
    puts("fine.c:1:2: warning: no error: here");
    return 0;
}
