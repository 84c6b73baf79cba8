package org.example.calc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EachTest {
    @BeforeEach
    void open() {
        throw new UnsupportedOperationException("cannot open: expected <1> but was <2>");
    }

    @AfterEach
    void close() {}

    @Test
    void first() {}

    @Test
    void second() {}
}
