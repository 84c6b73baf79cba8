package org.example.old;

import org.junit.BeforeClass;
import org.junit.Test;

public class SetUpTest {
    @BeforeClass
    public static void start() {
        throw new IllegalStateException("no database");
    }

    @Test
    public void neverRuns() {}
}
