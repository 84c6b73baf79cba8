package org.example.broken

import org.example.missing.Gone

class Broken {
    val wrong: Int = "text"

    fun names(): List<String> = undefined

    fun calls() {
        Gone.now(1)
        unknown("e: file:///a/B.kt:1:2 it is only a text")
    }
}
