package org.example

import org.scalatest.GivenWhenThen
import org.scalatest.featurespec.AnyFeatureSpec
import org.scalatest.flatspec.AsyncFlatSpec
import org.scalatest.freespec.AnyFreeSpec
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.matchers.should.Matchers

import scala.concurrent.Future

class CheckoutSpec extends AnyFeatureSpec with GivenWhenThen {
  Feature("Checkout") {
    Scenario("with a card") {
      Given("a card")
      When("it is used")
      assert(false, "not paid")
    }
    Scenario("in cash") {}
  }
}

class TreeSpec extends AnyFreeSpec with Matchers {
  "A tree" - {
    "that is deep" - {
      "has leaves" in { List(1) shouldBe empty }
    }
    "compares" in { "abcdef" should equal("abcxef") }
  }
}

class LaterSpec extends AsyncFlatSpec {
  "What comes later" should "be one" in { Future(2).map(found => assert(found == 1)) }
  it should "arrive" in { Future.failed(new java.io.IOException("Connection reset")) }
}

class LinesSuite extends AnyFunSuite {
  test("has a name\nof two lines") { fail("no") }
  test("wraps") { throw new RuntimeException("outer", new IllegalStateException("inner")) }
}
