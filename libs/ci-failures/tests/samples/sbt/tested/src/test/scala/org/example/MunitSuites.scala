package org.example

class MunitSuite extends munit.FunSuite {
  test("adds - with spaces") {
    assertEquals(2 + 2, 5)
  }

  test("throws") {
    List("1", "two").map(_.toInt)
  }

  test("passes") {
    println("==> X org.example.Decoy.is only printed  0.01s munit.FailException: no")
  }

  test("fails as expected".fail) {
    assert(false)
  }

  test("is ignored".ignore) {
    assert(false)
  }
}
