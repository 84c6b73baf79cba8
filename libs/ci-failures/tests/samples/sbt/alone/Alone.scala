package org.example

import org.scalatest.{GivenWhenThen, Suites}
import org.scalatest.featurespec.AnyFeatureSpec
import org.scalatest.freespec.AnyFreeSpec
import org.scalatest.funsuite.AnyFunSuite

class PaymentSpec extends AnyFeatureSpec with GivenWhenThen {
  Feature("Payment") {
    Scenario("with a card") {
      Given("a card")
      fail("not paid")
    }
  }
}

class BranchSpec extends AnyFreeSpec {
  "A branch" - {
    "breaks with a message of two lines" in {
      throw new RuntimeException("broken\nat the second line", new IllegalStateException("rotten"))
    }
    "grows" in {
      assert(1 + 1 == 3)
    }
  }
}

class InnerSuite extends AnyFunSuite {
  test("runs by itself and within another suite") {
    fail("twice")
  }
}

class OuterSuite extends Suites(new InnerSuite)
