package org.example.broken

class OtherTest {
    fun `does not say error at src Broken kt`() {
        val one = 1
        one = 2
        var two: String = null
    }
}
