int unused_here() {
    int never_used = 3;
    unsigned size = 3;
    for (int i = 0; i < size; ++i) {
    }
}
