package org.example.calc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CasesTest {
    @ParameterizedTest
    @ValueSource(strings = {"plain", "a b", "it's", "x - y", "[1]", "fine"})
    void words(String word) {
        assertEquals("fine", word);
    }

    @ParameterizedTest(name = "{0} plus {1} = {2} <<< FAILURE!")
    @CsvSource({"1, 1, 3", "2, 2, 4", "'a, b', x, y"})
    void sums(String first, String second, String sum) {
        assertEquals(Integer.parseInt(sum), Integer.parseInt(first) + Integer.parseInt(second));
    }

    @RepeatedTest(3)
    void again(RepetitionInfo info) {
        assertEquals(1, info.getCurrentRepetition());
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of("one", "two words").map(name -> DynamicTest.dynamicTest(name, () -> fail(name)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void passes(int number) {
        assertNotNull(number);
    }
}
