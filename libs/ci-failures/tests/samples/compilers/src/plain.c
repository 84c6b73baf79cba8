#include <stdio.h>

static int unused(int value) { return value; }

int main(void) {
    int count = undeclared;
    printf("%s\n", 5);
    missing_struct_t *thing = 0;
    return count +;
}
