package org.example

import org.specs2.mutable.Specification

class Spec2 extends Specification {
  "A stack" should {
    "have a size" in {
      List(1).size must beEqualTo(2)
    }
    "be refused" in {
      List(2).map(one => one / 0).size must beEqualTo(1)
    }
    "pass" in {
      ok
    }
  }
}
