package org.example.kotest

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.config.TestConfig
import io.kotest.matchers.shouldBe
import kotlin.time.Duration.Companion.milliseconds

class RetryTest : FunSpec({
    var calls = 0
    test("passes at last").config(retries = 2, retryDelay = 5.milliseconds) { ++calls shouldBe 2 }
    test("never passes").config(retries = 2, retryDelay = 5.milliseconds) { 4 shouldBe 5 }
    context("in a cart") {
        var more = 0
        test("passes the third time").config(TestConfig(retries = 3)) { ++more shouldBe 3 }
        test("fails each time").config(TestConfig(retries = 1)) { error("no attempt is left") }
    }
})
