package org.example.kotest

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay

class BrokenSetUpSpec : StringSpec({
    beforeSpec { error("no database") }
    "never runs" { 1 shouldBe 1 }
    "never runs either" { 1 shouldBe 1 }
})

class BrokenBodySpec : FunSpec({
    test("is never known") { 1 shouldBe 1 }
    throw IllegalStateException("the body of a spec")
})

class BrokenEachSpec : FunSpec({
    beforeTest { check(it.name.toString().contains("one")) { "no connection" } }
    test("one") { 1 shouldBe 1 }
    test("two") { 1 shouldBe 1 }
})

class BrokenAfterSpec : FunSpec({
    afterSpec { error("cannot clean up") }
    test("is fine") { 1 shouldBe 1 }
})

class SlowSpec : FunSpec({
    test("takes too long").config(timeout = 50.milliseconds) { delay(5_000) }
    test("is quick") { 1 shouldBe 1 }
})

class PassingSpec : StringSpec({ "passes" { 1 shouldBe 1 } })
