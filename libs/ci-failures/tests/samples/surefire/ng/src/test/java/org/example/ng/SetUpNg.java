package org.example.ng;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class SetUpNg {
    @BeforeMethod
    public void open() {
        throw new IllegalStateException("cannot open");
    }

    @Test
    public void neverRuns() {}
}
