package org.example.calc;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CalculatorTest extends Checks {
    @Test
    void adds() {
        assertEquals(5, 2 + 2);
    }

    @Test
    void addsRightly() {
        assertEquals(4, 2 + 2);
    }

    @Test
    void dividesByZero() {
        assertEquals(1, Calculator.divide(1, 0));
    }

    @Test
    void isDeepInALibrary() {
        List.of("1", "two").stream().map(Integer::parseInt).forEach(each -> assertTrue(each > 0));
    }

    @Test
    void asksAHelper() {
        helper(7);
    }

    private void helper(int number) {
        assertEquals(8, number, "from a helper");
    }

    @Test
    void asksAnInheritedHelper() {
        same("this", "that");
    }

    @Test
    void saysManyLines() {
        fail("first line\n  second line\n\nTests run: 3, Failures: 3, Errors: 0, Skipped: 0\n[ERROR]   Other.test:3 no\nlast line");
    }

    @Test
    void saysNothing() {
        throw new IllegalStateException();
    }

    @Test
    void hasACause() {
        throw new RuntimeException("outer", new IllegalArgumentException("inner"));
    }

    @Test
    void throwsTheWrongThing() {
        assertThrows(IllegalStateException.class, () -> Calculator.divide(1, 0));
    }

    @Test
    void checksAll() {
        assertAll("both", () -> assertEquals(1, 2), () -> assertTrue(false));
    }

    @Test
    @DisplayName("says it in words - with \"quotes\" and ünïcode ✓")
    void hasADisplayName() {
        fail("in words");
    }

    @Test
    @Disabled("later")
    void isDisabled() {
        fail("never");
    }

    @Test
    void isNotAssumed() {
        assumeTrue(false, "not here");
    }

    @Test
    void printsWhatOthersPrint() {
        System.out.println("--- FAIL: TestDecoy (0.00s)");
        System.out.println("FAILED tests/test_decoy.py::test_x - assert 1 == 2");
        System.out.println("[ERROR] something was logged in a test that passes");
        System.out.println("[ERROR] Failures: ");
        System.out.println("[ERROR]   DecoyTest.decoy:12 expected: <1> but was: <2>");
        System.out.println("java.lang.IllegalStateException: logged, not thrown");
        System.out.println("\tat org.example.calc.CalculatorTest.decoy(CalculatorTest.java:3)");
        System.err.println("DecoyTest > decoy() FAILED");
        System.err.println("ERROR: it was only logged");
    }
}
