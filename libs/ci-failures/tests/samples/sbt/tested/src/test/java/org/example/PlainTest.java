package org.example;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PlainTest {
    @Test
    public void adds() {
        assertEquals(5, 2 + 2);
    }

    @Test
    public void passes() {}
}
