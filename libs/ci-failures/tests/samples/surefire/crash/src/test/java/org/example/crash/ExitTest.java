package org.example.crash;

import org.junit.jupiter.api.Test;

class ExitTest {
    @Test
    void exits() {
        Runtime.getRuntime().halt(3);
    }
}
