package org.example.fine;

import org.junit.Test;

public class FineTest {
    @Test
    public void compares() {
        new Fine().gone();
        org.junit.Assert.equal(1, 2);
    }
}
