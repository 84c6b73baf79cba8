package org.example.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FailingTest {
    @Test
    void adds() {
        assertEquals(4, 3);
    }
}
