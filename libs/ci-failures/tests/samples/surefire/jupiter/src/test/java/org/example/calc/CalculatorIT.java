package org.example.calc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CalculatorIT {
    @Test
    void isIntegrated() {
        assertEquals("up", "down");
    }

    @Test
    void isReached() {
        throw new IllegalStateException("refused");
    }
}
