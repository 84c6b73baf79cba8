package org.example.calc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OuterTest {
    @Test
    void outside() {
        fail("outside");
    }

    @Nested
    class Inner {
        @Test
        void inside() {
            assertEquals(1, 2);
        }

        @Nested
        @DisplayName("when it is deeper")
        class Deeper {
            @Test
            void inside() {
                fail("deeper");
            }

            @Test
            void passes() {}
        }
    }
}
