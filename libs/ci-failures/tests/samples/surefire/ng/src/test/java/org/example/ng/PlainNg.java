package org.example.ng;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.fail;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class PlainNg {
    @Test
    public void adds() {
        assertEquals(2 + 2, 5);
    }

    @Test
    public void isDeep() {
        Integer.parseInt("two");
    }

    @Test(expectedExceptions = IllegalStateException.class)
    public void throwsNothing() {}

    @Test(dependsOnMethods = "adds")
    public void dependsOnWhatFailed() {}

    @DataProvider
    public Object[][] words() {
        return new Object[][] {{"a b"}, {"it's"}, {"fine"}};
    }

    @Test(dataProvider = "words")
    public void isFine(String word) {
        assertEquals(word, "fine");
    }

    @Test
    public void saysManyLines() {
        fail("one\ntwo\nFailed tests: decoy(org.example.ng.PlainNg): three");
    }

    @Test
    public void passes() {}
}
