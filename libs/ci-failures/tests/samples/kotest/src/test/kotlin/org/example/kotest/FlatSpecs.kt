package org.example.kotest

import io.kotest.assertions.assertSoftly
import io.kotest.assertions.fail
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.AnnotationSpec
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import io.kotest.property.forAll

class MoneySpec : StringSpec({
    "adds amounts" { (2 + 3) shouldBe 5 }
    "a sum of 2.50 and 1.25 is 3.75" { 2.5 + 1.25 shouldBe 4.0 }
    "an amount > 0 is positive" { (0 > 1) shouldBe true }
    "keeps every line" { "first\nsecond\nthird" shouldBe "first\n2nd\nthird" }
    "reports several at once" {
        assertSoftly {
            "till" shouldStartWith "b"
            listOf(1, 2) shouldContainExactly listOf(2, 1)
        }
    }
    "throws what nobody expects" { error("the till is closed") }
    "expects an exception" { shouldThrow<IllegalStateException> { 1 + 1 } }
    "has a property" { forAll<Int> { it < 1_000 } }
    "fails at once".config(enabled = true) { fail("closed") }
    "!is left out" { 1 shouldBe 2 }
})

class StaffTest : AnnotationSpec() {
    @Test
    fun countsStaff() = 2 shouldBe 2

    @Test
    fun `names the staff`() = "Ann" shouldBe "Bob"

    @Ignore
    @Test
    fun isLeftOut() = 1 shouldBe 2
}
