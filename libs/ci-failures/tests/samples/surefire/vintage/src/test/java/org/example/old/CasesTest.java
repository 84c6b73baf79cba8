package org.example.old;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class CasesTest {
    @Parameters(name = "{index}: {0} - it''s {1}")
    public static Collection<Object[]> cases() {
        return Arrays.asList(new Object[][] {{"a b", 3}, {"c", 1}, {"d", 9}});
    }

    @Parameter(0)
    public String word;

    @Parameter(1)
    public int length;

    @Test
    public void hasTheLength() {
        assertEquals(length, word.length());
    }
}
