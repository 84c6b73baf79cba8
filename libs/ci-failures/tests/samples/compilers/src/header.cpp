#include "header.hpp"

int main() { return 0; }
