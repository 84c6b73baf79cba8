#include <stdio.h>
int main(){int x; return x;}
