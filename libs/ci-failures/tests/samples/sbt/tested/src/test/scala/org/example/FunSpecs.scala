package org.example

import org.scalatest.BeforeAndAfterAll
import org.scalatest.flatspec.AnyFlatSpec
import org.scalatest.funspec.AnyFunSpec
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.matchers.should.Matchers
import org.scalatest.wordspec.AnyWordSpec

class StackSuite extends AnyFunSuite {
  test("adds - with \"quotes\" and ünïcode") {
    assert(2 + 2 == 5)
  }

  test("passes") {
    println("- it is only printed *** FAILED ***")
    println("--- FAIL: TestDecoy (0.00s)")
  }

  test("throws deep in a library") {
    List("1", "two").map(_.toInt)
  }

  test("says many lines") {
    fail("one\ntwo\n- three *** FAILED ***")
  }

  ignore("is ignored") {
    fail("never")
  }

  test("is pending") {
    pending
  }

  test("is cancelled") {
    cancel("not here")
  }
}

class StackFlatSpec extends AnyFlatSpec with Matchers {
  "A Stack" should "pop values" in {
    1 should be(2)
  }

  it should "stay" in {}

  "Another" must "say so" in {
    throw new IllegalStateException("refused")
  }
}

class StackFunSpec extends AnyFunSpec {
  describe("A Stack") {
    describe("when it is empty") {
      it("has the size 0") {
        assert(List(1).size === 0)
      }
      it("passes") {}
    }
    it("is outside") {
      assert("a" == "b")
    }
  }
}

class StackWordSpec extends AnyWordSpec {
  "A Stack" when {
    "empty" should {
      "have no top" in {
        assert(None.isDefined)
      }
    }
  }
}

class SetUpSuite extends AnyFunSuite with BeforeAndAfterAll {
  override def beforeAll(): Unit = throw new IllegalStateException("no database")

  test("never runs") {}
}
