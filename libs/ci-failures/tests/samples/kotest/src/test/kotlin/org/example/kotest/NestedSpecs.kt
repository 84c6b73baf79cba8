package org.example.kotest

import io.kotest.core.spec.style.BehaviorSpec
import io.kotest.core.spec.style.DescribeSpec
import io.kotest.core.spec.style.ExpectSpec
import io.kotest.core.spec.style.FeatureSpec
import io.kotest.core.spec.style.FreeSpec
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.ShouldSpec
import io.kotest.core.spec.style.WordSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe

data class Price(val net: Int, val gross: Int)

class CartTest : FunSpec({
    test("is empty at first") { emptyList<Int>().size shouldBe 0 }
    context("with two items") {
        test("counts them") { listOf(1, 2).size shouldBe 3 }
        context("and a voucher") {
            test("is cheaper") { 10 shouldBe 9 }
            xtest("is left out") { 1 shouldBe 2 }
        }
    }
    context("prices") {
        withData(Price(100, 119), Price(200, 238), Price(300, 350)) { (net, gross) -> net * 119 / 100 shouldBe gross }
    }
    context("named prices") {
        withData(mapOf("small" to 1, "large: 2.0" to 2)) { it shouldBe 1 }
    }
})

class TillDescription : DescribeSpec({
    describe("a till") {
        it("opens") { true shouldBe true }
        it("closes") { true shouldBe false }
        describe("at night") { it("stays closed") { throw IllegalArgumentException("no key") } }
    }
})

class CustomerBehaviour : BehaviorSpec({
    given("a customer") {
        `when`("she pays") {
            then("she gets a receipt") { "receipt" shouldBe "invoice" }
            then("she leaves") { 1 shouldBe 1 }
        }
    }
})

class StockShould : ShouldSpec({
    context("the stock") { should("shrink") { 4 shouldBe 3 } }
    should("exist") { 1 shouldBe 1 }
})

class WordsTest : WordSpec({
    "a word" should {
        "have letters" { "word".length shouldBe 5 }
        "be short" { "word".length shouldBe 4 }
    }
    "another" When { "it is read" should { "sound" { "a" shouldBe "b" } } }
})

class FreeTest : FreeSpec({
    "a shelf" - {
        "holds boxes" { 1 shouldBe 1 }
        "in the cellar" - { "is wet" { "dry" shouldBe "wet" } }
    }
})

class FeatureTest : FeatureSpec({
    feature("the door") { scenario("rings") { 0 shouldBe 1 } }
})

class ExpectTest : ExpectSpec({
    context("a lamp") { expect("light") { 0 shouldBe 1 } }
})
