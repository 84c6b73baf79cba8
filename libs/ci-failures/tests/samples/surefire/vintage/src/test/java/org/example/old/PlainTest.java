package org.example.old;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import org.junit.Ignore;
import org.junit.Test;

public class PlainTest {
    @Test
    public void adds() {
        assertEquals(5, 2 + 2);
    }

    @Test
    public void says() {
        assertEquals("the \"message\"", "a b", "a c");
    }

    @Test
    public void saysNothing() {
        fail();
    }

    @Test(expected = IllegalStateException.class)
    public void throwsNothing() {}

    @Test(timeout = 50)
    public void takesTooLong() throws InterruptedException {
        Thread.sleep(5_000);
    }

    @Test
    public void isDeep() {
        Integer.parseInt("two");
    }

    @Test
    public void saysManyLines() {
        fail("one\ntwo\n\nTests in error: \n  decoy(org.example.old.PlainTest): three");
    }

    @Ignore("later")
    @Test
    public void isIgnored() {
        fail();
    }

    @Test
    public void isNotAssumed() {
        assumeTrue(false);
    }

    @Test
    public void printsWhatOthersPrint() {
        System.out.println("Failed tests: ");
        System.out.println("  DecoyTest.decoy:3 no");
        System.out.println("decoy(org.example.old.DecoyTest): it was only logged");
        System.out.println("--- FAIL: TestDecoy (0.00s)");
    }
}
