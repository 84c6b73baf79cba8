package org.example.calc;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SetUpTest {
    @BeforeAll
    static void start() {
        throw new IllegalStateException("no database");
    }

    @Test
    void neverRuns() {}
}
