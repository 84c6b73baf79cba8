package org.example

import zio.ZIO
import zio.test._

object EffectSpec extends ZIOSpecDefault {
  def spec = suite("EffectSpec")(
    test("sums up")(assertTrue(List(1, 2).sum == 4)),
    suite("in a suite")(
      test("fails")(ZIO.fail(new RuntimeException("refused")).as(assertTrue(true))),
      test("dies")(ZIO.attempt("x".toInt).orDie.map(found => assertTrue(found == 1))),
      test("passes")(assertTrue(true))
    ),
    test("is asserted")(assert(1)(Assertion.equalTo(2))),
    test("is ignored")(assertTrue(false)) @@ TestAspect.ignore
  )
}
