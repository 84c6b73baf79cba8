package org.example.calc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

abstract class Checks {
    @Test
    void isInherited() {
        assertEquals("abstract", "concrete");
    }

    @Test
    void isInheritedAndPasses() {}

    static void same(Object expected, Object actual) {
        assertEquals(expected, actual, "not the same");
    }
}
