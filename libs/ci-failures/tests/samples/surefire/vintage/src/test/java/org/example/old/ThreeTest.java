package org.example.old;

import junit.framework.TestCase;

public class ThreeTest extends TestCase {
    @Override
    protected void setUp() {
        if (getName().equals("testSetUp")) {
            throw new NullPointerException("in set-up");
        }
    }

    public void testAdds() {
        assertEquals("sum", 5, 2 + 2);
    }

    public void testSetUp() {}

    public void testPasses() {}
}
